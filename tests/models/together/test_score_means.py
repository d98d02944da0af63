"""Rules of a player's mean once the score is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.rules import load_rules
from models.players.bonus import bonus_chances
from models.teams.goals import MAX_GOALS
from models.together.deal import deal
from models.together.score_means import points_given_score
from tests.cases.chances_cases import DEF, FULL_TIME, FWD, GK, MID, a_man, a_score, the_chances

RULES = load_rules("wc2026")
RARE = 0.01
SMALL_LINES = 0.3
"""Points of scouting bonus that chances and shots decide, at most, at typical rates."""


def means(*men: dict[str, Any], owned: float = 0.5, rulebook: str = "wc2026") -> np.ndarray:
    return points_given_score(the_chances(list(men), a_score(0, 0)), load_rules(rulebook), np.full(len(men), owned))


def test_a_defender_loses_by_every_goal_conceded() -> None:
    found = means(a_man(DEF))[0, 0]
    assert found[:4] == pytest.approx([5, 0, -1, -2])
    bonus = bonus_chances(DEF, 1, 0, 0, np.array([1, 0, 0, 0, 0])) @ np.arange(4)
    assert means(a_man(DEF), rulebook="fpl2026")[0, 0, :5] == pytest.approx(np.array([4, 0, -1, -1, -2]) + bonus)


def test_the_bonus_grows_with_the_goals() -> None:
    found = means(a_man(FWD, goal=1.0), rulebook="fpl2026")[0, :, 1]
    goals = np.arange(MAX_GOALS + 1)
    bonus = bonus_chances(FWD, 1, goals, 0, 0) @ np.arange(4)
    assert found - 4 * goals == pytest.approx(bonus, abs=0.02)  # four goals earn all of it


def test_a_forward_does_not_mind_goals_conceded_and_lives_on_his_teams() -> None:
    found = means(a_man(FWD, assist=0.4))[0]
    assert found == pytest.approx(np.repeat(found[:, :1], MAX_GOALS + 1, axis=1))
    assert found[:, 0] == pytest.approx(3 * 0.4 * np.arange(MAX_GOALS + 1))


def test_a_goal_is_a_shot_on_target_and_an_assist_a_chance_created() -> None:
    assert means(a_man(FWD, goal=1.0))[0, :4, 0] == pytest.approx([0, 5, 11, 16])
    assert means(a_man(MID, assist=1.0))[0, :4, 0] == pytest.approx([1, 4, 8, 11])  # and 1 of clean sheet


def test_states_weigh_in_by_their_probability() -> None:
    found = means(a_man(DEF, state=(0.3, 0.2, 0.5), minutes=(0.0, 0.5, 1.0)))[0, 0]
    assert found[0] == pytest.approx(0.5 * 5)
    assert found[2] == pytest.approx(0.5 * -1 + 0.2 * -0.25)


def test_the_scouting_bonus_comes_with_the_clean_sheet_or_a_goal() -> None:
    plain, scouted = means(a_man(DEF, goal=0.1)), means(a_man(DEF, goal=0.1), owned=0.01)
    assert (scouted - plain)[0, :, 0] == pytest.approx(2.0)  # the sheet alone passes the limit
    assert (scouted - plain)[0, :3, 1] == pytest.approx(2 * (1 - 0.9 ** np.arange(3)))


MINUTES = st.sampled_from([FULL_TIME, (0.2, 0.3, 0.5), (0.0, 1.0, 0.0)])


@given(
    position=st.sampled_from([GK, DEF, MID, FWD]),
    score=st.tuples(st.integers(0, 4), st.integers(0, 4)),
    goal=st.floats(0, 0.5),
    assist=st.floats(0, 0.5),
    state=MINUTES,
    free_kick=st.floats(0, 1),
    owned=st.sampled_from([RARE, 0.5]),
)
def test_means_are_those_of_the_deal(position: int, score: tuple[int, int], owned: float, **beliefs: Any) -> None:
    man = a_man(position, chances=0.8, shots=1.1, minutes=(0.0, 0.4, 0.9), **beliefs)
    ownership, offset, error = np.array([owned]), [], 0.0
    for result in (score, (0, 1)):
        chances = the_chances([man], a_score(*result))
        points = deal(chances, RULES, 4_000, np.random.default_rng(1), owned=ownership).points
        offset.append(points.mean() - points_given_score(chances, RULES, ownership)[0][result])
        error += points.std() / np.sqrt(4_000)
    # Equal up to a constant, and to the small lines where the scouting bonus leaves them aside.
    assert offset[0] == pytest.approx(offset[1], abs=6 * error + (SMALL_LINES if owned == RARE else 0.0) + 1e-9)
