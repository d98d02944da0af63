"""Small standard forms with a bench of two, and plain sums over their patterns: the judges of a proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import numpy as np

from engine.fitness.standard_form import StandardForm
from engine.proof.duals import PatternForm
from engine.proof.patterns import FIRST_SLOT, LEADS, SPARE_KEEPER, STARTS, Match, matches_of, roles_of
from engine.rules.pool import Pool
from tests.cases.chances_cases import covariance_of
from tests.cases.objectives.form_cases import a_form, all_squads

WIDE_SHAPE = (2, 2, 3, 1)
WIDE_LINEUPS = ((1, 1, 2, 1), (1, 2, 1, 1), (1, 1, 3, 0))


def a_wide_form(seed: int, *, players: int = 15, cap: int = 3, hit: bool = False, heavy: float = 1.0) -> StandardForm:
    """Return a random form of squads of eight, five of whom start, with two outfield slots on the bench."""
    form = a_form(seed, players=players, hit=hit)
    rng = np.random.default_rng(seed + 1)
    position = np.concatenate([np.repeat([0, 1, 2, 3], [2, 2, 3, 1]), rng.integers(0, 4, players - 8)])
    slots = tuple(np.sort(rng.uniform(0, 0.5, 2))[::-1].tolist())
    budget = float(np.round(form.pool.price.mean() * 8, 1))
    return replace(
        form,
        pool=Pool(form.pool.price, form.pool.team, position, budget, cap, WIDE_SHAPE),
        lineups=WIDE_LINEUPS,
        bench_outfield=slots,
        linear=rng.uniform(-1, 6, players),
        risk=heavy * form.risk,
        swing=np.where(position <= 1, rng.uniform(0, 1.25, 5)[form.pool.team], 0.0),
        current=np.arange(8) if hit else form.current,
    )


@cache
def legal_forms(count: int, *, heavy: float = 1.0, hit: bool = False) -> list[StandardForm]:
    """Return random forms that have at least two legal squads."""
    forms = (a_wide_form(seed, heavy=heavy, hit=hit) for seed in range(1000))
    found = (form for form in forms if len(all_squads(form.pool)) > 1)
    return [next(found) for _ in range(count)]


def a_match(
    seed: int, risk: float, stack: float, cap: int, team: Sequence[int], together: int
) -> tuple[Match, np.ndarray]:
    """Return the match of the first of eleven players, and what its roles are worth at some prices.

    Teams vary together where their numbers, divided by `together`, are the same.
    """
    form, noise = a_wide_form(seed, players=11, cap=cap), np.random.default_rng(seed).normal(size=(11, 11))
    group = np.array(team) // together
    form = replace(
        form,
        risk=risk,
        stack=stack,
        pool=replace(form.pool, team=np.array(team)),
        covariance=covariance_of((noise + noise.T) * (group[:, None] == group)),
    )
    roles = roles_of(form)
    match = min(matches_of(form, roles), key=lambda part: int(roles.player[part.rows].min()))
    return match, roles.value[match.rows] - np.random.default_rng(seed).uniform(0, 6, len(match.rows))


def a_problem(form: StandardForm) -> PatternForm:
    """Return a form in patterns."""
    return PatternForm.of(form, roles_of(form))


def plain_pattern_value(match: Match, reduced: np.ndarray, men: tuple[int, ...]) -> float:
    """Add up a pattern of rows of the match; −inf where two exclude each other or a team gives too many."""
    total = float(sum(reduced[man] for man in men) + sum(match.pair[one, other] for one, other in combinations(men, 2)))
    for team in range(match.teams):
        here = [man for man in men if match.team[man] == team]
        if len(here) > match.caps[team]:
            return -np.inf
        swings = [match.swing[man] for man in here]
        total += match.stack * (sum(swings) - max(swings, default=0.0))
    return total


def all_patterns(match: Match, reduced: np.ndarray) -> dict[tuple[int, ...], float]:
    """Return the value of every pattern, by rows of the match: each player in one of his roles, or left out."""
    choices = [(None, *np.flatnonzero(match.player == man).tolist()) for man in np.unique(match.player)]
    every = (tuple(row for row in rows if row is not None) for rows in product(*choices))
    values = {men: plain_pattern_value(match, reduced, men) for men in every}
    return {men: value for men, value in values.items() if value > -np.inf}


def roles_in(form: StandardForm, squad: np.ndarray, starts: np.ndarray, captain: int) -> dict[int, int]:
    """Return the role of each player of a squad."""
    waiting = [int(row) for row in squad[~starts] if form.pool.position[row] > 0]
    waiting.sort(key=lambda row: -form.linear[row])
    roles = {int(row): STARTS if plays else SPARE_KEEPER for row, plays in zip(squad, starts, strict=True)}
    roles |= {row: FIRST_SLOT + slot for slot, row in enumerate(waiting)}
    return roles | {int(squad[captain]): LEADS}


def any_starts(form: StandardForm, squad: np.ndarray) -> list[np.ndarray]:
    """Return every legal eleven of a squad, as masks."""
    masks = (np.array(mask) for mask in product([False, True], repeat=len(squad)))
    counts = [(mask, np.bincount(form.pool.position[squad[mask]], minlength=4)) for mask in masks]
    return [mask for mask, count in counts if tuple(count.tolist()) in form.lineups]
