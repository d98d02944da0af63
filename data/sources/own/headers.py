"""Which column means what: the headers a table of projections may use, and nothing by guess."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from data.errors import TableError
from data.naming.names import folded
from data.sources.own.shares import SHARES, Unit

SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "id": ("player id", "playerid", "element", "element id", "fpl id", "fifa id"),
        "name": ("player", "player name", "full name", "web name", "known name", "footballer"),
        "team": ("club", "nation", "country", "team name", "team code", "squad"),
        "xev": (
            *("ev", "xp", "xpts", "xpoints", "pts", "points", "projection", "projected", "projected points"),
            *("expected points", "exp points", "predicted points", "forecast", "mean"),
        ),
        "ceiling": ("ceil", "p90", "upside", "best case"),
        "floor": ("p10", "downside", "worst case"),
        "owned": ("own", "ownership", "selected", "selected by", "tsb", "projected ownership"),
        "captain_share": ("captain", "captained", "captaincy", "captains", "cap", "captained by"),
        "p_start": ("start", "pstart", "start probability", "start chance", "starting probability"),
        "xmins": ("xmin", "mins", "minutes", "expected minutes", "projected minutes", "x mins", "x minutes"),
    }
)
"""Column → headers that mean it besides its own name; case, accents, _ and punctuation do not matter."""

UNIT_WORDS = {"percent": Unit.PERCENT, "percentage": Unit.PERCENT, "pct": Unit.PERCENT, "fraction": Unit.FRACTION}
_COLUMN_OF = {word: column for column, words in SYNONYMS.items() for word in (folded(column), *words)}
_BY_ROUND = re.compile(r"(?:gw ?)?([1-9][0-9]?) (pts|xmins)", re.ASCII)
_ROUND_COLUMN = {"pts": "xev", "xmins": "xmins"}


@dataclass(frozen=True, slots=True)
class Columns:
    """Where each column of ours stands in a table, and which headers mean nothing to us."""

    header_of: Mapping[str, str]
    unit_of: Mapping[str, Unit]  # where the header itself says percent or fraction
    by_round: Mapping[tuple[str, int], str]  # ("xev", 5) → "5_Pts"
    ignored: tuple[str, ...]

    @property
    def rounds(self) -> list[int]:
        """The rounds the table projects in columns of their own."""
        return sorted({number for column, number in self.by_round if column == "xev"})


def column_of(title: str) -> tuple[str, Unit | None] | None:
    """Return the column a header means and the unit it states, None for a header that means nothing to us."""
    words, unit = _without_unit(title)
    column = _COLUMN_OF.get(words)
    if column is None or (unit is not None and column not in SHARES):
        return None
    return column, unit


def read_columns(header: Sequence[str]) -> Columns:
    """Return what the headers of a table mean; two headers for one column are refused unless one is its own name."""
    meant: dict[str, list[str]] = {}
    by_round: dict[tuple[str, int], str] = {}
    for title in header:
        found, round_match = column_of(title), _BY_ROUND.fullmatch(folded(title))
        if round_match:
            key = (_ROUND_COLUMN[round_match.group(2)], int(round_match.group(1)))
            _refuse_two(title, by_round.get(key), f"{key[0]} of round {key[1]}")
            by_round[key] = title
        elif found:
            meant.setdefault(found[0], []).append(title)
    header_of = {column: _chosen(column, titles) for column, titles in meant.items()}
    used = {*header_of.values(), *by_round.values()}
    units = {column: found[1] for column, title in header_of.items() if (found := column_of(title)) and found[1]}
    return Columns(header_of, units, by_round, tuple(title for title in header if title not in used))


def at_round(columns: Columns, round_number: int) -> Columns:
    """Return the columns with xev and minutes of the round taken from a table that projects several."""
    if not columns.by_round:
        return columns
    if round_number not in columns.rounds:
        listed = ", ".join(map(str, columns.rounds)) or "none"
        raise TableError(f"The table has no column {round_number}_Pts for round {round_number}. It projects: {listed}.")
    chosen = {column: title for (column, number), title in columns.by_round.items() if number == round_number}
    for column, title in chosen.items():
        _refuse_two(title, columns.header_of.get(column), column)
    return Columns({**columns.header_of, **chosen}, columns.unit_of, columns.by_round, columns.ignored)


def _without_unit(title: str) -> tuple[str, Unit | None]:
    words = folded(title).split()
    unit = Unit.PERCENT if "%" in title else None
    if words and words[-1] in UNIT_WORDS:
        unit = UNIT_WORDS[words.pop()]
    return " ".join(words), unit


def _chosen(column: str, titles: list[str]) -> str:
    own = [title for title in titles if _without_unit(title)[0] == folded(column)]
    if len(own) == 1:
        return own[0]
    if len(titles) > 1:
        _refuse_two(titles[1], titles[0], column)
    return titles[0]


def _refuse_two(title: str, other: str | None, meaning: str) -> None:
    if other is not None:
        raise TableError(f"Columns {other!r} and {title!r} both mean {meaning}. Remove or rename one.")
