"""The search asks and learns: legal children, the best never lost, the same seed the same squads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from data.errors import InputError
from engine.fitness.judge import Judge, aim_at, text_aim
from engine.fitness.standard_form import standard_form
from engine.rules.conflicts import Demands
from engine.rules.legality import legal
from engine.search.breeding.evolution import Evolution, EvolutionSettings, Progress, breed
from engine.search.breeding.proposal import OPERATOR_NAMES, POLISHED
from engine.search.seeding.archetypes import archetype_squads

FEW = EvolutionSettings(children=16, generations=4, polished=2)


@pytest.fixture(scope="module")
def seeds(judge: Judge) -> np.ndarray:
    return archetype_squads(judge.view)


def an_evolution(
    judge: Judge,
    theta: str = "protect",
    settings: EvolutionSettings = FEW,
    demands: Demands | None = None,
    seed: int = 1,
) -> Evolution:
    aim = aim_at(theta, judge.view)
    form = standard_form(judge.view, aim)
    return Evolution(judge, aim, form, np.random.default_rng(seed), settings, demands or Demands())


def bred(evolution: Evolution, seeds: np.ndarray) -> list[Progress]:
    return list(breed(evolution, evolution.mended(evolution.seeded(seeds, np.arange(len(seeds))))))


@pytest.mark.parametrize("theta", ["protect", "neutral", "gain", "rank"])
def test_every_candidate_is_legal_and_the_best_only_grows(judge: Judge, seeds: np.ndarray, theta: str) -> None:
    evolution = an_evolution(judge, theta)
    steps = bred(evolution, seeds)
    squads = evolution.population.columns.squads
    assert legal(squads, judge.view.pool).all()
    best = [step.best for step in steps]
    assert best == sorted(best)
    assert best[-1] > best[0]
    assert [step.generation for step in steps] == [1, 2, 3, 4]


def test_the_same_seed_breeds_the_same_squads_whatever_the_global_generators_do(
    judge: Judge, seeds: np.ndarray
) -> None:
    first = an_evolution(judge)
    bred(first, seeds)
    np.random.seed(99)
    second = an_evolution(judge)
    bred(second, seeds)
    assert first.population.columns.squads.tobytes() == second.population.columns.squads.tobytes()
    assert first.population.columns.score.tobytes() == second.population.columns.score.tobytes()


def test_locks_stay_and_bans_never_come(judge: Judge, seeds: np.ndarray) -> None:
    star = int(np.argmax(judge.view.signals.xev))
    must = int(np.argmax(judge.view.signals.exposure.eo))
    evolution = an_evolution(judge, demands=Demands(must=(must,), never=(star,)))
    bred(evolution, seeds)
    children = evolution.population.columns.squads[evolution.population.columns.generation > 0]
    assert len(children)
    assert (children == must).any(axis=1).all()
    assert not (children == star).any()


def test_parents_are_known_and_polished_children_say_so(judge: Judge, seeds: np.ndarray) -> None:
    evolution = an_evolution(judge)
    bred(evolution, seeds)
    columns = evolution.population.columns
    born = columns.generation > 0
    assert (columns.parent[born, 0] >= 0).all()
    assert (columns.parent[~born] == -1).all()
    assert OPERATOR_NAMES.index(POLISHED) in set(columns.operator.tolist())


def test_a_spec_is_bred_without_a_standard_form(judge: Judge, seeds: np.ndarray) -> None:
    text = "fitness Mine { gate feasible maximize raw_xev: 1 maximize teams: 0.1 }"
    aim = text_aim(text, "mine.fitness", judge.view, {})
    assert standard_form(judge.view, aim) is None
    evolution = Evolution(judge, aim, None, np.random.default_rng(1), FEW)
    steps = bred(evolution, seeds)
    assert steps[-1].best >= steps[0].best > 0
    assert legal(evolution.population.columns.squads, judge.view.pool).all()


def test_a_stop_request_ends_the_search_after_the_generation(judge: Judge, seeds: np.ndarray) -> None:
    wishes: Iterator[bool] = iter([False, True])
    evolution = an_evolution(judge, settings=EvolutionSettings(children=16, generations=50))
    evolution.stop = lambda: next(wishes, True)
    assert len(bred(evolution, seeds)) <= 2
    assert evolution.population.best() is not None


def test_time_and_the_spec_end_the_search(judge: Judge, seeds: np.ndarray) -> None:
    ticks = iter(range(1000))
    slow = an_evolution(judge, settings=EvolutionSettings(children=8, generations=50, seconds=3))
    first = slow.seeded(seeds, np.arange(7))
    assert len(list(breed(slow, first, clock=lambda: float(next(ticks))))) < 5
    text = "fitness Mine { gate feasible maximize raw_xev: 1 terminate when engine.generation >= 2 }"
    aim = text_aim(text, "mine.fitness", judge.view, {})
    brief = Evolution(judge, aim, None, np.random.default_rng(1), EvolutionSettings(children=8, generations=50))
    assert len(bred(brief, seeds)) == 2


@pytest.mark.parametrize("wrong", [{"children": 0}, {"generations": 0}, {"crossed": 1.5}, {"strength": -0.1}])
def test_settings_without_meaning_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        EvolutionSettings(**wrong)  # type: ignore[arg-type]
