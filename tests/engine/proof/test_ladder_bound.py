"""The bound of a ladder is never below any squad with its true armband, and close to it where payments are right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from engine.fitness.standard_form import StandardForm, form_value
from engine.proof.duals import sharpened
from engine.proof.ladder_bound import cost_of_starting, highest_ladder, prove_ladder
from engine.proof.patterns import STARTS
from models.armband.captaincy import SETTINGS, Setting, best_armbands
from models.armband.table import ArmbandTable
from tests.cases.lineups.armband_cases import a_random_table, random_elevens
from tests.cases.objectives.form_cases import all_squads
from tests.cases.pattern_cases import a_problem, any_starts, legal_forms
from tests.conftest import in_a_soak

SEEDS = st.integers(0, 2**32 - 1)


@given(seed=SEEDS, setting=st.sampled_from(SETTINGS), forfeit=st.sampled_from([0.0, 0.5, 3.0]))
def test_no_eleven_gets_more_from_its_armband_than_the_highest_ladder(
    seed: int, setting: Setting, forfeit: float
) -> None:
    rng = np.random.default_rng(seed)
    table, elevens = a_random_table(rng), random_elevens(rng, 30)
    assert best_armbands(table, elevens, setting, forfeit).value.max() <= highest_ladder(table, np.zeros(60), 1.0)


ROUGH = 0.1
"""Points by which two bounds may differ because their prices were sharpened from different starts."""


def test_charges_of_a_few_men_are_weighed_against_what_they_fetch() -> None:
    # Two sure men, one kick-off after the other: 4 for certain, then 10 half of the time. Both: 10/2 + 4/2 = 7.
    pmf = np.zeros((2, 11))
    pmf[0, 4], pmf[1, 0], pmf[1, 10] = 1.0, 0.5, 0.5
    table = ArmbandTable(pmf=pmf, grid=np.arange(11), p_play=np.ones(2), slot=np.array([1, 0]))
    for charge, expected in (((0, 0), 7.0), ((1, 0), 6.0), ((3, 0), 5.0), ((0, 4), 4.0), ((np.inf, 1), 4.0)):
        assert highest_ladder(table, np.array(charge, dtype=float), 1.0) == pytest.approx(expected, abs=0.03)
    assert highest_ladder(table, np.array([0.0, 0.0]), 2.0) == pytest.approx(14.0, abs=0.05)
    assert highest_ladder(table, np.full(2, np.inf), 1.0) == 0.0


@given(seed=SEEDS)
def test_charged_ladders_bound_every_choice_of_rungs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table, charge = a_random_table(rng, players=12, slots=4), rng.uniform(0, 2, 12)
    highest = highest_ladder(table, charge, 1.0)
    for size in (2, 3, 5):
        men = rng.permutation(12)[:size]
        rungs = best_armbands(table, men[None], "unlimited").value[0] - charge[men].sum()
        assert rungs <= highest + 1e-9


@pytest.mark.parametrize("form", legal_forms(4), ids=range(4))
def test_no_squad_with_a_starter_beats_the_prices_less_his_cost(form: StandardForm) -> None:
    problem = a_problem(form)
    roles = problem.roles
    prices = sharpened(problem, -np.inf, np.inf)
    cost = cost_of_starting(problem, prices, np.zeros(len(form), dtype=np.int64))
    squads, rng = all_squads(form.pool), np.random.default_rng(0)
    for squad in squads[rng.permutation(len(squads))[:20]]:
        for starts in any_starts(form, squad):
            for captain in np.flatnonzero(starts):
                worth = form_value(form, squad[None], starts[None], np.array([captain]))[0] - form.constant
                assert worth <= prices.bound - cost[squad[starts]].max() + 1e-6
    assert np.isfinite(cost[np.unique(roles.player[roles.role == STARTS])]).all()


def a_table(form: StandardForm, seed: int) -> ArmbandTable:
    """Return random scores from 0 to 9 of every player, over four slots."""
    rng = np.random.default_rng(seed)
    pmf = rng.dirichlet(np.full(10, 0.5), len(form))
    return ArmbandTable(
        pmf=pmf, grid=np.arange(10), p_play=1.0 - pmf[:, 0], slot=rng.integers(0, 4, len(form)).astype(np.int64)
    )


def ladder_values(form: StandardForm, table: ArmbandTable, squad: np.ndarray) -> float:
    """Return the best value of a squad whose armband is a ladder, over all elevens and first captains it may have."""
    plain = replace(form, captain=np.zeros(len(form)))
    best = -np.inf
    for starts in any_starts(form, squad):
        ladder = (form.multiplier - 1) * best_armbands(table, squad[starts][None], "unlimited").value[0]
        for captain in np.flatnonzero(starts & (squad == (squad if form.leader is None else form.leader))):
            held = form_value(plain, squad[None], starts[None], np.array([captain]))[0]
            best = max(best, float(held + ladder + form.leading[squad[captain]]))
    return best


@pytest.mark.parametrize("multiplier", [2, 3])
@pytest.mark.parametrize("led", [False, True], ids=["", "leading pays"])
@pytest.mark.parametrize("form", [*legal_forms(5)[:2], *in_a_soak(legal_forms(5)[2:])])
@pytest.mark.daily("form0--2", "form1-leading pays-3")
def test_a_ladder_is_bounded_for_every_squad(form: StandardForm, led: bool, multiplier: int) -> None:
    table, rng = a_table(form, 1), np.random.default_rng(0)
    leading = rng.normal(size=len(form)) if led else np.zeros(len(form))
    form = replace(form, multiplier=multiplier, leading=leading)
    squads = all_squads(form.pool)
    some = squads[rng.permutation(len(squads))[:25]]
    values = [ladder_values(form, table, squad) for squad in some]
    best = some[int(np.argmax(values))]
    eleven = best[any_starts(form, best)[0]]
    proof = prove_ladder(form, table, max(values), eleven, seconds=60.0)
    assert proof.bound >= max(values) - 1e-9
    assert proof.bound < max(values) + 12.0 * (multiplier - 1)
    assert not proof.proved or proof.gap == 0.0


@pytest.mark.parametrize("wish", ["lock and ban", "captain"])
@pytest.mark.parametrize("form", legal_forms(4), ids=range(4))
@pytest.mark.daily("0-captain", "2-lock and ban")
def test_locks_bans_and_a_captain_that_is_held_tighten_the_bound_of_a_ladder(form: StandardForm, wish: str) -> None:
    table, squads = a_table(form, 1), all_squads(form.pool)
    lock, ban = int(squads[0, 2]), int(np.setdiff1d(np.arange(len(form)), squads[0])[0])
    fitting = squads[(squads == lock).any(axis=1) & ~(squads == ban).any(axis=1)][:25]
    allowed, kept = np.arange(len(form)) != ban, np.array([lock])
    wished = replace(form, leader=lock) if wish == "captain" else form
    values = [ladder_values(wished, table, squad) for squad in fitting]
    best = fitting[int(np.argmax(values))]
    eleven = best[any_starts(form, best)[0]]
    held = prove_ladder(wished, table, max(values), eleven, seconds=60.0, allowed=allowed, kept=kept)
    free = prove_ladder(form, table, max(values), eleven, seconds=60.0)
    assert max(values) - 1e-9 <= held.bound <= free.bound + ROUGH


def test_what_has_no_bound_is_refused() -> None:
    form = legal_forms(1)[0]
    table, eleven = a_table(form, 1), np.arange(3)
    with pytest.raises(InputError, match="a hit costs 0 or more"):
        prove_ladder(replace(form, hit=-1.0), table, 0.0, eleven)
    with pytest.raises(InputError, match="it must be 0 or more"):
        prove_ladder(replace(form, uplift=-1.0), table, 0.0, eleven)
