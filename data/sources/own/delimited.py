"""A user's CSV or pasted table, as bytes or text, becomes rows of text cells; every error names the row."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pandas as pd
from pydantic import PositiveInt
from pydantic.dataclasses import dataclass as checked

from data.errors import TableError

DELIMITERS = ("\t", ";", "|", ",")
"""What may part two cells; the earlier wins a tie, because a comma also stands inside names and decimals."""

SNIFFED_ROWS = 50
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "＝", "＋", "－", "＠")
"""What a spreadsheet may take for the beginning of a formula; those of full width where its language is East Asian."""

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)
_SEPARATOR_LINE = re.compile(r"sep=([\t;|,])\s*(\r\n|\r|\n|$)", re.IGNORECASE)
_LINE_ENDS = re.compile(r"[\r\n]+")
_MARKDOWN_RULE = re.compile(r":?-{2,}:?")


@checked(frozen=True, slots=True, kw_only=True)
class TableLimits:
    """How large a table may be before it is refused unread."""

    size: PositiveInt = 5_000_000  # bytes
    rows: PositiveInt = 200_000
    columns: PositiveInt = 500  # a projection of every gameweek, in points and minutes, has about a hundred
    cell: PositiveInt = 1_000  # characters; the longest names have fifty, a note beside them some hundred


TABLE_LIMITS = TableLimits()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of text cells under unique headers; `rows[i]` is the number a spreadsheet shows beside row i."""

    header: tuple[str, ...]
    cells: dict[str, list[str]]  # header → its cells, stripped
    rows: list[int]

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, header: str, row: int) -> str:
        """Return the place of a cell as the user finds it."""
        return f"Row {self.rows[row]}, column {header!r}"


def decoded(content: bytes | str, limits: TableLimits = TABLE_LIMITS) -> str:
    """Return the text of a table in UTF-8, UTF-16 with its mark, or else Windows-1252."""
    if len(content) > limits.size:
        raise TableError(f"The table has {len(content):,} bytes; {limits.size:,} is the limit. Is it the right file?")
    text = _text_of(content) if isinstance(content, bytes) else content.removeprefix("\ufeff")
    if "\x00" in text:
        raise TableError("The table holds NUL bytes, so it is no text. Save it as CSV UTF-8 and try again.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise TableError("The table holds half characters. Save it as CSV UTF-8 and try again.") from None
    return text


def read_sheet(content: bytes | str, limits: TableLimits = TABLE_LIMITS) -> Sheet:
    """Read a table with a header row; blank rows are skipped but still counted."""
    lines = read_lines(decoded(content, limits), limits)
    if not lines:
        raise TableError("The table is empty. Give a header row and one row per player.")
    (_, header), body = lines[0], lines[1:]
    if not body:
        raise TableError(f"The table has a header ({', '.join(header)[:200]}) but no row under it.")
    _refuse_twins(header)
    width = len(header)
    for number, row in body:
        if len(row) < width or any(row[width:]):
            cells = ", ".join(row)[:80]
            raise TableError(f"Row {number} has {len(row)} cells where the header has {width}: {cells}.")
    columns = zip(*(row[:width] for _, row in body), strict=True)
    titled = [title or f"(no header, column {place})" for place, title in enumerate(header, 1)]
    return Sheet(tuple(titled), dict(zip(titled, map(list, columns), strict=True)), [number for number, _ in body])


def read_lines(text: str, limits: TableLimits, *, headed: bool = True) -> list[tuple[int, list[str]]]:
    """Return the rows that hold anything, each with its number in the file, as stripped cells.

    A list that is not `headed` may part a later line where its first is one cell.
    """
    marked = _SEPARATOR_LINE.match(text)
    delimiter = marked.group(1) if marked else _sniffed(text, headed)
    rows = []
    for number, row in enumerate(_parsed(text, delimiter), 1):
        if number > limits.rows + 1:
            raise TableError(f"The table has more than {limits.rows:,} rows. Is it the right file?")
        _refuse_large(number, row, limits)
        cells = [cell.strip() for cell in row]
        if any(cells) and not (marked and number == 1):
            rows.append((number, cells))
    return _without_frame(rows) if delimiter == "|" else rows


def numbers(sheet: Sheet, header: str, *, low: float, high: float, percent: bool = False) -> pd.Series:
    """Return a column as numbers, NaN where a cell is empty; decimal commas, and if asked a percent sign, are read."""
    cells = sheet.cells[header]
    bare = [cell.removesuffix("%").rstrip() for cell in cells] if percent else cells
    values = np.array([_number(cell) for cell in bare], dtype=np.float64)
    filled = np.array([bool(cell) for cell in cells])
    with np.errstate(invalid="ignore"):
        bad = filled & ~((values >= low) & (values <= high))
    if bad.any():
        row = int(bad.argmax())
        reason = _why_not(cells[row], float(values[row]), low, high)
        raise TableError(f"{sheet.where(header, row)}: {cells[row][:80]!r} {reason}")
    return pd.Series(values)


def percent_signs(sheet: Sheet, header: str) -> np.ndarray:
    """Return which cells of a column end with a percent sign."""
    return np.array([cell.endswith("%") for cell in sheet.cells[header]], dtype=bool)


def _text_of(content: bytes) -> str:
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if content.startswith(mark)), "utf-8")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            raise TableError(f"The table is marked as {encoding} but is not: {error.reason}. Save it again.") from None
    try:
        return content.decode("cp1252")
    except UnicodeDecodeError as error:
        raise TableError(
            f"Byte {error.start + 1} of the table is text in neither UTF-8 nor Windows-1252. Save it as CSV UTF-8."
        ) from None


