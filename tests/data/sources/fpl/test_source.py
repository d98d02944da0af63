"""The Premier League game's API becomes a world: blanks, doubles, and nothing that is not yet settled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from data.errors import PayloadError
from data.importing.season_facts import import_fpl_season
from data.sources.fpl import source as fpl
from data.sources.fpl.feed import read_feed
from data.sources.fpl.managers.account import Prices
from data.web.client import open_client
from data.worlds.library import PAST_SEASONS, find_world
from tests.cases.league.live_worlds import payloads_of, read_league, small_league
from tests.cases.small_world import changed
from tests.tools.fpl_writer import to_fpl_api
from tests.tools.loopback import Loopback, serving

BOOTSTRAP, FIXTURES = "bootstrap-static/", "fixtures/"


def fetched(server: Loopback, *, histories: bool = False) -> dict[str, Any]:
    with open_client(server.url) as client:
        return {step.answer.path: step.answer.value for step in fpl.fetch(client, details=histories)}


def an_api(round_number: int = 4, *, histories: bool = True) -> dict[str, Any]:
    documents = payloads_of(to_fpl_api(small_league(), round_number))
    kept = documents if histories else (BOOTSTRAP, FIXTURES)
    return {name: documents[name] for name in kept}


def same(now: pd.DataFrame, then: pd.DataFrame) -> bool:
    """Whether two tables agree row by row, numbers to seven digits: owners come as whole numbers."""
    order = [name for name in ("round", "player_id", "match_id", "date", "home_team") if name in now]
    now, then = (frame.sort_values(order, ignore_index=True) for frame in (now, then))
    pd.testing.assert_frame_equal(now, then, rtol=0, atol=1e-6, check_dtype=False)
    return True


@pytest.mark.parametrize("round_number", [1, 2, 3, 4])
@pytest.mark.parametrize("histories", [False, True])
@pytest.mark.daily("False-3", "True-4")
def test_a_served_league_comes_back_as_it_was(round_number: int, histories: bool) -> None:
    with serving(to_fpl_api(small_league(), round_number)) as server:
        reading = read_league(fetched(server, histories=histories))
    now, then = reading.world.at(round_number), small_league().at(round_number)
    assert reading.warnings == ()
    for table in ("teams", "players", "fixtures", "points", "appearances"):
        assert same(getattr(now, table), getattr(then, table)), table
    expected = ["home_expected", "away_expected"]
    assert same(now.results.drop(columns=expected), then.results.drop(columns=expected))
    assert now.results[expected].notna().all(axis=None)
    assert same(now.events.drop(columns="team"), then.events.drop(columns="team"))
    assert (now.deadline, now.stage, now.rulebook) == (then.deadline, then.stage, "fpl2026")


def test_a_double_gameweek_adds_up_and_a_blank_has_no_match() -> None:
    snapshot = read_league(an_api()).world.at(4)
    per_round = snapshot.events[snapshot.events["player_id"] == 20].groupby("round").size()
    assert per_round.to_dict() == {1: 1, 3: 2}
    points = snapshot.points.set_index(["player_id", "round"])["points"]
    assert points[20, 3] == 4
    assert (20, 2) not in points.index


def test_past_prices_and_owners_come_from_the_histories_also_over_a_blank() -> None:
    market = read_league(an_api()).world.tables["market"].set_index(["player_id", "round"])
    then = small_league().tables["market"].set_index(["player_id", "round"])
    for number in (1, 2, 3):
        assert market.xs(number, level="round")["owned"].sum() == pytest.approx(15)
    assert market.loc[(20, 2), "price"] == then.loc[(20, 1), "price"]
    assert market.loc[(10, 2), "price"] == then.loc[(10, 2), "price"]


def test_without_histories_only_the_last_points_are_known_and_the_rest_is_remembered() -> None:
    bare = read_league(an_api(histories=False)).world
    assert bare.rounds == (4,)
    assert set(bare.tables["points"]["round"]) == {3}
    last = read_league(an_api(3)).world
    world = read_league(an_api(histories=False), last=last).world
    assert world.rounds == (1, 2, 3, 4)
    assert same(world.at(4).points, small_league().at(4).points)
    assert set(world.tables["events"]["round"]) == {1, 2}


def test_nothing_of_another_season_is_remembered() -> None:
    year = pd.Timedelta(days=364)
    older = changed(small_league(), "rounds", lambda rounds: rounds.assign(deadline=rounds["deadline"] - year))
    world = read_league(an_api(histories=False), last=older).world
    assert world.rounds == (4,)
    assert world.tables["events"].empty


def of_bundled_clubs(api: dict[str, Any]) -> dict[str, Any]:
    """Return an API whose clubs are called as in the bundled season: a game of other clubs does not look back on it."""
    clubs = find_world(PAST_SEASONS).tables["teams"]
    names = dict(zip(clubs["code"], clubs["name"], strict=True))
    for team in api[BOOTSTRAP]["teams"]:
        team["name"] = names[team["short_name"]]
    return api


def test_a_live_season_looks_back_on_the_bundled_ones() -> None:
    season = find_world(PAST_SEASONS)
    known = read_league(of_bundled_clubs(an_api(2)), background=season).world.at(1)
    assert known.past_matches["season"].unique().tolist() == [2022, 2023, 2024, 2025]
    lately = known.past_matches[known.past_matches["season"] == 2025]
    assert lately["round"].max() == season.rounds[-1] - 1
    assert lately["defensive_contributions"].notna().all()
    assert len(known.results) == len(season.tables["results"])


def test_a_season_fetched_while_it_is_also_bundled_looks_back_on_the_years_before_it_alone() -> None:
    year = pd.Timedelta(days=366)
    api = of_bundled_clubs(an_api(2))
    for event in api[BOOTSTRAP]["events"]:
        event["deadline_time"] = (pd.Timestamp(event["deadline_time"]) - year).isoformat()
    tables = read_league(api, background=find_world(PAST_SEASONS)).world.tables
    assert tables["past_matches"]["season"].max() == 2024
    assert (tables["results"]["date"] < "2025-08-01").sum() == 3 * 380


def test_matches_without_a_gameweek_are_left_out_and_named() -> None:
    api = an_api()
    api[FIXTURES][-1].update(event=None, kickoff_time=None)
    reading = read_league(api)
    assert 18 not in set(reading.world.tables["fixtures"]["match_id"])
    assert reading.warnings == ("Left out, because they have no gameweek or kick-off yet: EVE–BHA.",)


def test_assistant_managers_are_not_players() -> None:
    api = an_api()
    api[BOOTSTRAP]["elements"][0].update(element_type=5, web_name="Maresca")
    reading = read_league(api)
    assert 10 not in set(reading.world.tables["players"]["player_id"])
    assert reading.warnings == ("Left out, because assistant managers are not players: Maresca.",)


@pytest.mark.parametrize(
    ("letter", "status"),
    [
        ("a", "playing"),
        ("d", "doubtful"),
        ("i", "injured"),
        ("s", "suspended"),
        ("u", "transferred"),
        ("n", "absent"),
    ],
)
def test_every_letter_of_the_game_has_a_status(letter: str, status: str) -> None:
    api = an_api()
    api[BOOTSTRAP]["elements"][0]["status"] = letter
    reading = read_league(api)
    assert reading.world.at(4).players.set_index("player_id").loc[10, "status"] == status
    assert reading.warnings == ()


def test_the_price_of_the_start_is_known_where_the_first_gameweek_is_not() -> None:
    api = an_api(histories=False)
    api[BOOTSTRAP]["elements"][0].update(now_cost=61, cost_change_start=6)
    api[BOOTSTRAP]["elements"][1].update(now_cost=43, cost_change_start=-2)
    api[BOOTSTRAP]["elements"][2].update(cost_change_start=None)
    world = read_league(api).world
    prices = Prices.of(world.at(4))
    assert world.rounds == (4,)
    assert (prices.start[10], prices.now[10]) == (5.5, 6.1)
    assert (prices.start[11], prices.now[11]) == (4.5, 4.3)
    assert 12 not in prices.start


def test_news_chances_and_price_changes_are_on_the_market_and_a_strange_one_is_nothing() -> None:
    api = an_api(histories=False)
    told = {"news": "Knock", "chance_of_playing_next_round": 75, "ep_next": "4.5", "penalties_order": 1}
    api[BOOTSTRAP]["elements"][0].update(told | {"price_change_percent": "-87.5"})
    api[BOOTSTRAP]["elements"][1].update(price_change_percent="soon", penalties_order="first", ep_next=[])
    players = read_league(api).world.at(4).players.set_index("player_id")
    columns = ["news", "chance", "expected_next", "penalty_order", "price_change"]
    assert players.loc[10, columns].to_list() == ["Knock", 75, 4.5, 1, -87.5]
    assert players.loc[11, columns[1:]].isna().all()


def test_the_price_of_tonight_is_what_the_game_projects_and_a_locked_one_rests() -> None:
    api = an_api(histories=False)
    nights = [{"offset": 1, "projected_percent": "150"}, {"offset": 0, "projected_percent": "104.2", "likelihood": 1}]
    told = (
        {"price_change_percent": "91", "price_change_projections": nights},
        {"price_change_percent": "91", "price_change_projections": "none"},
        {"price_change_percent": "91", "price_change_locked_until": "2026-09-12T10:00:00Z"},
        {"price_change_projections": [{"offset": -1, "projected_percent": "5"}]},
    )
    for element, prices in zip(api[BOOTSTRAP]["elements"], told, strict=False):
        element.update(prices)
    tonight = read_league(api).world.at(4).players["price_tonight"]
    assert tonight[:2].to_list() == [104.2, 91.0]
    assert tonight[2:4].isna().all()


def test_a_gameweek_in_play_is_neither_coming_nor_settled() -> None:
    api = an_api(4)
    events = api[BOOTSTRAP]["events"]
    events[2]["finished"] = False
    reading = read_league(api)
    assert read_feed(api).coming == 4
    assert set(reading.world.tables["points"]["round"]) == {1, 2}
    assert reading.warnings == ("Gameweek 3 is still being played: its points are not part of this world yet.",)


def test_after_the_last_gameweek_the_last_one_stays_open() -> None:
    api = an_api(4)
    for event in api[BOOTSTRAP]["events"]:
        event.update(finished=True, is_next=False)
    assert read_feed(api).coming == 4


def test_a_history_of_an_unscheduled_match_is_no_event() -> None:
    api = an_api()
    api[FIXTURES][0].update(event=None)
    assert 11 not in set(read_league(api).world.tables["events"]["match_id"])


@pytest.mark.parametrize(
    ("history", "said"),
    [
        (None, "element-summary/10/: None is refused"),
        ({"history": [{"fixture": 11}]}, "entry 0, 'round'"),
        ({"history": [{"fixture": 500}]}, "there is no match 500"),
    ],
)
def test_a_history_that_cannot_be_read_is_left_out_and_named(history: Any, said: str) -> None:
    api = an_api()
    if history and "500" in said:
        history = {"history": [api["element-summary/10/"]["history"][0] | {"fixture": 500}]}
    reading = read_league({name: api[name] for name in api if "live" not in name} | {"element-summary/10/": history})
    assert reading.warnings[0].startswith("Match histories that cannot be read are left out: element-summary/10/")
    assert said in reading.warnings[0]
    assert {10, 11} & set(reading.world.tables["events"]["player_id"]) == {11}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda api: api[BOOTSTRAP]["elements"][0].update(team=99), "element 10: there is no team 99"),
        (lambda api: api[BOOTSTRAP]["elements"][0].update(element_type=9), "'element_type': 9 is refused"),
        (lambda api: api[BOOTSTRAP]["elements"][0].update(now_cost=-5), "'now_cost': -5 is refused"),
        (lambda api: api[BOOTSTRAP]["elements"][0].update(selected_by_percent="many"), "'many' is refused"),
        (lambda api: api[BOOTSTRAP]["elements"].append(api[BOOTSTRAP]["elements"][0]), "id 10 stands there 2 times"),
        (lambda api: api[BOOTSTRAP].update(elements=[]), "bootstrap-static/ elements is empty"),
        (lambda api: api[FIXTURES][0].update(team_h=77), "match 11: there is no team 77"),
        (lambda api: api[FIXTURES][0].update(event=38), "match 11: there is no gameweek 38"),
        (lambda api: api[FIXTURES][0].update(team_a_score=None), "match 11 is finished but has no score"),
        (lambda api: api.update({FIXTURES: {"fixtures": []}}), "fixtures/: {'fixtures': []} is refused"),
    ],
)
def test_a_wrong_entry_is_refused_by_its_number(change: Any, said: str) -> None:
    api = an_api()
    change(api)
    with pytest.raises(PayloadError) as refusal:
        read_league(api)
    assert said in str(refusal.value)


@pytest.mark.facts
@pytest.mark.soak
def test_a_whole_real_season_goes_through_the_api_and_back(facts: Path) -> None:
    season = import_fpl_season(facts / "fpl" / "2024-25", name="season", title="Season").world
    gameweek = 10
    with serving(to_fpl_api(season, gameweek)) as server:
        world = read_league(fetched(server, histories=True)).world
    now, then = world.at(gameweek), season.at(gameweek)
    assert same(now.players.drop(columns="short"), then.players.drop(columns="short"))
    listed = then.players["player_id"]
    for table in ("points", "appearances"):
        frame = getattr(then, table)
        assert same(getattr(now, table)[frame.columns], frame[frame["player_id"].isin(listed)])
    counts = [name for name in then.events if not name.startswith("expected_")]
    mine, theirs = now.events[counts], then.events.loc[then.events["player_id"].isin(listed), counts]
    assert same(mine, theirs)
    assert np.isclose(now.market.groupby("round")["owned"].sum(), 15, atol=0.05).all()


def test_the_crowds_captain_and_the_average_score_are_kept_of_rounds_that_are_over() -> None:
    api = an_api(4)
    for event in api[BOOTSTRAP]["events"]:
        event.update(most_captained=14, average_entry_score=50 + event["id"])
    rounds = read_league(api).world.tables["rounds"].set_index("round")
    assert rounds["most_captained"].tolist() == [14] * 4
    assert rounds["average"].dropna().to_dict() == {1: 51.0, 2: 52.0, 3: 53.0}
