"""A season's folder written by hand: four clubs, three gameweeks, a blank, a double, a transfer and a newcomer."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from data.importing.season_facts import SeasonImport, import_fpl_season
from data.importing.season_layout import EVENT_NAMES

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


def poisoned(rows: pd.DataFrame, fixtures: pd.DataFrame, gameweek: int) -> dict[str, pd.DataFrame]:
    """Return both files with absurd values in all that a gameweek's deadline cannot know."""
    rows, fixtures = rows.copy(), fixtures.copy()
    rows.loc[rows["gw"] >= gameweek, list(POISON)] = list(POISON.values())
    rows.loc[rows["gw"] > gameweek, ["value", "selected"]] = [333, 901]
    fixtures.loc[fixtures["event"] >= gameweek, ["team_h_score", "team_a_score"]] = [42, 41]
    return {"rows": rows, "fixtures": fixtures}
