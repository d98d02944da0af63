"""A gameweek in one document becomes player-matches: doubles are split, and every match keeps its official points."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from data.domain import POSITIONS
from data.importing.season_facts import import_fpl_season
from data.rules import GameRules, load_rules
from data.scoring import line_points
from data.sources.fpl.week_wire import WireWeek
from data.sources.wire import validated
from data.worlds.world import World
from tests.cases.league.live_worlds import payloads_of, read_league, small_league
from tests.cases.small_world import changed
from tests.tools.fpl_writer import to_fpl_api

BOOTSTRAP, FIXTURES = "bootstrap-static/", "fixtures/"
DOUBLE = "event/3/live/"
KEEPER, DEFENDER, FORWARD = 20, 21, 24
"""Three men of Brighton, which drew with Arsenal and lost to Everton in gameweek 3."""


@cache
def _documents() -> dict[str, bytes]:
    return to_fpl_api(small_league(), 4)


def a_double(player: int, stats: dict[str, Any], *matches: list[tuple[str, int, int]]) -> dict[str, Any]:
    """The small league before gameweek 4, with one man's double gameweek as told: (identifier, value, points)."""
    api = payloads_of({name: body for name, body in _documents().items() if not name.startswith("element")})
    entry = next(entry for entry in api[DOUBLE]["elements"] if entry["id"] == player)
    entry["stats"].update(stats)
    for explained, told in zip(entry["explain"], matches, strict=True):
        explained["stats"] = [{"identifier": name, "value": value, "points": paid} for name, value, paid in told]
    return api


def club(api: dict[str, Any], code: str) -> int:
    """The number of a club."""
    return int(next(team["id"] for team in api[BOOTSTRAP]["teams"] if team["short_name"] == code))


def rows_of(api: dict[str, Any], player: int) -> pd.DataFrame:
    events = read_league(api).world.tables["events"]
    return events[(events["player_id"] == player) & (events["round"] == 3)].sort_values("match_id")


def test_what_was_paid_stays_where_it_was_and_the_rest_goes_by_minutes() -> None:
    stats = {"minutes": 120, "saves": 5, "bonus": 3, "starts": 1, "bps": 40, "expected_goals_conceded": "2.40"}
    api = a_double(KEEPER, stats, [("minutes", 30, 1)], [("minutes", 90, 2), ("saves", 3, 1), ("bonus", 3, 3)])
    rows = rows_of(api, KEEPER)
    assert rows["minutes"].to_list() == [30, 90]
    assert rows["saves"].to_list() == [2, 3]
    assert rows["bonus"].to_list() == [0, 3]
    assert rows["points"].to_list() == [1, 6]
    assert rows["bps"].to_list() == [10, 30]
    assert rows["expected_conceded"].to_list() == pytest.approx([0.6, 1.8])


def test_a_count_that_was_not_paid_is_never_dealt_so_high_that_it_would_have_been() -> None:
    stats = {"minutes": 100, "defensive_contribution": 14, "starts": 1}
    api = a_double(DEFENDER, stats, [("minutes", 90, 2)], [("minutes", 10, 1)])
    assert rows_of(api, DEFENDER)["defensive_contributions"].to_list() == [9, 5]


def test_goals_conceded_go_no_higher_than_what_the_match_had_and_who_started_played_longer() -> None:
    stats = {"minutes": 150, "goals_conceded": 1, "starts": 1, "clean_sheets": 0}
    api = a_double(FORWARD, stats, [("minutes", 60, 2)], [("minutes", 90, 2)])
    match = [explained["fixture"] for explained in _entry(api, FORWARD)["explain"]]
    for fixture in api[FIXTURES]:
        if fixture["id"] in match:
            at_home = fixture["team_h"] == club(api, "BHA")
            mine, theirs = ("team_h_score", "team_a_score") if at_home else ("team_a_score", "team_h_score")
            fixture.update({mine: 0, theirs: int(fixture["id"] == match[0])})
    rows = rows_of(api, FORWARD)
    assert rows["goals_conceded"].to_list() == [1, 0]
    world = read_league(api).world
    played = world.tables["appearances"]
    mine = played[(played["player_id"] == FORWARD) & (played["round"] == 3)].sort_values("match_id")
    assert mine["started"].to_list() == [False, True]


