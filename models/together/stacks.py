"""The clean-sheet spine: what it means that a goalkeeper and his defenders haul, and blank, together.

One clean sheet pays every man of the stack or none of them. That changes the spread of a squad, not its mean:
the expected clean-sheet points stand in each man's own line already. So the lift is a measure of shared swing
in points, free of θ. The engine decides its sign: a chaser wants it, a leader does not, neutral weighs it
with 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from data.errors import ModelError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Spine:
    """The men of one team in one match whom its clean sheet pays: row i of every array is man i.

    Playing 60 minutes is taken as independent between them and of the score. Floor and haul split each man's
    mean by the fate of the sheet: the conceded line is paid only when it is lost; the lines that hang on
    neither (goals, assists, saves, cards) stay at their mean. So p · haul + (1 − p) · floor is the mean
    again.
    """

    p_clean_sheet: float  # probability that the team concedes nothing
    points: Floats  # (m,) what the rulebook pays each man for the sheet
    p_60: Floats  # (m,) probability of 60 minutes or more
    xev: Floats  # (m,) expected points of the match, all lines
    conceded: Floats  # (m,) expected points of the conceded line, 0 or less

    def __post_init__(self) -> None:
        """Check the columns."""
        _check_unit(self.p_clean_sheet, "p_clean_sheet")
        for name in ("points", "p_60", "xev", "conceded"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.float64))
        shapes = {name: getattr(self, name).shape for name in ("points", "p_60", "xev", "conceded")}
        if len(set(shapes.values())) != 1 or self.points.ndim != 1 or self.points.size == 0:
            raise ModelError(f"A spine needs one entry per man in every column, not {shapes}.")
        _check_unit(self.p_60, "p_60")
        _check_points(self.points)

    @property
    def lift(self) -> float:
        """Shared swing in points; see `stack_lift`."""
        extra = self.points.sum() - self.points.max()
        return float(stack_lift(self.p_clean_sheet, 1.0, 1.0 + extra))

    @property
    def joint_haul(self) -> float:
        """Probability that the sheet pays every man of the stack at once."""
        return float(self.p_clean_sheet * self.p_60.prod())

    @property
    def haul(self) -> float:
        """Expected points of the stack given a clean sheet."""
        return float((self._without_sheet() + self.points * self.p_60).sum())

    @property
    def floor(self) -> float:
        """Expected points of the stack given that the sheet is lost."""
        lost = 1.0 - self.p_clean_sheet
        conceded = self.conceded / lost if lost > 0.0 else np.zeros_like(self.conceded)
        return float((self._without_sheet() + conceded).sum())

    @property
    def correlation(self) -> float:
        """Mean correlation of two men's clean-sheet points; 0 for a single man or a sheet that is certain."""
        paid = self.p_clean_sheet * self.p_60
        spread = np.sqrt(paid * (1.0 - paid))
        shared = self.p_clean_sheet * (1.0 - self.p_clean_sheet) * np.outer(self.p_60, self.p_60)
        norm = np.outer(spread, spread)
        pairs = np.divide(shared, norm, out=np.zeros_like(shared), where=norm > 0.0)[np.triu_indices(paid.size, 1)]
        return float(pairs.mean()) if pairs.size else 0.0

    def _without_sheet(self) -> Floats:
        return self.xev - self.points * self.p_clean_sheet * self.p_60 - self.conceded


def stack_lift(p: npt.ArrayLike, points: npt.ArrayLike, m: npt.ArrayLike) -> Floats:
    """Return p(1 − p) · points · (m − 1), broadcast: the swing m men share beyond one man's own; 0 below two.

    `p` is the probability of the clean sheet, `points` what it pays a man, `m` the number of men it pays.
    """
    chance, men = np.asarray(p, dtype=np.float64), np.asarray(m, dtype=np.float64)
    _check_unit(chance, "p")
    pay = np.asarray(points, dtype=np.float64)
    _check_points(pay)
    return np.asarray(chance * (1.0 - chance) * pay * np.maximum(men - 1.0, 0.0), dtype=np.float64)


def squad_stack_lift(
    squads: npt.ArrayLike, team: npt.ArrayLike, p_clean_sheet: npt.ArrayLike, points: npt.ArrayLike
) -> Floats:
    """Return the lift of each squad (p,): over its teams, Σ p(1 − p) · (points of all − of the best paid).

    With equal pay that is `stack_lift` of m men. `squads` (p, k) holds player rows. By player row: `team`
    (n,) a whole number; `points` (n,) what a clean sheet pays him, 0 for whoever is not part of a stack;
    `p_clean_sheet` (n,), or (n, matches) where teams play 0, 1 or 2 times in a round, with 0 for no match.
    """
    rows, teams = np.asarray(squads), np.asarray(team)
    pay, chance = np.asarray(points, dtype=np.float64), np.asarray(p_clean_sheet, dtype=np.float64)
    _check_squads(rows, teams, pay, chance)
    swing = (chance * (1.0 - chance)).reshape(len(pay), -1).sum(axis=1) * pay
    # Players ranked by team, the best paid first: in a sorted squad whoever follows a team-mate is extra.
    order = np.lexsort((-pay, teams))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    men: Ints = order[np.sort(rank[rows], axis=1)]
    extra = teams[men[:, 1:]] == teams[men[:, :-1]]
    return np.asarray(np.where(extra, swing[men[:, 1:]], 0.0).sum(axis=1), dtype=np.float64)


def _check_squads(rows: Ints, teams: Ints, pay: Floats, chance: Floats) -> None:
    if rows.ndim != 2 or not np.issubdtype(rows.dtype, np.integer):
        raise ModelError(f"Squads are whole player rows (squads, men), not {rows.dtype} of shape {rows.shape}.")
    if pay.ndim != 1 or teams.shape != pay.shape or chance.shape[:1] != pay.shape:
        raise ModelError(
            f"Columns disagree: team {teams.shape}, points {pay.shape}, p_clean_sheet {chance.shape}. "
            "Give one row per player."
        )
    if rows.size and not 0 <= rows.min() <= rows.max() < len(pay):
        raise ModelError(f"A squad names player rows {rows.min()}..{rows.max()}; there are 0..{len(pay) - 1}.")
    _check_unit(chance, "p_clean_sheet")
    _check_points(pay)


def _check_unit(values: npt.ArrayLike, name: str) -> None:
    array = np.asarray(values, dtype=np.float64)
    wrong = ~((array >= 0.0) & (array <= 1.0))
    if wrong.any():
        raise ModelError(f"{name} holds {array[wrong].flat[0]}; a probability lies between 0 and 1.")


def _check_points(points: Floats) -> None:
    wrong = ~(np.isfinite(points) & (points >= 0.0))
    if wrong.any():
        raise ModelError(f"A clean sheet cannot pay {points[wrong].flat[0]}. Give 0 to who is not part of a stack.")
