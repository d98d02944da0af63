"""What is known before a deadline, of earlier seasons and of the odds, becomes part of a season's world."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from data.errors import TableError
from data.importing.season_facts import SeasonImport, import_fpl_season
from data.importing.season_layout import POSITION_OF, STATE_NAMES
from data.worlds.history import left_behind
from data.worlds.world import World
from tests.cases.facts.season_folder import COACH, MATCHES, NEWCOMER, the_club_of, the_fixtures, the_rows, write_season

TYPE_OF = {position: number for number, position in POSITION_OF.items()} | {"AM": 5}
UNPLAYED = 4
LISTED_ONLY = 98
"""A player who stands in the list of a deadline but has not had a match."""


def the_states() -> pd.DataFrame:
    """Return the state before four deadlines, the last of a gameweek that is still to be played."""
    types = the_rows().drop_duplicates("element").set_index("element")["position"].map(TYPE_OF).to_dict()
    rows = [
        {
            "gw": gameweek,
            "element": player,
            "team": the_club_of(player, gameweek),
            "element_type": kind,
            "now_cost": 50 + gameweek,
            "selected_by_percent": 40.0,
            "status": "a",
            "news": "",
        }
        for gameweek in (1, 2, 3, UNPLAYED)
        for player, kind in types.items()
        if player < NEWCOMER or gameweek >= 2
    ]
    rows.append(rows[0] | {"gw": UNPLAYED, "element": LISTED_ONLY, "element_type": 4})
    return pd.DataFrame(rows).assign(**dict.fromkeys(STATE_NAMES, "")).astype(object)


def the_calendar() -> pd.DataFrame:
    coming = the_fixtures().iloc[[0]].assign(id=31, event=UNPLAYED, kickoff_time="2024-09-14T14:00:00Z")
    coming = coming.assign(team_h_score="", team_a_score="", finished=False)
    return pd.concat([the_fixtures(), coming])


def write_whole_season(folder: Path, states: pd.DataFrame | None = None, years_ago: int = 0) -> Path:
    """Write a season's folder with everything a folder can have, so many years earlier."""
    fixtures = the_calendar()
    fixtures["kickoff_time"] = fixtures["kickoff_time"].str.replace("2024", str(2024 - years_ago))
    write_season(folder, fixtures=fixtures)
    (the_states() if states is None else states).to_csv(folder / "deadlines.csv.gz", index=False)
    ids = pd.read_csv(folder / "players.csv")["id"]
    pd.DataFrame({"id": ids, "code": 5000 + ids}).to_csv(folder / "identities.csv", index=False)
    deadlines = [f"{2024 - years_ago}-08-{day:02}T11:00:00Z" for day in (16, 24, 30)]
    pd.DataFrame({"gw": [1, 2, 3], "deadline_time": deadlines}).to_csv(folder / "rounds.csv", index=False)
    return folder


def a_whole_season(folder: Path, **given: object) -> SeasonImport:
    return import_fpl_season(write_whole_season(folder), name="league", title="A small league", **given)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> World:
    states = the_states()
    then = (states["gw"] == 2) & (states["element"] == 11)
    told = ["d", "Knee injury", 75, 4.5, 10, 20, 1, 2, 3]
    states.loc[then, ["status", "news", *STATE_NAMES]] = told
    for letter, player in (("i", 12), ("s", 13), ("n", 14), ("u", 31)):
        states.loc[(states["gw"] == 2) & (states["element"] == player), "status"] = letter
    folder = write_whole_season(tmp_path_factory.mktemp("season"), states)
    return import_fpl_season(folder, name="league", title="A small league").world


def test_the_state_before_a_deadline_is_on_offer_as_the_game_showed_it(league: World) -> None:
    player = league.at(2).players.set_index("player_id").loc[11]
    assert (player["status"], player["chance"], player["news"]) == ("doubtful", 75, "Knee injury")
    assert (player["price"], player["owned"], player["expected_next"]) == (5.2, 0.4, 4.5)
    assert (player["transfers_in"], player["transfers_out"]) == (10, 20)
    assert player[["penalty_order", "free_kick_order", "corner_order"]].tolist() == [1, 2, 3]
    assert league.at(3).players.set_index("player_id").loc[11, "status"] == "playing"


@pytest.mark.parametrize(
    ("player", "status"), [(12, "injured"), (13, "suspended"), (14, "absent"), (31, "transferred")]
)
def test_every_letter_before_a_deadline_has_a_status(league: World, player: int, status: str) -> None:
    assert league.at(2).players.set_index("player_id").loc[player, "status"] == status


def test_a_gameweek_still_to_be_played_opens_with_the_players_of_its_deadline(league: World) -> None:
    assert league.rounds == (1, 2, 3, UNPLAYED)
    newest = league.at(UNPLAYED).players.set_index("player_id").loc[LISTED_ONLY]
    assert (newest["position"], newest["team"]) == ("FWD", "ARS")
    assert league.at(UNPLAYED).coming["home_goals_90"].isna().all()


def test_deadlines_are_those_the_game_set_else_those_of_the_rules(league: World) -> None:
    told = [league.at(number).deadline.isoformat() for number in (1, UNPLAYED)]
    assert told == ["2024-08-16T11:00:00+00:00", "2024-09-14T12:30:00+00:00"]


def test_a_player_has_the_code_he_keeps_and_no_coach_is_listed(league: World) -> None:
    players = league.tables["players"].set_index("player_id")
    assert (players["code"] == 5000 + players.index).all()
    assert COACH not in players.index


