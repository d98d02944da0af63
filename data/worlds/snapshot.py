"""What was known before a round's first kick-off: the only thing the models may look at."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cached_property

import pandas as pd

from data.domain import Fixture, Player, Position, Status, Team


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

    def team_list(self) -> tuple[Team, ...]:
        """Return the teams as objects."""
        return tuple(Team(row["code"], row["name"], row["group"]) for row in self.teams.to_dict("records"))

    def player_list(self) -> tuple[Player, ...]:
        """Return the selectable players as objects."""
        columns = ["player_id", "name", "team", "position", "price", "owned", "status"]
        rows = self.players[columns].to_dict("records")
        return tuple(
            Player(**row | {"position": Position(row["position"]), "status": Status(row["status"])}) for row in rows
        )

    def fixture_list(self) -> tuple[Fixture, ...]:
        """Return the matches of this round as objects, in order of kick-off."""
        columns = ["match_id", "round", "kickoff", "home", "away", "at_home"]
        rows = self.coming.sort_values(["kickoff", "match_id"])[columns].to_dict("records")
        return tuple(Fixture(**row | {"kickoff": row["kickoff"].to_pydatetime()}) for row in rows)