def _parsed(text: str, delimiter: str) -> Iterator[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True)
    try:
        yield from reader
    except csv.Error as error:
        raise TableError(
            f"Line {reader.line_num} cannot be parted into cells ({error}). Is a quotation mark open or misplaced?"
        ) from None


def _refuse_large(number: int, row: list[str], limits: TableLimits) -> None:
    """Refuse a row of too many cells, and one with a cell that no name or figure fills."""
    if len(row) > limits.columns:
        raise TableError(f"Row {number} has {len(row):,} cells; {limits.columns:,} is the limit. Is it the right file?")
    longest = max(map(len, row), default=0)
    if longest > limits.cell:
        raise TableError(
            f"Row {number} has a cell of {longest:,} characters; {limits.cell:,} is the limit. Is a quotation open?"
        )


def _sniffed(text: str, headed: bool) -> str:
    """Return the delimiter under which the first rows agree best with the header, and give it most cells.

    Without a header, and with a first row of one cell, it is the delimiter that parts most rows.
    """

    def merit(delimiter: str) -> tuple[float, int]:
        widths = _first_widths(text, delimiter)
        if not widths or widths[0] == 1:
            return 0.0, 0 if headed else sum(width > 1 for width in widths)
        return sum(width == widths[0] for width in widths) / len(widths), widths[0]

    return max(DELIMITERS, key=merit)


def _first_widths(text: str, delimiter: str) -> list[int]:
    widths: list[int] = []
    filled = (len(row) for row in _parsed(text, delimiter) if any(cell.strip() for cell in row))
    with suppress(TableError):  # an open quotation mark is reported by the reading itself
        for width in islice(filled, SNIFFED_ROWS):
            widths.append(width)  # noqa: PERF402 - those before the fault count
    return widths


def _without_frame(rows: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """Return a pipe table without the bars around it and the rule under its header, as Markdown writes them."""
    kept = [(number, row) for number, row in rows if not all(_MARKDOWN_RULE.fullmatch(cell) for cell in row if cell)]
    if kept and all(len(row) > 2 and not row[0] and not row[-1] for _, row in kept):
        return [(number, row[1:-1]) for number, row in kept]
    return kept


def _refuse_twins(header: list[str]) -> None:
    counts = Counter(title.casefold() for title in header if title)
    twins = [title for title in header if counts[title.casefold()] > 1]
    if twins:
        raise TableError(f"The header names a column twice: {', '.join(twins)[:200]}. Rename or remove one.")


def _number(cell: str) -> float:
    plain = cell.replace("−", "-")
    return float(plain.replace(",", ".")) if _NUMBER.fullmatch(plain) else np.nan


def _why_not(cell: str, value: float, low: float, high: float) -> str:
    if not np.isnan(value):
        return f"is not between {low:g} and {high:g}."
    if cell[:1] in "=+-@":
        return "is a spreadsheet formula. Copy the column and paste it back as values."
    return "is not a number."


def safe_cell(text: str) -> str:
    """Return text in one line that no spreadsheet takes for a formula."""
    line = _LINE_ENDS.sub(" ", text)
    return f"'{line}" if line.lstrip(" ").startswith(FORMULA_STARTS) else line
