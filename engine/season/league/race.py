"""A race over the rounds ahead: plans and rivals play the same simulated matches, rivals moving on the way.

Simulations are worked on path by path, so memory does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.lineup.lineups import Lineups, best_lineups
from engine.rank.chances import entries_of
from engine.rank.draws import draw_rounds
from engine.rank.scores import Entries, all_scores
from engine.season.league.behaviour import RivalPaths
from models.signals import Signals
from models.together.deal import Deal

BENCH_BOOST, TRIPLE_CAPTAIN = 1, 2
"""Boosters of a path, as they are numbered there."""


def race(
    ahead: Sequence[Signals],
    squads: np.ndarray,
    cost: np.ndarray,
    rivals: RivalPaths,
    simulations: int,
    rng: np.random.Generator,
    *,
    lean: bool = False,
) -> Iterator[list[tuple[np.ndarray, np.ndarray]]]:
    """Yield for each path of the rivals in turn the points of plans (p, s) and of rivals (m, s) in every round.

    `squads` (p, r, 15) are the plans' by round, `cost` (p, r) the points their transfers take. A `lean` race draws the
    points of their men alone.
    """
    own_entries = [entries_of(signals, best_lineups(signals, squads[:, at])) for at, signals in enumerate(ahead)]
    part = max(1, simulations // len(rivals))
    wanted = np.union1d(squads, rivals.squads) if lean else None
    for path in range(len(rivals)):
        played = []
        for at, signals in enumerate(ahead):
            drawn = draw_rounds(signals, part, rng, wanted)
            own = all_scores(own_entries[at], drawn, signals.rules, signals.position) - cost[:, at, None]
            played.append((own, _rival_scores(signals, rivals, path, at, drawn)))
        yield played


def over_rounds(rounds: Sequence[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the points of plans (p, s) and of rivals (m, s) over all rounds of a path."""
    own, others = zip(*rounds, strict=True)
    return np.sum(own, axis=0), np.sum(others, axis=0)


def _rival_scores(signals: Signals, rivals: RivalPaths, path: int, at: int, drawn: Deal) -> np.ndarray:
    """(m, s) the points of rivals in a round of a path: line-ups, armbands, boosters and hits."""
    lineups = best_lineups(signals, rivals.squads[path, :, at])
    captain = np.where(rivals.with_crowd[path, :, at], crowd_captains(signals, lineups), lineups.captain)
    vice = np.where(captain == lineups.captain, lineups.vice, lineups.captain)
    entries = Entries(lineups.starters, lineups.bench, captain, vice)
    booster, points = rivals.booster[path, :, at], drawn.points
    total = all_scores(entries, drawn, signals.rules, signals.position).astype(float)
    for row in np.flatnonzero(booster == TRIPLE_CAPTAIN):
        total[row] += points[:, captain[row]]
    boosted = np.flatnonzero(booster == BENCH_BOOST)
    if len(boosted):
        rules = signals.rules.model_copy(
            update={"autosubs": signals.rules.autosubs.model_copy(update={"enabled": False})}
        )
        some = Entries(*(getattr(entries, name)[boosted] for name in ("starters", "bench", "captain", "vice")))
        total[boosted] = all_scores(some, drawn, rules, signals.position)
        total[boosted] += points[:, entries.bench[boosted]].sum(axis=2).T
    return np.asarray(total - rivals.cost[path, :, at, None])


def crowd_captains(signals: Signals, lineups: Lineups) -> np.ndarray:
    """(m,) the starter of each eleven whom most managers captain."""
    share = signals.exposure.captained[lineups.starters]
    return np.asarray(np.take_along_axis(lineups.starters, share.argmax(axis=1)[:, None], axis=1)[:, 0])
