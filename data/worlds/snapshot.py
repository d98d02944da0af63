"""What was known before a round's first kick-off: the only thing the models may look at."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cached_property

import pandas as pd

from data.schema import LATER_COLUMNS, LATER_TABLES


@dataclass(frozen=True)
class Snapshot:
    """A competition as seen at one deadline. Frames are the world's tables, cut to what was known then."""

    world: str  # name of the world it was taken from
    rulebook: str
    round: int
    stage: str
    deadline: datetime  # UTC
    teams: pd.DataFrame
    players: pd.DataFrame  # selectable at this deadline, with name, short, team, position, price, owned, status
    market: pd.DataFrame  # price, owned, status of every round up to this one
    fixtures: pd.DataFrame  # announced matches; goals only of earlier rounds
    points: pd.DataFrame
    appearances: pd.DataFrame
    events: pd.DataFrame
    bracket: pd.DataFrame
    best_thirds: pd.DataFrame
    results: pd.DataFrame
    goals: pd.DataFrame
    shootouts: pd.DataFrame
    past_matches: pd.DataFrame  # player-matches of earlier seasons, by the code that a player keeps
    totals: pd.DataFrame  # of matches that are known by their sum alone
    past_seasons: pd.DataFrame  # of seasons that are known by their sum alone, by code
    differences: pd.DataFrame  # sections of the rulebook that the game tells otherwise

    @cached_property
    def checksum(self) -> str:
        """A fingerprint of everything known: equal checksums, equal knowledge."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    @property
    def coming(self) -> pd.DataFrame:
        """The matches of this round."""
        return self.fixtures[self.fixtures["round"] == self.round]

    def to_bytes(self) -> bytes:
        """Return every fact as one canonical text, for comparing two snapshots byte for byte."""
        parts = []
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, pd.DataFrame):
                parts.append(_table_text(field.name, value))
            else:
                parts.append(f"# {field.name}\n{value}\n")
        return "".join(parts).encode()


def _table_text(name: str, frame: pd.DataFrame) -> str:
    """Return a table as text. What only newer worlds have is left out where it says nothing: no fact, no trace."""
    if name in LATER_TABLES:
        return f"# {name}\n{table_digest(frame)}\n" if len(frame) else ""
    return f"# {name}\n{frame.drop(columns=silent_columns(frame)).to_csv(index=False)}"


def silent_columns(frame: pd.DataFrame) -> list[str]:
    """Return the columns that only newer worlds have and that say nothing here."""
    return sorted(column for column in LATER_COLUMNS.intersection(frame) if _says_nothing(frame[column]))


def _says_nothing(series: pd.Series) -> bool:
    return bool((series.isna() | (series == "")).all())


def table_digest(frame: pd.DataFrame) -> str:
    """Return a fingerprint of a table too long to be written out each time somebody asks."""
    rows = pd.util.hash_pandas_object(frame, index=False)
    return hashlib.sha256(rows.to_numpy().tobytes()).hexdigest()
