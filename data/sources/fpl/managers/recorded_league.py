"""A mini-league of real managers kept as tables: every week, every transfer, every chip, and the last fifteen.

Files of a folder, gzip or not: league_SEASON_weeks, _transfers, _chips and _squads_gwN. Walking back from the last
squads gives every earlier one. Managers are numbers; nobody is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import pandas as pd

from data.errors import InputError
from data.rules import GameRules
from data.sources.fpl.managers.account import FREE_HIT, Account, Prices, account_before
from data.sources.fpl.managers.wire import WireRecord, WireTransfer


@dataclass(frozen=True)
class RecordedManager:
    """One manager: his weeks, his chips by gameweek, his transfers in the order he made them, his last fifteen."""

    number: int
    weeks: pd.DataFrame
    chips: Mapping[int, str]
    moves: pd.DataFrame
    last_squad: tuple[int, ...]
    last: int  # gameweek of the last fifteen

    @property
    def first(self) -> int:
        """The gameweek he began with."""
        return int(self.weeks["event"].min())

    @property
    def free_hits(self) -> set[int]:
        """Gameweeks whose squad was for them alone."""
        return {week for week, name in self.chips.items() if name == FREE_HIT}

    @cached_property
    def by_week(self) -> dict[int, dict[str, int]]:
        """What is on record of each gameweek."""
        return {row["event"]: row for row in self.weeks.to_dict("records")}

    def moves_of(self, gameweek: int) -> list[WireTransfer]:
        """Return his transfers of a gameweek."""
        return [move for move in self.transfers if move.event == gameweek]

    @cached_property
    def transfers(self) -> list[WireTransfer]:
        """All his transfers, the earliest first."""
        columns = list(WireTransfer.model_fields)
        return [WireTransfer.model_validate(row) for row in self.moves[columns].to_dict("records")]

    @cached_property
    def squads(self) -> dict[int, tuple[int, ...]]:
        """His fifteen after each deadline, free hits taken back, by walking back from the last."""
        squad, squads = list(self.last_squad), {}
        for week in range(self.last, self.first - 1, -1):
            squads[week] = tuple(squad)
            for move in [] if week in self.free_hits else reversed(self.moves_of(week)):
                squad[squad.index(move.element_in)] = move.element_out
        return squads

    def record(self, before: int) -> WireRecord:
        """Return his season as shown before a gameweek's deadline."""
        return WireRecord.model_validate(self.shown(before))

    def shown(self, before: int) -> dict[str, object]:
        """Return the page of his season before a gameweek's deadline."""
        weeks = [row for week, row in self.by_week.items() if week < before]
        return {"current": weeks, "chips": [{"event": w, "name": n} for w, n in self.chips.items() if w < before]}

    def account(self, coming: int, prices: Prices, rules: GameRules) -> Account:
        """Return what he brought into a gameweek, before he moved."""
        known = [move for move in self.transfers if move.event < coming]
        return account_before(coming, self.squads[coming - 1], self.record(coming), known, prices, rules)

    def total(self, before: int) -> int:
        """Return his points before a gameweek, hits taken off."""
        return int(self.by_week[before - 1]["total_points"])

    def gained(self, weeks: range) -> int:
        """Return his points over gameweeks, hits taken off."""
        return int(self.by_week[weeks[-1]]["total_points"] - self.by_week[weeks[0] - 1]["total_points"])


Manager = TypeVar("Manager", bound=RecordedManager)


def recorded_managers(folder: Path, season: str, kind: type[Manager]) -> list[Manager]:
    """Return the managers of a league whose tables are in a folder."""
    weeks, moves, chips = (_table(folder, season, name) for name in ("weeks", "transfers", "chips"))
    last = int(weeks["event"].max())
    squads = _table(folder, season, f"squads_gw{last}").set_index("manager")
    moves = moves.sort_values("time", kind="stable")
    return [
        kind(
            int(number),
            own.sort_values("event"),
            dict(zip(*chips.loc[chips["manager"] == number, ["event", "name"]].to_numpy().T, strict=True)),
            moves[moves["manager"] == number],
            tuple(int(man) for man in squads.loc[number]),
            last,
        )
        for number, own in weeks.groupby("manager")
    ]


def _table(folder: Path, season: str, name: str) -> pd.DataFrame:
    for file in (folder / f"league_{season}_{name}.csv.gz", folder / f"league_{season}_{name}.csv"):
        if file.is_file():
            return pd.read_csv(file)
    raise InputError(f"{folder} has no league_{season}_{name}.csv. Name the folder of a recorded league.")
