"""A season's folder becomes a world: blanks, doubles, transfers, newcomers, and nobody knows the future."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from data.importing.season_facts import SeasonImport, import_fpl_season
from data.rules import load_rules
from data.worlds.world import World
from tests.cases.facts.season_folder import (
    COACH,
    MATCHES,
    MOVED,
    NEVER_LISTED,
    NEWCOMER,
    a_season,
    poisoned,
    the_fixtures,
    the_rows,
    write_season,
)


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> SeasonImport:
    return a_season(tmp_path_factory.mktemp("season"))


@pytest.fixture(scope="module")
def league(season: SeasonImport) -> World:
    return season.world


def the_offer(world: World, player: int, round_number: int) -> pd.Series:
    players = world.at(round_number).players
    return players[players["player_id"] == player].iloc[0]


def test_the_deadline_is_as_long_before_the_first_kickoff_as_the_rulebook_says(league: World) -> None:
    assert load_rules("fpl2024").deadline_minutes_before == 90
    assert league.at(1).deadline.isoformat() == "2024-08-16T17:30:00+00:00"


def test_every_gameweek_with_rows_can_be_opened_at_the_stage_of_the_rulebook(league: World) -> None:
    assert league.rounds == (1, 2, 3)
    assert [league.at(number).stage for number in league.rounds] == ["GW1", "GW", "GW"]


def test_assistant_managers_are_refused_by_name(season: SeasonImport) -> None:
    (note,) = season.notes
    assert "Enzo Maresca (CHE)" in note
    assert note in season.world.sources
    assert COACH not in set(season.world.tables["players"]["player_id"])
    assert COACH not in set(season.world.tables["events"]["player_id"])


def test_prices_are_those_of_the_gameweek_and_ownership_sums_to_a_squad_in_each(league: World) -> None:
    assert [the_offer(league, 11, number)["price"] for number in (1, 2)] == pytest.approx([4.2, 4.3])
    assert league.tables["market"].groupby("round")["owned"].sum().to_numpy() == pytest.approx(15)


def test_a_double_gameweek_counts_an_owner_once(league: World) -> None:
    players = league.at(3).players
    assert players["player_id"].is_unique
    counted = 1030 + players["player_id"]
    assert players["owned"].to_numpy() == pytest.approx((15 * counted / counted.sum()).to_numpy())


def test_a_double_gameweek_gives_two_fixtures_and_the_sum_of_their_points(league: World) -> None:
    coming = league.at(3).coming
    assert ((coming["home"] == "BHA") | (coming["away"] == "BHA")).sum() == 2
    points = league.tables["points"].set_index(["player_id", "round"])["points"]
    assert (points[21, 3], points[11, 3]) == (4, 2)


def test_a_player_without_a_match_stays_on_offer_as_he_last_was(league: World) -> None:
    blank = the_offer(league, 21, 2)
    assert (blank["team"], blank["price"]) == ("BHA", pytest.approx(4.2))
    others = league.at(2).players
    assert blank["owned"] / others.loc[others["player_id"] == 11, "owned"].iloc[0] == pytest.approx(
        (1010 + 21) / (1020 + 11)
    )


def test_a_player_withdrawn_while_his_club_plays_is_off_the_market(tmp_path: Path) -> None:
    rows = the_rows()
    world = a_season(tmp_path, rows=rows[~((rows["element"] == 31) & (rows["gw"] > 1))]).world
    assert 31 in set(world.at(1).players["player_id"])
    assert 31 not in set(world.at(2).players["player_id"])


def test_a_withdrawn_player_does_not_come_back_because_his_club_rests(tmp_path: Path) -> None:
    fixtures = pd.concat(
        [the_fixtures(), the_fixtures().iloc[[2]].assign(id=17, event=4, kickoff_time="2024-09-14T14:00Z")]
    )
    rows = the_rows()
    rows = pd.concat([rows, rows[rows["fixture"] == 13].assign(fixture=17, gw=4)])
    rows = rows[~((rows["element"] == MOVED) & (rows["gw"] == 4))]
    rows = rows[~((rows["element"] == 22) & (rows["gw"] == 3))]
    world = a_season(tmp_path, rows=rows, fixtures=fixtures).world
    assert [22 in set(world.at(number).players["player_id"]) for number in world.rounds] == [True, True, False, False]
    assert 23 in set(world.at(4).players["player_id"])


def test_a_transferred_player_belongs_to_his_new_club_and_a_newcomer_is_on_offer_from_his_first_gameweek(
    league: World,
) -> None:
    assert [the_offer(league, MOVED, number)["team"] for number in (1, 2, 3)] == ["ARS", "ARS", "BHA"]

    assert [NEWCOMER in set(league.at(number).players["player_id"]) for number in (1, 2, 3)] == [False, True, True]


def test_names_come_from_the_list_of_players_but_not_who_never_had_a_row(league: World) -> None:
    assert NEVER_LISTED not in set(league.tables["players"]["player_id"])

    assert the_offer(league, 11, 1)[["name", "first_name", "last_name"]].tolist() == ["Web11", "First11", "Last11"]


def test_the_home_side_of_a_league_match_is_at_home(league: World) -> None:
    fixtures = league.tables["fixtures"]
    assert (fixtures["at_home"] == fixtures["home"]).all()


def test_every_player_match_is_an_event_but_only_minutes_are_an_appearance(league: World) -> None:
    events, appearances = league.tables["events"], league.tables["appearances"]
    assert len(events) == (the_rows()["position"] != "AM").sum()
    assert len(appearances) == (events["minutes"] > 0).sum()
    assert (events["defensive_contributions"] == 0).all()


def test_results_of_the_season_serve_the_ratings_under_the_clubs_own_names(league: World) -> None:
    results = league.tables["results"]
    assert set(results["home_team"]) <= set(league.tables["teams"]["results_name"])
    assert len(league.at(3).results) == 3


def test_an_earlier_season_adds_its_results(tmp_path: Path) -> None:
    earlier = the_fixtures()
    earlier["kickoff_time"] = earlier["kickoff_time"].str.replace("2024", "2023")
    past = write_season(tmp_path / "past", fixtures=earlier)
    now = write_season(tmp_path / "now")
    world = import_fpl_season(now, name="league", title="A small league", history=[past]).world
    assert len(world.tables["results"]) == 2 * len(MATCHES)
    assert len(world.at(1).results) == len(MATCHES)


def test_a_match_without_a_gameweek_is_left_out_by_name(tmp_path: Path) -> None:
    waiting = pd.DataFrame([{"id": 20, "team_h": 1, "team_a": 4, "finished": False}])
    season = a_season(tmp_path, fixtures=pd.concat([the_fixtures(), waiting]))
    assert any("ARS–EVE" in note for note in season.notes)
    assert 20 not in set(season.world.tables["fixtures"]["match_id"])


def test_a_match_in_progress_has_no_goals_yet(tmp_path: Path) -> None:
    fixtures = the_fixtures()
    fixtures.loc[5, "finished"] = False
    world = a_season(tmp_path, fixtures=fixtures).world
    assert world.tables["fixtures"].set_index("match_id").loc[16, "home_goals_90"] is pd.NA
    assert len(world.tables["results"]) == 5


@pytest.mark.parametrize("gameweek", [1, 2, 3])
def test_nothing_later_leaks_into_a_gameweek(tmp_path: Path, league: World, gameweek: int) -> None:
    world = a_season(tmp_path, **poisoned(the_rows(), the_fixtures(), gameweek)).world
    assert world.at(gameweek).to_bytes() == league.at(gameweek).to_bytes()
    assert world.tables["events"]["points"].max() == 77


@pytest.mark.parametrize(
    ("year", "rulebook", "notes"),
    [
        ("2022", "fpl2022", []),
        ("2025", "fpl2025", []),
        ("2019", "fpl2022", ["There is no rulebook of 2019/20: Fantasy Premier League 2022/23 stands in."]),
    ],
)
def test_a_season_has_the_rulebook_of_its_own_year_or_says_which_stands_in(
    tmp_path: Path, year: str, rulebook: str, notes: list[str]
) -> None:
    fixtures = the_fixtures()
    fixtures["kickoff_time"] = fixtures["kickoff_time"].str.replace("2024", year)
    season = a_season(tmp_path, fixtures=fixtures)
    assert season.world.rulebook == rulebook
    assert [note for note in season.notes if "rulebook" in note] == notes


def test_rows_that_repeat_others_are_left_out_and_said(tmp_path: Path, league: World) -> None:
    rows, fixtures = the_rows(), the_fixtures()
    season = a_season(
        tmp_path, rows=pd.concat([rows.iloc[:2], rows]), fixtures=pd.concat([fixtures, fixtures.iloc[:1]])
    )
    assert season.notes[:2] == (
        "fixtures.csv: 1 row repeats an earlier one and is left out.",
        "gameweeks.csv: 2 rows repeat earlier ones and are left out.",
    )
    assert season.world.at(3).to_bytes() == league.at(3).to_bytes()


def test_defensive_contributions_are_read_where_a_season_counts_them(tmp_path: Path) -> None:
    events = a_season(tmp_path, rows=the_rows().assign(defensive_contribution=7)).world.tables["events"]
    assert (events["defensive_contributions"] == 7).all()