def _entry(api: dict[str, Any], player: int) -> dict[str, Any]:
    found: dict[str, Any] = next(entry for entry in api[DOUBLE]["elements"] if entry["id"] == player)
    return found


def test_a_game_that_counts_no_starts_takes_an_hour_for_one() -> None:
    api = a_double(KEEPER, {}, [("minutes", 90, 2)], [("minutes", 20, 1)])
    for name in [name for name in api if "live" in name]:
        for entry in api[name]["elements"]:
            del entry["stats"]["starts"]
    played = read_league(api).world.tables["appearances"]
    assert (played["started"] == (played["minutes"] >= 60)).all()


def test_a_player_whom_the_list_does_not_know_and_a_match_that_is_not_listed_are_left_out() -> None:
    api = a_double(KEEPER, {}, [("minutes", 90, 2)], [("minutes", 20, 1)])
    _entry(api, KEEPER)["explain"][0]["fixture"] = 999
    api[DOUBLE]["elements"].append(_entry(api, DEFENDER) | {"id": 4711})
    world = read_league(api).world
    assert len(rows_of(api, KEEPER)) == 1
    assert 4711 not in set(world.tables["points"]["player_id"])


def test_who_changed_clubs_keeps_his_points_and_his_earlier_club_where_a_world_knows_it() -> None:
    api = a_double(KEEPER, {}, [("minutes", 90, 2)], [("minutes", 20, 1)])
    next(element for element in api[BOOTSTRAP]["elements"] if element["id"] == KEEPER)["team"] = club(api, "CHE")
    assert set(rows_of(api, KEEPER)["team"]) == {""}
    world = read_league(api, last=small_league()).world
    events = world.tables["events"]
    assert set(events.loc[events["player_id"] == KEEPER, "team"]) == {"BHA"}


@pytest.mark.parametrize("week", [26, 34])
@pytest.mark.facts
def test_the_shape_of_a_real_double_and_of_a_real_blank_is_read(facts: Path, week: int) -> None:
    file = facts / "fpl" / "captures" / "shapes_shuffled" / f"live-gw{week}.json.gz"
    read = validated(WireWeek, json.loads(gzip.decompress(file.read_bytes())), file.name)
    matches = Counter(len(entry.explain) for entry in read.elements)
    assert matches == ({1: 738, 2: 79} if week == 26 else {1: 582, 0: 248})
    paid = {entry.id: sum(stat.points for match in entry.explain for stat in match.stats) for entry in read.elements}
    assert all(entry.stats.total_points == paid[entry.id] for entry in read.elements)


@pytest.mark.facts
@pytest.mark.soak
def test_a_real_double_gameweek_comes_back_with_the_points_of_every_match(facts: Path) -> None:
    double = 25
    season = import_fpl_season(facts / "fpl" / "2024-25", name="season", title="Season").world
    short = changed(season, "events", lambda events: events[events["round"] == double])
    rules = load_rules("fpl2024")
    api = {name: body for name, body in to_fpl_api(short, double + 1).items() if not name.startswith("element")}
    now = read_league(payloads_of(api)).world.tables["events"]
    then = short.tables["events"]
    both = now.merge(then, on=["player_id", "match_id"], suffixes=("", "_then"))
    doubled = both[both.duplicated("player_id", keep=False)]
    assert len(both) == len(now) > 600
    assert len(doubled) > 50
    assert (both["points"] == both["points_then"]).all()
    assert (both["minutes"] == both["minutes_then"]).all()
    assert (official(doubled, season, rules) == doubled["points"]).all()
    same = (doubled["goals_conceded"] == doubled["goals_conceded_then"]).mean()
    assert same > 0.95


def official(rows: pd.DataFrame, world: World, rules: GameRules) -> np.ndarray:
    """What the rulebook pays for the counts."""
    position = rows["player_id"].map(world.tables["players"].set_index("player_id")["position"])
    code = np.array([POSITIONS.index(name) for name in position])
    minutes = rows["minutes"].to_numpy()[:, None]
    lines = [line_points(line, rows[line.event].to_numpy()[:, None], code, minutes) for line in rules.scoring.values()]
    return np.asarray(sum(lines)).ravel()
