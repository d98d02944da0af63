"""A spec as a weighted sum: the weight of every state and record metric, and the names of what is no sum."""

from __future__ import annotations

import numpy as np
import pytest

from data.errors import SpecError
from engine.language.sums import WeightedSum, weighted_sum
from engine.language.vocabulary import RecordSet, Scene
from tests.cases.objectives.spec_cases import a_spec

EO, CEILING = np.array([0.5, 0.0, 0.2]), np.array([10.0, 8.0, 6.0])
ROLE = np.array([[0.0] * 3, [1.0] * 3])


def the_sum(body: str, **parameters: float) -> WeightedSum:
    """Return the sum of a spec over three players, of whom the last is never missed."""
    fields = {"xev": CEILING / 2, "eo": EO, "ceiling": CEILING}
    columns = {name: np.tile(values, (2, 1)) for name, values in fields.items()} | {"role": ROLE}
    masks = {"starter": np.ones((2, 3), dtype=bool), "template_missed": np.tile([True, True, False], (2, 1))}
    records = {kind: RecordSet(columns, mask) for kind, mask in masks.items()}
    scene = Scene({"players": np.array([3.0, 3.0])}, records, world={"round": 2.0, "length": 50.0})
    return weighted_sum(a_spec(body), parameters, scene)


def test_weights_of_one_state_add_up_and_penalties_are_signed() -> None:
    total = the_sum("parameter k = 2 maximize raw_xev: k reward raw_xev: 1 as more penalize price: k / 4", k=4)
    assert total.state == {"raw_xev": 5.0, "price": -1.0}
    assert total.constant == 0.0
    assert total.beyond == ()


def test_simple_metrics_are_taken_apart() -> None:
    total = the_sum("metric a = 2 * squad.raw_xev - 1 metric b = a / world.round - squad.price maximize b: 3")
    assert total.state == {"raw_xev": 3.0, "price": -3.0}
    assert total.constant == -1.5


def test_a_sum_of_records_is_split_by_role_and_only_counts_who_may_be_one() -> None:
    body = "per record template_missed: eo * ceiling + role * 2 aggregate: sum"
    total = the_sum(f"metric a {{ {body} }} metric twice = 2 * a penalize twice: 0.5 maximize a: 3")
    (metric,) = total.records
    assert (metric.kind, metric.weight) == ("template_missed", 2.0)
    assert metric.fixed.tolist() == [5.0, 0.0, 0.0]
    assert metric.by_role.tolist() == [2.0, 2.0, 0.0]


def test_a_record_metric_may_be_called_like_squad_state() -> None:
    total = the_sum("metric price { per record starter: xev aggregate: sum } maximize price: 2 maximize squad.price: 1")
    assert total.state == {"price": 1.0}
    assert [metric.weight for metric in total.records] == [2.0]


def test_what_is_no_sum_is_named_once_and_only_if_it_counts() -> None:
    body = "metric a = abs(squad.price) metric b = a + 1 maximize raw_xev: 1"
    assert the_sum(f"{body} maximize b: 1 penalize b: 2 as less maximize a: 0").beyond == ("b",)
    assert the_sum(f"{body} maximize a: 0").beyond == ()


def test_a_metric_that_cannot_be_computed_for_every_player_is_no_sum() -> None:
    total = the_sum("metric a { per record starter: xev / eo aggregate: sum } metric b = a maximize b: 1")
    assert total.beyond == ("a",)
    fine = the_sum("metric a { per record starter: eo > 0 ? xev / eo : 0 aggregate: sum } maximize a: 1")
    assert fine.records[0].fixed.tolist() == [10.0, 0.0, pytest.approx(15.0)]


def test_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(SpecError, match="no parameter kk"):
        the_sum("parameter k = 2 maximize raw_xev: k", kk=1.0)
