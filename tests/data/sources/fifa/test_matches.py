"""What a match of the World Cup's feed means: its place, its bracket number and its score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import pytest

from data.worlds.world import World
from tests.cases.league.live_worlds import a_feed, payloads_of, read_cup, small_cup
from tests.cases.small_world import changed
from tests.tools.feed_writer import to_feed


def a_match(feed: Mapping[str, Any], round_number: int, place: int = 0) -> dict[str, Any]:
    return dict(feed)["rounds.json"][round_number - 1]["tournaments"][place]


def test_a_host_is_at_home_only_in_its_own_country() -> None:
    feed = a_feed(1)
    match = a_match(feed, 1)  # of Mexico, at home
    match["venueCity"] = "Toronto"
    world = read_cup(feed).world
    assert world.tables["fixtures"].set_index("match_id").loc[match["id"], "at_home"] == ""
    match["venueCity"] = "Atlantis"
    assert "MEX" in read_cup(feed).warnings[0]
    assert "Atlantis" in read_cup(feed).warnings[0]


def test_matches_whose_sides_are_unknown_are_left_out() -> None:
    feed = a_feed(3)
    match = dict(a_match(feed, 3), id=900, homeSquadId=None, date="2026-06-28T20:00:00+01:00")
    feed["rounds.json"][3]["tournaments"] = [match]
    world = read_cup(feed).world
    assert 900 not in set(world.tables["fixtures"]["match_id"])
    rounds = world.tables["rounds"].set_index("round")["deadline"]
    assert rounds[4] == pd.Timestamp("2026-06-28T19:00Z")
    assert 5 not in rounds.index


def knockout(**changes: object) -> dict[str, Any]:
    """A feed before the quarter-finals with one Round-of-16 match that the background has not seen."""
    feed = a_feed(3)
    for entry in feed["rounds.json"][:5]:
        entry["status"] = "complete"
    for match in feed["rounds.json"][2]["tournaments"]:
        match.update(status="complete", homeScore=0, awayScore=0)
    sides = {"homeSquadId": feed["squads.json"][0]["id"], "awaySquadId": feed["squads.json"][1]["id"]}
    match = dict(a_match(feed, 1), id=501, date="2026-07-05T20:00:00+01:00", status="complete", **sides)
    feed["rounds.json"][4]["tournaments"] = [match | changes]
    feed["rounds.json"][5]["startDate"] = "2026-07-09T21:00:00+01:00"
    return feed


def goals(feed: Mapping[str, Any]) -> list[int | None]:
    fixtures = read_cup(feed).world.tables["fixtures"].set_index("match_id")
    columns = ["home_goals_90", "away_goals_90", "home_goals_aet", "away_goals_aet", "home_pens", "away_pens"]
    return [None if pd.isna(value) else int(value) for value in fixtures.loc[501, columns]]


PLAIN = {"period": "full_time", "minutes": 98, "homePenaltyScore": 0, "awayPenaltyScore": 0}


@pytest.mark.parametrize(
    ("shown", "meant"),
    [
        ({"homeScore": 2, "awayScore": 1}, [2, 1, None, None, None, None]),
        ({"homeScore": 2, "awayScore": 1, "minutes": 121}, [None, None, 2, 1, None, None]),
        ({"homeScore": 2, "awayScore": 1, "period": "extra_time_end"}, [None, None, 2, 1, None, None]),
        ({"homeScore": 1, "awayScore": 1}, [None, None, 1, 1, None, None]),
        (
            {"homeScore": 1, "awayScore": 1, "period": "penalties", "homePenaltyScore": 4, "awayPenaltyScore": 0},
            [None, None, 1, 1, 4, 0],
        ),
        ({"homeScore": 2, "awayScore": 1, "status": "playing"}, [None] * 6),
    ],
    ids=["ninety", "long clock", "period", "level", "shoot-out", "in play"],
)
def test_a_knockout_score_is_read_for_what_it_is(shown: dict[str, object], meant: list[int | None]) -> None:
    assert goals(knockout(**PLAIN | shown)) == meant


def test_a_group_match_with_much_added_time_is_still_a_ninety_minute_score() -> None:
    feed = a_feed(2)
    a_match(feed, 1).update(minutes=112, homeScore=9, awayScore=9)
    row = read_cup(feed).world.tables["fixtures"].set_index("match_id").loc[a_match(feed, 1)["id"]]
    assert (row["home_goals_90"], row["away_goals_90"]) == (9, 9)
    assert pd.isna(row["home_goals_aet"])


def test_new_results_join_the_history_once() -> None:
    feed = knockout(**PLAIN, homeScore=3, awayScore=2)
    results = read_cup(feed).world.tables["results"]
    new = results.tail(1).iloc[0]
    assert (new["home_score"], new["away_score"], str(new["date"].date())) == (3, 2, "2026-07-05")
    background = changed(small_cup(), "results", lambda known: pd.concat([known, results.tail(1)], ignore_index=True))
    assert len(read_cup(feed, background).world.tables["results"]) == len(results)


def test_a_quarter_final_finds_its_bracket_number_and_the_last_round_its_two_matches(world_cup: World) -> None:
    feed = payloads_of(to_feed(world_cup, 5))
    squads = {squad["abbr"]: squad["id"] for squad in feed["squads.json"]}
    sixteen = world_cup.tables["fixtures"].query("round == 5").set_index("official_no")
    pattern = feed["rounds.json"][4]["tournaments"][0]

    def a_tie(number: int, date: str, home: str, away: str) -> dict[str, Any]:
        return dict(pattern, id=number, date=date, homeSquadId=squads[home], awaySquadId=squads[away])

    feed["rounds.json"][5]["tournaments"] = [  # W93–W94, and W90–W89 the other way round
        a_tie(601, "2026-07-09T20:00:00+01:00", sixteen.loc[93, "away"], sixteen.loc[94, "home"]),
        a_tie(602, "2026-07-10T20:00:00+01:00", sixteen.loc[90, "home"], sixteen.loc[89, "home"]),
    ]
    feed["rounds.json"][7]["tournaments"] = [
        a_tie(604, "2026-07-19T20:00:00+01:00", "ESP", "FRA"),
        a_tie(603, "2026-07-18T20:00:00+01:00", "BRA", "ARG"),
    ]
    fixtures = read_cup(feed, world_cup).world.tables["fixtures"].set_index("match_id")
    assert fixtures.loc[[601, 602, 603, 604], "official_no"].tolist() == [98, 97, 103, 104]
    assert fixtures.loc[[601, 602, 603, 604], "stage"].tolist() == ["QF", "QF", "THIRD", "FINAL"]


@pytest.mark.parametrize("listed", [[103], [104], [103, 104]], ids=str)
def test_who_lost_the_semi_finals_plays_for_third_place_whatever_the_feed_lists_first(
    world_cup: World, listed: list[int]
) -> None:
    feed = payloads_of(to_feed(world_cup, 8))
    matches = {match["id"]: match for match in feed["rounds.json"][7]["tournaments"]}
    early = {"date": "2026-07-18T20:00:00+01:00"}
    late = {"date": "2026-07-19T20:00:00+01:00"}
    swapped = {103: matches[103] | late | {"id": 903}, 104: matches[104] | early | {"id": 904}}
    feed["rounds.json"][7]["tournaments"] = [swapped[number] for number in listed]
    fixtures = read_cup(feed, world_cup).world.tables["fixtures"].set_index("match_id")
    found = fixtures.loc[[number + 800 for number in listed]]
    assert found["official_no"].tolist() == listed
    assert found["stage"].tolist() == [{103: "THIRD", 104: "FINAL"}[number] for number in listed]
