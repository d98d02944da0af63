"""What was known before a round's first kick-off: the only thing the models may look at."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cached_property

import pandas as pd


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
            text = value.to_csv(index=False) if isinstance(value, pd.DataFrame) else f"{value}\n"
            parts.append(f"# {field.name}\n{text}")
        return "".join(parts).encode()
