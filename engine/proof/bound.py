"""How far from the best a squad can be: a proved bound on the standard form.

Prices for the common rules bound every squad (`duals`). Patterns that lie further below their match's best than the
gap to the incumbent cannot be part of anything better. What is left is a small integer program; its optimum is that of
the whole pool, or its emptiness proves the incumbent. Where time or patterns run out, the bound stays open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from data.errors import InputError
from engine.fitness.standard_form import StandardForm, form_value, roles_for
from engine.proof.duals import PatternForm, Planes, Prices, bound_at, planes_of, sharpened
from engine.proof.pattern_program import Settled, best_choice, undominated
from engine.proof.patterns import roles_of
from engine.rules.legality import legal

SECONDS = 5.0
PROVED = 1e-4
"""Points that count as nothing: squads that differ at all differ by about a thousandth."""

SOLVER_SLACK = 1e-5
"""Points: CBC may leave out a solution that is better by less."""

FIRST_DEPTH, DEEPER = 0.05, 2.0
"""Points below the prices' bound to look for the optimum first, and by how much further each time it is not there.

A squad within a depth of the bound holds only patterns within it of their match's best. So an optimum found inside is
that of the whole pool however weak the incumbent is, and one not found there lowers the bound to the depth.
"""

OVERHEAD = 0.2
"""Seconds between a solver's own clock and ours: it is started, and looks at its clock only now and then."""

PRICING_SHARE = 0.6
"""Of the time, for prices; the rest is for the patterns they leave."""

OPEN_PATTERNS = 60_000
"""Patterns of a match that may be open in the last listing."""

MOST_PATTERNS = 20_000
"""Patterns that an integer program may have: more are not settled in seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """What is known of the best value there is."""

    bound: float  # no squad is worth more
    proved: bool  # whether nothing beats the incumbent
    gap: float  # points that may be missing, 0 or more
    seconds: float
    how: str
    squad: np.ndarray | None = None  # (size,) a better squad, worth the bound, where the proof came upon one


def prove(
    form: StandardForm,
    incumbent_value: float,
    incumbent_squad: np.ndarray,
    *,
    seconds: float = SECONDS,
    allowed: np.ndarray | None = None,
    kept: np.ndarray | None = None,
) -> Proof:
    """Bound the best value of a standard form, and say whether the incumbent has it.

    `allowed` (n,) masks the players that may be picked, `kept` names rows that must be. Nothing is drawn at random.
    """
    started = perf_counter()
    _check(form, incumbent_value, np.asarray(incumbent_squad), allowed, kept)
    problem = PatternForm.of(form, roles_of(form, allowed), kept)
    return _proof(form, problem, incumbent_value, started, seconds)


def gap_share(proof: Proof, best_raw_plus_captaincy: float) -> float:
    """Return the gap as a share of raw_xev + captaincy_uplift of the best squad: fitness has no natural zero."""
    if not best_raw_plus_captaincy > 0:
        raise InputError(
            f"A gap cannot be a share of {best_raw_plus_captaincy!r} points; give expected points above 0."
        )
    return proof.gap / best_raw_plus_captaincy


def _check(
    form: StandardForm, value: float, squad: np.ndarray, allowed: np.ndarray | None, kept: np.ndarray | None
) -> None:
    """Refuse an incumbent that is none: a value nobody reaches would be "proved" by anything."""
    check_bounded(form)
    if squad.shape != (form.pool.size,) or not legal(squad[None, :], form.pool)[0]:
        raise InputError(f"The incumbent {squad.tolist()} is no legal squad of {form.pool.size} players.")
    if form.leader is not None and form.leader not in squad:
        raise InputError(f"The incumbent {squad.tolist()} lacks its captain, player {form.leader}.")
    if not (allowed is None or allowed[squad].all()) or not (kept is None or np.isin(kept, squad).all()):
        raise InputError(f"The incumbent {squad.tolist()} has a banned player, or lacks one that must be kept.")
    reached = settled_value(form, squad)
    if not value <= reached + PROVED:
        raise InputError(f"The incumbent is said to be worth {value:.6g}, but its best roles bring {reached:.6g}.")


def check_bounded(form: StandardForm) -> None:
    """Refuse a form that has no bound."""
    if form.hit < 0:
        raise InputError(f"A change that earns {-form.hit:g} points has no bound here; a hit costs 0 or more.")


def settled_value(form: StandardForm, squad: np.ndarray) -> float:
    """Return what a squad (s,) is worth in its best roles."""
    return float(form_value(form, squad[None, :], *roles_for(form, squad[None, :]))[0])


def _proof(form: StandardForm, problem: PatternForm, incumbent: float, started: float, seconds: float) -> Proof:
    own, deadline = incumbent - form.constant, started + seconds
    prices = sharpened(problem, own + PROVED, started + PRICING_SHARE * seconds)
    if prices.bound <= own + PROVED:
        return proof_of(form, incumbent, prices.bound, started, "prices of the common rules")
    bound, depth = prices.bound, FIRST_DEPTH
    while True:
        floor = max(prices.bound - depth, own)
        if perf_counter() > deadline:
            return proof_of(form, incumbent, bound, started, "open: the time ran out")
        planes = _left(problem, prices, floor)
        if planes is None:
            return proof_of(form, incumbent, bound, started, "open: the patterns left are too many")
        settled = best_choice(planes, problem.rules, len(problem.matches), deadline - perf_counter() - OVERHEAD)
        if not settled.proved:
            return proof_of(form, incumbent, bound, started, f"open: {len(planes)} patterns were not settled in time")
        if floor == own and settled.value < own - PROVED - SOLVER_SLACK:
            return proof_of(form, incumbent, bound, started, "open: the solver did not see the incumbent itself")
        bound, depth = min(prices.bound, max(settled.value, floor) + SOLVER_SLACK), depth * DEEPER
        if settled.value > floor or floor == own:
            how = f"{len(planes)} patterns settled by the solver"
            return _settled(form, problem, planes, settled, proof_of(form, incumbent, bound, started, how))


def _settled(form: StandardForm, problem: PatternForm, planes: Planes, settled: Settled, proof: Proof) -> Proof:
    """Return the proof with the squad that beats the incumbent, if there is one."""
    if proof.proved:
        return proof
    men = problem.roles.player[np.concatenate([planes.men[row] for row in settled.chosen])]
    return replace(proof, squad=form.pool.by_position(men))


def _left(problem: PatternForm, prices: Prices, floor: float) -> Planes | None:
    """Return the patterns that a squad worth more than the floor may hold; None where they are too many."""
    levels = prices.ceiling - (prices.bound - floor) - PROVED
    checked, found = bound_at(problem, prices.price, levels, OPEN_PATTERNS)
    if not checked.complete or sum(len(part.reduced) for part in found) > OPEN_PATTERNS:
        return None
    planes = undominated(planes_of(problem, found, prices.price), problem.rules)
    return planes if len(planes) <= MOST_PATTERNS else None


def proof_of(form: StandardForm, incumbent: float, bound: float, started: float, how: str) -> Proof:
    """Return what a bound, the form's constant aside, proves of an incumbent."""
    gap = max(bound + form.constant - incumbent, 0.0)
    proved = gap <= PROVED
    return Proof(incumbent + gap, proved, 0.0 if proved else gap, perf_counter() - started, how)
