"""Shots and odds of matches, read from a table in the free layout of football-data and laid beside a season's list."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pandas as pd

from data.errors import TableError
from data.importing.csv_files import read_cells_of
from data.naming.clubs import club_meant
from data.tables import Column, Kind, TableSchema, typed

SHOTS = {"HS": "home_shots", "AS": "away_shots", "HST": "home_on_target", "AST": "away_on_target"}
PRICES = {
    "AvgH": "home_odds",
    "AvgD": "draw_odds",
    "AvgA": "away_odds",
    "Avg>2.5": "over_odds",
    "Avg<2.5": "under_odds",
}
NAMES = SHOTS | PRICES
"""The table's columns → ours. `AvgC…`, the closing odds, are left: at a deadline they are still to come."""

SIDES = ("HomeTeam", "AwayTeam")
MATCHED = (*SIDES, "Date")
LAYOUT = TableSchema(
    "odds",
    (
        *(Column(name, Kind.TEXT) for name in MATCHED),
        *(Column(name, Kind.NUMBER, empty=True, low=0, high=100, absent=True) for name in SHOTS),
        *(Column(name, Kind.NUMBER, empty=True, low=1, high=10_000, absent=True) for name in PRICES),
    ),
    key=MATCHED,
)
DATES = ("%d/%m/%Y", "%d/%m/%y", "%Y-%m-%d")
COLLECTED = (1, 4)
"""Weekdays: odds are collected on Tuesday for matches in the week, on Friday for those of the weekend."""

NEAR = pd.Timedelta(days=1)
"""How far the days of one match may be apart in two lists: a kick-off near midnight."""

SHOWN = 5
CREDIT = "Odds and shots of matches: the free tables of football-data.co.uk, single facts only."
"""What the sources of a world say that has them."""


def read_odds(path: Path) -> pd.DataFrame:
    """Return the matches of an odds file: date, home_name, away_name, and what it knows of shots and odds."""
    return odds_rows(read_cells_of(path), path.name)


def odds_rows(cells: pd.DataFrame, origin: str) -> pd.DataFrame:
    """Return the matches of a table of text cells; `origin` is what its reader calls it."""
    rows = typed(cells, LAYOUT, origin)
    own = rows.drop(columns=list(MATCHED)).rename(columns=NAMES)
    return own.assign(date=_dates(rows["Date"], origin), home_name=rows["HomeTeam"], away_name=rows["AwayTeam"])


def _dates(cells: pd.Series, origin: str) -> pd.Series:
    date = pd.Series(pd.NaT, index=cells.index, dtype=Kind.DATE.value)
    for layout in DATES:
        date = date.fillna(pd.to_datetime(cells, format=layout, errors="coerce").astype(Kind.DATE.value))
    if date.isna().any():
        row = int(date.isna().idxmax())
        raise TableError(f"{origin}, row {row + 2}, column 'Date': {cells[row][:80]!r} is not a date.")
    return date


def spelt_as(odds: pd.DataFrame, clubs: Collection[str]) -> pd.DataFrame:
    """Return the matches with their clubs called as in a list of clubs."""
    sides = {side: odds[side].map(_meant(odds[side], clubs)) for side in ("home_name", "away_name")}
    return odds.assign(**sides)


def _meant(names: pd.Series, clubs: Collection[str]) -> dict[str, str]:
    return {name: club_meant(name, clubs) for name in names.unique()}


def with_odds(listed: pd.DataFrame, odds: pd.DataFrame) -> pd.DataFrame:
    """Return a season's matches (home_name, away_name, kickoff_time) with their shots and odds."""
    clubs = {*listed["home_name"], *listed["away_name"]}
    pairs = _pairs(listed, spelt_as(odds, clubs)).set_index("match")
    figures = odds.reindex(pairs["row"].reindex(listed.index)).set_axis(listed.index)
    own = [name for name in NAMES.values() if name in odds]
    return listed.assign(**{name: figures[name] for name in own}, odds_date=_collected(figures["date"]))


def _pairs(listed: pd.DataFrame, odds: pd.DataFrame) -> pd.DataFrame:
    """Return which match and which row of odds, by their indices, belong together: the same clubs on nearly one day."""
    sides = ["home_name", "away_name"]
    matches = listed[sides].assign(match=listed.index, day=listed["kickoff_time"].dt.tz_localize(None).dt.normalize())
    pairs = matches.merge(odds[[*sides, "date"]].assign(row=odds.index), on=sides)
    near = pairs[(pairs["day"] - pairs["date"]).abs() <= NEAR]
    return near.drop_duplicates("match")[["match", "row"]]


def _collected(date: pd.Series) -> pd.Series:
    """Return the last day on or before a match on which odds are collected."""
    since = [min((weekday - day) % 7 for day in COLLECTED) for weekday in range(7)]
    days = date.dt.day_of_week.map(dict(enumerate(since)))
    return (date - pd.to_timedelta(days, unit="D")).astype(Kind.DATE.value)


def unmatched(odds: pd.DataFrame, listed: pd.DataFrame) -> tuple[str, ...]:
    """Return a note that names the rows of odds from the days of a list of matches that fit none of them."""
    day = listed["kickoff_time"].dt.tz_localize(None).dt.normalize()
    within = odds[odds["date"].between(day.min() - NEAR, day.max() + NEAR)]
    named = spelt_as(within, {*listed["home_name"], *listed["away_name"]})
    stray = within[~within.index.isin(_pairs(listed, named)["row"])]
    if stray.empty:
        return ()
    return (f"Odds that fit no match of the season ({len(stray)}): {told_matches(stray)}.",)


def told_matches(rows: pd.DataFrame) -> str:
    """Return matches of an odds file for a sentence: the first few spelt out, the rest counted."""
    told = [f"{row.home_name}–{row.away_name} on {row.date:%Y-%m-%d}" for row in rows.head(SHOWN).itertuples()]
    return ", ".join(told) + (f" and {len(rows) - SHOWN} others" if len(rows) > SHOWN else "")


def credited(sources: str, fixtures: pd.DataFrame) -> str:
    """Return what a world says of its sources, with those of odds where its matches have any."""
    known = "home_odds" in fixtures and fixtures["home_odds"].notna().any()
    return f"{sources.rstrip()}\n\n{CREDIT}\n" if known and CREDIT not in sources else sources
