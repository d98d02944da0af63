"""What the command line prints: tables that fit a terminal, one JSON object, progress on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

RIGHT = ("int", "float")


def notes() -> Console:
    """Return the console for progress, warnings and errors: standard error, so that output stays clean."""
    return Console(stderr=True, highlight=False)


def print_json(content: Mapping[str, object]) -> None:
    """Print one JSON object on standard output and nothing else."""
    sys.stdout.write(json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], footer: str = "") -> None:
    """Print rows as a table; numbers are aligned right, long text is cut to the terminal."""
    table = Table(title=Text(title, style="bold"), title_justify="left", header_style="bold", box=None, pad_edge=False)
    for index, column in enumerate(columns):
        numeric = bool(rows) and type(rows[0][index]).__name__ in RIGHT
        table.add_column(Text(column), justify="right" if numeric else "left", no_wrap=True, overflow="ellipsis")
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    console = Console(highlight=False)
    console.print(table)
    if footer:
        console.print(Text(footer, style="dim"))


def _cell(value: object) -> Text:
    """Return the value as plain text: a name is never read as markup."""
    return Text(f"{value:.1f}" if isinstance(value, float) else str(value))
