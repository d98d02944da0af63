"""The armband of many elevens at once: what its best use is worth, who starts with it, who stands behind him.

The armband adds one more copy of a score. Captain and vice are named before the round. The settings:

- `locked`: nothing moves. The vice takes over when the captain does not play.
- `one_switch`: once the captain's match is over the armband may move, one time, to a man of a later slot.
- `unlimited`: the same, after every match of whoever wears it.

The first manual change cancels the vice and the auto-subs of the round. The auto-subs are charged as
`forfeit`; the vice is counted exactly, because he is left standing wherever no change is made.

All three are one stopping problem. Let W(s) be what an armband set free after slot s is worth:

- `locked`, or nobody kicks off later: −inf. An armband must be worn, so the last man is held whatever he
  scores;
- `one_switch`: the best mean of a later man;
- `unlimited`: the best E[max(score, W(his slot))] of a later man.

With w(s) = W(s) − forfeit, captain c and vice v are worth

    P(c plays) · E[max(score of c, w(slot of c)) | c plays]
    + P(c absent) · E[max(score of v, w(later slot of the two))]

since an absent captain is answered by the vice, who costs no change, and one may still move on after him. Moving
on at once is never better than the best vice: the man it leads to brings as much as vice, without a change.

Scores of different men are taken as independent. Inside one match they are not, but a change only ever leads
to a later slot, hence to another match: the one coupling left out is a vice in the match of an absent
captain. Maximum Captain is where it counts: men who haul together make E[max] a little smaller than the
product form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from data.errors import ModelError, did_you_mean
from models.armband.table import ROUNDING, ArmbandTable, Floats, Ints

Setting = Literal["unlimited", "one_switch", "locked"]
SETTINGS: tuple[Setting, ...] = get_args(Setting)


@dataclass(frozen=True, slots=True, eq=False)
class Armbands:
    """The best armband of many elevens: row i of every array is eleven i."""

    value: Floats  # (p,) points the armband adds, net of what a change forfeits
    captain: Ints  # (p,) table row of the man who starts with it
    vice: Ints  # (p,) table row of the man behind him


def best_armbands(
    table: ArmbandTable, elevens: npt.ArrayLike, setting: Setting, forfeit: npt.ArrayLike = 0.0
) -> Armbands:
    """Return value, captain and vice of each eleven (p, k); `forfeit` is one number or one per eleven."""
    rows = by_kickoff(table, elevens)
    level = onward(table, rows, setting) - _charges(forfeit, len(rows))[:, None]
    return _best_pair(table, rows, level)


def every_armband(
    table: ArmbandTable, elevens: npt.ArrayLike, setting: Setting, forfeit: npt.ArrayLike = 0.0
) -> tuple[Ints, Floats, Ints]:
    """Return for each eleven (p, k) its men by kick-off, what the armband adds on each first, and his best vice."""
    rows = by_kickoff(table, elevens)
    level = onward(table, rows, setting) - _charges(forfeit, len(rows))[:, None]
    value, vice = _with_vices(table, rows, level)
    return rows, value, np.take_along_axis(rows, vice, axis=1)


def highest_armbands(
    table: ArmbandTable, men: npt.ArrayLike, setting: Setting, forfeits: Floats, captain: Ints
) -> Floats:
    """Return (c, p) what the armband adds at most to any eleven of some men (p, k), for forfeits (c, p).

    More men to move to, and a vice who is as good as the best of them, never make it less. `captain` (p,) is a row who
    wears it first, another number for nobody in particular.
    """
    rows = by_kickoff(table, men)
    level = onward(table, rows, setting) - forfeits[:, :, None]
    own = table.expected_max(rows, level)
    cover = own.max(axis=2, keepdims=True) - np.maximum(level, 0.0)
    value = own + table.absent[rows] * np.maximum(cover, 0.0)
    led = rows == np.asarray(captain)[:, None]
    return np.asarray(np.where(led | ~led.any(axis=1, keepdims=True), value, -np.inf).max(axis=2))


def maximum_captain(table: ArmbandTable, elevens: npt.ArrayLike) -> Floats:
    """Return E[max score] of each eleven (p,): the best scorer is doubled, whoever he turns out to be."""
    rows = by_kickoff(table, elevens)
    all_below = np.ones((len(rows), table.grid.size))
    for column in rows.T:
        all_below *= table.cdf[column]
    return np.asarray(table.grid[-1] - all_below[:, :-1].sum(axis=1), dtype=np.float64)


def held_value(table: ArmbandTable, captain: int, vice: int | None = None) -> float:
    """Return what a captain held all round adds, with his vice's cover if one is named."""
    cover = 0.0 if vice is None else float(table.absent[captain] * table.mean[vice])
    return float(table.mean[captain]) + cover


