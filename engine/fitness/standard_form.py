"""The fitness in its standard form: linear by role, pairs inside a match, one captain held all round.

`fitness` itself is exact: its ladder and its auto-subs couple all matches, so a swap can only be valued by valuing the
whole squad again. Here a role weight is fixed per bench slot (P(comes in | he plays) behind a typical eleven) and the
captain is held, with the cover of a typical vice. Then a swap changes one row of sums, and a bound can be proved.

value = constant + Σ (w·linear + squad) + Σ starting of the eleven + captain of the wearer − risk · h'Σh
      + stack · Σ over teams (Σ swing of the starting spine − the largest) − hits for transfers,
w = 1 for a starter, the weight of his slot on the bench; h = w, and (multiplier − 1) more for the captain.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import numpy as np

from engine.fitness.judge import Objective
from engine.fitness.squad_view import SquadView
from engine.fitness.standard_form_terms import form_terms
from engine.lineup.elevens import Elevens, all_elevens
from engine.lineup.lineups import best_lineups
from engine.rules.pool import Pool
from models.together.covariance import Covariance

KEEPER, LAST_OF_SPINE = 0, 1
"""Codes of positions: goalkeepers, and defenders, who end the clean-sheet spine."""

ELEVENS_AT_ONCE = 2**16
"""Elevens valued at once by `roles_for`, so that their weights fill 8 megabytes."""


@dataclass(frozen=True, slots=True, eq=False)
class StandardForm:
    """What the standard form of a fitness is made of: row i of every array is player i."""

    pool: Pool
    lineups: tuple[tuple[int, int, int, int], ...]
    linear: np.ndarray  # (n,) points per unit of role weight
    captain: np.ndarray  # (n,) extra points for wearing the armband
    bench_keeper: float  # role weight of a spare goalkeeper
    bench_outfield: tuple[float, ...]  # role weights of the outfield bench, descending; the best `linear` first
    risk: float  # points per squared point of variance; negative where swing is wanted
    covariance: Covariance
    stack: float
    swing: np.ndarray  # (n,) p(1 − p) · pay of a clean sheet, 0 for midfielders and forwards
    multiplier: int  # of the captain's score
    constant: float
    squad: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (n,) points for being picked, in any role
    starting: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (n,) points for starting
    leading: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (n,) what `captain` holds besides his score
    uplift: float = 1.0  # what a point of the armband is worth
    current: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))  # rows one starts from
    free: float = inf  # changes from them that cost nothing
    hit: float = 0.0  # points each further change costs
    leader: int | None = None  # player row who wears the armband wherever he is in the squad; None = the best man

    def __post_init__(self) -> None:
        for name in ("squad", "starting", "leading"):
            if not getattr(self, name).size:
                object.__setattr__(self, name, np.zeros(len(self.linear)))

    def __len__(self) -> int:
        return len(self.linear)

    @property
    def usual_bench(self) -> float:
        """Role weight of a man of the bench, the mean of its places."""
        return float(np.mean([self.bench_keeper, *self.bench_outfield])) if self.bench_outfield else self.bench_keeper

    @property
    def newcomer(self) -> np.ndarray:
        """(n,) 1 for whoever would be a change from the squad one starts from; 0 for all where there is none."""
        new = np.full(len(self), float(self.current.size > 0))
        new[self.current] = 0.0
        return new


def standard_form(view: SquadView, objective: Objective, typical: np.ndarray | None = None) -> StandardForm | None:
    """Return the standard form of a spec; None for one that only whole squads can be scored by (`form_terms`).

    `typical` (15,) is the squad whose bench chances and vice stand for all others; by default the best xEV that the
    budget buys, caps aside. The bound on all wishes of the manager together is not kept.
    """
    terms = form_terms(view, objective)
    if terms is None:
        return None
    weight, share, signals = terms.weight, terms.share, view.signals
    rules = signals.rules
    squad = view.typical if typical is None else np.asarray(typical)
    lineup = best_lineups(signals, squad[None, :])
    outfield = len(lineup.bench[0]) - (view.pool.shape[KEEPER] - 1)
    sitting = _weight_of(lineup.bench[0], squad, lineup.weight[0])
    vice = signals.xev[lineup.vice[0]] * rules.captaincy.vice_covers
    copies = rules.captaincy.multiplier - 1
    leading = copies * terms.pull * view.field_pull
    return StandardForm(
        pool=view.wished,
        lineups=view.formations,
        linear=np.asarray(share.role),
        captain=copies * weight["captaincy_uplift"] * (signals.xev + (1 - signals.p_play) * vice) + leading,
        bench_keeper=float(sitting[outfield:].mean()) if len(sitting) > outfield else 0.0,
        bench_outfield=tuple(sorted(sitting[:outfield].tolist(), reverse=True)),
        risk=-(weight["variance"] + weight["relative_variance"]),
        covariance=signals.covariance,
        stack=weight["cs_lift"],
        swing=(signals.clean_sheet * (1 - signals.clean_sheet)).reshape(len(signals), -1).sum(axis=1) * view.sheet_pay,
        multiplier=rules.captaincy.multiplier,
        constant=share.constant,
        starting=np.asarray(share.starting),
        uplift=weight["captaincy_uplift"],
        leading=leading,
        squad=np.asarray(share.picked),
        current=np.array(view.settings.current, dtype=np.int64),
        free=view.free_transfers,
        hit=-weight["transfer_cost"] * rules.transfers.hit_cost,
        leader=view.settings.captain,
    )


def form_value(form: StandardForm, squads: np.ndarray, starts: np.ndarray, captain: np.ndarray) -> np.ndarray:
    """Return (p,) the value of squads (p, s) of player rows, whose `starts` (p, s) play and whose column leads."""
    weight = role_weights(form, squads, starts)
    leads = np.arange(squads.shape[1]) == np.asarray(captain)[:, None]
    held = weight + (form.multiplier - 1) * leads
    pairs = form.covariance[squads[:, :, None], squads[:, None, :]]
    variance = np.einsum("pi,pij,pj->p", held, pairs, held)
    earned = (weight * form.linear[squads] + form.squad[squads]).sum(axis=1)
    earned += (leads * form.captain[squads]).sum(axis=1) + (starts * form.starting[squads]).sum(axis=1)
    value = form.constant + earned - form.risk * variance + form.stack * stacked(form, squads, starts)
    return np.asarray(value - hits(form, squads))


def role_weights(form: StandardForm, squads: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return (p, s) how often each man's points count, the armband aside."""
    keeper = form.pool.position[squads] == KEEPER
    waiting = ~starts & ~keeper
    worth = np.where(waiting, form.linear[squads], -inf)
    place = np.argsort(np.argsort(-worth, axis=1, kind="stable"), axis=1)  # of the bench, the best first
    slots = np.zeros(squads.shape[1])
    slots[: len(form.bench_outfield)] = form.bench_outfield
    return np.asarray(np.where(starts, 1.0, np.where(keeper, form.bench_keeper, slots[place])))


