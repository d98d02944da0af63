"""Ready-made orders: the board of a plan, its first glance, and where all searches of the server are kept.

- `searches()` is the one `Searches` of this server.
- `board_order(chosen, theta=None)` is the order of a plan's board, under its own θ or another one; the same words in
  the plan and the same seed give the same key, whoever asks.
- `glance(chosen, theta)` is the best squad a fraction of a second buys, as a `Glance`, for the three cards;
  `usual_glance` leaves the plan's own strength aside.
- `prepare_boards(chosen)` makes ready, beside the page, what every board of the plan starts from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import streamlit as st

from engine.board.board import Board, Claim
from engine.board.claim import claim_of
from engine.board.glance import Glance, first_glance
from engine.board.picking import pick
from engine.fitness.objective import MEANINGS
from engine.search.breeding.evolution import EvolutionSettings, Progress
from engine.search.run import PickSettings
from engine.search.seeding.archetypes import SolvedSquads
from engine.search.seeding.readying import make_ready
from ui.web.choice.frame import Chosen, aim_of, demands_of, judge_of
from ui.web.choice.plan import Plan
from ui.web.work import kept
from ui.web.work.background import READY, READYING, background
from ui.web.work.scheduler import Job, Step, Task
from ui.web.work.search_job import Order, Searches

GENERATIONS = 10
"""Generations of a board: the best squad is found by then and the options differ; about a second."""

MOST_EVALUATIONS = 200_000
"""Squads a search may score: out of the way of the generations a visitor asks for."""


class SharedSquads(kept.Shared[tuple[np.ndarray, bool]], SolvedSquads):
    """Solved squads that several threads may ask for."""


def searches() -> Searches:
    """Return the searches of this server."""
    return Searches(background())


@st.cache_resource
def _solved() -> SharedSquads:
    return SharedSquads(kept.SQUADS.most)


def prepare_boards(chosen: Chosen) -> None:
    """Make ready, while the visitor reads, what every board of the plan starts from; nothing of it can be seen.

    One plan at a time, and each once.
    """
    if background().busy(READYING):
        return
    judge, demands, known = judge_of(chosen), demands_of(chosen), _solved()
    aims = [aim_of(chosen, theta) for theta in MEANINGS]

    def work(job: Job[None]) -> None:
        for _ in make_ready(judge, aims, demands, known):
            job.let_pass()

    key = repr((chosen.scene_key, chosen.plan.locks, chosen.plan.bans))
    background().job(Task(READY, key, (Step(READYING, work),), None))


def board_order(chosen: Chosen, theta: str | None = None) -> Order:
    """Return the order of the plan's board under its own θ, or under another one."""
    judge, aim, demands, known = judge_of(chosen), aim_of(chosen, theta), demands_of(chosen), _solved()
    evolution = EvolutionSettings(generations=generations_of(chosen.plan), evaluations=MOST_EVALUATIONS)
    settings = PickSettings(evolution=evolution, demands=demands)

    def search(stop: Callable[[], bool]) -> Iterator[Progress | Board]:
        return pick(judge, aim, _search_rng(chosen), settings, cache=known, stop=stop)

    def prove(board: Board) -> Claim:
        return claim_of(judge, aim, board.recommended, demands)

    return Order(order_key(chosen, theta), search, prove, beliefs=repr(chosen.key))


def order_key(chosen: Chosen, theta: str | None = None) -> str:
    """Return what an order is known by: all that its board depends on."""
    aim = aim_of(chosen, theta)
    plan = chosen.plan
    asked = (plan.locks, plan.bans, plan.generations)
    return repr((chosen.scene_key, aim.name, sorted(aim.parameters.items()), *asked))


def generations_of(plan: Plan) -> int:
    """Return how many generations a plan's searches breed at most."""
    return plan.generations or GENERATIONS


def glance(chosen: Chosen, theta: str) -> Glance:
    """Return the best squad under a θ that a fraction of a second buys, kept for all who ask the same."""
    return _glance(order_key(chosen, theta), theta, chosen)


def usual_glance(chosen: Chosen, theta: str) -> Glance:
    """Return the best squad under a θ at its own strength, whatever strength the plan asks for."""
    return glance(replace(chosen, plan=chosen.plan.with_changes(theta=None, k=None, w=None)), theta)


@st.cache_resource(max_entries=kept.GLANCES.most, show_spinner="Looking at the three objectives …")
def _glance(key: str, theta: str, _chosen: Chosen) -> Glance:  # noqa: ARG001 - the key stands for what is chosen
    return first_glance(judge_of(_chosen), aim_of(_chosen, theta), _search_rng(_chosen), demands_of(_chosen))


def _search_rng(chosen: Chosen) -> np.random.Generator:
    """Return the generator of a plan's searches; the first look and the board start from the same."""
    return np.random.default_rng(chosen.plan.seed).spawn(3)[2]
