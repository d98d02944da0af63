"""The user's own table of projections and ownership, matched to players; nothing in it is dropped silently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from data.errors import TableError
from data.naming.matching import Placement, PlayerNames, Unplaced, Written
from data.schema import MINUTES_LIMIT
from data.sources.own.delimited import TABLE_LIMITS, Sheet, TableLimits, numbers, percent_signs, read_sheet
from data.sources.own.headers import SYNONYMS, Columns, at_round, read_columns
from data.sources.own.shares import OWNED, SHARES, Unit, as_fractions, compare_with_game

LEAST_POINTS, MOST_POINTS = -20.0, 150.0
"""Far beyond any round of a player: in two Premier League seasons one match gave between -5 and 26 points."""

MOST_MINUTES = 2.0 * MINUTES_LIMIT
"""Two matches of a double gameweek."""

TOLD = 50
"""Rows, and columns, that a report spells out: a wrong file has thousands of them, and the rest is counted."""

SHOWN = 40
"""Characters of a column's or team's name that a report shows."""

HIGHEST_ID = float(2**53)
_LIMITS = {
    **dict.fromkeys(("xev", "ceiling", "floor"), (LEAST_POINTS, MOST_POINTS)),
    "xmins": (0.0, MOST_MINUTES),
}
_ENOUGH = ("xev", "ceiling", "floor", *SHARES)
"""A table says something with any one of these; minutes alone say nothing that is used."""


@dataclass(frozen=True, slots=True)
class TableReport:
    """What became of a table, in plain words for the person who gave it."""

    rows: int
    unplaced: tuple[Unplaced, ...] = ()
    ignored_columns: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Return the report as sentences, the most important first; of each kind no more than can be read."""
        head = f"{self.rows - len(self.unplaced)} of {self.rows} rows fit a player."
        ignored = [f"Columns not used: {_shown(self.ignored_columns)}."] if self.ignored_columns else []
        return [head, *told(self.unplaced), *self.units, *told(self.repeated), *self.notes, *ignored]


@dataclass(frozen=True, slots=True)
class Projections:
    """A user's figures by player_id. NaN, never in xev, means that the table leaves a figure to the models."""

    frame: pd.DataFrame  # those given of xev, ceiling, floor, owned, captain_share, p_start (0..1), xmins
    report: TableReport


def read_projections(
    content: bytes | str,
    players: pd.DataFrame,
    *,
    teams: pd.DataFrame,
    round_number: int,
    settling: bool = False,
    resolutions: Mapping[str, int] | None = None,
    limits: TableLimits = TABLE_LIMITS,
) -> Projections:
    """Read a CSV or pasted table with `id` or `name` (and `team`) and figures (see `headers.SYNONYMS`).

    Expected points are usual, but ownership alone, or a chance to start, is enough: the models know the rest.
    `players` and `teams` are a snapshot's. `round_number` chooses among the rounds of a table with `5_Pts, 6_Pts, …`.
    Rows without a single fitting player are reported; `resolutions` maps a name as written to a player's id. A table
    that fits nobody at all is refused, unless its names are still `settling`.
    """
    sheet = read_sheet(content, limits)
    columns = at_round(read_columns(sheet.header), round_number)
    _refuse_missing(columns, sheet)
    names = PlayerNames(players, teams)
    placement = names.place(written_rows(sheet, columns), resolutions)
    nobody = all(player is None for player in placement.player_ids)
    if nobody and not settling:
        placement.refuse_unplaced()
    figures = _figures(sheet, columns)
    fractions, units = _shares(sheet, columns, placement, players)
    frame, repeated = _one_row_each(pd.DataFrame(figures | fractions), placement, sheet, names)
    notes = (*_stranger_notes(placement), *_gaps(frame))
    report = TableReport(len(sheet), placement.unplaced, columns.ignored, units, repeated, notes)
    return Projections(frame, report)


def read_later_rounds(
    content: bytes | str,
    players: pd.DataFrame,
    *,
    teams: pd.DataFrame,
    rounds: Sequence[int],
    resolutions: Mapping[str, int] | None = None,
    limits: TableLimits = TABLE_LIMITS,
) -> dict[int, pd.DataFrame]:
    """Return by round the expected points (column xev) that a table with `5_Pts, 6_Pts, …` has for some rounds.

    Rounds that it does not project are left out; a table for one round alone has none.
    """
    projected = read_columns(read_sheet(content, limits).header).rounds
    found = {}
    for number in [number for number in rounds if number in projected]:
        own = read_projections(
            content, players, teams=teams, round_number=number, resolutions=resolutions, limits=limits
        )
        found[number] = own.frame[["xev"]]
    return found


def written_rows(sheet: Sheet, columns: Columns) -> list[Written]:
    """Return what each row of a table says about its player; a row that says nothing is refused."""
    blank = [""] * len(sheet)
    texts = [sheet.cells[columns.header_of[c]] if c in columns.header_of else blank for c in ("name", "team")]
    ids = _ids(sheet, columns.header_of["id"]) if "id" in columns.header_of else [None] * len(sheet)
    rows = [Written(*cells) for cells in zip(sheet.rows, ids, *texts, strict=True)]
    for written in rows:
        if written.player_id is None and not written.name:
            raise TableError(f"Row {written.row} has neither an id nor a name.")
    return rows


def _ids(sheet: Sheet, header: str) -> list[int | None]:
    values = numbers(sheet, header, low=0, high=HIGHEST_ID)
    parts = (values % 1 > 0).to_numpy()
    if parts.any():
        row = int(parts.argmax())
        raise TableError(f"{sheet.where(header, row)}: {sheet.cells[header][row]!r} is not a whole number.")
    return [None if np.isnan(value) else int(value) for value in values]


