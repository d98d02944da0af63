"""Which players an optimal squad can do without: whoever is beaten in every respect by so many that one is free."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.rules.exact import LinearValues
from engine.rules.pool import Pool


@dataclass(frozen=True, slots=True, eq=False)
class Market:
    """What makes one player better than another: row i of every array is player i."""

    pool: Pool
    values: LinearValues
    slot: np.ndarray | None  # (n,) kick-off slot where one armband value counts for each; None for one captain in all
    newcomer: np.ndarray  # (n,) 1 for whoever is a change from the squad one starts from

    def undominated(self, barred: np.ndarray) -> np.ndarray:
        """Return the rows of the players that an optimal squad may need; some optimal squad has no others.

        Nobody of those `barred` (n,), nor of a team the manager wants none of, is needed or replaces anybody.
        """
        open_to = np.flatnonzero(~barred & (self.pool.caps[self.pool.team] > 0))
        places = self.pool.position[open_to]
        kept = [self._of_position(open_to[places == place]) for place in range(len(self.pool.shape))]
        return np.sort(np.concatenate(kept))

    def _of_position(self, rows: np.ndarray) -> np.ndarray:
        """Return the players of one position that cannot always be replaced by somebody at least as good.

        A man is replaceable when as many team-mates beat him as his team's cap allows, or when men of as many teams as
        a squad has players beat him: each of the other fourteen can bar one team at most, so one of them is free. But
        a team the manager wants a number of may need him: then only team-mates replace him.
        """
        team = self.pool.team[rows]
        beats = self._beats(rows)
        mates = (beats & (team[:, None] == team)).sum(axis=0)
        rivals = (np.equal.outer(np.unique(team), team).astype(float) @ beats > 0).sum(axis=0)
        needed = (rivals < self.pool.size) | (self.pool.floors[team] > 0)
        return np.asarray(rows[(mates < self.pool.caps[team]) & needed])

    def _beats(self, rows: np.ndarray) -> np.ndarray:
        """Return (m, m) whether the first is as good as the second in every role, no dearer, no change and may come."""
        start, bench, lead = (worth[rows] for worth in (self.values.start, self.values.bench, self.values.captain))
        # Where a rung counts at one kick-off only, whoever replaces him may find it taken: he must be worth it alone.
        leading = start + lead if self.slot is None else start
        higher = [(start, start), (bench, bench), (leading, start + lead)]
        lower = [self.pool.price[rows], self.newcomer[rows]]
        beats = np.logical_and.reduce(
            [one[:, None] >= two for one, two in higher] + [one[:, None] <= one for one in lower]
        )
        for rule in self.pool.counted[1:]:  # teams are counted in `_of_position`
            beats &= rule.free_to_replace(rows)
        return np.asarray(beats & ~np.tril(beats.T))  # of equals the earlier beats the later


def seldom_beaten(worth: np.ndarray, pool: Pool, most: int) -> np.ndarray:
    """Return the rows of the players whom fewer than `most` of their position beat in worth at their price or below."""
    cheaper = pool.price[None, :] <= pool.price[:, None]
    better = (worth[None, :] > worth[:, None]) & cheaper & (pool.position[None, :] == pool.position[:, None])
    return np.flatnonzero(better.sum(axis=1) < most)