def test_an_unknown_letter_or_club_before_a_deadline_is_named(tmp_path: Path) -> None:
    for column, value, told in (("status", "x", "column 'status': 'x' is not one of"), ("team", 77, "no team 77")):
        states = the_states().astype({column: object})
        states.loc[3, column] = value
        with pytest.raises(TableError, match=rf"deadlines.csv, row 5, .*{told}"):
            import_fpl_season(write_whole_season(tmp_path, states), name="league", title="A small league")


def test_a_state_that_stands_there_twice_is_left_out_and_said(tmp_path: Path) -> None:
    states = the_states()
    folder = write_whole_season(tmp_path, pd.concat([states, states.iloc[:2]]))
    made = import_fpl_season(folder, name="league", title="A small league")
    assert "deadlines.csv: 2 rows repeat earlier ones and are left out." in made.notes


def test_zeros_of_gameweeks_without_a_record_are_no_facts(tmp_path: Path) -> None:
    rows = the_rows()
    rows.loc[rows["gw"] == 1, ["starts", "expected_goals", "expected_assists"]] = 0
    rows.loc[(rows["gw"] == 1) & (rows["element"] == 12), "minutes"] = 30
    made = import_fpl_season(write_season(tmp_path, rows=rows), name="league", title="A small league")
    first = made.world.at(2)
    assert first.events[["expected_goals", "expected_assists"]].isna().all().all()
    assert first.results[["home_expected", "away_expected"]].isna().all().all()
    started = first.appearances.set_index("player_id")["started"]
    assert (started[11], started[12]) == (True, False)
    assert [note for note in made.notes if note.startswith("Gameweeks 1:")] == [
        "Gameweeks 1: starts are not on record: who played 60 minutes is taken to have started.",
        "Gameweeks 1: expected goals are not on record.",
    ]


def test_earlier_seasons_leave_player_matches_by_code_and_results_with_expected_goals(tmp_path: Path) -> None:
    past = [write_whole_season(tmp_path / str(ago), years_ago=ago) for ago in (2, 1)]
    world = a_whole_season(tmp_path / "now", history=past).world
    matches = world.at(1).past_matches
    assert matches["season"].unique().tolist() == [2022, 2023]
    assert len(matches) == 2 * (the_rows()["position"] != "AM").sum()
    first = matches[(matches["code"] == 5011) & (matches["round"] == 1) & (matches["season"] == 2022)].iloc[0]
    told = first[["team", "status", "started", "minutes", "points", "expected_goals"]].tolist()
    assert told == ["Arsenal", "playing", True, 90, 2, 0.25]
    assert matches["defensive_contributions"].isna().all()
    assert len(world.at(1).results) == 2 * len(MATCHES)
    assert world.at(1).results["home_expected"].notna().all()


@pytest.mark.soak
def test_a_season_itself_is_part_of_what_it_leaves(tmp_path: Path) -> None:
    past = write_whole_season(tmp_path / "past", years_ago=1)
    left = left_behind(a_whole_season(tmp_path / "now", history=[past]).world)
    assert left["past_matches"]["season"].unique().tolist() == [2023, 2024]
    assert len(left["results"]) == 2 * len(MATCHES)


def an_odds_file(folder: Path, matches: list[tuple[str, str, str]]) -> Path:
    rows = [
        {"Date": day, "HomeTeam": home, "AwayTeam": away, "HS": 9, "AS": 8, "HST": 4, "AST": 3, "AvgH": 2.5}
        for day, home, away in matches
    ]
    pd.DataFrame(rows).to_csv(folder / "odds.csv", index=False)
    return folder / "odds.csv"


def test_odds_are_known_from_the_day_they_are_collected_and_shots_after_the_match(tmp_path: Path) -> None:
    days = [("24/08/2024", "Arsenal", "Chelsea"), ("31/08/2024", "Brighton", "Arsenal")]
    late = ("03/09/2024", "Brighton", "Everton")  # a Tuesday in the gameweek whose deadline is a Friday
    world = a_whole_season(tmp_path / "now", odds=an_odds_file(tmp_path, [*days, late])).world
    odds = {number: world.at(number).fixtures.set_index("match_id")["home_odds"] for number in world.rounds}
    assert odds[1].isna().all()
    assert [odds[2][13], odds[3][14], odds[UNPLAYED][16]] == [2.5, 2.5, 2.5]
    assert odds[2].drop(13).isna().all()
    assert odds[3].drop([13, 14]).isna().all()
    assert world.at(2).results["home_shots"].isna().all()
    assert world.at(3).results["home_shots"].dropna().tolist() == [9]


def test_odds_that_fit_no_match_are_named(tmp_path: Path) -> None:
    stray = [("24/08/2024", "Arsenal", "Chelsea"), ("25/08/2024", "Arsenal", "Everton"), ("1/1/2001", "X", "Y")]
    made = a_whole_season(tmp_path / "now", odds=an_odds_file(tmp_path, stray))
    assert made.notes[-1] == "Odds that fit no match of the season (1): Arsenal–Everton on 2024-08-25."


def test_an_odds_file_that_is_none_is_refused_by_row_and_column(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"odds.csv, row 2, column 'Date': 'soon' is not a date"):
        a_whole_season(tmp_path / "now", odds=an_odds_file(tmp_path, [("soon", "Arsenal", "Chelsea")]))
    with pytest.raises(TableError, match="cannot be read"):
        a_whole_season(tmp_path / "now", odds=tmp_path / "none.csv")
