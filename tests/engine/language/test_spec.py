"""What a spec means: every example of the language's description, computed by hand on a small world."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import SpecError
from engine.language.spec import load_spec, read_spec
from engine.language.vocabulary import RecordSet, Scene, Vocabulary
from tests.cases.objectives.spec_cases import WORDS, a_scene, a_spec, scored, some_records, totals

ASSESSMENT = """
fitness OperatorAssessment {
gate alive
gate route_progress = agent.reached_end ? 1.0 : agent.position / world.length
-- How many waypoints were properly served
metric waypoint_service {
per record waypoint_visit: stopped
aggregate: avg
}
-- Route completion
metric completion = agent.position / world.length
-- Speed compliance (lower is better)
metric overspeed = agent.speed > 0 ? 0.0 : 0.0
terminate when agent.reached_end
maximize completion: 100.0
maximize waypoint_service: 60.0
penalize engine.complexity: 0.001
}
"""


def a_route() -> Scene:
    state = {"alive": [1, 1, 0], "reached_end": [1, 0, 0], "position": [50, 20, 10], "speed": [1, 0, 2]}
    return replace(
        a_scene(**state),
        records={"waypoint_visit": some_records(stopped=[1, 0, 1])},
        ticks={"reached_end": np.array([[0.0, 1], [0, 0], [0, 0]])},
    )


def test_the_whole_example_of_the_description() -> None:
    scene = a_route()
    score = load_spec(ASSESSMENT, file="a.fitness", vocabulary=Vocabulary.of(scene)).evaluate(scene)
    # Progress 1 and 20/50; completion 1 and .4; service ½ and 1; complexity 8 and 9; the third is dead.
    assert score.total == pytest.approx([130 - 0.008, (40 + 60) * 0.4 - 0.009, 0.0])
    assert score.metrics["waypoint_service"].tolist() == [0.5, 1.0, 0.0]
    assert score.disqualified.tolist() == [False, False, True]
    assert score.terms["engine.complexity"] == pytest.approx([-0.008, -0.009, -0.01])


def test_a_failed_boolean_gate_is_a_hard_zero_penalties_included() -> None:
    score = scored("gate alive maximize raw_xev: 1 penalize variance: 1", alive=[1, 0, 0])
    assert score.total.tolist() == [60 - 400, 0.0, 0.0]
    assert score.terms["feasibility_penalty"].tolist() == [0.0, -(50 - 300), -(40 - 200)]


MEANINGS: dict[str, tuple[str, list[float]]] = {
    "an expression gate multiplies what is gained and no penalty": (
        "gate half = 0.5 maximize raw_xev: 1 reward price: 1 penalize transfer_cost: 2", [80, 74.5 - 6, 69 - 12],
    ),
    "gates multiply together": (
        "gate feasible gate a = 0.5 gate b = squad.price > 98 ? 2 : 3 maximize raw_xev: 1", [60, 50, 60],
    ),
    "the formula of the description": (
        "gate g = 0.5 maximize raw_xev: 2 reward price: 3 penalize variance: 0.1",
        [(120 + 300) / 2 - 40, (100 + 297) / 2 - 30, (80 + 294) / 2 - 20],
    ),
    "a transform leaves no records at zero": (
        "metric m { per record starter: xev aggregate: sum transform: 100 - value } maximize m: 1", [92, 96, 0],
    ),
    "a record expression mixes fields with the squad": (
        "metric m { per record starter: eo * ceiling + squad.price aggregate: sum } maximize m: 1",
        [5 + 1.6 + 200, 0.6 + 99, 0],
    ),
    "a declared metric comes before squad state": ("metric price = squad.price * 2 maximize price: 1", [200, 198, 196]),
    "squad state can still be named": ("metric price = squad.price * 2 maximize squad.price: 1", [100, 99, 98]),
    "built-ins need no declaration": ("penalize engine.complexity: 2 penalize engine.nodes: 1", [-31, -33, -35]),
    "agent is another word for squad": ("metric m = agent.price maximize m: 1", [100, 99, 98]),
    "a metric may build on one above": (
        "metric a = squad.price metric b = a * world.round maximize b: 1", [200, 198, 196],
    ),
    "logic answers one or zero": (
        "metric m = squad.price >= 99 and not (squad.raw_xev == 50 or squad.raw_xev != 60) maximize m: 1", [1, 0, 0],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), MEANINGS.values(), ids=MEANINGS)
def test_a_body_means_what_the_description_says(body: str, expected: list[float]) -> None:
    assert totals(body) == pytest.approx(expected, rel=1e-12)


def test_an_expression_gate_of_zero_disqualifies_nobody() -> None:
    score = scored("gate shut = 0 maximize raw_xev: 1 penalize transfer_cost: 2")
    assert score.total.tolist() == [0, -6, -12]
    assert not score.disqualified.any()


def test_simple_metrics_read_the_final_state() -> None:
    body = """metric detection_rate = agent.connections_seen > 0 ?
    agent.true_positives / max(1, agent.true_positives + agent.threats_missed) : 0
    maximize detection_rate: 1"""
    state = {"connections_seen": [4, 2, 0], "true_positives": [3, 0, 9], "threats_missed": [1, 0, 9]}
    assert totals(body, **state) == [0.75, 0.0, 0.0]


def test_a_guarded_division_by_zero_is_no_fault() -> None:
    body = "metric idle_rate = agent.ticks_alive > 0 ? agent.idle_ticks / agent.ticks_alive : 1.0 penalize idle_rate: 1"
    assert totals(body, ticks_alive=[4, 0, 2], idle_ticks=[1, 5, 2]) == [-0.25, -1.0, -1.0]


@pytest.mark.parametrize(
    ("aggregate", "records", "ticks"),
    [
        ("avg", [4, 4, 0], [6, 5, 4]), ("sum", [8, 4, 0], [18, 15, 12]), ("min", [3, 4, 0], [4, 5, 1]),
        ("max", [5, 4, 0], [8, 5, 9]),
    ],
)  # fmt: skip
def test_records_and_the_ticks_of_the_horizon_aggregate_and_none_is_zero(
    aggregate: str, records: list[float], ticks: list[float]
) -> None:
    assert totals(f"metric m {{ per record starter: xev aggregate: {aggregate} }} maximize m: 1") == records
    assert totals(f"metric m {{ per tick: squad.xev aggregate: {aggregate} }} maximize m: 1") == ticks


def test_the_jerk_of_the_description() -> None:
    body = """metric jerk {
      per tick: abs(agent.xev - agent.alive) / dt
      aggregate: avg
      transform: clamp((value - 0.5) / 10, 0, 1)
    }
    penalize jerk: 1"""
    # Averages of |xev − alive|: (3+5+7)/3 = 5, (4+5+5)/3, (9+1+2)/3 = 4.
    assert totals(body) == pytest.approx([-0.45, -(14 / 3 - 0.5) / 10, -0.35])


def test_the_shorthand_equals_its_metric() -> None:
    state = {"health_avg": [0.5, 0.2, 0.1]}
    assert totals("reward health_avg: 5.0", **state) == [2.5, 1.0, 0.5]
    assert totals("metric health_avg = agent.health_avg reward health_avg: 5.0", **state) == [2.5, 1.0, 0.5]


def test_or_does_not_look_further_once_it_holds() -> None:
    assert totals("metric m = squad.z == 0 or 1 / squad.z > 0 maximize m: 1", z=[0, 1, -1]) == [1, 1, 0]
    assert totals("metric m = squad.z != 0 and 1 / squad.z > 0 maximize m: 1", z=[0, 1, -1]) == [0, 1, 0]


def test_a_termination_ends_the_horizon_of_that_squad_after_its_tick() -> None:
    body = "metric m { per tick: squad.xev aggregate: sum } maximize m: 1 terminate when "
    assert totals(body + "squad.xev >= 6") == [10, 15, 9]
    assert totals(body + "squad.alive == 0") == [18, 10, 9]
    assert totals(body + "squad.xev >= 6 terminate when squad.alive == 0") == [10, 10, 9]
    assert totals(body + "1") == [4, 5, 9]


def test_a_termination_does_not_look_past_the_end() -> None:
    scene = replace(a_scene(), ticks={"xev": np.ones((3, 3)), "left": np.array([[2.0, 1, 0]] * 3)})
    body = "metric m { per tick: squad.xev aggregate: sum } maximize m: 1 terminate when 2 / squad.left >= 2"
    spec = load_spec(f"fitness T {{ {body} }}", file="t.fitness", vocabulary=Vocabulary.of(scene))
    assert spec.evaluate(scene).total.tolist() == [2, 2, 2]


def test_a_termination_on_the_search_alone_ends_the_search() -> None:
    body = "parameter patience = 40 metric m { per tick: squad.xev aggregate: sum } maximize m: 1 "
    spec = a_spec(body + "terminate when engine.stalled >= patience or engine.generation > 500")
    assert not spec.stops({"stalled": 39, "generation": 500})
    assert spec.stops({"stalled": 40, "generation": 1})
    assert spec.stops({"stalled": 9, "generation": 1}, {"patience": 9})
    assert spec.evaluate(a_scene()).total.tolist() == [18, 15, 12]
    with pytest.raises(SpecError, match=r"engine\.generation is known, but this scene"):
        spec.stops({"stalled": 3})


def test_a_termination_on_a_squads_own_figure_never_ends_the_search() -> None:
    spec = a_spec("metric m { per tick: squad.xev aggregate: sum } maximize m: 1 terminate when engine.complexity > 8")
    assert not spec.stops({"stalled": 1e9})
    assert spec.evaluate(a_scene()).total.tolist() == [18, 5, 9]


def test_parameters_have_defaults_and_can_be_set() -> None:
    spec = a_spec("parameter k = 0.02 parameter half = 1 / 2 penalize variance: k * half as variance_term")
    assert dict(spec.parameters) == {"k": 0.02, "half": 0.5}
    assert spec.evaluate(a_scene()).total.tolist() == [-4, -3, -2]
    assert spec.evaluate(a_scene(), {"k": 0.1}).total.tolist() == [-20, -15, -10]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("q", 1.0, "no parameter q"),
        ("k", float("nan"), "k is nan"),
        ("k", 1e308, "Give a number up to 1e"),
    ],
)
def test_a_bad_parameter_is_refused(name: str, value: float, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        a_spec("parameter k = 1 maximize raw_xev: k").evaluate(a_scene(), {name: value})


def test_lines_of_one_term_add_up_and_stand_in_reading_order() -> None:
    score = scored("""
      penalize price: 1 as zeal
      maximize cs_lift: 1 as bonus
      penalize variance: 0.1 as variance_term
      maximize preferences: 1
      reward cs_lift: 2 as bonus
      maximize raw_xev: 1""")
    assert list(score.terms) == ["raw_xev", "variance_term", "feasibility_penalty", "preferences", "zeal", "bonus"]
    assert score.terms["bonus"].tolist() == [12, 6, 0]


def test_a_division_by_zero_names_the_line_and_the_squads() -> None:
    with pytest.raises(SpecError, match="Division by zero for 2 of 3 squads, the first is number 1") as caught:
        totals("maximize raw_xev: 1\nmetric m = 1 / squad.z\nmaximize m: 1", z=[1, 0, 0])
    assert (caught.value.line, caught.value.column) == (3, 14)


def test_a_disqualified_squad_may_divide_by_zero() -> None:
    assert totals("gate alive metric m = 1 / squad.z maximize m: 1", z=[1, 0, 0], alive=[1, 0, 0]) == [1, 0, 0]


@pytest.mark.parametrize(
    "body",
    [
        "metric m = squad.big * squad.big > 1 maximize m: 1",
        "metric m = sqrt(0 - squad.big) maximize m: 1",
        "maximize big: 1e200",
        "maximize big: 1 gate g = squad.big * squad.big",
        "maximize big: 1e-100",
        "parameter q = 1e12 maximize price: q * q",
        "metric m { per record starter: squad.big * squad.big aggregate: sum } maximize m: 1",
    ],
)
def test_what_overflows_is_refused(body: str) -> None:
    with pytest.raises(SpecError, match=r"too large|negative"):
        totals(body, big=[1e200, 1e200, 1e200])


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_squad_without_a_finite_figure_is_refused_unless_disqualified(value: float) -> None:
    with pytest.raises(SpecError, match=r"squad\.z is not a finite number for 1 of 3 squads"):
        totals("metric m = squad.z > 1 maximize m: 1", z=[1, value, 2])
    assert totals("gate alive maximize z: 1", z=[1, value, 2], alive=[1, 0, 1]) == [1, 0, 2]


def test_what_the_scene_lacks_is_named() -> None:
    spec = a_spec("metric m { per record starter: xev aggregate: sum } maximize m: 1")
    with pytest.raises(SpecError, match="Records starter are known"):
        spec.evaluate(replace(a_scene(), records={}))
    with pytest.raises(SpecError, match="xev is known, but this scene"):
        spec.evaluate(replace(a_scene(), records={"starter": RecordSet({}, np.ones((3, 1)))}))


def test_no_squads_score_nothing() -> None:
    scene = Scene({"raw_xev": np.zeros(0)})
    score = load_spec("fitness T { maximize raw_xev: 1 }", file="t", vocabulary=Vocabulary.of(scene)).evaluate(scene)
    assert score.total.shape == (0,)


@given(st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3), st.lists(st.booleans(), min_size=3, max_size=3))
def test_the_lines_always_sum_to_the_total(values: list[float], alive: list[bool]) -> None:
    body = "gate alive gate g = squad.z > 0 maximize z: 0.3 as a reward price: 0.1 as b penalize z: 7 as c"
    score = scored(f"{body} penalize price: 1", z=values, alive=alive)
    np.testing.assert_allclose(sum(score.terms.values()), score.total, rtol=0, atol=1e-9)
    assert (score.disqualified == ~np.array(alive)).all()
    assert not score.total[score.disqualified].any()


def test_squads_are_scored_apart() -> None:
    body = "metric m { per record starter: xev / eo aggregate: max } maximize m: 1 maximize raw_xev: 1"
    scene, spec = a_scene(), a_spec(body)
    backwards = replace(
        scene,
        squad={name: values[::-1] for name, values in scene.squad.items()},
        records={
            kind: RecordSet({name: values[::-1] for name, values in one.fields.items()}, one.mask[::-1])
            for kind, one in scene.records.items()
        },
    )
    assert spec.evaluate(backwards).total[::-1].tolist() == spec.evaluate(scene).total.tolist()


def test_a_file_that_is_not_there_or_too_long_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"absent\.fitness cannot be read"):
        read_spec(tmp_path / "absent.fitness", vocabulary=WORDS)
    for path in (tmp_path, Path("/dev/zero")):
        with pytest.raises(SpecError, match="cannot be read: it is not a regular file"):
            read_spec(path, vocabulary=WORDS)
    long = tmp_path / "long.fitness"
    long.write_text("-" * 1_000_000, encoding="utf-8")
    with pytest.raises(SpecError, match="cannot be read: it has more than 262,144 bytes"):
        read_spec(long, vocabulary=WORDS)
    long.write_text("-" * 100_000, encoding="utf-8")
    with pytest.raises(SpecError, match="65,536 are allowed"):
        read_spec(long, vocabulary=WORDS)
