"""The tables of a world checked: every cell by its schema, every reference by the table it names."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from data.schema import WORLD_TABLES
from data.tables import Column, Kind, TableSchema, refer, typed


def checked_tables(tables: Mapping[str, pd.DataFrame], origin: str) -> dict[str, pd.DataFrame]:
    """Return all tables of a world, typed and checked; an absent table is an empty one."""
    clean = {}
    for schema in WORLD_TABLES:
        frame = tables.get(schema.name)
        told = f"{origin} {schema.name}"
        clean[schema.name] = schema.none() if frame is None else typed(_completed(frame, schema), schema, told)
    for schema in WORLD_TABLES:
        _check_references(clean, schema, origin)
    return clean


def _completed(frame: pd.DataFrame, schema: TableSchema) -> pd.DataFrame:
    """Return a table with the columns that may be empty filled with nothing where it lacks them.

    Not every game has all of them, nor has a world that was written before they came.
    """
    lacking = [column for column in schema.columns if column.empty and column.name not in frame]
    return frame.assign(**{column.name: _nothing(column, frame.index) for column in lacking}) if lacking else frame


def _nothing(column: Column, rows: pd.Index) -> pd.Series:
    return pd.Series("" if column.kind is Kind.TEXT else None, index=rows, dtype=column.dtype)


def _check_references(tables: dict[str, pd.DataFrame], schema: TableSchema, origin: str) -> None:
    for column in schema.columns:
        if column.refers:
            table, _, known = column.refers.partition(".")
            what = table.removesuffix("s") if table != "fixtures" else "match"
            refer(tables[schema.name], column.name, tables[table][known], f"{origin} {schema.name}", what)
