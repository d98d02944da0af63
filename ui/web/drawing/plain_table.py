"""A small table as plain HTML: read by screen readers, printed as it is, drawn at once.

A grid that sorts and scrolls is for long tables (`st.dataframe`); for the few rows of a squad it costs a browser more
than the rest of the page together, and it cuts long words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

import pandas as pd
import streamlit as st

from ui.web.drawing.figures import written

MISSING = "–"


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """How a column is written."""

    form: str = ""  # of its numbers, "{:.1f}%" for one; they stand to the right
    help: str = ""  # a hint over its head
    prose: bool = False  # sentences, which may take several lines


PLAIN = ShownColumn()


def draw_table(frame: pd.DataFrame, label: str, columns: Mapping[str, ShownColumn]) -> None:
    """Draw a table; columns that are not named are written as they are."""
    st.html(table_html(frame, label, columns))


def table_html(frame: pd.DataFrame, label: str, columns: Mapping[str, ShownColumn]) -> str:
    """Return a table; it scrolls sideways where it is too wide."""
    told = {str(name): columns.get(str(name), PLAIN) for name in frame.columns}
    heads = "".join(_head(name, column) for name, column in told.items())
    kinds = tuple(told.values())
    body = "".join(f"<tr>{_cells(row, kinds)}</tr>" for row in frame.itertuples(index=False, name=None))
    return (
        f'<div class="xi-scroll" role="region" tabindex="0" aria-label="{escape(label)}">'
        f'<table class="xi-table"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _head(name: str, column: ShownColumn) -> str:
    hint = f' title="{escape(column.help)}"' if column.help else ""
    return f'<th scope="col"{_style(column)}{hint}>{escape(name)}</th>'


def _cells(row: tuple[object, ...], kinds: tuple[ShownColumn, ...]) -> str:
    return "".join(
        f"<td{_style(column)}>{escape(_written(value, column))}</td>" for value, column in zip(row, kinds, strict=True)
    )


def _written(value: object, column: ShownColumn) -> str:
    if pd.isna(value):
        return MISSING
    return written(value, column.form) if column.form else str(value)


def _style(column: ShownColumn) -> str:
    name = "xi-num" if column.form else "xi-prose" if column.prose else ""
    return f' class="{name}"' if name else ""
