"""The lines on arrays pay what the one scoring function pays."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.domain import POSITIONS
from data.rules import load_rules, shipped_rulebooks
from data.schema import EVENT_COUNTS
from data.scoring import score
from models.players.payments import AFTERWARDS, line_points, lines_by_event, scouted, state_minutes
from tests.cases.chances_cases import a_man, a_score, the_chances


@pytest.mark.parametrize("rulebook", shipped_rulebooks())
@given(seed=st.integers(0, 2**32 - 1))
def test_every_line_pays_what_the_scoring_function_pays(rulebook: str, seed: int) -> None:
    rng, rules = np.random.default_rng(seed), load_rules(rulebook)
    position = rng.integers(0, 4, 8)
    events = pd.DataFrame({name: rng.integers(0, 15, 8 * 5) for name in EVENT_COUNTS})
    events["minutes"] = rng.choice([0, 1, 59, 60, 90, 120], 8 * 5)
    official = score(events, pd.Series(np.array(POSITIONS)[np.repeat(position, 5)]), rules)
    minutes = events["minutes"].to_numpy().reshape(8, 5)
    for name, line in rules.scoring.items():
        paid = line_points(line, events[line.event].to_numpy().reshape(8, 5), position, minutes)
        assert paid.ravel().tolist() == official[name].tolist(), name


def test_what_hangs_on_the_other_points_is_not_among_the_lines() -> None:
    assert "bonus" in {line.event for line in load_rules("fpl2026").scoring.values()}
    for rulebook in shipped_rulebooks():
        assert not set(AFTERWARDS) & set(lines_by_event(load_rules(rulebook)))


def test_both_tiers_of_appearance_count_the_same_event() -> None:
    assert len(lines_by_event(load_rules("wc2026"))["minutes"]) == 2


def test_the_scouting_bonus_is_open_strictly_below_the_limit_and_only_where_the_game_has_one() -> None:
    owned = np.array([0.0499, 0.05, 0.3])
    assert scouted(owned, load_rules("wc2026")).tolist() == [True, False, False]
    assert not scouted(owned, load_rules("fpl2026")).any()


def test_a_state_stays_on_its_side_of_the_hour() -> None:
    men = [a_man(minutes=(0.0, 0.0, 0.5)), a_man(minutes=(0.0, 0.9, 1.33)), a_man(minutes=(0.0, 0.3, 0.9))]
    assert state_minutes(the_chances(men, a_score(0, 0))).tolist() == [[0, 1, 60], [0, 59, 120], [0, 27, 81]]
