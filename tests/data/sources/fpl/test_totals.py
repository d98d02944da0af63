"""Gameweeks whose counts do not come are named, and the season's totals stand in for them."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from data.rules import load_rules
from models.players.minutes.playing_time import MinutesSettings, predict_minutes
from models.players.summed import seen_events
from models.signals import build_signals
from tests.cases.league.live_worlds import payloads_of, read_league
from tests.cases.small_world import small_league
from tests.tools.fpl_writer import to_fpl_api

COMING = 3


@cache
def _documents() -> dict[str, bytes]:
    return to_fpl_api(small_league(), COMING)


def without(*weeks: int) -> dict[str, Any]:
    """The league before gameweek 3 without the counts of these gameweeks."""
    api = payloads_of(_documents())
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


def in_play(*missing: int) -> dict[str, Any]:
    """Gameweek 2 in play: its first match is over, its second has begun, its third has not."""
    api = without(*missing)
    api["bootstrap-static/"]["events"][1].update(finished=False, data_checked=False)
    over, begun, later = (match for match in api["fixtures/"] if match["event"] == 2)
    over.update(finished=False, finished_provisional=True)
    begun.update(finished=False, finished_provisional=False)
    later.update(finished=False, team_h_score=None, team_a_score=None)
    return api


def test_while_a_gameweek_is_played_what_is_over_in_it_is_known_and_its_points_are_not() -> None:
    reading = read_league(in_play())
    world, api = reading.world, in_play()
    over = next(match["id"] for match in api["fixtures/"] if match["event"] == 2)
    events = world.tables["events"]
    assert set(events.loc[events["round"] == 2, "match_id"]) == {over}
    assert set(world.tables["points"]["round"]) == {1}
    assert reading.warnings == ("Gameweek 2 is still being played: its points are not part of this world yet.",)


def test_while_a_gameweek_is_played_the_totals_count_it_with_the_missing_ones() -> None:
    reading = read_league(in_play(1, 2))
    totals = reading.world.tables["totals"].set_index("player_id")["matches"]
    team = reading.world.at(COMING).players.set_index("player_id")["team"]
    assert totals.groupby(team).first().to_dict() == {"ARS": 1, "BHA": 2, "CHE": 2, "EVE": 2, "FUL": 2, "LIV": 1}
    assert any("Gameweek 1 came without counts: the season's totals" in warning for warning in reading.warnings)


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
    api = payloads_of(_documents())
    reading = read_league({name: value for name, value in api.items() if "live" not in name} | without(*weeks))
    assert reading.world.tables["totals"].empty
    assert set(reading.world.tables["events"]["round"]) == {1, 2}


def test_earlier_seasons_on_a_players_own_page_are_kept_by_his_code_and_survive_a_plain_refresh() -> None:
    api = payloads_of(_documents())
    player = api["bootstrap-static/"]["elements"][0]
    player["code"] = 198869
    old = {"season_name": "2020/21", "minutes": 3192, "starts": 0, "goals_scored": 1, "expected_goals": "0.00"}
    new = {"season_name": "2025/26", "minutes": 699, "starts": 9, "goals_scored": 0, "expected_goals": "0.45"}
    api[f"element-summary/{player['id']}/"]["history_past"] = [old, new]
    world = read_league(api).world
    past = world.at(COMING).past_seasons.set_index("season")
    assert past.loc[2025, ["code", "starts", "minutes", "expected_goals"]].to_list() == [198869, 9, 699, 0.45]
    assert past.loc[2020, ["goals", "minutes"]].to_list() == [1, 3192]
    assert past.loc[2020, ["starts", "expected_goals", "tackles"]].isna().all()
    again = read_league(without(), last=world).world
    assert again.tables["past_seasons"].equals(world.tables["past_seasons"])
