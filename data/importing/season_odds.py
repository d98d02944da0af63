"""Shots and odds of matches, read from a file in the free layout of football-data and laid beside a season's list."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from data.errors import TableError
from data.importing.csv_files import read_cells_of
from data.tables import Column, Kind, TableSchema, typed

NAMES = {
    "HS": "home_shots",
    "AS": "away_shots",
    "HST": "home_on_target",
    "AST": "away_on_target",
    "AvgH": "home_odds",
    "AvgD": "draw_odds",
    "AvgA": "away_odds",
    "Avg>2.5": "over_odds",
    "Avg<2.5": "under_odds",
}
"""The file's columns → ours. `AvgC…`, the closing odds, are left: at a deadline they are still to come."""

CLUBS = {"Man United": "Man Utd", "Sheffield United": "Sheffield Utd", "Tottenham": "Spurs"}
"""The file's clubs → the game's, where they are not spelt alike."""

SIDES = ("HomeTeam", "AwayTeam")
MATCHED = (*SIDES, "Date")
LAYOUT = TableSchema(
    "odds",
    (
        *(Column(name, Kind.TEXT) for name in MATCHED),
        *(Column(name, Kind.NUMBER, empty=True, low=0, absent=True) for name in NAMES),
    ),
    key=MATCHED,
)
COLLECTED = (1, 4)
"""Weekdays: odds are collected on Tuesday for matches in the week, on Friday for those of the weekend."""

NEAR = pd.Timedelta(days=1)
"""How far the days of one match may be apart in two lists: a kick-off near midnight."""

SHOWN = 5


def read_odds(path: Path) -> pd.DataFrame:
    """Return the matches of an odds file: date, home_name, away_name, and what it knows of shots and odds."""
    rows = typed(read_cells_of(path), LAYOUT, path.name)
    date = pd.to_datetime(rows["Date"], format="mixed", dayfirst=True, errors="coerce")
    if date.isna().any():
        row = int(date.isna().idxmax())
        raise TableError(f"{path.name}, row {row + 2}, column 'Date': {rows['Date'][row]!r} is not a date.")
    home, away = (rows[side].replace(CLUBS) for side in SIDES)
    own = rows.drop(columns=list(MATCHED)).rename(columns=NAMES)
    return own.assign(date=date.astype(Kind.DATE.value), home_name=home, away_name=away)


def with_odds(listed: pd.DataFrame, odds: pd.DataFrame) -> pd.DataFrame:
    """Return a season's matches (id, home_name, away_name, kickoff_time) with their shots and odds."""
    pairs = listed[["id", "home_name", "away_name", "kickoff_time"]].merge(odds, on=["home_name", "away_name"])
    day = pairs["kickoff_time"].dt.tz_localize(None).dt.normalize()
    near = pairs[(day - pairs["date"]).abs() <= NEAR].drop_duplicates("id")
    figures = near.set_index("id").reindex(listed["id"]).set_axis(listed.index)
    own = [name for name in NAMES.values() if name in odds]
    return listed.assign(**{name: figures[name] for name in own}, odds_date=_collected(figures["date"]))


def _collected(date: pd.Series) -> pd.Series:
    """Return the last day on or before a match on which odds are collected."""
    since = [min((weekday - day) % 7 for day in COLLECTED) for weekday in range(7)]
    days = date.dt.day_of_week.map(dict(enumerate(since)))
    return (date - pd.to_timedelta(days, unit="D")).astype(Kind.DATE.value)


def unmatched(odds: pd.DataFrame, results: pd.DataFrame) -> tuple[str, ...]:
    """Return a note that names the rows of an odds file from the days of these results that fit none of them."""
    ours = results.rename(columns={"home_team": "home_name", "away_team": "away_name"})
    within = odds[odds["date"].between(ours["date"].min() - NEAR, ours["date"].max() + NEAR)]
    pairs = within.reset_index().merge(ours[["home_name", "away_name", "date"]], on=["home_name", "away_name"])
    placed = pairs.loc[(pairs["date_x"] - pairs["date_y"]).abs() <= NEAR, "index"]
    stray = within[~within.index.isin(placed)]
    return (f"Odds of {len(stray)} matches fit no result: {_listed(stray)}.",) if len(stray) else ()


def _listed(stray: pd.DataFrame) -> str:
    told = [f"{row.home_name}–{row.away_name} on {row.date:%Y-%m-%d}" for row in stray.itertuples()]
    more = f" and {len(told) - SHOWN} others" if len(told) > SHOWN else ""
    return ", ".join(told[:SHOWN]) + more
