"""Candidates are columns of one length; what a column cannot hold is refused, never wrapped round."""

from __future__ import annotations

import numpy as np
import pytest

from data.errors import InputError
from engine.fitness.judge import named_objective
from engine.search.population.candidates import COLUMNS, candidates, scored_candidates
from tests.cases.judged_worlds import small_judge

SQUADS = np.array([[0, 1, 2], [3, 4, 5]])


def test_a_value_given_once_holds_for_all() -> None:
    made = candidates(SQUADS, [1.0, 2.0], generation=7, parent=[[0, 1], [2, -1]])
    assert made.generation.tolist() == [7, 7]
    assert made.parent.tolist() == [[0, 1], [2, -1]]
    assert candidates(SQUADS, 0.0).parent.tolist() == [[-1, -1], [-1, -1]]
    assert {name: column.dtype.type for name, column in made.columns().items()} == {
        name: dtype for name, (dtype, _) in COLUMNS.items()
    }


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("operator", 256, "holds uint8 and cannot take"),
        ("archetype", -1, "holds uint8 and cannot take"),
        ("generation", 2.5, "holds int32 and cannot take"),
        ("captain", 2**40, "holds int32 and cannot take"),
        ("parent", np.nan, "holds int32 and cannot take"),
        ("disqualified", 2, "holds bool and cannot take"),
        ("variance", [1.0, 2.0, 3.0], r"has shape \(3,\); \(2,\) was expected"),
        ("parent", [[1, 2, 3]], r"has shape \(1, 3\); \(2, 2\) was expected"),
    ],
)
def test_what_a_column_cannot_hold_is_refused(column: str, value: object, said: str) -> None:
    with pytest.raises(InputError, match=f"Column '{column}' {said}"):
        candidates(SQUADS, 0.0, **{column: value})  # type: ignore[arg-type]


def test_a_lone_squad_must_be_a_row_of_a_table() -> None:
    with pytest.raises(InputError, match="a row for each"):
        candidates([0, 1, 2], 0.0)


def test_an_evaluation_fails_by_a_gate_or_by_a_figure_that_is_no_number() -> None:
    squads = np.arange(18).reshape(6, 3)
    made = candidates(
        squads,
        [1.0, np.nan, 3.0, 4.0, -5.0, np.inf],
        disqualified=[True, False, False, False, False, False],
        variance=[1.0, 1.0, np.nan, 1.0, 1.0, 1.0],
        changes=[0.0, 0.0, 0.0, np.inf, 0.0, 0.0],
    )
    assert made.failed.tolist() == [True, True, True, True, False, True]


def test_some_of_them_are_candidates_too() -> None:
    made = candidates(SQUADS, [1.0, 2.0])
    assert made.at(np.array([False, True])).score.tolist() == [2.0]
    assert made.at(slice(1)).squads.tolist() == [[0, 1, 2]]
    assert len(made.at(np.zeros(2, dtype=bool))) == 0


def test_scored_squads_bring_their_figures_and_captains() -> None:
    judge = small_judge()
    scored = judge.score(judge.pool, named_objective("protect", judge.view))
    made = scored_candidates(scored, band=1, operator=2)
    assert made.score.tolist() == scored.fitness.tolist()
    assert made.variance.tolist() == scored.figures["variance"].tolist()
    assert made.captain.tolist() == scored.lineups.captain.tolist()
    assert made.price.tolist() == [round(price, 1) for price in scored.figures["price"].tolist()]
    assert not made.failed.any()
