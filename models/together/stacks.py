"""The clean-sheet spine: what it means that a goalkeeper and his defenders haul, and blank, together.

One clean sheet pays every man of the stack or none of them. That changes the spread of a squad, not its mean:
the expected clean-sheet points stand in each man's own line already. So the lift is a measure of shared swing
in points, free of θ. The engine decides its sign: a chaser wants it, a leader does not, neutral weighs it
with 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from data.errors import ModelError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def squad_stack_lift(
    squads: npt.ArrayLike, team: npt.ArrayLike, p_clean_sheet: npt.ArrayLike, points: npt.ArrayLike
) -> Floats:
    """Return the lift of each squad (p,): over its teams, Σ p(1 − p) · (points of all − of the best paid).

    `squads` (p, k) holds player rows. By player row: `team` (n,) a whole number; `points` (n,) what a clean
    sheet pays him, 0 for whoever is not part of a stack; `p_clean_sheet` (n,), or (n, matches) where teams play 0, 1 or
    2 times in a round, with 0 for no match.
    """
    rows, teams = np.asarray(squads), np.asarray(team)
    pay, chance = np.asarray(points, dtype=np.float64), np.asarray(p_clean_sheet, dtype=np.float64)
    if (pay < 0.0).any():
        raise ModelError(f"A clean sheet cannot come with {pay.min():g} points.")
    swing = (chance * (1.0 - chance)).reshape(len(pay), -1).sum(axis=1) * pay
    # Players ranked by team, the best paid first: in a sorted squad whoever follows a team-mate is extra.
    order = np.lexsort((-pay, teams))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    men: Ints = order[np.sort(rank[rows], axis=1)]
    extra = teams[men[:, 1:]] == teams[men[:, :-1]]
    return np.asarray(np.where(extra, swing[men[:, 1:]], 0.0).sum(axis=1), dtype=np.float64)
