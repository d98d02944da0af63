"""The search asks and learns: legal children, the best never lost, the same seed the same squads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from pydantic import ValidationError

from engine.fitness.judge import text_objective
from engine.fitness.standard_form import standard_form
from engine.rules.conflicts import Demands
from engine.rules.legality import legal
from engine.search.breeding.evolution import Evolution, EvolutionSettings, Progress, breed
from engine.search.breeding.proposal import OPERATOR_NAMES, POLISHED
from tests.cases.judged_worlds import bare_evolution, first_squads, small_judge

FEW = EvolutionSettings(children=16, generations=4, polished=2)


def bred(evolution: Evolution) -> list[Progress]:
    return list(breed(evolution, first_squads(evolution)))


@pytest.mark.parametrize("theta", ["protect", "neutral", "gain", "rank"])
def test_every_candidate_is_legal_and_the_best_only_grows(theta: str) -> None:
    evolution = bare_evolution(theta, settings=FEW)
    steps = list(breed(evolution, evolution.seeded(small_judge().pool[:7], np.arange(7))))
    squads = evolution.population.columns.squads
    assert legal(squads, small_judge().view.pool).all()
    best = [step.best for step in steps]
    assert best == sorted(best)
    assert best[-1] > best[0]
    assert [step.generation for step in steps] == [1, 2, 3, 4]


def test_the_same_seed_breeds_the_same_squads_whatever_the_global_generators_do() -> None:
    first = bare_evolution(settings=FEW)
    bred(first)
    np.random.seed(99)
    second = bare_evolution(settings=FEW)
    bred(second)
    assert first.population.columns.squads.tobytes() == second.population.columns.squads.tobytes()
    assert first.population.columns.score.tobytes() == second.population.columns.score.tobytes()


def test_locks_stay_and_bans_never_come() -> None:
    signals = small_judge().view.signals
    star, must = int(np.argmax(signals.xev)), int(np.argmin(signals.price))
    evolution = bare_evolution(settings=FEW, demands=Demands(must=(must,), never=(star,)))
    bred(evolution)
    children = evolution.population.columns.squads[evolution.population.columns.generation > 0]
    assert len(children)
    assert (children == must).any(axis=1).all()
    assert not (children == star).any()


def test_parents_are_known_and_polished_children_say_so() -> None:
    evolution = bare_evolution(settings=FEW)
    bred(evolution)
    columns = evolution.population.columns
    born = columns.generation > 0
    assert (columns.parent[born, 0] >= 0).all()
    assert (columns.parent[~born] == -1).all()
    assert OPERATOR_NAMES.index(POLISHED) in set(columns.operator.tolist())


def test_a_spec_is_bred_without_a_standard_form() -> None:
    judge = small_judge()
    text = "fitness Mine { gate feasible maximize raw_xev: 1 maximize teams: 0.1 }"
    objective = text_objective(text, "mine.fitness", judge.view, {})
    assert standard_form(judge.view, objective) is None
    evolution = Evolution(judge, objective, None, np.random.default_rng(1), FEW)
    steps = bred(evolution)
    assert steps[-1].best >= steps[0].best > 0
    assert legal(evolution.population.columns.squads, small_judge().view.pool).all()


def test_a_stop_request_ends_the_search_after_the_generation() -> None:
    wishes: Iterator[bool] = iter([False, True])
    evolution = bare_evolution(settings=EvolutionSettings(children=16, generations=50))
    evolution.stop = lambda: next(wishes, True)
    assert len(bred(evolution)) <= 2
    assert evolution.population.best() is not None


def test_time_and_the_spec_end_the_search() -> None:
    ticks = iter(range(1000))
    slow = bare_evolution(settings=EvolutionSettings(children=8, generations=50, seconds=3))
    assert len(list(breed(slow, first_squads(slow), clock=lambda: float(next(ticks))))) < 5
    text = "fitness Mine { gate feasible maximize raw_xev: 1 terminate when engine.generation >= 2 }"
    judge = small_judge()
    objective = text_objective(text, "mine.fitness", judge.view, {})
    brief = Evolution(judge, objective, None, np.random.default_rng(1), EvolutionSettings(children=8, generations=50))
    assert len(bred(brief)) == 2


@pytest.mark.parametrize("wrong", [{"children": 0}, {"generations": 0}, {"crossed": 1.5}, {"strength": -0.1}])
def test_settings_without_meaning_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        EvolutionSettings(**wrong)  # type: ignore[arg-type]
