"""A season's folder becomes a world: blanks, doubles, transfers, newcomers, and nobody knows the future."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from data.errors import TableError, UnknownError
from data.importing.season_facts import SeasonImport, import_fpl_season
from data.importing.season_layout import EVENT_NAMES
from data.rules import load_rules
from data.worlds.world import World
from tests.cases.official_points import total_points
from tests.conftest import in_a_soak

CLUBS = {1: ("Arsenal", "ARS"), 2: ("Brighton", "BHA"), 3: ("Chelsea", "CHE"), 4: ("Everton", "EVE")}
POSITIONS = ("GK", "DEF", "DEF", "MID", "FWD")
MATCHES = (
    (11, 1, "2024-08-16T19:00:00Z", 1, 2),
    (12, 1, "2024-08-17T14:00:00Z", 3, 4),
    (13, 2, "2024-08-24T14:00:00Z", 1, 3),  # Brighton and Everton have no match
    (14, 3, "2024-08-31T14:00:00Z", 2, 1),
    (15, 3, "2024-08-31T16:30:00Z", 4, 3),
    (16, 3, "2024-09-03T19:00:00Z", 2, 4),  # and two in the next gameweek
)
MOVED, NEWCOMER, COACH, NEVER_LISTED = 15, 90, 99, 98
POISON = {"total_points": 77, "minutes": 13, "starts": 0, "expected_goals": 0.3, **dict.fromkeys(EVENT_NAMES, 66)}


def the_club_of(player: int, gameweek: int) -> int:
    if player == MOVED and gameweek == 3:
        return 2
    return 3 if player in (NEWCOMER, COACH) else player // 10


def a_row(player: int, position: str, match: tuple[int, int, str, int, int]) -> dict[str, object]:
    number, gameweek, kickoff, home, _ = match
    club = the_club_of(player, gameweek)
    row: dict[str, object] = {
        "name": "Enzo Maresca" if player == COACH else f"First{player} Last{player}",
        "position": position,
        "team": CLUBS[club][0],
        "element": player,
        "fixture": number,
        "kickoff_time": kickoff,
        "was_home": club == home,
        "minutes": 90 if player % 10 < 4 else 0,
        "starts": int(player % 10 < 4),
        "total_points": 2 if player % 10 < 4 else 0,
        "expected_goals": 0.25,
        "expected_assists": 0.1,
        "value": 40 + player % 10 + gameweek,
        "selected": 1000 + 10 * gameweek + player,
        "gw": gameweek,
    }
    return row | dict.fromkeys(EVENT_NAMES, 0)


def the_rows() -> pd.DataFrame:
    positions = {10 * club + i + 1: POSITIONS[i] for club in CLUBS for i in range(5)} | {NEWCOMER: "MID", COACH: "AM"}
    rows = [
        a_row(player, position, match)
        for match in MATCHES
        for player, position in positions.items()
        if the_club_of(player, match[1]) in match[3:] and (player < NEWCOMER or match[1] >= 2)
    ]
    return pd.DataFrame(rows)


def the_fixtures() -> pd.DataFrame:
    columns = ["id", "event", "kickoff_time", "team_h", "team_a"]
    return pd.DataFrame(MATCHES, columns=columns).assign(team_h_score=2, team_a_score=1, finished=True)


def write_season(folder: Path, rows: pd.DataFrame | None = None, fixtures: pd.DataFrame | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    rows = the_rows() if rows is None else rows
    ids = sorted({*the_rows()["element"], NEVER_LISTED})
    names = [(i, f"First{i}", f"Last{i}", f"Web{i}", 999, "9.9") for i in ids]
    columns = ["id", "first_name", "second_name", "web_name", "now_cost", "selected_by_percent"]
    pd.DataFrame(names, columns=columns).to_csv(folder / "players.csv", index=False)
    clubs = [(i, name, code, 3) for i, (name, code) in CLUBS.items()]
    pd.DataFrame(clubs, columns=["id", "name", "short_name", "strength"]).to_csv(folder / "teams.csv", index=False)
    (the_fixtures() if fixtures is None else fixtures).to_csv(folder / "fixtures.csv", index=False)
    rows.to_csv(folder / "gameweeks.csv.gz", index=False)
    return folder


def a_season(folder: Path, **files: pd.DataFrame) -> SeasonImport:
    return import_fpl_season(write_season(folder, **files), name="league", title="A small league")


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


def test_a_season_is_not_its_own_history(tmp_path: Path) -> None:
    folder = write_season(tmp_path)
    with pytest.raises(TableError, match="of earlier ones"):
        import_fpl_season(folder, name="league", title="A small league", history=[folder])


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


def poisoned(rows: pd.DataFrame, fixtures: pd.DataFrame, gameweek: int) -> dict[str, pd.DataFrame]:
    """Return both files with absurd values in all that a gameweek's deadline cannot know."""
    rows, fixtures = rows.copy(), fixtures.copy()
    rows.loc[rows["gw"] >= gameweek, list(POISON)] = list(POISON.values())
    rows.loc[rows["gw"] > gameweek, ["value", "selected"]] = [333, 901]
    fixtures.loc[fixtures["event"] >= gameweek, ["team_h_score", "team_a_score"]] = [42, 41]
    return {"rows": rows, "fixtures": fixtures}


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


