"""Who brought whom: every man of a candidate is followed back to the archetype that had him, block by block.

A child has its men from its parents, and they keep the origin they had there. Whoever a mutation, a repair or the local
search brought is a newcomer: no archetype can be credited with him. A block descends from the archetype that brought
most of its men; where more than half are newcomers it is new.
"""

from __future__ import annotations

import numpy as np

from engine.search.population.blocks import BLOCK_NAMES

NEWCOMER = 255
"""Origin of a man, or of a block, that no seed brought."""

ABSENT = 254
"""Origin of a block that a squad does not have."""

BLOCKS = len(BLOCK_NAMES)


def handed_on(
    children: np.ndarray, parents: tuple[np.ndarray, ...], values: tuple[np.ndarray, ...], otherwise: int
) -> np.ndarray:
    """Return (c, s) what each man of the children has from the parents (c, s), the first who has him; else the given.

    `values` are arrays along the parents' columns, such as their men's origins.
    """
    found = np.full(children.shape, otherwise, dtype=np.uint8)
    for squads, held in reversed(list(zip(parents, values, strict=True))):
        same = children[:, :, None] == squads[:, None, :]
        found = np.where(same.any(axis=2), np.take_along_axis(held, same.argmax(axis=2), axis=1), found)
    return found.astype(np.uint8)


def crossed_order(children: np.ndarray, first: np.ndarray, first_tags: np.ndarray, took: np.ndarray) -> np.ndarray:
    """Return (c, s) whether a man comes from the second parent although the first has him too: with his block."""
    block = handed_on(children, (first,), (first_tags,), BLOCKS)
    gave = np.concatenate([took, np.ones((len(took), 1), dtype=took.dtype)], axis=1)
    return np.asarray(np.take_along_axis(gave, block.astype(np.int64), axis=1) == 1)


def block_origins(tags: np.ndarray, origin: np.ndarray) -> np.ndarray:
    """Return (p, 5) uint8 the archetype each block descends from: of most of its men, the lower code of two alike."""
    found = np.full((len(tags), BLOCKS), ABSENT, dtype=np.uint8)
    for row, block in np.ndindex(found.shape):
        men = origin[row][tags[row] == block]
        if men.size:
            found[row, block] = _descent(men)
    return found


def block_wins(tags: np.ndarray, origin: np.ndarray, archetypes: int) -> np.ndarray:
    """Return (a, 5) how many blocks each archetype brought, counted in shares of their men; newcomers are nobody's."""
    wins = np.zeros((archetypes, BLOCKS))
    for men, blocks in zip(origin, tags, strict=True):
        sizes = np.bincount(blocks, minlength=BLOCKS)
        known = men < archetypes
        np.add.at(wins, (men[known], blocks[known]), 1.0 / sizes[blocks[known]])
    return wins


def _descent(men: np.ndarray) -> int:
    brought = men[men != NEWCOMER]
    if 2 * len(brought) < len(men):
        return NEWCOMER
    return int(np.bincount(brought).argmax())
