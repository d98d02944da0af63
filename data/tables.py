"""Table schemas: what a column may hold, and one check that names origin, row, column and value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from data.errors import TableError, did_you_mean


class Kind(Enum):
    """What a cell means; the value is the pandas dtype it is stored in."""

    TEXT = "str"
    INTEGER = "Int64"
    NUMBER = "float64"
    FLAG = "bool"
    DATE = "datetime64[us]"
    TIME = "datetime64[us, UTC]"


MEANING = {
    Kind.TEXT: "text",
    Kind.INTEGER: "a whole number",
    Kind.NUMBER: "a number",
    Kind.FLAG: "a flag (0/1, true/false)",
    Kind.DATE: "a date such as 2026-06-11",
    Kind.TIME: "a time such as 2026-06-11T19:00Z",
}
FLAGS = {"0": False, "1": True, "false": False, "true": True}


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its kind, whether a cell may be empty, and the values allowed."""

    name: str
    kind: Kind
    empty: bool = False
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    refers: str = ""  # "table.column" whose values it must be among
    absent: bool = False  # whether a table may go without it

    @property
    def dtype(self) -> str:
        """The pandas dtype it is stored in; only a column with empty cells pays for nullable integers."""
        return "int64" if self.kind is Kind.INTEGER and not self.empty else self.kind.value


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A table's columns, in order, and the columns that identify a row."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()

    @property
    def column_names(self) -> list[str]:
        """Names of the columns in their fixed order."""
        return [column.name for column in self.columns]

    @property
    def needed_names(self) -> list[str]:
        """Names of the columns that no table may go without."""
        return [column.name for column in self.columns if not column.absent]

    def column(self, name: str) -> Column:
        """Return the column of this name."""
        return self.columns[self.column_names.index(name)]

    def without(self, *names: str) -> tuple[Column, ...]:
        """Return the columns but these."""
        return tuple(column for column in self.columns if column.name not in names)

    def none(self) -> pd.DataFrame:
        """Return the table without rows."""
        return pd.DataFrame({c.name: pd.Series([], dtype=c.dtype) for c in self.columns})


def typed(frame: pd.DataFrame, schema: TableSchema, origin: str, *, repeats: bool = False) -> pd.DataFrame:
    """Return the schema's columns of a frame, converted and checked; extra columns are left behind.

    `origin` is what a user would recognise: a file name, or "players.json". Rows are counted as a spreadsheet
    shows them: the first row under the header is row 2. Where `repeats` may occur, a row that repeats an earlier one
    in all we read is left out, and the others keep their place as index.
    """
    columns = [column for column in schema.columns if column.name in frame.columns or not column.absent]
    missing = [column.name for column in columns if column.name not in frame.columns]
    if missing:
        hint = did_you_mean(missing[0], [str(name) for name in frame.columns])
        raise TableError(f"{origin}: column {missing[0]!r} is missing. {hint}")
    clean = pd.DataFrame({c.name: _converted(frame[c.name], c, origin) for c in columns})
    for column in columns:
        _check_range(clean[column.name], column, origin)
    clean = clean[~clean.duplicated()] if repeats else clean
    _check_key(clean, schema, origin)
    return clean


def refer(frame: pd.DataFrame, column: str, known: pd.Series, origin: str, what: str) -> None:
    """Refuse a frame whose column names something that is not among the known values."""
    stray = ~frame[column].isin(known)
    if stray.any():
        row = int(np.argmax(stray.to_numpy()))
        value = frame[column].iloc[row]
        hint = did_you_mean(str(value), known.astype(str))
        place = f"{origin}, row {frame.index[row] + 2}, column {column!r}"
        raise TableError(f"{place}: there is no {what} {value}. {hint}")


@cache
def _stored(dtype: str) -> Any:
    """Return what pandas makes of a dtype's name: to look it up takes longer than to compare it."""
    return pd.api.types.pandas_dtype(dtype)


def _converted(series: pd.Series, column: Column, origin: str) -> pd.Series:
    series = series.reset_index(drop=True)
    stored = series.dtype == _stored(column.dtype)
    if stored and (_plain(series, column) or (column.empty and column.kind not in (Kind.TEXT, Kind.NUMBER))):
        return series
    texts = _texts(series) if column.kind is Kind.TEXT else None
    empty = _empty_cells(series) if texts is None else texts == ""
    if not column.empty:
        _refuse(series, empty, column, origin, f"is empty; {MEANING[column.kind]} is needed")
    if texts is not None:
        return texts
    if stored and column.kind is not Kind.NUMBER:
        return series
    values, bad = _CONVERTERS[column.kind](series, empty)
    _refuse(series, bad & ~empty, column, origin, f"is not {MEANING[column.kind]}")
    return values.astype(column.dtype)


