"""Archetypes of the bundled worlds, solved beforehand: nobody waits for a solver to see the first board of a round.

`thetaxi solve-seeds` writes them by the digest of all that the solver was told, so what has changed is solved anew.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from functools import cache
from io import StringIO
from pathlib import Path

import numpy as np

SOLVED = Path(__file__).with_name("solved_squads.csv")


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
