"""The standard form: what the exact fitness becomes once bench chances and armband are held."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.rules import CaptaincyMode
from engine.fitness.judge import Objective, named_objective, text_objective
from engine.fitness.preferences import Preference, Preferences
from engine.fitness.reference import random_squads
from engine.fitness.squad_scoring import score_squads
from engine.fitness.squad_view import SceneSettings, SquadView
from engine.fitness.standard_form import StandardForm, form_value, hits, role_weights, roles_for, settled, standard_form
from engine.language.spec import shipped_text
from engine.rules.pool import TeamLimit
from models.signals import Signals
from tests.cases.judged_worlds import under
from tests.cases.objectives.form_cases import LINEUPS, a_form, a_start

SPECS = ["protect", "neutral", "gain", "rank"]
GAIN = shipped_text("gain")
OWN = {
    "a comment": GAIN.replace("-- Chase:", "-- Hunt:"),
    "a weight": GAIN.replace("cs_lift: 0.25", "cs_lift: 0.4").replace("raw_xev: 1", "raw_xev: 1.1"),
    "a term less": GAIN.replace("  maximize cs_lift: 0.25 as cs_corr_bonus\n", ""),
    "no armband": GAIN.replace("  maximize captaincy_uplift: 1\n", ""),
}
"""Specs of one's own that differ from gain in one thing."""
SEEDS = st.integers(0, 10_000)


@pytest.fixture(scope="module")
def view(beliefs: Signals) -> SquadView:
    # A tight pool of eight teams: a generous budget lets random squads be legal.
    return SquadView(under(beliefs, CaptaincyMode.LOCKED), SceneSettings(budget=130.0))


@pytest.fixture(scope="module")
def squads(view: SquadView) -> np.ndarray:
    return random_squads(view.signals.xev, view.pool, np.random.default_rng(0), 40)


def a_standard_form(view: SquadView, objective: Objective, typical: np.ndarray | None = None) -> StandardForm:
    form = standard_form(view, objective, typical)
    assert form is not None
    return form


def plain_value(form: StandardForm, squad: list[int], starts: list[bool], captain: int) -> float:
    """Add the form up man by man."""
    bench = [row for row, plays in zip(squad, starts, strict=True) if not plays and form.pool.position[row] > 0]
    bench.sort(key=lambda row: -form.linear[row])
    weight = {row: 1.0 if plays else form.bench_keeper for row, plays in zip(squad, starts, strict=True)}
    weight |= {row: form.bench_outfield[place] for place, row in enumerate(bench)}
    total = (
        form.constant
        + sum(weight[row] * form.linear[row] + form.squad[row] for row in squad)
        + sum(form.starting[row] for row, plays in zip(squad, starts, strict=True) if plays)
        + form.captain[squad[captain]]
    )
    held = weight | {squad[captain]: weight[squad[captain]] + form.multiplier - 1}
    total -= form.risk * sum(held[a] * held[b] * form.covariance[a, b] for a in squad for b in squad)
    for team in set(form.pool.team.tolist()):
        spine = [
            form.swing[row]
            for row, plays in zip(squad, starts, strict=True)
            if plays and form.pool.team[row] == team and form.pool.position[row] <= 1
        ]
        total += form.stack * (sum(spine) - max(spine, default=0.0))
    changes = len(set(squad) - set(form.current.tolist())) if form.current.size else 0
    return float(total - (form.hit * max(changes - form.free, 0.0) if form.hit else 0.0))


def all_roles(form: StandardForm, squad: np.ndarray) -> list[tuple[list[bool], int]]:
    """Return every eleven of a squad with every captain."""
    found = []
    for men in combinations(range(len(squad)), 5):
        counts = np.bincount(form.pool.position[squad[list(men)]], minlength=4)
        if tuple(counts.tolist()) in LINEUPS:
            found += [([column in men for column in range(len(squad))], captain) for captain in men]
    return found


@given(SEEDS, st.booleans())
def test_the_value_is_the_sum_that_the_form_states(seed: int, hit: bool) -> None:
    form, squads = a_start(seed, 2, players=16, hit=hit)
    for squad in squads:
        starts, captain = all_roles(form, squad)[seed % 7]
        value = form_value(form, squad[None, :], np.array([starts]), np.array([captain]))
        assert value[0] == pytest.approx(plain_value(form, squad.tolist(), starts, captain), abs=1e-9)


@given(SEEDS)
def test_the_roles_are_the_best_of_all(seed: int) -> None:
    form, squads = a_start(seed, 2, players=16)
    for squad in squads:
        best = max(plain_value(form, squad.tolist(), *roles) for roles in all_roles(form, squad))
        shuffled = np.random.default_rng(seed).permutation(squad)[None, :]
        assert form_value(form, shuffled, *roles_for(form, shuffled))[0] == pytest.approx(best, abs=1e-9)


