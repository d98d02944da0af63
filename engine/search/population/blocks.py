"""The blocks a squad is bred from: which of its men belong together.

Men of a block have their worth together: the armband needs its candidates, a clean sheet pays a whole defence at once.
So crossover hands on whole blocks. Every man is in exactly one, the first of these that fits him:

- captain core: captain, vice and the highest ceilings of the eleven, three in all;
- enabler bench: whoever does not start;
- clean-sheet spine: starting goalkeeper and defenders of a team that has at least two of them, the core's counted;
- differential pod: starters whom the field hardly owns;
- mid engine: all other starters.
"""

from __future__ import annotations

import numpy as np

from engine.lineup.lineups import Lineups
from models.crowd.ownership import Exposure
from models.signals import Signals

CORE, SPINE, POD, ENGINE, BENCH = range(5)
"""Codes of the blocks, the dearest to break first: crossover gives room in this order, repair takes it from the end."""

BLOCK_NAMES = ("captain core", "clean-sheet spine", "differential pod", "mid engine", "enabler bench")
CORE_SIZE = 3
"""Captain, vice and one more to turn to."""

STACK = 2  # men of one team's goalkeeper and defenders that make a spine
LAST_OF_SPINE = 1  # code of the position that ends a spine: defenders


def tag_blocks(signals: Signals, exposure: Exposure, lineups: Lineups) -> np.ndarray:
    """Return (p, s) uint8: the block of each man, along the columns of `lineups.squads`."""
    squads = lineups.squads
    starts = (squads[:, :, None] == lineups.starters[:, None, :]).any(axis=2)
    tags = np.where(exposure.differential[squads], POD, ENGINE)
    tags = np.where(_in_spine(signals, squads, starts), SPINE, tags)
    tags = np.where(starts, tags, BENCH)
    return np.where(_in_core(signals, lineups, starts), CORE, tags).astype(np.uint8)


def _in_core(signals: Signals, lineups: Lineups, starts: np.ndarray) -> np.ndarray:
    squads = lineups.squads
    wears = (squads == lineups.captain[:, None]) * 2 + (squads == lineups.vice[:, None])
    ceiling = np.where(starts, signals.ceiling[squads], -np.inf)
    order = np.lexsort((squads, -signals.xev[squads], -ceiling, -wears), axis=1)
    core = np.zeros(squads.shape, dtype=bool)
    np.put_along_axis(core, order[:, :CORE_SIZE], True, axis=1)
    return np.asarray(core & starts)


def _in_spine(signals: Signals, squads: np.ndarray, starts: np.ndarray) -> np.ndarray:
    guards = starts & (signals.position[squads] <= LAST_OF_SPINE)
    team = np.where(guards, signals.team[squads], -1)
    together = ((team[:, :, None] == team[:, None, :]) & guards[:, None, :]).sum(axis=2)
    return np.asarray(guards & (together >= STACK))