def tightest_level(table: ArmbandTable, men: Ints) -> float:
    """Return the level v ≥ 0 at which v + Σ E[(score − v)+] of some men is least.

    At any level that sum bounds Maximum Captain, hence every setting, from above, and it is linear in the men. It is
    convex in the level and linear between whole points: one of those is tightest.
    """
    levels = table.grid[table.grid >= 0].astype(float)
    return float(min(levels, key=lambda level: level + table.surplus_over(level)[men].sum()))


def by_kickoff(table: ArmbandTable, elevens: npt.ArrayLike) -> Ints:
    """Return the elevens with their men in order of kick-off, then of row; refuse what is no eleven."""
    rows, players = np.asarray(elevens), len(table.slot)
    if rows.ndim != 2 or rows.shape[1] < 2 or not np.issubdtype(rows.dtype, np.integer):
        raise ModelError(f"Elevens are whole player rows (squads, men ≥ 2), not {rows.dtype} of shape {rows.shape}.")
    if rows.size and not 0 <= rows.min() <= rows.max() < players:
        raise ModelError(f"An eleven names player rows {rows.min()}..{rows.max()}; the table has 0..{players - 1}.")
    key = np.sort(table.slot[rows] * players + rows, axis=1)
    twice = key[:, 1:] == key[:, :-1]
    if twice.any():
        where = int(np.argmax(twice.any(axis=1)))
        raise ModelError(f"Eleven {where} names a player twice: {rows[where].tolist()}. Each may start once.")
    return np.asarray(key % players, dtype=np.int64)


def onward(table: ArmbandTable, rows: Ints, setting: Setting) -> Floats:
    """Return W after the slot of each man (p, k) for rows in order of kick-off, before any forfeit."""
    if setting not in SETTINGS:
        raise ModelError(f"Unknown captaincy setting {setting!r}. {did_you_mean(str(setting), SETTINGS)}")
    ahead = np.full(rows.shape, -np.inf)
    if setting == "locked":
        return ahead
    slots, best = table.slot[rows], np.full(len(rows), -np.inf)
    for column in range(rows.shape[1] - 2, -1, -1):
        after = column + 1
        best = np.maximum(best, worn(table, rows[:, after], ahead[:, after], setting))
        ahead[:, column] = np.where(slots[:, column] < slots[:, after], best, ahead[:, after])
    return ahead


def worn(table: ArmbandTable, rows: Ints, ahead: Floats, setting: Setting) -> Floats:
    """Return what an armband moved to each man is worth, `ahead` being W after his slot."""
    return table.expected_max(rows, ahead) if setting == "unlimited" else table.mean[rows]


def _charges(forfeit: npt.ArrayLike, count: int) -> Floats:
    charges = np.asarray(forfeit, dtype=np.float64)
    if charges.shape not in ((), (count,)):
        raise ModelError(f"Forfeits are one number or one per eleven ({count}), not of shape {charges.shape}.")
    wrong = ~(np.isfinite(charges) & (charges >= 0.0))
    if wrong.any():
        raise ModelError(
            f"A change cannot forfeit {charges[wrong].flat[0]} points. Give the auto-subs' value, 0 or more."
        )
    return np.broadcast_to(charges, (count,))


def _best_pair(table: ArmbandTable, rows: Ints, level: Floats) -> Armbands:
    """Return the best captain and vice, `level` being w after each man's slot."""
    value, vice = _with_vices(table, rows, level)
    captain, everyone = _first_choice(value, table.mean[rows]), np.arange(len(rows))
    deputy = rows[everyone, vice[everyone, captain]]
    return Armbands(value=value.max(axis=1), captain=rows[everyone, captain], vice=deputy)


def _with_vices(table: ArmbandTable, rows: Ints, level: Floats) -> tuple[Floats, Ints]:
    """Return (p, k) what the armband adds on each man first, and the column of his best vice."""
    own = table.expected_max(rows, level)
    cover = _cover(table, rows, level, own)
    # E[max(score, w)] counts an absent captain as max(0, w): what the vice brings replaces it.
    value = own + table.absent[rows] * (cover.max(axis=2) - np.maximum(level, 0.0))
    return np.asarray(value), _first_choice(cover, table.mean[rows][:, None, :])


def _cover(table: ArmbandTable, rows: Ints, level: Floats, own: Floats) -> Floats:
    """Return what each man is worth as vice (p, captain, vice) once the captain is known to be absent.

    A later vice is judged against w after his own slot, one who has already played after the captain's.
    """
    men = np.arange(rows.shape[1])
    played = table.expected_max(rows[:, None, :], level[:, :, None])
    cover = np.where(men < men[:, None], played, own[:, None, :])
    cover[:, men, men] = -np.inf
    return np.asarray(cover)


def _first_choice(value: Floats, means: Floats) -> Ints:
    """Return the best place along the last axis; where values tie, the man one would rather be stuck with."""
    near = value >= value.max(axis=-1, keepdims=True) - ROUNDING
    return np.asarray(np.where(near, means, -np.inf).argmax(axis=-1), dtype=np.int64)
