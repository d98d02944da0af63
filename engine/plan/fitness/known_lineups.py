"""Line-ups of squads that a search has met before: it meets the same squad in many plans, and beyond their last round.

The line-up that expects most depends on neither objective nor booster, so searches of one question may share them. They
are not kept from one question to the next: sums are rounded by who stands beside whom, and an answer should not depend
on what was asked before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engine.lineup.lineups import Lineups, joined
from engine.plan.fitness.rounds import RoundView


@dataclass(frozen=True, slots=True)
class _Round:
    """The line-ups of one round, and in which row each squad's is."""

    rows: dict[bytes, int]
    lineups: Lineups

    def with_more(self, keys: list[bytes], lineups: Lineups) -> _Round:
        """Return these and some others."""
        more = {key: row for row, key in enumerate(keys, start=len(self.lineups))}
        return _Round({**self.rows, **more}, joined([self.lineups, lineups]))


@dataclass(frozen=True, slots=True)
class KnownLineups:
    """The line-ups of every round's squads, those that expect most."""

    _rounds: dict[RoundView, _Round] = field(default_factory=dict)

    def of(self, view: RoundView, squads: np.ndarray) -> Lineups:
        """Return the line-ups of squads (p, 15) in a view, made for those that are not known yet."""
        keys, known = [squad.tobytes() for squad in squads], self._rounds.get(view)
        new = {key: row for row, key in enumerate(keys) if known is None or key not in known.rows}
        if known is None:
            known = self._rounds[view] = _Round(new, view.lineups(squads))
        elif new:
            known = self._rounds[view] = known.with_more([*new], view.lineups(squads[[*new.values()]]))
        return known.lineups.at([known.rows[key] for key in keys])
