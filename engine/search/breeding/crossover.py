"""Children of two squads: each block comes whole from one parent, position by position.

Columns of a squad are ordered by position, so both parents have the same position in the same column. A position has as
many places as either parent has men for it; the men of the blocks that were asked for take them first, in the order of
the blocks, so that a captain core always arrives whole. What the blocks leave open is filled with other men of the two
parents. A child has the right shape and nobody twice; budget and team cap are left to repair. A parent may itself be
infeasible: its blocks can be harvested all the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.search.population.blocks import BLOCK_NAMES

BLOCKS = len(BLOCK_NAMES)
UNCLAIMED = BLOCKS
"""Rank of a man whose block is taken from the other parent: behind all blocks."""


def cross(
    first: np.ndarray,
    second: np.ndarray,
    first_tags: np.ndarray,
    second_tags: np.ndarray,
    shape: Sequence[int],
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Return children (c, s) of the parents (c, s), and (c, 5) uint8 which parent gave each block, 0 or 1.

    `shape` counts the columns of each position. Both parents give a block wherever they have two kinds in common; a
    block that only one of them has comes from him.
    """
    took = _givers(first_tags, second_tags, rng)
    claims = np.stack([_claims(first_tags, took == 0), _claims(second_tags, took == 1)])
    claims += rng.random(claims.shape)  # between men of one block chance decides
    sides = np.cumsum(shape)[:-1]
    parts = zip(*(np.split(men, sides, axis=1) for men in (first, second, *claims)), strict=True)
    return np.hstack([_best_claims(*part) for part in parts]), took


def _givers(first_tags: np.ndarray, second_tags: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    has_first, has_second = _has(first_tags), _has(second_tags)
    both = has_first & has_second
    took = rng.integers(0, 2, size=both.shape, dtype=np.uint8)
    turned = np.where(both, rng.random(both.shape), -1.0).argmax(axis=1)
    given = (took * both).sum(axis=1)
    one_sided = (given == 0) | (given == both.sum(axis=1))
    rows = np.flatnonzero(one_sided & (both.sum(axis=1) > 1))
    took[rows, turned[rows]] ^= 1
    return np.where(both, took, has_second).astype(np.uint8)


def _has(tags: np.ndarray) -> np.ndarray:
    return np.stack([(tags == block).any(axis=1) for block in range(BLOCKS)], axis=1)


def _claims(tags: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Return (c, s) the rank of each man's claim to a place: that of his block where this parent gives it."""
    asked = np.take_along_axis(given, tags.astype(np.int64), axis=1)
    return np.where(asked, tags, UNCLAIMED).astype(float)


def _best_claims(
    first: np.ndarray, second: np.ndarray, first_claim: np.ndarray, second_claim: np.ndarray
) -> np.ndarray:
    """Return the men (c, m) of one position with the best claims, by player row; whom both have counts once."""
    same = first[:, :, None] == second[:, None, :]
    shared = np.where(same, second_claim[:, None, :], np.inf).min(axis=2)
    claim = np.hstack([np.minimum(first_claim, shared), np.where(same.any(axis=1), np.inf, second_claim)])
    best = np.argsort(claim, axis=1)[:, : first.shape[1]]
    return np.sort(np.take_along_axis(np.hstack([first, second]), best, axis=1), axis=1)
