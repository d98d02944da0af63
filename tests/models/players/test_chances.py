"""The table of beliefs refuses what cannot be believed."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from data.errors import ModelError
from models.players.chances import Chances
from tests.cases.chances_cases import DEF, FWD, a_man, a_score, the_chances

BELIEFS = [field.name for field in fields(Chances)[4:] if field.name != "grid"]


def two_men() -> Chances:
    return the_chances([a_man(FWD, state=(0.25, 0.25, 0.5)), a_man(DEF)], a_score(1, 0))


def test_who_is_not_absent_plays() -> None:
    assert two_men().plays.tolist() == [0.75, 1.0]
    assert len(two_men()) == 2


def test_a_state_stays_on_its_side_of_the_hour() -> None:
    men = [a_man(minutes=(0.0, 0.0, 0.5)), a_man(minutes=(0.0, 0.9, 1.33)), a_man(minutes=(0.0, 0.3, 0.9))]
    assert the_chances(men, a_score(0, 0)).state_minutes.tolist() == [[0, 1, 60], [0, 59, 120], [0, 27, 81]]


def test_a_round_without_players_is_allowed() -> None:
    nobody = {field.name: getattr(two_men(), field.name)[:0] for field in fields(Chances) if field.name != "grid"}
    assert len(Chances(**nobody, grid=a_score(0, 0))) == 0


def test_beliefs_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="read-only"):
        two_men().saves[0] = 1.0


@pytest.mark.parametrize("name", BELIEFS)
@pytest.mark.parametrize(
    ("value", "message"), [(np.nan, "not finite"), (np.inf, "not finite"), (-0.25, "-0.25; probabilities and rates")]
)
def test_missing_and_negative_values_are_refused_by_name(name: str, value: float, message: str) -> None:
    changed = getattr(two_men(), name).copy()
    changed.flat[0] = value
    with pytest.raises(ModelError, match=f"{name} holds .*{message}"):
        replace(two_men(), **{name: changed})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"saves": np.zeros(3)}, "saves has 3 rows, not 2"),
        ({"state": np.array([[0.5, 0.2, 0.2], [0.0, 0.0, 1.0]])}, "must sum to 1"),
        ({"goal": np.full((2, 3), 0.7), "assist": np.full((2, 3), 0.4)}, "exceed all goals of his team"),
    ],
)
def test_contradictions_are_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        replace(two_men(), **changed)