def test_a_season_without_any_kickoff_asks_for_its_rulebook(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no kickoff_time that would tell the season"):
        a_season(tmp_path, fixtures=the_fixtures().assign(event="", kickoff_time=""))


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


def test_a_row_of_one_player_and_match_with_other_values_is_refused_by_the_value(tmp_path: Path) -> None:
    rows = the_rows()
    other = rows.iloc[[0]].assign(minutes=17)
    with pytest.raises(TableError, match=r"row 3: element 11, fixture 11 stands .*, with minutes 90 and then 17"):
        a_season(tmp_path, rows=pd.concat([rows.iloc[:1], other, rows.iloc[1:]]))


def test_an_error_below_a_repeated_row_still_names_its_own_row(tmp_path: Path) -> None:
    rows = with_cell(the_rows(), "team", "Everton")
    with pytest.raises(TableError, match=r"gameweeks.csv, row 7: the player's team does not play"):
        a_season(tmp_path, rows=pd.concat([rows.iloc[:1], rows.iloc[:1], rows]))


def test_defensive_contributions_are_read_where_a_season_counts_them(tmp_path: Path) -> None:
    events = a_season(tmp_path, rows=the_rows().assign(defensive_contribution=7)).world.tables["events"]
    assert (events["defensive_contributions"] == 7).all()


def with_cell(frame: pd.DataFrame, column: str, value: object) -> pd.DataFrame:
    frame = frame.astype({column: object})
    frame.loc[3, column] = value
    return frame


@pytest.mark.parametrize(
    ("file", "column", "value", "message"),
    [
        ("rows", "position", "COACH", "gameweeks.csv, row 5, column 'position'"),
        ("rows", "team", "Atlantis", "gameweeks.csv, row 5, column 'team': there is no team Atlantis"),
        ("rows", "team", "Everton", "gameweeks.csv, row 5: the player's team does not play"),
        ("rows", "fixture", 999, "gameweeks.csv, row 5, column 'fixture': there is no match 999"),
        ("rows", "gw", 2, "gameweeks.csv, row 5: gw is not the gameweek"),
        ("rows", "value", "dear", "gameweeks.csv, row 5, column 'value'"),
        ("rows", "minutes", -1, "gameweeks.csv, row 5, column 'minutes'"),
        ("rows", "selected", "", "gameweeks.csv, row 5, column 'selected'"),
        ("rows", "element", 98765, "there is no player 98765"),
        ("rows", "position", "GK", "player 14 is GK and MID"),
        ("fixtures", "team_h", 77, "fixtures.csv, row 5, column 'team_h': there is no team 77"),
        ("fixtures", "kickoff_time", "", "fixtures.csv, row 5: the match has a gameweek but no kickoff_time"),
        ("fixtures", "team_a_score", "", "fixtures.csv, row 5: the match is finished but has no score"),
        ("fixtures", "event", "soon", "fixtures.csv, row 5, column 'event'"),
    ],
)
def test_an_error_names_file_row_and_column(
    tmp_path: Path, file: str, column: str, value: object, message: str
) -> None:
    good = {"rows": the_rows(), "fixtures": the_fixtures()}
    with pytest.raises(TableError, match=message):
        a_season(tmp_path, **(good | {file: with_cell(good[file], column, value)}))


def test_more_owners_than_squads_is_an_error_that_names_the_gameweek(tmp_path: Path) -> None:
    rows = the_rows()
    rows.loc[rows["gw"] == 2, "selected"] = [10_000, *[1] * ((rows["gw"] == 2).sum() - 1)]
    with pytest.raises(TableError, match=r"gameweeks.csv, gw 2, column 'selected': player 11 has 10000 owners"):
        a_season(tmp_path, rows=rows)


@pytest.mark.parametrize("file", ["teams.csv", "players.csv", "fixtures.csv", "gameweeks.csv.gz"])
def test_a_missing_file_is_named(tmp_path: Path, file: str) -> None:
    (write_season(tmp_path) / file).unlink()
    with pytest.raises(TableError, match=f"has no {file.removesuffix('.gz')}"):
        import_fpl_season(tmp_path, name="league", title="A small league")


def test_an_unknown_rulebook_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownError, match="no rulebook 'chess'"):
        import_fpl_season(write_season(tmp_path), name="league", title="A small league", rulebook="chess")


