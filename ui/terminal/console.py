"""What the command line prints: tables that fit a terminal, one JSON object, progress on standard error."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from data.errors import InputError
from data.storage.files import write_own
from engine.jobs import JobStep

Answer = TypeVar("Answer")

_FIGURE = re.compile(r"[+−-]?\d[\d.,]*(–\d[\d.,]*)?\*?%?|–")
"""A cell that is a number, a share or a span of them; "–" stands for none."""


def notes() -> Console:
    """Return the console for progress, warnings and errors: standard error, so that output stays clean."""
    return Console(stderr=True, highlight=False)


def say(*lines: str, style: str = "") -> None:
    """Print sentences on standard error."""
    for line in lines:
        notes().print(line, style=style, markup=False)


def warn(lines: Iterable[str]) -> None:
    """Print sentences that a user should see on standard error."""
    say(*lines, style="yellow")


@contextmanager
def progress(title: str, *columns: ProgressColumn, total: float | None = None) -> Iterator[Callable[..., None]]:
    """Show a bar on standard error while something goes on; what is yielded moves it as rich's `update` does."""
    with Progress(TextColumn("{task.description}"), BarColumn(), *columns, console=notes(), transient=True) as bar:
        yield partial(bar.update, bar.add_task(title, total=total))


def worked(steps: Iterable[JobStep | Answer], title: str) -> Answer:
    """Return what long work comes to, its steps shown on standard error."""
    with progress(title, MofNCompleteColumn(), TimeElapsedColumn()) as show:
        for step in steps:
            if not isinstance(step, JobStep):
                return step
            show(completed=step.done, total=step.total, description=step.doing)
    raise InputError(f"{title} ended before its last step. Start it again.")


def write_file(path: Path, text: str, what: str, *, encoding: str = "utf-8") -> None:
    """Write what a user takes away, whole or not at all, and say so."""
    write_own(path, text.encode(encoding))
    say(f"{what} written to {path}.")


def allow_any_letter() -> None:
    """Let a terminal that knows only some letters show "?" for the others, rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def print_json(content: Mapping[str, object]) -> None:
    """Print one JSON object on standard output and nothing else; letters that it cannot show are escaped."""
    text = json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(content, indent=2, allow_nan=False) + "\n"
    print_text(text)


def print_text(text: str) -> None:
    """Print text as it is on standard output."""
    with _reader_may_leave():
        sys.stdout.write(text)
        sys.stdout.flush()


@contextmanager
def _reader_may_leave() -> Iterator[None]:
    """End well where the reader of our output (head, less) has seen enough."""
    try:
        yield
    except BrokenPipeError:
        drop_output()
        raise SystemExit(0) from None


def drop_output() -> None:
    """Send what is still to be written nowhere: Python flushes it at its end, and would fail again."""
    with suppress(OSError, ValueError):  # no file at all behind it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Output(Console):
    """Standard output; rich itself would call a reader who leaves an error."""

    def on_broken_pipe(self) -> None:
        drop_output()
        raise SystemExit(0)


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], footer: str = "") -> None:
    """Print rows as a table; figures are aligned right, a text too long for the terminal goes on in the next line."""
    table = Table(header_style="bold", box=None, pad_edge=False)
    cells = [[_cell(value) for value in row] for row in rows]
    for index, column in enumerate(columns):
        figures = _are_figures([row[index].plain for row in cells])
        table.add_column(Text(column), justify="right" if figures else "left", overflow="fold")
    for row in cells:
        table.add_row(*row)
    console = _Output(highlight=False)
    with _reader_may_leave():
        console.print(Text(title, style="bold"))
        console.print(table)
        if footer:
            console.print(Text(footer, style="dim"))
        console.file.flush()


def _cell(value: object) -> Text:
    """Return the value as plain text: a name is never read as markup."""
    return Text(f"{value:.1f}" if isinstance(value, float) else str(value))


def _are_figures(texts: Sequence[str]) -> bool:
    """Whether most of a column's cells that hold anything are figures."""
    filled = [text for text in texts if text]
    return 2 * sum(bool(_FIGURE.fullmatch(text)) for text in filled) > len(filled)
