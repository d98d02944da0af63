"""A small cup, bred once: what the tests of the search look at."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from data.rules import load_rules
from engine.board.board import Board
from engine.board.picking import pick
from engine.fitness.judge import Judge, aim_at
from engine.fitness.standard_form import standard_form
from engine.fitness.view import SceneSettings, SquadView
from engine.rules.conflicts import Demands
from engine.search.breeding.evolution import Evolution, EvolutionSettings, Progress
from engine.search.outcome import Breeding
from engine.search.run import PickSettings
from engine.search.seeding.archetypes import SolvedSquads, archetype_squads
from engine.search.seeding.memory import Memory, NullMemory
from models.signals import Signals, build_signals
from tests.cases.small_world import quick_settings, small_cup

BRIEF = EvolutionSettings(children=16, generations=5)
SOLVED = SolvedSquads()


@cache
def small_signals(round_number: int = 1) -> Signals:
    """Return the beliefs about a round of the small cup."""
    rules = load_rules("wc2026")
    return build_signals(small_cup().at(round_number), rules, quick_settings(rules), rng=np.random.default_rng(0))


@cache
def small_judge(settings: SceneSettings | None = None) -> Judge:
    """Return a judge of the small cup with a small reference pool."""
    view = SquadView(small_signals(), settings or SceneSettings())
    judge = Judge(view, np.random.default_rng(1), pool_size=200)
    judge.pool  # noqa: B018  drawn now, so that no test pays for it in its time
    return judge


def an_evolution(theta: str = "protect", demands: Demands | None = None, judge: Judge | None = None) -> Evolution:
    """Return an evolution whose population has the archetypes."""
    judge = judge or small_judge()
    aim = aim_at(theta, judge.view)
    form, rng = standard_form(judge.view, aim), np.random.default_rng(2)
    evolution = Evolution(judge, aim, form, rng, BRIEF, demands or Demands())
    seeds = archetype_squads(judge.view, cache=SOLVED)
    proposal = evolution.mended(evolution.seeded(seeds.squads, np.arange(len(seeds.squads))))
    evolution.tell(proposal, judge.score(proposal.squads, aim))
    return evolution


def steps_of(
    theta: str = "protect",
    *,
    seed: int = 3,
    judge: Judge | None = None,
    demands: Demands | None = None,
    memory: Memory | None = None,
    stop: Callable[[], bool] = lambda: False,
    settings: EvolutionSettings = BRIEF,
) -> list[Progress | Board]:
    """Return all that a search yields."""
    judge = judge or small_judge()
    chosen = PickSettings(evolution=settings, demands=demands or Demands(), memory=memory or NullMemory())
    aim, rng = aim_at(theta, judge.view), np.random.default_rng(seed)
    return list(pick(judge, aim, rng, chosen, cache=SOLVED, stop=stop))


@cache
def small_board(theta: str = "protect") -> Board:
    """Return a board of the small cup."""
    board = steps_of(theta)[-1]
    assert isinstance(board, Board)
    return board


def small_breeding(theta: str = "protect") -> Breeding:
    """Return what was bred for a board of the small cup."""
    breeding = small_board(theta).breeding
    assert breeding is not None
    return breeding