def _plain(series: pd.Series, column: Column) -> bool:
    """Return whether a column that is stored as it should be can have no empty cell: most of a world on disk is so."""
    if not isinstance(series.dtype, np.dtype) or series.dtype.kind not in "ibf":
        return False
    return column.kind is not Kind.NUMBER or bool(np.isfinite(series.to_numpy()).all())


def _texts(series: pd.Series) -> pd.Series:
    """Return cells as text without blanks around it; of a column that lists its values, each value is read once."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        values = series.cat.categories.astype("str").str.strip()
        return pd.Series(pd.array([*values, ""], dtype="str").take(series.cat.codes))  # −1, no value, takes the last
    if series.dtype == _stored("str"):
        return (series.fillna("") if series.hasnans else series).str.strip()
    return series.astype("str").where(series.notna(), "").str.strip().astype("str")


def _empty_cells(series: pd.Series) -> pd.Series:
    empty = series.isna()
    if series.dtype == object or isinstance(series.dtype, pd.StringDtype):
        empty = empty | (series.astype("str").str.strip() == "")
    return empty.astype(bool)


def _numbers(series: pd.Series, empty: pd.Series) -> tuple[pd.Series, pd.Series]:
    if series.dtype == bool:
        return series.astype("float64"), empty
    values = pd.to_numeric(series.where(~empty), errors="coerce").astype("float64")
    return values, ~pd.Series(np.isfinite(values.to_numpy()))


def _integers(series: pd.Series, empty: pd.Series) -> tuple[pd.Series, pd.Series]:
    values, bad = _numbers(series, empty)
    bad = bad | (values % 1 != 0) | (values.abs() > 2**53)
    return values.where(~bad).astype("Int64"), bad


def _flags(series: pd.Series, _: pd.Series) -> tuple[pd.Series, pd.Series]:
    values = series.astype("str").str.strip().str.lower().str.removesuffix(".0").map(FLAGS)
    bad = values.isna()
    return values.where(~bad, False).astype(bool), bad


def _dates(series: pd.Series, empty: pd.Series) -> tuple[pd.Series, pd.Series]:
    values = _moments(series, empty)
    return values.dt.tz_localize(None).dt.normalize().astype(Kind.DATE.value), values.isna()


def _times(series: pd.Series, empty: pd.Series) -> tuple[pd.Series, pd.Series]:
    values = _moments(series, empty)
    return values.astype(Kind.TIME.value), values.isna()


def _moments(series: pd.Series, empty: pd.Series) -> pd.Series:
    """Read points in time; a bare number is none, whatever a calendar could make of it."""
    if pd.api.types.is_datetime64_any_dtype(series):
        return pd.to_datetime(series, utc=True)
    return pd.to_datetime(series.where(~empty).astype("str"), errors="coerce", format="ISO8601", utc=True)


_CONVERTERS = {
    Kind.INTEGER: _integers,
    Kind.NUMBER: _numbers,
    Kind.FLAG: _flags,
    Kind.DATE: _dates,
    Kind.TIME: _times,
}


def _check_range(series: pd.Series, column: Column, origin: str) -> None:
    if _within(series, column):
        return
    if column.low is not None:
        _refuse(series, (series < column.low).fillna(False), column, origin, f"is below {column.low:g}")
    if column.high is not None:
        _refuse(series, (series > column.high).fillna(False), column, origin, f"is above {column.high:g}")
    if column.choices:
        stray = ~series.isin(column.choices)
        _refuse(series, stray, column, origin, f"is not one of {', '.join(c or 'empty' for c in column.choices)}")


def _within(series: pd.Series, column: Column) -> bool:
    """Return whether no number of a plain column breaks its limits, by its smallest and its largest."""
    if column.choices or not isinstance(series.dtype, np.dtype) or series.dtype.kind not in "if":
        return False
    values = series.to_numpy()
    if not values.size:
        return True
    below = column.low is not None and np.fmin.reduce(values) < column.low
    return not below and not (column.high is not None and np.fmax.reduce(values) > column.high)


def _check_key(frame: pd.DataFrame, schema: TableSchema, origin: str) -> None:
    if not schema.key:
        return
    key = list(schema.key)
    twice = frame.duplicated(key)
    if twice.any():
        row = int(twice.idxmax())
        first, second = frame[(frame[key] == frame.loc[row, key]).all(axis=1)].astype("str").to_dict("records")[:2]
        cells = ", ".join(f"{name} {second[name]}" for name in key)
        other = [
            f", with {name} {cell} and then {second[name]}" for name, cell in first.items() if second[name] != cell
        ]
        told = f"{cells} stands there a second time{''.join(other[:1])}"
        raise TableError(f"{origin}, row {row + 2}: {told}. Remove one of the two rows.")


def _refuse(series: pd.Series, bad: pd.Series, column: Column, origin: str, why: str) -> None:
    if bad.any():
        row = int(np.argmax(bad.to_numpy()))
        value = str(series.iloc[row])[:80]
        raise TableError(f"{origin}, row {row + 2}, column {column.name!r}: {value!r} {why}.")
