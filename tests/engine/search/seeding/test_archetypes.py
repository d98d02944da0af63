"""Six convictions become six complete, legal squads, and the optimum of the linear part stands beside them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.errors import InfeasibleError
from engine.fitness.squad_view import SceneSettings, SquadView
from engine.rules.conflicts import Demands
from engine.rules.exact import LinearValues, linear_optimum
from engine.rules.legality import legal
from engine.rules.pool import Pool
from engine.search.seeding.archetypes import (
    ARCHETYPE_NAMES,
    ARCHETYPES,
    Conviction,
    SolvedSquads,
    SquadProblem,
    archetype_squads,
    ev_maximiser,
    matchday_mechanic,
)
from models.signals import Signals
from tests.cases.objectives.form_cases import a_tied_pool

LINEUPS = ((1, 1, 1, 1), (1, 2, 0, 1), (1, 2, 1, 0))
ROUNDING = 1e-5  # of the solver, which reads the objective with a dozen digits


@pytest.fixture(scope="module")
def cache() -> SolvedSquads:
    return SolvedSquads()


@pytest.fixture(scope="module")
def found(view: SquadView, cache: SolvedSquads) -> np.ndarray:
    return archetype_squads(view, cache=cache)


def of(found: np.ndarray, name: str) -> np.ndarray:
    return found[ARCHETYPE_NAMES.index(name)]


def held_value(values: LinearValues, squad: np.ndarray, view: SquadView) -> float:
    """Return the most a squad is worth by role, whatever eleven and captain it takes."""
    rows, pool = np.sort(squad), view.pool
    only = replace(pool, price=pool.price[rows], team=pool.team[rows], position=pool.position[rows])
    mine = LinearValues(values.start[rows], values.bench[rows], values.captain[rows])
    return linear_optimum(mine, only, view.signals.rules.squad.lineups).value


def small_problem(seed: int, rungs: bool = False) -> SquadProblem:
    """Draw sixty players of nine teams for squads of five; a third of them are in the squad one starts from.

    Some teams are far stronger, so that the team cap keeps many of the best apart; few values, so that many tie.
    """
    rng = np.random.default_rng(seed)
    pool = a_tied_pool(rng)
    worth = 2.0 * (9 - pool.team) + rng.integers(0, 3, 60)
    values = LinearValues(worth, 0.1 * worth, rng.integers(0, 8, 60).astype(float))
    slot = rng.integers(0, 2, 60) if rungs else None
    newcomer = (rng.random(60) < 2 / 3).astype(float)
    return SquadProblem(pool, Conviction(values, slot), Demands(lineups=LINEUPS), newcomer, 1.0, float(rng.integers(3)))


class Everybody(SquadProblem):
    """The same problem with nobody left out."""

    def contenders(self) -> np.ndarray:
        return np.arange(len(self.pool.price))


def worth_of(problem: SquadProblem, squad: np.ndarray) -> float:
    """Try every eleven of a squad with all its armbands, and pay for the transfers."""
    values, slot = problem.conviction.values, problem.conviction.slot
    tried = [
        values.start[eleven].sum() + values.bench[np.setdiff1d(squad, eleven)].sum() + _armbands(values, slot, eleven)
        for eleven in (np.array(men) for men in combinations(squad, sum(LINEUPS[0])))
        if tuple(np.bincount(problem.pool.position[eleven], minlength=4)) in LINEUPS
    ]
    return max(tried) - problem.hit * max(problem.newcomer[squad].sum() - problem.free, 0.0)


def _armbands(values: LinearValues, slot: np.ndarray | None, eleven: np.ndarray) -> float:
    if slot is None:
        return float(values.captain[eleven].max())
    return float(sum(values.captain[eleven][slot[eleven] == time].max() for time in np.unique(slot[eleven])))


def test_all_seven_are_complete_and_legal_and_no_two_agree(view: SquadView, found: np.ndarray) -> None:
    assert found.shape == (7, 15)
    assert len(np.unique(found, axis=0)) == 7
    assert legal(found, view.pool).all()
    assert (view.pool.position[found] == view.pool.place_of).all()


@pytest.mark.parametrize("name", [name for name in ARCHETYPES if name != "matchday mechanic"])
def test_each_is_the_best_in_its_own_eyes(view: SquadView, found: np.ndarray, name: str) -> None:
    values = ARCHETYPES[name](view).values
    own = held_value(values, of(found, name), view)
    assert all(held_value(values, squad, view) <= own + ROUNDING for squad in found)


def test_the_convictions_show(view: SquadView, found: np.ndarray) -> None:
    exposure, signals = view.field_exposure, view.signals
    covered = (exposure.template * exposure.eo)[found].sum(axis=1)
    rare = exposure.differential[found].sum(axis=1)
    assert covered.argmax() == ARCHETYPE_NAMES.index("template anchor")
    assert rare.argmax() == ARCHETYPE_NAMES.index("differential hunter")
    assert (signals.xev - signals.typical_xev)[of(found, "fixture exploiter")].sum() > (
        (signals.xev - signals.typical_xev)[of(found, "EV maximiser")].sum()
    )


def test_the_ev_maximiser_is_the_proved_optimum_of_the_whole_pool(view: SquadView, found: np.ndarray) -> None:
    values = ev_maximiser(view).values
    best = linear_optimum(values, view.pool, view.signals.rules.squad.lineups)
    assert held_value(values, of(found, "EV maximiser"), view) == pytest.approx(best.value, abs=ROUNDING)


def test_the_mechanic_has_more_rungs_at_different_kickoffs(view: SquadView, found: np.ndarray) -> None:
    rung, slot = matchday_mechanic(view).values.captain, view.signals.slot

    def ladder(squad: np.ndarray) -> float:
        return sum(rung[squad][slot[squad] == time].max() for time in np.unique(slot[squad]))

    assert ladder(of(found, "matchday mechanic")) > ladder(of(found, "EV maximiser"))


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.booleans())
@pytest.mark.soak
def test_whoever_is_left_out_is_not_missed(seed: int, rungs: bool) -> None:
    problem = small_problem(seed, rungs)
    parts = {name: getattr(problem, name) for name in SquadProblem.__dataclass_fields__}
    try:
        whole = Everybody(**parts).solve(10.0)
    except InfeasibleError:
        with pytest.raises(InfeasibleError):
            problem.solve(10.0)
        return
    reduced = problem.solve(10.0)
    assert worth_of(problem, reduced) == pytest.approx(worth_of(problem, whole), abs=ROUNDING)


def mates_of(worth: list[float], lead: list[float], cap: int, slot: np.ndarray | None = None) -> SquadProblem:
    """Build a problem of team-mates of one position and price."""
    men = len(worth)
    pool = Pool(np.full(men, 5.0), np.zeros(men, dtype=int), np.ones(men, dtype=int), 25.0, cap, (1, 2, 1, 1))
    values = LinearValues(np.array(worth), 0.1 * np.array(worth), np.array(lead))
    return SquadProblem(pool, Conviction(values, slot), Demands(lineups=LINEUPS), np.zeros(men), 0.0, 0.0)


@pytest.mark.parametrize("cap", [1, 2, 3])
def test_of_equal_mates_as_many_stay_as_the_cap_allows(cap: int) -> None:
    assert mates_of([3.0] * 4, [0.0] * 4, cap).contenders().tolist() == list(range(cap))


def test_a_rung_of_the_ladder_is_beaten_only_without_an_armband() -> None:
    weaker_captain, taken = ([5.0, 5.0], [3.0, 2.0]), np.array([0, 0])
    assert mates_of(*weaker_captain, cap=1).contenders().tolist() == [0]
    assert mates_of(*weaker_captain, cap=1, slot=taken).contenders().tolist() == [0, 1]
    assert mates_of([7.0, 5.0], [0.0, 2.0], cap=1, slot=taken).contenders().tolist() == [0]


def test_the_pool_is_reduced_to_a_third(view: SquadView) -> None:
    problem = SquadProblem.of(view, ev_maximiser(view), Demands())
    assert len(problem.contenders()) < len(view.signals) / 3


def test_what_was_solved_is_not_solved_again(
    view: SquadView, cache: SolvedSquads, found: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.search.seeding.archetypes.SECONDS", 1e-9)  # no solver could answer in that time
    known = len(cache)
    again = archetype_squads(view, cache=cache)
    assert again.tolist() == found.tolist()
    assert len(cache) == known


def test_the_cache_forgets_the_oldest() -> None:
    cache, solved = SolvedSquads(most=2), []

    def solving(key: str) -> np.ndarray:
        return cache.of(key, lambda: solved.append(key) or np.zeros(1))

    for key in ("a", "b", "a", "c", "a", "b"):
        solving(key)
    assert solved == ["a", "b", "c", "b"]
    assert len(cache) == 2


def test_wishes_are_kept_and_cached_apart(view: SquadView, found: np.ndarray) -> None:
    best = of(found, "EV maximiser")
    wishes = Demands(
        must=(int(np.flatnonzero(view.signals.xev == 0)[0]),), never=tuple(int(man) for man in best[[5, 9]])
    )
    problem = SquadProblem.of(view, ev_maximiser(view), wishes)
    assert wishes.met(problem.solve(10.0))
    assert problem.key != SquadProblem.of(view, ev_maximiser(view), Demands()).key


def test_transfers_are_priced_in(signals: Signals, found: np.ndarray) -> None:
    current = of(found, "differential hunter")
    view = SquadView(signals, SceneSettings(current=tuple(current.tolist()), free_transfers=2))
    squad = SquadProblem.of(view, ev_maximiser(view), Demands()).solve(10.0)
    unbound = of(found, "EV maximiser")
    changes = len(set(squad.tolist()) - set(current.tolist()))
    assert 0 < changes < len(set(unbound.tolist()) - set(current.tolist()))


def test_a_budget_nobody_can_keep_is_named(signals: Signals) -> None:
    poor = SquadView(signals, SceneSettings(budget=30.0))
    with pytest.raises(InfeasibleError, match=r"costs 56\.3, the budget is 30\. Raise the budget by 26\.3\."):
        archetype_squads(poor)