def test_no_squads_have_no_roles() -> None:
    starts, captain = roles_for(a_form(1), np.empty((0, 7), dtype=np.int64))
    assert starts.shape == (0, 7)
    assert captain.shape == (0,)


def an_aim(name: str, view: SquadView) -> Objective:
    return text_objective(OWN[name], "own.fitness", view, {}) if name in OWN else named_objective(name, view)


@pytest.mark.parametrize("name", [*SPECS, *OWN])
def test_a_squad_that_is_its_own_typical_has_its_exact_fitness(view: SquadView, squads: np.ndarray, name: str) -> None:
    objective, same = an_aim(name, view), 0
    exact = score_squads(view, squads, objective.spec, objective.parameters)
    for number, squad in enumerate(squads):
        form = a_standard_form(view, objective, squad)
        starts = np.isin(squad, exact.lineups.starters[number])[None, :]
        captain = np.flatnonzero(squad == exact.lineups.captain[number])
        if np.allclose(role_weights(form, squad[None, :], starts)[0], exact.lineups.weight[number]):
            same += 1
            assert form_value(form, squad[None, :], starts, captain)[0] == pytest.approx(exact.fitness[number])
    assert same >= len(squads) // 4  # the others call their bench in another order than by `linear`


@pytest.mark.parametrize("name", [*SPECS, *OWN])
def test_the_form_ranks_squads_as_the_fitness_does(view: SquadView, squads: np.ndarray, name: str) -> None:
    objective = an_aim(name, view)
    form = a_standard_form(view, objective)
    exact = score_squads(view, squads, objective.spec, objective.parameters).fitness
    assert np.corrcoef(form_value(form, squads, *roles_for(form, squads)), exact)[0, 1] > 0.9


def test_strengths_reach_the_form(view: SquadView) -> None:
    mild, strong = (a_standard_form(view, named_objective("protect", view, k=k)) for k in (0.01, 0.02))
    assert strong.risk == pytest.approx(2 * mild.risk)
    assert a_standard_form(view, named_objective("gain", view)).risk < 0
    assert a_standard_form(view, named_objective("neutral", view)).stack == 0


def test_transfers_beyond_the_free_ones_are_priced_in(view: SquadView, squads: np.ndarray) -> None:
    settings = replace(view.settings, current=tuple(squads[0].tolist()), free_transfers=1)
    form = a_standard_form(SquadView(view.signals, settings), named_objective("neutral", view))
    changes = 15 - np.isin(squads[1], squads[0]).sum()
    cost = view.signals.rules.transfers.hit_cost
    assert hits(form, squads[:2]).tolist() == [0.0, pytest.approx(cost * (changes - 1))]


def test_wishes_about_starters_and_the_bench_tilt_the_form(view: SquadView) -> None:
    wish = Preference(title="one man", points=0.4, role="starter", player=int(view.signals.player_id[5]))
    bench = Preference(title="bench", points=0.4, role="bench")
    settings = replace(view.settings, preferences=Preferences(preference=(wish, bench)))
    plain = a_standard_form(view, named_objective("neutral", view))
    wished = a_standard_form(SquadView(view.signals, settings), named_objective("neutral", view))
    others = np.arange(len(plain)) != 5
    assert (wished.linear == plain.linear).all()
    assert wished.starting.tolist() == (-0.4 * others).tolist()
    assert wished.squad == pytest.approx(plain.squad + 0.4)


@given(SEEDS)
def test_few_elevens_give_nearly_the_best_roles_and_their_value_is_told(seed: int) -> None:
    form, squads = a_start(seed, 3, players=16)
    starts, captain, value = settled(form, squads, 3)
    assert value == pytest.approx(form_value(form, squads, starts, captain))
    assert (value <= settled(form, squads)[2] + 1e-9).all()


def test_the_manager_s_formation_captain_and_limits_reach_the_form(view: SquadView, squads: np.ndarray) -> None:
    leader = int(squads[0, 7])
    settings = replace(view.settings, formation=1, captain=leader, teams=(TeamLimit(0, most=1),))
    form = a_standard_form(SquadView(view.signals, settings), named_objective("gain", view))
    assert form.lineups == (view.signals.rules.squad.lineups[1],)
    assert form.pool.caps[0] == 1
    _, captain = roles_for(form, squads[:5])
    led = (squads[:5] == leader).any(axis=1)
    assert (squads[np.arange(5), captain][led] == leader).all()