def _refuse_missing(columns: Columns, sheet: Sheet) -> None:
    found = f"Found: {', '.join(sheet.header)[:200]}."
    if not {"id", "name"} & columns.header_of.keys():
        raise TableError(f"The table needs a column id or name to say who is meant. {found}")
    if not set(_ENOUGH) & columns.header_of.keys():
        accepted = ", ".join(("xev", *SYNONYMS["xev"]))
        others = ", ".join(_ENOUGH[1:])
        raise TableError(
            f"The table needs a column of expected points, headed by one of: {accepted}; or one of: {others}. {found}"
        )


def _column(sheet: Sheet, header: str, column: str) -> pd.Series:
    low, high = _LIMITS[column]
    return numbers(sheet, header, low=low, high=high)


def _figures(sheet: Sheet, columns: Columns) -> dict[str, pd.Series]:
    figures = {c: _column(sheet, columns.header_of[c], c) for c in _LIMITS if c in columns.header_of}
    if "xev" in figures:
        _refuse_empty(sheet, columns.header_of["xev"], figures["xev"])
    for lower, upper in (("floor", "xev"), ("xev", "ceiling"), ("floor", "ceiling")):
        _refuse_disorder(sheet, columns, figures, lower, upper)
    return figures


def _refuse_empty(sheet: Sheet, header: str, values: pd.Series) -> None:
    empty = values.isna().to_numpy()
    if empty.any():
        place = sheet.where(header, int(empty.argmax()))
        raise TableError(f"{place} is empty. Write 0 for a player who will not play, or remove the row.")


def _refuse_disorder(sheet: Sheet, columns: Columns, figures: Mapping[str, pd.Series], lower: str, upper: str) -> None:
    if lower not in figures or upper not in figures:
        return
    wrong = (figures[lower] > figures[upper]).to_numpy()
    if wrong.any():
        row = int(wrong.argmax())
        place = sheet.where(columns.header_of[upper], row)
        raise TableError(f"{place}: {upper} {figures[upper][row]:g} is below {lower} {figures[lower][row]:g}.")


def _shares(
    sheet: Sheet, columns: Columns, placement: Placement, players: pd.DataFrame
) -> tuple[dict[str, pd.Series], tuple[str, ...]]:
    """Return the share columns as fractions, and how each was read."""
    fractions, units = {}, []
    for column, kind in SHARES.items():
        if column not in columns.header_of:
            continue
        header = columns.header_of[column]
        values = numbers(sheet, header, low=0, high=np.finfo(float).max, percent=True)
        said = _said_unit(sheet, header, values, columns.unit_of.get(column))
        fractions[column], unit = as_fractions(values, kind, header, said)
        units.append(unit)
        if kind is OWNED and said is None:
            shown = players.set_index("player_id")["owned"]
            game = pd.Series(placement.player_ids, dtype="float64").map(shown)
            compare_with_game(fractions[column], game, header, kind)
    return fractions, tuple(units)


def _said_unit(sheet: Sheet, header: str, values: pd.Series, in_header: Unit | None) -> Unit | None:
    """Return the unit a column states by its header or its % signs; a column that states both is refused."""
    signs = percent_signs(sheet, header)
    if not signs.any():
        return in_header
    bare = ~signs & (values > 0).to_numpy()
    if in_header is Unit.FRACTION or bare.any():
        row = int(bare.argmax()) if bare.any() else int(signs.argmax())
        cell = sheet.cells[header][row]
        raise TableError(f"{sheet.where(header, row)}: {cell!r} stands in a column of fractions and % signs mixed.")
    return Unit.PERCENT


def _one_row_each(
    values: pd.DataFrame, placement: Placement, sheet: Sheet, names: PlayerNames
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the figures by player. A player's second row is reported when it repeats the first, else refused."""
    owner = pd.Series(placement.player_ids, dtype="Int64", name="player_id")
    placed = values[owner.notna()]
    owner = owner[owner.notna()].astype("int64")
    again = owner.duplicated(keep=False)
    notes = []
    for player, group in placed[again].groupby(owner[again]):
        rows = ", ".join(str(sheet.rows[row]) for row in group.index[:5]) + (" …" if len(group) > 5 else "")
        twins = f"Rows {rows} are all {names.label(int(str(player)))}"
        if len(group.drop_duplicates()) > 1:
            raise TableError(
                f"{twins}, with different figures. Keep one row per player; add up two matches of a gameweek."
            )
        notes.append(f"{twins}, with the same figures: counted once.")
    first = ~owner.duplicated()
    return placed[first].set_index(pd.Index(owner[first], name="player_id")).sort_index(), tuple(notes)


def _stranger_notes(placement: Placement) -> list[str]:
    if not placement.unknown_teams:
        return []
    return [f"Teams not known here, so their players were sought by name alone: {_shown(placement.unknown_teams)}."]


def told(lines: Sequence[object]) -> Iterator[str]:
    """Yield as many lines of one kind as can be read, and how many more there are."""
    yield from map(str, lines[:TOLD])
    if len(lines) > TOLD:
        yield f"… and {len(lines) - TOLD:,} more like these."


def _shown(names: Sequence[str]) -> str:
    spelt = ", ".join(name[:SHOWN] for name in names[:TOLD])
    return f"{spelt} and {len(names) - TOLD:,} more" if len(names) > TOLD else spelt


def _gaps(frame: pd.DataFrame) -> list[str]:
    empty = frame.isna().sum()
    return [
        f"{column}: {count} of {len(frame)} players have no figure, so the models decide."
        for column, count in empty[empty > 0].items()
    ]
