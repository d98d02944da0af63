"""The game's own rules beside the rulebook: what differs is told and makes the figures provisional."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from data.errors import PayloadError
from data.rules import load_rules
from models.signals import build_signals
from tests.cases.league.live_worlds import payloads_of, read_league
from tests.cases.small_world import small_league
from tests.tools.fpl_writer import to_fpl_api

BOOTSTRAP = "bootstrap-static/"
SAME: dict[str, Any] = {
    "long_play": 2,
    "short_play": 1,
    "goals_scored": {"DEF": 6, "FWD": 4, "GKP": 10, "MID": 5},
    "assists": 3,
    "clean_sheets": {"DEF": 4, "FWD": 0, "GKP": 4, "MID": 1},
    "goals_conceded": {"DEF": -1, "FWD": 0, "GKP": -1, "MID": 0},
    "saves": 1,
    "penalties_saved": 5,
    "defensive_contribution": {"DEF": 2, "FWD": 2, "GKP": 0, "MID": 2},
    "bonus": 1,
    "tackles": 0,
    "influence": 0,
    "mng_win": {"DEF": 0, "FWD": 0, "GKP": 0, "MID": 0, "MNG": 6},
    "special_multiplier": 1,
}


@cache
def _documents() -> dict[str, bytes]:
    documents = to_fpl_api(small_league(), 3)
    return {name: body for name, body in documents.items() if not name.startswith("element")}


def a_game(**told: Any) -> dict[str, Any]:
    """The league before gameweek 3, with what the game tells of itself."""
    api = payloads_of(_documents())
    return {BOOTSTRAP: api[BOOTSTRAP] | told, **{name: api[name] for name in api if name != BOOTSTRAP}}


def scored(**changes: Any) -> dict[str, Any]:
    return a_game(game_config={"scoring": SAME | changes, "rules": {}})


def test_the_same_scoring_says_nothing() -> None:
    reading = read_league(scored())
    assert reading.warnings == ()
    assert build_signals(reading.world.at(3), load_rules("fpl2026")).provisional == ()


@pytest.mark.parametrize(
    ("change", "section", "said"),
    [
        ({"assists": 4}, "scoring.assists", "assists pays 4, not 3"),
        (
            {"goals_scored": {"DEF": 6, "FWD": 5, "GKP": 10, "MID": 5}},
            "scoring.goals",
            "goals_scored pays DEF 6, FWD 5, GK 10, MID 5, not GK 10, DEF 6, MID 5, FWD 4",
        ),
        ({"long_play": 3}, "scoring.long_play", "long_play pays 3, not 2"),
        ({"saves": 2}, "scoring.saves", "saves pays 2, not GK 1, DEF 0, MID 0, FWD 0"),
        ({"tackles": 1}, "scoring.tackles", "tackles pays 1, not 0"),
        ({"key_passes": 1}, "scoring.key_passes", "key_passes is an event that the rulebook does not know"),
        ({"recoveries": 1}, "scoring.recoveries", "recoveries is an event that the rulebook does not know"),
    ],
)
def test_a_difference_is_told(change: Any, section: str, said: str) -> None:
    reading = read_league(scored(**change))
    assert reading.warnings == (
        f"The game's own rules differ from the rulebook, so every figure is provisional: {said}.",
    )
    assert reading.world.at(3).differences["section"].to_list() == [section]


def test_a_difference_makes_every_figure_provisional() -> None:
    reading = read_league(scored(assists=4))
    signals = build_signals(reading.world.at(3), load_rules("fpl2026"))
    assert signals.provisional == ("scoring.assists",)
    assert signals.scoring_provisional
    assert any("assists pays 4, not 3" in note for note in signals.notes)


def test_scoring_in_words_we_do_not_know_is_no_difference() -> None:
    assert read_league(scored(assists="three", goals_scored=None)).warnings == ()
    assert read_league(a_game(game_config=[])).warnings == ()


def test_a_squad_of_another_shape_is_refused() -> None:
    kinds = [{"id": 1, "singular_name_short": "GKP", "squad_select": 1}]
    with pytest.raises(PayloadError, match="a squad of this game has 1 GK, and one of Fantasy Premier League 2026/27"):
        read_league(a_game(element_types=kinds))


def test_a_game_of_the_same_family_is_read_with_the_events_it_pays_beside_ours_named() -> None:
    counted = ("minutes", "goals_scored", "key_passes", "winning_goals", "bps", "expected_goals", "mng_win")
    api = a_game(element_stats=[{"name": name, "label": name} for name in counted])
    for team, code in zip(api[BOOTSTRAP]["teams"], ("ÖSK", "B/G", "AIK", "HAM", "MFF", "IFK"), strict=True):
        team.update(short_name=code, name=f"Club {code}")
    for name in [name for name in api if "live" in name]:
        for entry in api[name]["elements"]:
            for lacking in ("starts", "expected_goals", "expected_assists", "bonus", "defensive_contribution"):
                entry["stats"].pop(lacking, None)
    reading = read_league(api)
    assert set(reading.world.tables["teams"]["code"]) == {"ÖSK", "B/G", "AIK", "HAM", "MFF", "IFK"}
    assert len(reading.warnings) == 1
    assert all(name in reading.warnings[0] for name in ("key_passes", "winning_goals"))
    signals = build_signals(reading.world.at(3), load_rules("fpl2026"))
    assert signals.scoring_provisional
    assert signals.xev.max() > 0
