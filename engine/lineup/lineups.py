"""The best eleven, bench order and armband of many squads at once, exact under the rulebook's formations.

They are chosen together (`joint`). A starter brings his xEV, in which his absence already counts as 0. A man of the
bench brings P(comes in | he plays) · xEV, since coming in needs that he plays. So it may pay to start a risky man
before a sure one who is worth a little more: the sure one stands behind him. Starting the highest xEV of each position
misses that: of good random squads in the World Cup's rounds 1, 3 and 4 it loses more than 0.01 points in 15 to 45 of
100, and up to 1.5. Hence every eleven counts in every order of its bench (`outfield`).

A search chooses among squads by these. What reaches a board is sent out as its objective likes best, which is looked
for from here (`nearby`, `engine.fitness.sent_out`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from data.domain import POSITIONS
from data.errors import InfeasibleError, InputError
from data.rules import STARTERS
from engine.lineup.autosubs import Floats, Ints
from engine.lineup.joint import NOBODY, JointLineups, SortedSquads, best_joint
from engine.lineup.outfield import SQUADS_AT_ONCE
from models.signals import Signals


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

    def at(self, rows: npt.ArrayLike) -> Lineups:
        """Return the line-ups of some rows, in their order."""
        return Lineups(*(getattr(self, field.name)[rows] for field in fields(Lineups)))

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
    return joined(parts)


def joined(parts: Sequence[Lineups]) -> Lineups:
    """Return line-ups one after the other."""
    return Lineups(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Lineups)))


def _lineups(signals: Signals, squads: Ints, captain: Ints, formation: int | None) -> Lineups:
    slots, sorted_squads = by_position(signals, squads, captain)
    return told(signals, squads, slots, best_joint(sorted_squads, formation))


def by_position(signals: Signals, squads: Ints, captain: Ints) -> tuple[Ints, SortedSquads]:
    """Return the columns of squads (p, s) by position, and the squads so sorted."""
    slots = _ranked(signals, squads)
    rows = np.take_along_axis(squads, slots, axis=1)
    return slots, SortedSquads(
        rules=signals.rules,
        table=signals.armband,
        rows=rows,
        xev=np.ascontiguousarray(signals.xev[rows].T),
        play=np.ascontiguousarray(signals.p_play[rows].T),
        out=np.ascontiguousarray(signals.unavailable[rows].T),
        captain=captain,
    )


def told(signals: Signals, squads: Ints, slots: Ints, best: JointLineups) -> Lineups:
    """Return line-ups that name columns of sorted squads as line-ups of the squads (p, s) themselves."""
    chosen = np.hstack([best.starters, best.bench])
    weight = np.hstack([np.ones(best.starters.shape), best.needed])
    columns = np.take_along_axis(slots, chosen, axis=1)
    men = np.take_along_axis(squads, columns, axis=1)
    by_slot = np.empty_like(weight)
    np.put_along_axis(by_slot, columns, weight, axis=1)
    return Lineups(
        squads=squads,
        starters=men[:, :STARTERS],
        formation=best.formation,
        bench=men[:, STARTERS:],
        come_in=best.needed * signals.p_play[men[:, STARTERS:]],
        weight=by_slot,
        captain=best.captain,
        vice=best.vice,
        captaincy_uplift=best.uplift,
        raw_xev=(weight * signals.xev[men]).sum(axis=1),
        forfeit=best.forfeit,
    )


def _ranked(signals: Signals, squads: Ints) -> Ints:
    """Return the columns of squads (p, s) by position, then higher xEV, surer to play, lower row."""
    return np.lexsort((squads, -signals.p_play[squads], -signals.xev[squads], signals.position[squads]), axis=1)


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
