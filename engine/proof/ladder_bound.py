"""How far from the best a squad can be when the armband is a ladder.

A rung is a starter whom the armband may come to, at most one of each kick-off. Every starter is paid some points, and
whoever is a rung gives them back: then squads and ladders can be bounded apart from each other, and the sum bounds both
together, whatever is paid. The squads' part is that of any standard form (`duals`). At its prices a man who has no
place in the best pattern of his match costs something to start, which his rung pays too. The ladders' part is exact
optimal stopping over all men there are: kick-off by kick-off, backwards, for every level the armband may be worth.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import numpy as np

from data.errors import InputError
from engine.fitness.standard_form import StandardForm
from engine.proof.bound import SECONDS, Proof, check_bounded, proof_of
from engine.proof.duals import PatternForm, Prices, sharpened
from engine.proof.pattern_search import hopes_in_match
from engine.proof.patterns import LEADS, STARTS, Match, Roles, roles_of
from models.armband.captaincy import tightest_level
from models.armband.table import ROUNDING, ArmbandTable

ABOVE_TIGHTEST = 3.0
"""Points above the level at which payments alone would be tightest for the incumbent: best in rounds 1–4, or nearly."""

LEVEL_STEP = 0.02
"""Points between two levels of the armband; in between it is rounded up, which loses some hundredths."""


def prove_ladder(
    form: StandardForm,
    table: ArmbandTable,
    incumbent_value: float,
    eleven: np.ndarray,
    *,
    seconds: float = SECONDS,
    allowed: np.ndarray | None = None,
    kept: np.ndarray | None = None,
) -> Proof:
    """Bound the best value when the armband is a ladder; proved only where the bound closes.

    `incumbent_value` counts the true ladder of the incumbent, `eleven` its starters, from whom the payments are
    derived: E[(score − v)+] at a level v. `allowed` (n,) masks who may be picked, `kept` names rows that must be.
    """
    check_bounded(form)
    if form.uplift < 0:
        raise InputError(
            f"An armband whose points count {form.uplift:g} times has no bound here; it must be 0 or more."
        )
    started, copies = perf_counter(), form.uplift * (form.multiplier - 1)
    level = tightest_level(table, np.asarray(eleven)) + ABOVE_TIGHTEST
    paid = copies * table.surplus_over(level)
    problem = PatternForm.of(form, _paid_roles(form, roles_of(form, allowed), paid), kept)
    prices = sharpened(problem, -np.inf, started + seconds)
    charge = paid + cost_of_starting(problem, prices, table.slot)
    bound = prices.bound + highest_ladder(table, charge, copies)
    return proof_of(form, incumbent_value, bound, started, f"squads and ladders apart, at {level:g} points")


def highest_ladder(table: ArmbandTable, charge: np.ndarray, copies: float) -> float:
    """Return the most that an armband brings, `copies` of a score, less the charges (n,) of its rungs.

    An infinite charge keeps a man out. It bounds every setting, vice and forfeit from above: a vice only counts before
    the first change, in the place of an absent captain, and is taken to cost nothing.
    """
    levels = np.arange(0.0, float(table.grid[-1]) + LEVEL_STEP, LEVEL_STEP)
    slots = [np.flatnonzero((table.slot == slot) & np.isfinite(charge)) for slot in np.unique(table.slot)]
    fetched = [table.expected_max(men[:, None], levels) for men in slots]
    vice, covers = np.zeros(len(levels)), []
    for worth in fetched:
        vice = np.maximum(vice, (worth - levels).max(axis=0, initial=0.0))
        covers.append(vice)
    paid = np.full(len(levels), -np.inf)  # less than 0 by the least paid for a later ladder worth this
    paid[0], highest = 0.0, 0.0
    for men, worth, cover in zip(reversed(slots), reversed(fetched), reversed(covers), strict=True):
        after = paid - charge[men][:, None]
        first = copies * (worth + table.absent[men][:, None] * cover) + after
        highest = max(highest, float(first.max(initial=-np.inf)))
        place = np.minimum(np.ceil(worth / LEVEL_STEP - ROUNDING).astype(np.int64), len(levels) - 1)
        paid = paid.copy()
        np.maximum.at(paid, place.ravel(), after.ravel())
    return highest


def cost_of_starting(problem: PatternForm, prices: Prices, slot: np.ndarray) -> np.ndarray:
    """Return (n,) what each player's start costs at prices, at least: how far patterns with him lie below the best.

    Infinite for whoever cannot start. Where a match has men of several kick-offs (n,), several of them may be rungs:
    each is charged his share.
    """
    cost, reduced = np.full(len(slot), np.inf), problem.reduced(prices.price)
    for match, ceiling in zip(problem.matches, prices.ceiling.tolist(), strict=True):
        men, role = problem.roles.player[match.rows], problem.roles.role[match.rows]
        below = np.maximum(ceiling - hopes_in_match(match, reduced[match.rows]), 0.0) / _kickoffs(match, men, slot)
        starts = (role == STARTS) | (role == LEADS)
        np.minimum.at(cost, men[starts], below[starts])
    return cost


def _kickoffs(match: Match, men: np.ndarray, slot: np.ndarray) -> int:
    """Return how many men of a match may be rungs: one of each kick-off."""
    return min(len(np.unique(slot[men])), int(match.caps.sum()))


def _paid_roles(form: StandardForm, roles: Roles, paid: np.ndarray) -> Roles:
    """Return the roles with the payment of every starter in place of the captain's points."""
    armband = np.where(roles.role == LEADS, (form.captain - form.leading)[roles.player], 0.0)
    started = np.where((roles.role == STARTS) | (roles.role == LEADS), paid[roles.player], 0.0)
    return replace(roles, value=roles.value - armband + started)
