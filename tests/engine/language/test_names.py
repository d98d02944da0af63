"""Readers give columns: squads (p, 1), records (p, m), ticks (p, t), and one figure for what all share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.errors import SpecError
from engine.language.names import TICK, VALUE, Moment, Scope, reader
from engine.language.syntax import Name, SpecSource, Spot
from tests.cases.objectives.spec_cases import TWO_ONE_NONE, WORDS, a_scene

SPOT = Spot(SpecSource("t.fitness", "name"), 1, 1, 4)
SQUADS = np.ones((3, 1), dtype=bool)
SCOPE = Scope(vocabulary=WORDS, parameters=frozenset({"k"}), metrics=frozenset({"m"}))


def read(space: str, name: str, scope: Scope = SCOPE, live: np.ndarray = SQUADS, **changed: object) -> np.ndarray:
    moment = Moment(a_scene(), {"k": 7.0}, {"m": np.array([[1.0], [2], [3]])})
    return reader(Name(SPOT, space, name), scope)(replace(moment, **changed), live)


def test_squad_state_is_a_column() -> None:
    assert read("squad", "price").tolist() == read("agent", "price").tolist() == [[100], [99], [98]]


def test_shared_figures_have_no_dimension() -> None:
    assert read("world", "round").shape == read("engine", "stalled").shape == read("", "k").shape == ()


def test_figures_of_a_squad_are_a_column() -> None:
    assert read("engine", "nodes").tolist() == [[15], [15], [15]]


def test_ticks_are_read_through_the_window() -> None:
    ticking = replace(SCOPE, special=TICK)
    assert read("squad", "xev", ticking).shape == (3, 3)
    assert read("squad", "xev", ticking, ticks=slice(1, 2)).tolist() == [[6], [5], [1]]
    assert read("", "dt", ticking) == 1.0


def test_gaps_between_records_read_zero() -> None:
    fields = read("", "xev", replace(SCOPE, record="starter"), TWO_ONE_NONE)
    assert fields.tolist() == [[5, 3], [4, 0], [0, 0]]


def test_metrics_and_the_transformed_value_are_columns() -> None:
    assert read("", "m").tolist() == [[1], [2], [3]]
    assert read("", "value", replace(SCOPE, special=VALUE), value=np.zeros((3, 1))).shape == (3, 1)


@pytest.mark.parametrize(
    ("space", "name", "words"),
    [
        ("squad", "pryce", "Unknown name squad.pryce: no scene gives it. Did you mean price"),
        ("world", "rond", "Did you mean round"),
        ("wrld", "round", "wrld.round cannot be read here. Did you mean world"),
        ("", "price", "written squad.price"),
        ("", "kk", "Unknown name kk. Did you mean k?"),
        ("", "zeal", "Unknown name zeal. Known: k, m."),
        ("squad", "__class__", "Unknown name squad.__class__"),
    ],
)
def test_an_unknown_name_gets_the_nearest(space: str, name: str, words: str) -> None:
    with pytest.raises(SpecError) as caught:
        read(space, name)
    assert words in str(caught.value)


def test_where_nothing_is_declared_the_error_says_how_to() -> None:
    with pytest.raises(SpecError, match="Declare it"):
        read("", "zeal", Scope(vocabulary=WORDS, parameters=frozenset()))
