"""Squads of the bundled worlds, solved beforehand: nobody waits for a solver to see the first board of a round.

`thetaxi solve-seeds` writes them by the digest of all that the solver was told, so what has changed is solved anew.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from io import StringIO
from pathlib import Path

import numpy as np

from engine.rules.pool import Pool

SOLVED = Path(__file__).with_name("solved_squads.csv")
DECIMALS = 9
"""Of the figures a problem is known by: beyond them machines differ."""


def problem_key(pool: Pool, asked: object, figures: Sequence[np.ndarray]) -> str:
    """Return a digest of all that a solver is told: the pool, what else is asked in words, and figures by player."""
    limits = [array for rule in pool.rules for array in (rule.group, rule.least, rule.most)]
    told = (pool.price, pool.team, pool.position, *limits, *figures)
    exact = [(np.round(array, DECIMALS) + 0.0).tobytes() for array in told]  # no zero has a sign
    said = repr((round(pool.budget, DECIMALS), pool.shape, asked))
    return sha256(b"|".join([said.encode(), *exact])).hexdigest()


@cache
def bundled_squads() -> Mapping[str, np.ndarray]:
    """Return the squads that come with the project, rows by position, by the key of their problem."""
    if not SOLVED.exists():
        return {}
    with SOLVED.open(encoding="utf-8", newline="") as file:
        return {key: np.array(rows, dtype=np.int64) for key, *rows in csv.reader(file)}


def squads_csv(squads: Iterable[tuple[str, np.ndarray]]) -> str:
    """Return squads by key as the file has them."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows([key, *squad.tolist()] for key, squad in dict(squads).items())
    return text.getvalue()
