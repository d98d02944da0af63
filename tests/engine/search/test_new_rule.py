"""A new kind of rule is written in one place: the pool. Everybody who makes or judges squads then obeys it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.errors import InfeasibleError
from engine.bench.moves import Moves
from engine.fitness.judge import named_objective
from engine.fitness.reference import random_squads
from engine.fitness.squad_view import SquadView
from engine.fitness.standard_form import StandardForm, standard_form
from engine.proof.bound import prove
from engine.rank.field_draw import squads_by_appeal
from engine.rules import pool as pools
from engine.rules.conflicts import Demands, possible
from engine.rules.count_rules import CountRule, Wording
from engine.rules.exact import LinearValues, linear_optimum
from engine.rules.legality import broken_rules, legal
from engine.rules.pool import Pool
from engine.rules.repair import fewest_changes, repair
from engine.search.breeding.mutation import mutate
from engine.search.climbing.limits import Limits
from engine.search.climbing.local_search import improve
from engine.search.climbing.start import QuickSettings, search_form
from engine.search.seeding.archetypes import SquadProblem, ev_maximiser
from tests.cases.judged_worlds import cup_signals, free_hand

STARS, MOST_STARS = 9, 2
WORDS = Wording("too many stars", "{n} star{s}", "{n} stars", "{n} stars")


def stars_of(players: int) -> np.ndarray:
    """Return the rows of the players everybody wants."""
    return np.argsort(-cup_signals(1).xev[:players], kind="stable")[:STARS]


def few_stars(pool: Pool) -> CountRule:
    """At most two of the nine best players."""
    group = np.full(len(pool.price), -1)
    group[stars_of(len(group))] = 0
    return CountRule.of(WORDS, group, [0], [MOST_STARS])


@pytest.fixture
def view(monkeypatch: pytest.MonkeyPatch) -> SquadView:
    """A round of the small cup under one more rule."""
    monkeypatch.setattr(pools, "KINDS", (*pools.KINDS, few_stars))
    ruled = SquadView(cup_signals(1))
    assert ruled.pool.rules[-1].words is WORDS
    return ruled


@pytest.fixture
def form(view: SquadView) -> StandardForm:
    found = standard_form(view, named_objective("neutral", view))
    assert found is not None
    return found


def stars_in(squads: np.ndarray) -> np.ndarray:
    return np.isin(squads, stars_of(len(cup_signals(1)))).sum(axis=-1)


def starry(view: SquadView) -> np.ndarray:
    """Return the best squad without the rule, which has too many stars."""
    xev = view.signals.xev
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pools, "KINDS", pools.KINDS[:-1])
        plain = replace(view.pool)
    values = LinearValues(xev, 0.1 * xev, xev)
    return linear_optimum(values, plain, view.signals.rules.squad.lineups).squad


def test_legality_and_its_words_know_it(view: SquadView) -> None:
    squad = starry(view)
    count = int(stars_in(squad))
    assert count > MOST_STARS
    assert not legal(squad[None, :], view.pool)[0]
    assert broken_rules(squad, view.pool, ()) == (f"{count} stars, {MOST_STARS} are allowed",)


def test_repair_by_greed_and_by_the_solver_keeps_it(view: SquadView) -> None:
    squad, pool, worth = starry(view), view.pool, view.signals.xev
    greedy, solved = repair(squad, pool, worth), fewest_changes(squad, pool, worth, np.zeros(len(worth)), Demands())
    assert not greedy.solved
    assert solved is not None
    assert legal(np.stack([greedy.squad, solved]), pool).all()


def test_the_solver_keeps_it_with_and_without_the_players_who_cannot_matter(view: SquadView) -> None:
    xev = view.signals.xev
    whole = linear_optimum(LinearValues(xev, 0.1 * xev, xev), view.pool, view.formations)
    reduced = SquadProblem.of(view, ev_maximiser(view), Demands()).solve(10.0)
    assert stars_in(whole.squad) == stars_in(reduced) == MOST_STARS


def test_mutation_keeps_it(view: SquadView) -> None:
    parents = random_squads(view.signals.xev, view.pool, np.random.default_rng(0), 100)
    tags = np.random.default_rng(1).integers(0, 5, parents.shape).astype(np.uint8)
    children, _ = mutate(parents, tags, view, np.random.default_rng(2), 0.5, **free_hand(view))
    assert legal(children, view.pool).all()
    assert (stars_in(children) != stars_in(parents)).any()


def test_exchanges_swaps_and_their_first_squads_keep_it_and_it_is_proved(form: StandardForm) -> None:
    settings = QuickSettings(limits=Limits(kicks=10), starts=3)
    found = search_form(form, np.random.default_rng(0), settings).squads
    climbed = improve(form, found[:2], np.random.default_rng(1)).squads
    assert legal(np.concatenate([found, climbed]), form.pool).all()
    best = improve(form, found[:1], np.random.default_rng(1))
    proof = prove(form, float(best.value[0]), best.squads[0], seconds=60.0)
    assert proof.squad is None or stars_in(proof.squad) <= MOST_STARS


def test_a_drawn_field_and_the_moves_of_other_contenders_keep_it(form: StandardForm) -> None:
    pool, rng = form.pool, np.random.default_rng(4)
    taste = rng.gumbel(size=(50, len(form))).astype(np.float32)
    drawn = squads_by_appeal(np.zeros(len(form)), pool, taste, np.full(50, pool.budget))
    assert (stars_in(drawn) <= MOST_STARS).mean() > 0.9
    moves = Moves.of(form)
    squads, fine = moves.repaired(moves.drawn(rng, 100))
    assert fine.mean() > 0.5
    assert (stars_in(squads[fine]) <= MOST_STARS).all()


def test_a_request_against_it_is_refused_in_its_words(view: SquadView) -> None:
    demands = Demands(must=tuple(stars_of(len(view.signals))[: MOST_STARS + 1].tolist()))
    assert not possible(view.pool, demands)
    with pytest.raises(InfeasibleError, match=f"at most {MOST_STARS} stars") as caught:
        repair(starry(view), view.pool, view.signals.xev, demands)
    assert set(caught.value.must) == set(demands.must)
