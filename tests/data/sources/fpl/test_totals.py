"""Gameweeks whose counts do not come are named, and the season's totals stand in for them."""

from __future__ import annotations

from typing import Any

import pytest

from data.rules import load_rules
from models.players.minutes import MinutesSettings, predict_minutes
from models.players.summed import seen_events
from models.signals import build_signals
from tests.cases.live_worlds import payloads_of, read_league
from tests.cases.small_world import small_league
from tests.tools.fpl_writer import to_fpl_api

COMING = 3


def without(*weeks: int) -> dict[str, Any]:
    """The league before gameweek 3 without the counts of these gameweeks."""
    api = payloads_of(to_fpl_api(small_league(), COMING))
    gone = {f"event/{week}/live/" for week in weeks}
    return {name: value for name, value in api.items() if name not in gone and not name.startswith("element")}


def test_what_the_other_gameweeks_do_not_explain_is_the_sum_of_the_missing_ones() -> None:
    reading = read_league(without(1))
    totals = reading.world.at(COMING).totals.set_index("player_id")
    events = small_league().tables["events"]
    missing = events[events["round"] == 1].groupby("player_id")
    assert reading.warnings == ("Gameweek 1 came without counts: the season's totals stand in.",)
    for name in ("minutes", "goals", "assists"):
        assert (totals[name] == missing[name].sum().reindex(totals.index).fillna(0)).all(), name
    assert set(totals["matches"]) == {1}
    assert reading.world.at(COMING).events["round"].unique().tolist() == [2]


def test_a_world_of_totals_knows_who_plays() -> None:
    rules = load_rules("fpl2026")
    full, summed, blind = (read_league(api).world.at(COMING) for api in (without(), without(1, 2), _bare()))
    assert len(seen_events(summed)) == len(summed.totals)
    risk = [0.0] * len(full.players)
    start = [predict_minutes(snapshot, risk, MinutesSettings()).start for snapshot in (full, summed, blind)]
    assert abs(start[1] - start[0]).mean() < 0.5 * abs(start[2] - start[0]).mean()
    assert build_signals(summed, rules).xev.max() > 0


def _bare() -> dict[str, Any]:
    """The same without totals either."""
    api = without(1, 2)
    for element in api["bootstrap-static/"]["elements"]:
        for name in ("minutes", "starts"):
            del element[name]
    return api


def test_without_totals_nothing_is_claimed() -> None:
    reading = read_league(_bare())
    assert reading.world.tables["totals"].empty
    assert reading.warnings == ("Gameweeks 1, 2 came without counts: nothing is known of them.",)


def test_while_a_gameweek_is_played_the_totals_say_nothing_of_the_others() -> None:
    api = without(1, 2)
    api["bootstrap-static/"]["events"][1].update(finished=False, data_checked=False)
    reading = read_league(api)
    assert reading.world.tables["totals"].empty
    assert any("Gameweek 1 came without counts: nothing is known" in warning for warning in reading.warnings)


def test_what_an_earlier_fetch_knew_of_a_gameweek_is_kept() -> None:
    last = read_league(without()).world
    reading = read_league(without(2), last=last)
    assert reading.world.tables["totals"].empty
    assert set(reading.world.tables["events"]["round"]) == {1, 2}
    assert reading.warnings == (
        "Gameweek 2 came without counts: they are known from the players' own pages or from before.",
    )


@pytest.mark.parametrize("weeks", [(2,), (1, 2)])
def test_players_pages_stand_in_match_by_match(weeks: tuple[int, ...]) -> None:
    api = payloads_of(to_fpl_api(small_league(), COMING))
    reading = read_league({name: value for name, value in api.items() if "live" not in name} | without(*weeks))
    assert reading.world.tables["totals"].empty
    assert set(reading.world.tables["events"]["round"]) == {1, 2}
