"""Reading fact files: typed by a schema, the file's own name, row and column kept for the error that may follow."""

from __future__ import annotations

import zlib
from pathlib import Path

import pandas as pd

from data.errors import TableError
from data.tables import Column, TableSchema, refer, typed


def read_facts(folder: Path, schema: TableSchema, *, required: bool = True) -> pd.DataFrame:
    """Read `<schema.name>.csv` or `.csv.gz` of a folder, typed by the schema; absent and optional gives no rows."""
    if not required and _path_of(folder, schema.name) is None:
        return schema.none()
    return typed(read_cells(folder, schema.name), schema, f"{schema.name}.csv")


def read_facts_once(
    folder: Path, schema: TableSchema, *, required: bool = True
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Read a fact file without the rows that repeat an earlier one, and a note that says how many they were.

    The rows that are left keep their place in the file as index, for the error that may follow. Absent and optional
    gives no rows.
    """
    if not required and _path_of(folder, schema.name) is None:
        return schema.none(), ()
    cells = read_cells(folder, schema.name)
    rows = typed(cells, schema, f"{schema.name}.csv", repeats=True)
    repeated = len(cells) - len(rows)
    told = f"{repeated} rows repeat earlier ones" if repeated > 1 else "1 row repeats an earlier one"
    return rows, (f"{schema.name}.csv: {told} and {'are' if repeated > 1 else 'is'} left out.",) if repeated else ()


def read_cells(folder: Path, name: str) -> pd.DataFrame:
    """Read a fact file as text cells."""
    path = _path_of(folder, name)
    if path is None:
        raise TableError(f"{folder} has no {name}.csv (or {name}.csv.gz). Is this a folder of fact tables?")
    return read_cells_of(path)


def read_cells_of(path: Path) -> pd.DataFrame:
    """Read a file of comma-separated values as text cells."""
    try:
        return pd.read_csv(path, dtype="str", keep_default_na=False, encoding="utf-8")
    except (ValueError, OSError, EOFError, zlib.error) as error:
        raise TableError(f"{path.name} cannot be read as a UTF-8 CSV: {error}") from None


def _path_of(folder: Path, name: str) -> Path | None:
    paths = [folder / f"{name}{ending}" for ending in (".csv", ".csv.gz")]
    return next((path for path in paths if path.is_file()), None)


def read_by_round(folder: Path, name: str, player: Column, cell: Column, players: pd.Series) -> pd.DataFrame:
    """Read a wide file (player_id, r1, r2, …) as rows (player_id, round, cell); empty cells give no row.

    `players` are the known player ids: a line of somebody else is refused.
    """
    cells = read_cells(folder, name)
    columns = [str(column) for column in cells.columns if str(column)[:1] == "r" and str(column)[1:].isdigit()]
    if not columns:
        raise TableError(
            f"{name}.csv: there is no round column such as r1. Found: {', '.join(map(str, cells.columns))}."
        )
    wide_columns = tuple(Column(column, cell.kind, empty=True, low=cell.low, high=cell.high) for column in columns)
    wide = typed(cells, TableSchema(name, (player, *wide_columns), key=(player.name,)), f"{name}.csv")
    refer(wide, player.name, players, f"{name}.csv", "player")
    rows = wide.melt([player.name], columns, var_name="round", value_name=cell.name).dropna()
    rows["round"] = rows["round"].str.slice(1).astype("Int64")
    return rows.sort_values(["round", player.name], ignore_index=True)
