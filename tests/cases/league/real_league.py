"""A mini-league of 72 real managers of 2025/26 from the fact tables, each as the game's public pages would show him."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from data.sources.fpl.account import Prices
from data.sources.fpl.manager_wire import WireRecord, WireTransfer, picks_name, record_name, transfers_name

SEASON = "2025-26"
LAST = 19
RULEBOOK = "fpl2025"


@dataclass(frozen=True)
class RealManager:
    """One manager: his weeks, his chips by gameweek, his transfers in the order he made them, his last fifteen."""

    number: int
    weeks: pd.DataFrame
    chips: Mapping[int, str]
    moves: pd.DataFrame
    last_squad: tuple[int, ...]

    @property
    def first(self) -> int:
        """The gameweek he began with."""
        return int(self.weeks["event"].min())

    @property
    def free_hits(self) -> set[int]:
        return {week for week, name in self.chips.items() if name == "freehit"}

    @cached_property
    def by_week(self) -> dict[int, dict[str, int]]:
        """What is on record of each gameweek."""
        return {row["event"]: row for row in self.weeks.to_dict("records")}

    def moves_of(self, gameweek: int) -> list[WireTransfer]:
        return [move for move in self.transfers if move.event == gameweek]

    @cached_property
    def transfers(self) -> list[WireTransfer]:
        columns = list(WireTransfer.model_fields)
        return [WireTransfer.model_validate(row) for row in self.moves[columns].to_dict("records")]

    @cached_property
    def squads(self) -> dict[int, tuple[int, ...]]:
        """His fifteen after each deadline, free hits taken back, by walking back from the last."""
        squad, squads = list(self.last_squad), {}
        for week in range(LAST, self.first - 1, -1):
            squads[week] = tuple(squad)
            for move in [] if week in self.free_hits else reversed(self.moves_of(week)):
                squad[squad.index(move.element_in)] = move.element_out
        return squads

    def record(self, before: int) -> WireRecord:
        """Return his season as shown before a gameweek's deadline."""
        return WireRecord.model_validate(self._shown(before))

    def _shown(self, before: int) -> dict[str, Any]:
        weeks = [row for week, row in self.by_week.items() if week < before]
        return {"current": weeks, "chips": [{"event": w, "name": n} for w, n in self.chips.items() if w < before]}

    def documents(self, before: int) -> dict[str, bytes]:
        """Return his public pages as they stand shortly before a gameweek's deadline."""
        pages: dict[str, object] = {
            record_name(self.number): self._shown(before),
            transfers_name(self.number): [
                move.model_dump() for move in reversed(self.transfers) if move.event <= before
            ],
        }
        for week in range(self.first, before):
            pages[picks_name(self.number, week)] = self._picks(week)
        return {name: json.dumps(page, default=str).encode() for name, page in pages.items()}

    def _picks(self, week: int) -> dict[str, object]:
        squad = self._played(week)
        picks = [
            {"element": man, "position": place, "is_captain": place == 1, "is_vice_captain": place == 2}
            for place, man in enumerate(squad, start=1)
        ]
        return {
            "active_chip": self.chips.get(week),
            "entry_history": {"bank": self.by_week[week]["bank"]},
            "picks": picks,
        }

    def _played(self, week: int) -> Sequence[int]:
        squad = list(self.squads[week])
        for move in self.moves_of(week) if week in self.free_hits else []:
            squad[squad.index(move.element_out)] = move.element_in
        return squad


def real_managers(facts: Path) -> list[RealManager]:
    """Return the managers of the league."""
    tables = {
        name: pd.read_csv(facts / "fpl" / "field" / f"league_{SEASON}_{name}.csv.gz")
        for name in ("weeks", "transfers", "chips", "squads_gw19")
    }
    squads = tables["squads_gw19"].set_index("manager")
    moves = tables["transfers"].sort_values("time", kind="stable")
    chips = tables["chips"]
    return [
        RealManager(
            int(number),
            weeks.sort_values("event"),
            dict(zip(*chips.loc[chips["manager"] == number, ["event", "name"]].to_numpy().T, strict=True)),
            moves[moves["manager"] == number],
            tuple(int(man) for man in squads.loc[number]),
        )
        for number, weeks in tables["weeks"].groupby("manager")
    ]


def real_prices(facts: Path) -> list[Prices]:
    """Return what players cost at the start and at each gameweek's deadline; the first place holds no gameweek."""
    season = facts / "fpl" / SEASON
    start = pd.read_csv(season / "identities.csv").set_index("id")["start_cost"] / 10
    market = pd.read_csv(season / "deadlines.csv.gz", usecols=["gw", "element", "now_cost"])
    known = {
        int(number): dict(zip(rows["element"], rows["now_cost"] / 10, strict=True))
        for number, rows in market.groupby("gw")
    }
    return [Prices(dict(start), known.get(number, {})) for number in range(LAST + 2)]
