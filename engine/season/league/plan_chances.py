"""Plans against a field, round by round: the chance to be ahead of one of its managers after each round of a plan.

All play the same simulated matches; the managers of the field move on as real ones do. Boosters are left aside for
everybody, and of what a plan is forecast to gain on the field only the share counts that was measured to come.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.plan.moves.moves import Plan
from engine.rank.field import Field
from engine.rank.intervals import Estimate, estimate
from engine.rank.kept_edge import lost_edge
from engine.season.league.behaviour import rival_paths
from engine.season.league.race import race
from models.signals import Signals

SIMULATIONS = 2_000
PATHS = 4
"""Ways in which the field may move on: each is played an equal share of the simulations."""

MANAGERS = 60
"""Of the field, whose whole squads are played through the rounds."""


def plan_chances(
    ahead: Sequence[Signals],
    plans: Sequence[Plan],
    lead: float,
    against: Field,
    rng: np.random.Generator,
    *,
    simulations: int = SIMULATIONS,
) -> tuple[tuple[Estimate, ...], ...]:
    """Return for each plan the chance to be ahead after each of its rounds; a deficit is a negative lead."""
    path_rng, draw_rng = rng.spawn(2)
    hit = ahead[0].rules.transfers.hit_cost
    squads = np.stack([plan.squads for plan in plans])
    cost = np.array([[hit * move.hits for move in plan.moves] for plan in plans], dtype=float)
    paths = rival_paths(ahead, against.squads[:MANAGERS], PATHS, path_rng, boosters=False)
    played = [
        np.cumsum([own[:, None] - others[None] for own, others in rounds], axis=0)
        for rounds in race(ahead, squads, cost, paths, simulations, draw_rng)
    ]
    gaps = np.concatenate(played, axis=3)  # (r, p, m, s)
    gaps = gaps - lost_edge(gaps.mean(axis=(2, 3), keepdims=True)) + lead
    won = (gaps > 0).mean(axis=2) + 0.5 * (gaps == 0).mean(axis=2)  # (r, p, s)
    return tuple(tuple(estimate(won[at, row]) for at in range(len(won))) for row in range(len(plans)))
