"""Overall ranks of real managers: which total of points was which place after each gameweek, as knots of a curve."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from data.errors import TableError
from data.importing.csv_files import read_cells_of
from data.tables import Column, Kind, TableSchema, typed

KNOTS = 60
"""Totals kept of a file and gameweek: a curve over thousands of managers bends less often."""

PATTERNS = ("league_*_weeks.csv*", "top*.csv*")
"""Files with one row a manager and gameweek: of a mini-league, and of the best of all."""

RECORDS = TableSchema(
    "managers",
    (
        Column("gw", Kind.INTEGER, low=1, high=60),
        Column("total_points", Kind.INTEGER, low=-1_000, high=10_000),
        Column("overall_rank", Kind.INTEGER, low=1, high=10**9),
    ),
    key=(),
)


def read_ranks(folder: Path, season: str) -> pd.DataFrame:
    """Return round, total_points, overall_rank of the managers of a season, from the files of a folder.

    Every total stands once: several managers on it share places, and the middle one of them is kept.
    """
    paths = [path for pattern in PATTERNS for path in sorted(folder.glob(pattern)) if season in path.name]
    if not paths:
        raise TableError(f"{folder} has no file like {PATTERNS[0]} or {PATTERNS[1]} of the season {season}.")
    rows = pd.concat([_knots(_records(path)) for path in paths])
    rows = rows.groupby(["round", "total_points"], as_index=False)["overall_rank"].median()
    return rows.assign(overall_rank=rows["overall_rank"].round().astype(int))


def _records(path: Path) -> pd.DataFrame:
    cells = read_cells_of(path).rename(columns={"event": "gw"})
    wanted = [column.name for column in RECORDS.columns]
    return typed(cells[[name for name in wanted if name in cells]], RECORDS, path.name)


def _knots(rows: pd.DataFrame) -> pd.DataFrame:
    """Return at most so many managers a gameweek, evenly spread over the ranks of the file."""
    kept = []
    for number, week in rows.sort_values("overall_rank").groupby("gw"):
        places = np.unique(np.linspace(0, len(week) - 1, min(KNOTS, len(week))).round().astype(int))
        kept.append(week.iloc[places].assign(round=number))
    return pd.concat(kept)[["round", "total_points", "overall_rank"]]
