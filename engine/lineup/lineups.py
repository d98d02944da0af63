"""The best eleven, bench order and armband of many squads at once, exact under the rulebook's formations.

Eleven and bench are chosen together. A starter brings his xEV, in which his absence already counts as 0. A man of the
bench brings P(comes in | he plays) · xEV, since coming in needs that he plays. So it may pay to start a risky man
before a sure one who is worth a little more: the sure one stands behind him. Starting the highest xEV of each position
misses that: of good random squads in the World Cup's rounds 1, 3 and 4 it loses more than 0.01 points in 15 to 45 of
100, and up to 1.5. Hence every eleven counts in every order of its bench (`outfield`).

Ties go to the formation named first, then to the higher xEV, the surer man, the lower player row.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import permutations

import numpy as np
import numpy.typing as npt

from data.domain import POSITIONS
from data.errors import InfeasibleError, InputError
from data.rules import STARTERS, GameRules
from engine.lineup.autosubs import Floats, Ints, keepers_needed
from engine.lineup.outfield import SQUADS_AT_ONCE, best_outfield
from models.armband.captaincy import Setting, best_armbands, by_kickoff, onward
from models.armband.table import ROUNDING
from models.signals import Signals

NOBODY = -1
"""In a column of player rows: no vice, or no captain held."""


@dataclass(frozen=True, slots=True, eq=False)
class Lineups:
    """What to do with each squad: row i of every array is squad i, s the size of a squad."""

    squads: Ints  # (p, s) player rows, as they were given
    starters: Ints  # (p, 11) player rows: GK, DEF, MID, FWD, the highest xEV of a position first
    formation: Ints  # (p,) place in the rulebook's formations
    bench: Ints  # (p, s − 11) player rows: outfield men as they are called, then the goalkeepers
    come_in: Floats  # (p, s − 11) P(comes in), along `bench`
    weight: Floats  # (p, s) along `squads`: 1 for a starter, P(comes in | he plays) on the bench
    captain: Ints  # (p,) player row
    vice: Ints  # (p,) player row, −1 where the rules know no vice
    captaincy_uplift: Floats  # (p,) points the armband adds
    raw_xev: Floats  # (p,) Σ weight · xEV
    forfeit: Floats  # (p,) points of auto-subs that a manual change in the round would cancel

    def __len__(self) -> int:
        return len(self.squads)

    @property
    def expected(self) -> Floats:
        """(p,) expected points of the round: eleven, bench and armband."""
        return self.raw_xev + self.captaincy_uplift

    def places(self, row: int) -> list[tuple[int, str]]:
        """Return the player rows of a squad with their roles: starters by position, then "bench 1" and so on."""
        bench = enumerate(self.bench[row].tolist(), start=1)
        return [*((man, "starter") for man in self.starters[row].tolist()), *((man, f"bench {n}") for n, man in bench)]


def best_lineups(
    signals: Signals, squads: npt.ArrayLike, *, formation: int | None = None, captain: npt.ArrayLike | None = None
) -> Lineups:
    """Return the best line-up of each squad (p, s) of player rows.

    `formation` holds one of the rulebook's, by place. `captain` holds a player row for all squads or one for each, −1
    to leave him open; he starts, whatever that costs.
    """
    rows = _checked(signals, np.asarray(squads))
    held = _held(signals, rows, formation, NOBODY if captain is None else captain)
    chunk = SQUADS_AT_ONCE
    parts = [
        _lineups(signals, rows[start : start + chunk], held[start : start + chunk], formation)
        for start in range(0, max(len(rows), 1), chunk)
    ]
    return Lineups(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Lineups)))


def _lineups(signals: Signals, squads: Ints, captain: Ints, formation: int | None) -> Lineups:
    rules = signals.rules
    slots = _ranked(signals, squads)
    rows = np.take_along_axis(squads, slots, axis=1)
    xev, play = np.ascontiguousarray(signals.xev[rows].T), np.ascontiguousarray(signals.p_play[rows].T)
    held = np.where(captain == NOBODY, NOBODY, (rows == captain[:, None]).argmax(axis=1))
    keepers, keeping = _best_keepers(rules, xev, play, held)
    outfield = best_outfield(rules, xev, play, held, formation)
    columns = np.hstack([keepers[:, :1], outfield.starts, outfield.bench, keepers[:, 1:]])
    weight = np.hstack([np.ones((len(rows), STARTERS)), outfield.needed, keeping[:, 1:]])
    men = np.take_along_axis(rows, columns, axis=1)
    brought = weight * signals.xev[men]
    # Men expected to lose points could make the bench a burden; cancelling it is no gain anybody plans for.
    forfeit = np.maximum(brought[:, STARTERS:].sum(axis=1), 0.0) * rules.autosubs.manual_change_cancels_autosubs
    by_slot = np.empty_like(weight)
    np.put_along_axis(by_slot, np.take_along_axis(slots, columns, axis=1), weight, axis=1)
    uplift, wearer, vice = _armbands(signals, men[:, :STARTERS], forfeit, captain)
    return Lineups(
        squads=squads,
        starters=men[:, :STARTERS],
        formation=outfield.formation,
        bench=men[:, STARTERS:],
        come_in=weight[:, STARTERS:] * signals.p_play[men[:, STARTERS:]],
        weight=by_slot,
        captain=wearer,
        vice=vice,
        captaincy_uplift=uplift,
        raw_xev=brought.sum(axis=1),
        forfeit=forfeit,
    )


def _ranked(signals: Signals, squads: Ints) -> Ints:
    """Return the columns of squads (p, s) by position, then higher xEV, surer to play, lower row."""
    return np.lexsort((squads, -signals.p_play[squads], -signals.xev[squads], signals.position[squads]), axis=1)


def _best_keepers(rules: GameRules, xev: Floats, play: Floats, held: Ints) -> tuple[Ints, Floats]:
    """Return the goalkeepers (p, g), the starter first, and P(counts | he plays) of each."""
    orders = np.array(list(permutations(range(rules.squad.places[0]))), dtype=np.int64)
    counts = keepers_needed(play[orders.T], rules.autosubs.enabled)
    value = (counts * xev[orders.T]).sum(axis=0)
    barred = (held >= 0) & (held < orders.shape[1]) & (orders[:, :1] != held)
    best = _first_best(np.where(barred, -np.inf, value))
    return orders[best], counts[:, best, np.arange(len(best))].T


def _first_best(value: Floats) -> Ints:
    """Return the first row of each column that is the best, but for rounding."""
    return np.asarray((value >= value.max(axis=0) - ROUNDING).argmax(axis=0), dtype=np.int64)


def _armbands(signals: Signals, elevens: Ints, forfeit: Floats, captain: Ints) -> tuple[Floats, Ints, Ints]:
    """Return what the armband adds, who wears it first and who stands behind him.

    The multiplier pays several copies of a score while a change forfeits the auto-subs once, so each copy is charged
    its share of them.
    """
    rules, table = signals.rules.captaincy, signals.armband
    setting: Setting = rules.mode.value
    copies = rules.multiplier - 1
    charge = forfeit / max(copies, 1)
    best = best_armbands(table, elevens, setting, charge)
    if rules.vice_covers and np.all(captain == NOBODY):
        return copies * best.value, best.captain, best.vice
    rows, everyone = by_kickoff(table, elevens), np.arange(len(elevens))
    level = onward(table, rows, setting) - charge[:, None]
    alone = table.expected_max(rows, level)  # without a vice an absent captain scores 0
    free = best.captain if rules.vice_covers else rows[everyone, _favourite(alone, table.mean[rows])]
    wearer = np.where(captain == NOBODY, free, captain)
    column = (rows == wearer[:, None]).argmax(axis=1)
    if not rules.vice_covers:
        return copies * alone[everyone, column], wearer, np.full(len(rows), NOBODY)
    # As for a captain chosen freely: a vice who kicks off later is held against what follows his own match.
    after = level[everyone, column]
    cover = np.where(np.arange(rows.shape[1]) < column[:, None], table.expected_max(rows, after[:, None]), alone)
    cover[everyone, column] = -np.inf
    value = alone[everyone, column] + table.absent[wearer] * (cover.max(axis=1) - np.maximum(after, 0.0))
    return copies * value, wearer, rows[everyone, _favourite(cover, table.mean[rows])]


def _favourite(value: Floats, means: Floats) -> Ints:
    """Return the best column of each row; where values tie, the man with the higher mean."""
    near = value >= value.max(axis=1, keepdims=True) - ROUNDING
    return np.asarray(np.where(near, means, -np.inf).argmax(axis=1), dtype=np.int64)


def _checked(signals: Signals, squads: Ints) -> Ints:
    """Return the squads as player rows; refuse what the rulebook's shape does not allow."""
    shape = signals.rules.squad.places
    size, players = sum(shape), len(signals.xev)
    if squads.ndim != 2 or squads.shape[1] != size or not np.issubdtype(squads.dtype, np.integer):
        raise InputError(f"Squads are whole player rows (squads, {size}), not {squads.dtype} of shape {squads.shape}.")
    if squads.size and not 0 <= squads.min() <= squads.max() < players:
        raise InputError(f"A squad names player rows {squads.min()}..{squads.max()}; there are 0..{players - 1}.")
    ordered = np.sort(squads, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    if twice.any():
        number = int(twice.argmax())
        raise InputError(f"Squad {number} names a player twice: {ordered[number].tolist()}. Each may be picked once.")
    counts = np.stack([(signals.position[squads] == code).sum(axis=1) for code in range(len(shape))], axis=1)
    wrong = (counts != shape).any(axis=1)
    if wrong.any():
        number = int(wrong.argmax())
        has, needs = (", ".join(f"{n} {p}" for n, p in zip(c, POSITIONS, strict=True)) for c in (counts[number], shape))
        raise InputError(f"Squad {number} has {has}. The rulebook wants {needs}.")
    return squads.astype(np.int64)


def _held(signals: Signals, squads: Ints, formation: int | None, captain: npt.ArrayLike) -> Ints:
    """Return the captain held in each squad (p,), −1 for none; refuse what no line-up can fulfil."""
    formations = signals.rules.squad.formations
    if formation is not None and not 0 <= formation < len(formations):
        raise InputError(f"There is no formation {formation}; the rulebook has 0..{len(formations) - 1}.")
    held = np.asarray(captain)
    if held.shape not in ((), (len(squads),)) or not np.issubdtype(held.dtype, np.integer):
        raise InputError(f"Captains are one player row or one per squad ({len(squads)}), not of shape {held.shape}.")
    held = np.broadcast_to(held.astype(np.int64), len(squads))
    stranger = (held != NOBODY) & (squads != held[:, None]).all(axis=1)
    if stranger.any():
        number = int(stranger.argmax())
        raise InputError(f"Squad {number} does not hold the captain you fixed, player row {held[number]}.")
    _check_captains_start(signals, held, formation)
    return held


def _check_captains_start(signals: Signals, held: Ints, formation: int | None) -> None:
    squad = signals.rules.squad
    lineups = squad.lineups if formation is None else squad.lineups[formation : formation + 1]
    positions = signals.position[held[held != NOBODY]]
    benched = positions[np.max(lineups, axis=0)[positions] == 0]
    if benched.size:
        named = squad.formations if formation is None else squad.formations[formation : formation + 1]
        raise InfeasibleError(
            f"A {POSITIONS[int(benched[0])]} cannot start under {', '.join(named)}, so he cannot be captain. "
            "Hold another captain or free the formation."
        )