SEASONS = ("2022-23", "2023-24", "2024-25", "2025-26")


@pytest.fixture(scope="module")
def real_seasons(facts: Path) -> dict[str, SeasonImport]:
    return {season: import_fpl_season(facts / "fpl" / season, name="fpl", title=season) for season in SEASONS}


@pytest.mark.facts
@pytest.mark.parametrize(("season", "matches"), [*zip(SEASONS, (26_505, 29_725, 27_283, 14_175), strict=True)])
@pytest.mark.soak
def test_every_official_player_match_is_reproduced(
    real_seasons: dict[str, SeasonImport], season: str, matches: int
) -> None:
    world = real_seasons[season].world
    events = world.tables["events"]
    position = events["player_id"].map(world.tables["players"].set_index("player_id")["position"])
    assert len(events) == matches
    assert np.array_equal(total_points(events, position, load_rules(world.rulebook)), events["points"])


@pytest.mark.facts
@pytest.mark.parametrize("season", SEASONS)
def test_ownership_of_a_real_season_sums_to_a_squad(real_seasons: dict[str, SeasonImport], season: str) -> None:
    market = real_seasons[season].world.tables["market"]
    assert market.groupby("round")["owned"].sum().to_numpy() == pytest.approx(15.0, abs=0.05)


@pytest.mark.facts
def test_twenty_assistant_managers_of_2024_25_are_refused_by_name(real_seasons: dict[str, SeasonImport]) -> None:
    (note,) = real_seasons["2024-25"].notes
    assert "(20)" in note
    assert "Mikel Arteta (ARS)" in note
    assert real_seasons["2023-24"].notes == ()


@pytest.mark.facts
def test_a_real_double_gives_two_fixtures_and_a_real_blank_none(real_seasons: dict[str, SeasonImport]) -> None:
    world = real_seasons["2024-25"].world

    def matches(code: str, gameweek: int) -> int:
        coming = world.at(gameweek).coming
        return int(((coming["home"] == code) | (coming["away"] == code)).sum())

    assert [matches("LIV", gameweek) for gameweek in (23, 24, 25)] == [1, 2, 2]
    assert matches("ARS", 34) == 0
    assert (world.at(34).players["team"] == "ARS").sum() > 20


@pytest.mark.facts
@pytest.mark.parametrize("gameweek", [34, *in_a_soak([10, 25])])
@pytest.mark.soak
def test_nothing_later_leaks_into_a_real_gameweek(
    facts: Path, tmp_path: Path, real_seasons: dict[str, SeasonImport], gameweek: int
) -> None:
    source = facts / "fpl" / "2024-25"
    for file in ("teams.csv", "players.csv", "identities.csv", "rounds.csv"):
        shutil.copyfile(source / file, tmp_path / file)
    states = pd.read_csv(source / "deadlines.csv.gz")
    states.loc[states["gw"] > gameweek, ["now_cost", "status", "news", "ep_next"]] = [333, "i", "Poison", 77]
    states.to_csv(tmp_path / "deadlines.csv", index=False)
    files = poisoned(pd.read_csv(source / "gameweeks.csv.gz"), pd.read_csv(source / "fixtures.csv"), gameweek)
    files["rows"].to_csv(tmp_path / "gameweeks.csv", index=False)
    files["fixtures"].to_csv(tmp_path / "fixtures.csv", index=False)
    world = import_fpl_season(tmp_path, name="fpl", title="2024-25").world
    assert world.at(gameweek).to_bytes() == real_seasons["2024-25"].world.at(gameweek).to_bytes()