def hits(form: StandardForm, squads: np.ndarray) -> np.ndarray:
    """Return (p,) what changes beyond the free ones cost."""
    if form.free == inf or not form.current.size:
        return np.zeros(len(squads))
    return np.asarray(form.hit * np.maximum(form.newcomer[squads].sum(axis=1) - form.free, 0.0))


def roles_for(form: StandardForm, squads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the best roles of squads (p, s): who starts (p, s) and the column of the captain (p,).

    Every eleven with every captain is tried, so they are the best; ties go to the formation named first.
    """
    return settled(form, squads)[:2]


def settled(
    form: StandardForm, squads: np.ndarray, tried: int | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the roles of `roles_for`, and the value (p,) of the squads in them.

    With `tried` only so many elevens are, the best of each squad when men do not vary together: quicker by far, seldom
    worse.
    """
    order = np.argsort(form.pool.position[squads], axis=1, kind="stable")
    rows = np.take_along_axis(squads, order, axis=1)
    elevens = all_elevens(form.lineups, form.pool.shape)
    chunk = max(1, ELEVENS_AT_ONCE // min(len(elevens), tried or len(elevens)))
    parts = [_best_roles(form, elevens, rows[at : at + chunk], tried) for at in range(0, max(len(rows), 1), chunk)]
    eleven, wearer, value = (np.concatenate(part) for part in zip(*parts, strict=True))
    starts = np.zeros(squads.shape, dtype=bool)
    np.put_along_axis(starts, order, elevens.starts[eleven] > 0, axis=1)
    value = form.constant + value + form.squad[squads].sum(axis=1) - hits(form, squads)
    return starts, order[np.arange(len(squads)), wearer], value


def _best_roles(
    form: StandardForm, every: Elevens, rows: np.ndarray, tried: int | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the best eleven (p,), the captain's column and what roles bring, of squads sorted by position."""
    copies, squad = form.multiplier - 1, np.arange(len(rows))
    linear, pairs = form.linear[rows], form.covariance[rows[:, :, None], rows[:, None, :]]
    own, starting = np.diagonal(pairs, axis1=1, axis2=2), form.starting[rows]
    chosen = every.best(linear + starting - form.risk * own, tried)
    starts = every.starts[chosen]  # (p, e, s), or (1, e, s) where all are tried
    weight = _weights_of_elevens(form, starts, every.waiting[chosen], linear)
    shared = weight @ pairs
    value = (weight * (linear[:, None, :] - form.risk * shared)).sum(axis=2)
    if starting.any():
        value += (starts @ starting[:, :, None])[:, :, 0]
    if form.stack:
        value += form.stack * _stacks_of_elevens(form, starts, rows)
    alone = form.captain[rows] - form.risk * copies**2 * own
    armband = np.where(starts > 0, alone[:, None, :] - 2 * form.risk * copies * shared, -inf)
    if form.leader is not None:
        armband = np.where(_others(rows, form.leader)[:, None, :], -inf, armband)
    value += armband.max(axis=2)
    best = value.argmax(axis=1)
    eleven = np.broadcast_to(chosen, value.shape)[squad, best]
    return eleven, armband[squad, best].argmax(axis=1), value[squad, best]


def _others(rows: np.ndarray, leader: int) -> np.ndarray:
    """Return (p, s) who may not lead: everybody but the leader, where the squad has him."""
    led = rows == leader
    return np.asarray(led.any(axis=1, keepdims=True) & ~led)


def _weights_of_elevens(form: StandardForm, starts: np.ndarray, waiting: np.ndarray, linear: np.ndarray) -> np.ndarray:
    """Return (p, e, s) the role weights under some elevens."""
    weight = np.broadcast_to(starts, (len(linear), *starts.shape[1:])).copy()
    keepers = slice(0, form.pool.shape[KEEPER])
    weight[:, :, keepers] = np.where(starts[:, :, keepers] > 0, 1.0, form.bench_keeper)
    worth = linear[np.arange(len(linear))[:, None, None], waiting]
    order = np.argsort(-worth, axis=2, kind="stable")
    called = np.take_along_axis(np.broadcast_to(waiting, order.shape), order, axis=2)
    np.put_along_axis(weight, called, np.array(form.bench_outfield), axis=2)
    return weight


def _stacks_of_elevens(form: StandardForm, starts: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return (p, e) the swing of the spine beyond each team's largest."""
    spine = rows[:, : sum(form.pool.shape[: LAST_OF_SPINE + 1])]
    before = _leaders(form, spine)
    playing = starts[:, :, : spine.shape[1]]
    extra = (playing @ before.transpose(0, 2, 1) > 0) * playing
    return np.asarray(np.einsum("pek,pk->pe", extra, form.swing[spine]))


def stacked(form: StandardForm, squads: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return (p,) the swing of the starting spines beyond each team's largest."""
    playing = starts & (form.pool.position[squads] <= LAST_OF_SPINE)
    extra = np.einsum("pkj,pj->pk", _leaders(form, squads), playing.astype(float)) > 0
    return np.asarray((extra * playing * form.swing[squads]).sum(axis=1))


def _leaders(form: StandardForm, men: np.ndarray) -> np.ndarray:
    """Return (p, k, k) 1 where man j is a team-mate of man k and stands before him: by swing, then by column."""
    swing, team = form.swing[men], form.pool.team[men]
    column = np.arange(men.shape[1])
    larger = swing[:, None, :] > swing[:, :, None]
    equal = (swing[:, None, :] == swing[:, :, None]) & (column[None, :] < column[:, None])
    return np.asarray((team[:, None, :] == team[:, :, None]) & (larger | equal), dtype=float)


def _weight_of(men: np.ndarray, squad: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return the role weight of each of some men of a squad."""
    return np.asarray((men[:, None] == squad) @ weight)
