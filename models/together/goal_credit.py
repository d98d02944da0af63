"""Who gets a goal: each goal of a team is credited to one scorer and at most one other man who assists."""

from __future__ import annotations

import numpy as np

SHARE_ROUNDS = 8
"""Rounds of evening out the shares; a typical team's shares then hold to .3 %, against 5 % without."""


def credit_goals(
    goal: np.ndarray, assist: np.ndarray, scored: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return goals and assists (k, b) of k team-mates whose team scored `scored` (b,) goals.

    `goal` and `assist` (k, b) are their shares in the minutes state drawn. Each goal has one scorer, or one from
    outside the pool, and at most one other man who assists: given that another scores, he does so with
    a/(1 − g), which over all scorers is his share a.
    """
    scores = dealt_shares(goal)
    helps = dealt_shares(np.divide(assist, 1 - scores, out=np.zeros_like(assist), where=scores < 1).clip(max=1.0))
    simulation = np.repeat(np.arange(len(scored)), scored)
    scorer = _one_each(scores[:, simulation], rng)
    others = helps[:, simulation]
    known = np.flatnonzero(scorer < len(goal))
    others[scorer[known], known] = 0.0
    return tally(scorer, simulation, goal.shape), tally(_one_each(others, rng), simulation, goal.shape)


def dealt_shares(share: np.ndarray) -> np.ndarray:
    """Return shares (k, b) that sum to at most 1 in every simulation and keep each player's own mean.

    Shares are absolute: what they lack to 1 belongs to nobody in the pool. But states are drawn one by one, so
    an eleven with every scorer on the pitch may claim more than all goals. It is cut to 1, and its
    players get as much more in elevens without all of them: else a typical team would lose 5 % of its goals.
    """
    if share.sum(axis=0).max(initial=0.0) <= 1:
        return share
    target = share.mean(axis=1)
    target /= max(target.sum(), 1.0)
    factor = np.ones_like(target)
    for _ in range(SHARE_ROUNDS):
        mean = factor * (share @ _cut(factor, share)) / share.shape[1]
        factor *= np.divide(target, mean, out=np.ones_like(mean), where=mean > 0)
    return np.asarray(share * factor[:, None] * _cut(factor, share))


def _cut(factor: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return by how much each simulation's shares must shrink to sum to 1 at most."""
    return np.asarray(1 / np.maximum(factor @ share, 1.0))


def _one_each(probability: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw one row for each column of (k, t), or k for nobody."""
    chance = rng.random(probability.shape[1])
    return np.asarray((probability.cumsum(axis=0) <= chance).sum(axis=0))


def tally(row: np.ndarray, simulation: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return how often each row and simulation is named, of shape (k, b); row k stands for nobody."""
    men, count = shape
    return np.bincount(row * count + simulation, minlength=(men + 1) * count)[: men * count].reshape(shape)
