"""The one scoring reproduces the official points."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from data.rules import load_rules, shipped_rulebooks
from data.schema import EVENT_COUNTS
from data.scoring import AFTERWARDS, lines_by_event, scouted
from data.worlds.world import World
from tests.cases.facts.official_points import total_points


def one(rulebook: str, position: str, minutes: int = 90, **counts: int) -> int:
    """Return the points of one player-match."""
    events = pd.DataFrame([dict.fromkeys(EVENT_COUNTS, 0) | {"minutes": minutes} | counts])
    return int(total_points(events, pd.Series([position]), load_rules(rulebook))[0])


RULES = [  # rulebook, position, minutes, events, official points
    ("wc2026", "MID", 0, {}, 0),
    ("wc2026", "MID", 59, {}, 1),
    ("wc2026", "MID", 60, {}, 2),
    ("wc2026", "GK", 90, {"goals": 1}, 11),
    ("wc2026", "DEF", 90, {"goals": 1}, 9),
    ("wc2026", "MID", 90, {"goals": 1}, 8),
    ("wc2026", "FWD", 90, {"goals": 1}, 7),
    ("wc2026", "FWD", 90, {"goals": 1, "free_kick_goals": 1}, 8),
    ("wc2026", "FWD", 90, {"assists": 2}, 8),
    ("wc2026", "GK", 90, {"clean_sheet": 1}, 7),
    ("wc2026", "DEF", 59, {"clean_sheet": 1}, 1),
    ("wc2026", "MID", 90, {"clean_sheet": 1}, 3),
    ("wc2026", "FWD", 90, {"clean_sheet": 1}, 2),
    ("wc2026", "DEF", 90, {"goals_conceded": 1}, 2),
    ("wc2026", "DEF", 90, {"goals_conceded": 4}, -1),
    ("wc2026", "MID", 90, {"goals_conceded": 4}, 2),
    ("wc2026", "GK", 90, {"saves": 5, "penalty_saved": 1}, 6),
    ("wc2026", "MID", 90, {"tackles": 5, "chances_created": 5}, 5),
    ("wc2026", "DEF", 90, {"tackles": 6}, 2),
    ("wc2026", "FWD", 90, {"shots_on_target": 5}, 4),
    ("wc2026", "FWD", 90, {"penalty_won": 1}, 4),
    ("wc2026", "DEF", 90, {"penalty_conceded": 1}, 1),
    ("wc2026", "DEF", 90, {"yellow_cards": 1}, 1),
    ("wc2026", "DEF", 90, {"red_cards": 1}, 0),
    ("wc2026", "DEF", 90, {"own_goals": 1}, 0),
    ("wc2026", "FWD", 90, {"goals": 1, "scouting_bonus": 1}, 9),
    ("fpl2026", "DEF", 90, {"defensive_contributions": 9}, 2),
    ("fpl2026", "DEF", 90, {"defensive_contributions": 10}, 4),
    ("fpl2026", "MID", 90, {"defensive_contributions": 11}, 2),
    ("fpl2026", "FWD", 90, {"defensive_contributions": 30}, 4),
    ("fpl2026", "GK", 90, {"defensive_contributions": 30}, 2),
    ("fpl2024", "DEF", 90, {"defensive_contributions": 30}, 2),
    ("fpl2026", "DEF", 90, {"goals_conceded": 3}, 1),
    ("fpl2026", "FWD", 90, {"penalty_missed": 1, "bonus": 3}, 3),
    ("fpl2026", "GK", 90, {"goals": 1}, 12),
]


@pytest.mark.parametrize(("rulebook", "position", "minutes", "events", "points"), RULES)
def test_an_official_rule(rulebook: str, position: str, minutes: int, events: dict[str, int], points: int) -> None:
    assert one(rulebook, position, minutes, **events) == points


def test_all_official_player_rounds_are_reproduced(world_cup: World) -> None:
    events = world_cup.tables["events"]
    position = events.merge(world_cup.tables["players"], on="player_id")["position"]
    assert len(events) == 1388
    assert (total_points(events, position, load_rules("wc2026")) == events["points"]).sum() == 1388


def test_events_and_points_of_the_bundle_agree_but_for_the_four_corrections(world_cup: World) -> None:
    both = world_cup.tables["events"].merge(world_cup.tables["points"], on=["player_id", "round"], suffixes=("", "_p"))
    assert set(both.loc[both["points"] != both["points_p"], "player_id"]) == {437, 689, 698, 702}


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
