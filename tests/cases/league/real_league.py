"""A mini-league of 72 real managers of 2025/26 from the fact tables, each as the game's public pages would show him."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from data.sources.fpl.managers.account import Prices
from data.sources.fpl.managers.recorded_league import RecordedManager, recorded_managers
from data.sources.fpl.managers.wire import picks_name, record_name, transfers_name

SEASON = "2025-26"
LAST = 19
RULEBOOK = "fpl2025"


class RealManager(RecordedManager):
    """One manager, with the pages that the game would show of him."""

    def documents(self, before: int) -> dict[str, bytes]:
        """Return his public pages as they stand shortly before a gameweek's deadline."""
        pages: dict[str, object] = {
            record_name(self.number): self.shown(before),
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
    return recorded_managers(facts / "fpl" / "field", SEASON, RealManager)


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
