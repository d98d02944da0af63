"""A small table as plain HTML: read by screen readers, printed as it is, drawn at once.

A grid that sorts and scrolls is for long tables (`st.dataframe`); for the few rows of a squad it costs a browser more
than the rest of the page together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

import pandas as pd


@dataclass(frozen=True, slots=True)
class Column:
    """How a column is written: a format of its values (numbers stand to the right) and a hint over its head."""

    form: str = ""
    help: str = ""


PLAIN = Column()


def table_html(frame: pd.DataFrame, label: str, columns: Mapping[str, Column]) -> str:
    """Return a table; it scrolls sideways where it is too wide."""
    told = {str(name): columns.get(str(name), PLAIN) for name in frame.columns}
    heads = "".join(_head(name, column) for name, column in told.items())
    kinds = list(told.values())
    body = "".join(f"<tr>{_cells(row, kinds)}</tr>" for row in frame.itertuples(index=False))
    return (
        f'<div class="xi-scroll" role="region" tabindex="0" aria-label="{escape(label)}">'
        f'<table class="xi-table"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _head(name: str, column: Column) -> str:
    hint = f' title="{escape(column.help)}"' if column.help else ""
    return f'<th scope="col"{_number(column)}{hint}>{escape(name)}</th>'


def _cells(row: tuple[object, ...], kinds: list[Column]) -> str:
    return "".join(
        f"<td{_number(column)}>{escape(format(value, column.form))}</td>"
        for value, column in zip(row, kinds, strict=True)
    )


def _number(column: Column) -> str:
    return ' class="xi-num"' if column.form else ""
