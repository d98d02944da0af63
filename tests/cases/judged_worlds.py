"""What is believed about the bundled World Cup and the two small worlds, their judges, and what is bred for them.

Built once and shared by all tests; the arrays are read-only, so a test that writes to one fails.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

from data.rules import CaptaincyMode, load_rules
from data.worlds.library import find_world
from data.worlds.world import World, open_state
from engine.board.board import Board
from engine.board.picking import pick
from engine.fitness.judge import Judge, named_objective
from engine.fitness.reference import reference_pool
from engine.fitness.squad_view import SceneSettings, SquadView
from engine.fitness.standard_form import standard_form
from engine.rank.field import OBSERVED, observed_field
from engine.rank.rivals import FIELDS
from engine.rules.conflicts import Demands
from engine.rules.pool import Pool
from engine.search.breeding.evolution import Evolution, EvolutionSettings, Progress
from engine.search.breeding.proposal import Proposal
from engine.search.outcome import Breeding
from engine.search.run import PickSettings
from engine.search.seeding.archetypes import SolvedSquads, archetype_squads
from engine.search.seeding.memory import Memory, NullMemory
from models.forecast import ModelSettings
from models.signals import Signals, build_signals
from models.together.deal import Deal
from tests.cases.shelf import from_shelf
from tests.cases.small_world import DOUBLE, all_arrays, awkward_cup, quick_settings, small_cup, small_league

BRIEF = EvolutionSettings(children=16, generations=5)
NO_WISHES, NO_DEMANDS = SceneSettings(), Demands()
SOLVED = SolvedSquads()
"""Archetypes of the worlds here, solved once."""

REFERENCE_SQUADS = 200
"""A tenth of the product's: what is said of a squad does not depend on how finely it is measured."""

ANSWERED: dict[bytes, Any] = {}
"""What was worked out once, by what was asked."""

T = TypeVar("T")


@cache
def world_cup_signals(round_number: int = 1) -> Signals:
    """What the product believes before a round of the bundled World Cup."""
    return _read_only(from_shelf(b"World Cup, round %d" % round_number, lambda: _world_cup(round_number)))


def _world_cup(round_number: int) -> Signals:
    return _frozen(find_world("wc2026"), round_number)


@cache
def cup_signals(round_number: int = 2) -> Signals:
    """What is believed before a round of the small cup."""
    return _quick(small_cup(), round_number)


@cache
def league_signals(round_number: int = DOUBLE) -> Signals:
    """What is believed before a gameweek of the small league."""
    return _quick(small_league(), round_number)


@cache
def awkward_signals(round_number: int = 1) -> Signals:
    """What is believed about players whose names break pages."""
    return _quick(awkward_cup(), round_number)


def _quick(world: World, round_number: int) -> Signals:
    return _frozen(world, round_number, quick_settings(load_rules(world.rulebook)))


def _frozen(world: World, round_number: int, settings: ModelSettings | None = None) -> Signals:
    return _read_only(build_signals(world.at(round_number), load_rules(world.rulebook), settings))


def _read_only(answer: T) -> T:
    for array in all_arrays(answer).values():
        array.flags.writeable = False
    return answer


def once(work: Callable[..., T]) -> Callable[..., T]:
    """Return the work, done once for all who ask it of the same, byte for byte."""

    def answer(*given: object, **named: object) -> T:
        asked = hashlib.sha256(pickle.dumps((work.__name__, given, named))).digest()
        if asked not in ANSWERED:
            ANSWERED[asked] = _read_only(from_shelf(asked, lambda: work(*given, **named)))
        return ANSWERED[asked]

    return answer


def few_squads(signals: Signals, rng: np.random.Generator, size: int, pool: Pool) -> np.ndarray:
    """Return a small reference pool."""
    return reference_pool(signals, rng, min(size, REFERENCE_SQUADS), pool)


def opened_once(folder: Path, text: str) -> World:
    """Return the world that a manifest describes: as long as no file of it changes, or of a copy, it is read once."""
    files = sorted((file.name, stat.st_size, stat.st_mtime_ns) for file in folder.iterdir() if (stat := file.stat()))
    asked = repr((text, files)).encode()
    if asked not in ANSWERED:
        ANSWERED[asked] = open_state(folder, text)
    return ANSWERED[asked]


def share_beliefs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let desks, replays and seasons of a test share worlds, signals, fields and small reference pools."""
    for module in ("engine.desk", "engine.replay.rounds", "engine.season.walk"):
        monkeypatch.setattr(f"{module}.build_signals", once(build_signals))
    monkeypatch.setattr("engine.fitness.judge.reference_pool", once(few_squads))
    monkeypatch.setattr("data.worlds.world.open_state", opened_once)
    monkeypatch.setitem(FIELDS, OBSERVED, once(observed_field))


def under(signals: Signals, mode: CaptaincyMode) -> Signals:
    """Return the beliefs under rules that let the armband move otherwise."""
    return replace(signals, rules=signals.rules.with_captaincy(mode))


@lru_cache(maxsize=16)
def a_judge(signals: Signals, settings: SceneSettings = NO_WISHES, *, pool_size: int = 60, seed: int = 0) -> Judge:
    """A judge with a small reference pool."""
    return Judge(SquadView(signals, settings), np.random.default_rng(seed), pool_size=pool_size)


def small_judge(settings: SceneSettings = NO_WISHES) -> Judge:
    """The judge of the small cup's first matchday, its pool drawn already, so that no test pays for it in its time."""
    judge = a_judge(cup_signals(1), settings, pool_size=200, seed=1)
    judge.pool.flags.writeable = False
    return judge


def bare_evolution(
    theta: str = "protect", demands: Demands = NO_DEMANDS, settings: EvolutionSettings = BRIEF
) -> Evolution:
    """Return an evolution of the small cup that knows no squad yet."""
    judge = small_judge()
    objective = named_objective(theta, judge.view)
    return Evolution(
        judge, objective, standard_form(judge.view, objective), np.random.default_rng(2), settings, demands
    )


def first_squads(evolution: Evolution) -> Proposal:
    """Return the archetypes as an evolution begins with them."""
    seeds = archetype_squads(evolution.judge.view, cache=SOLVED)
    return evolution.mended(evolution.seeded(seeds, np.arange(len(seeds))))


def an_evolution(theta: str = "protect", demands: Demands = NO_DEMANDS) -> Evolution:
    """Return an evolution of the small cup whose population has the archetypes."""
    evolution = bare_evolution(theta, demands)
    proposal = first_squads(evolution)
    evolution.tell(proposal, evolution.judge.score(proposal.squads, evolution.objective))
    return evolution


def steps_of(
    theta: str = "protect",
    *,
    seed: int = 3,
    judge: Judge | None = None,
    demands: Demands = NO_DEMANDS,
    memory: Memory | None = None,
    stop: Callable[[], bool] = lambda: False,
    settings: EvolutionSettings = BRIEF,
    cache: SolvedSquads = SOLVED,
) -> list[Progress | Board]:
    """Return all that a search yields."""
    judge = judge or small_judge()
    chosen = PickSettings(evolution=settings, demands=demands, memory=memory or NullMemory())
    objective, rng = named_objective(theta, judge.view), np.random.default_rng(seed)
    return list(pick(judge, objective, rng, chosen, cache=cache, stop=stop))


def board_of(theta: str = "protect", **options: object) -> Board:
    """Return the board a search ends with."""
    board = steps_of(theta, **options)[-1]  # type: ignore[arg-type]
    assert isinstance(board, Board)
    return board


small_board = cache(board_of)
"""A board of the small cup, bred once."""


def bred_for(board: Board) -> Breeding:
    """Return what was bred for a board."""
    assert board.breeding is not None
    return board.breeding


def small_breeding(theta: str = "protect") -> Breeding:
    """Return what was bred for a board of the small cup."""
    return bred_for(small_board(theta))


@cache
def small_history() -> tuple[Progress, ...]:
    """Return what a search of the small cup tells on its way."""
    return tuple(step for step in steps_of() if isinstance(step, Progress))


def free_hand(view: SquadView) -> dict[str, np.ndarray]:
    """Return options of a mutation by which everybody may come and go, drawn by expected points."""
    everybody = np.ones(len(view.signals), dtype=bool)
    return {"worth": view.signals.xev, "allowed": everybody, "locked": ~everybody}


def a_pool(players: int = 240, teams: int = 16) -> Pool:
    """Players of all prices, every fifth a goalkeeper or so, spread over the teams."""
    rng = np.random.default_rng(9)
    place = np.arange(players)
    return Pool(
        price=(4.0 + rng.exponential(1.8, players).clip(max=8.0)).round(1),
        team=place % teams,
        position=np.array([0, 1, 1, 1, 2, 2, 2, 3])[(place // teams) % 8],
        budget=100.0,
        team_cap=3,
        shape=(2, 5, 5, 3),
    )


def real_round(world: World, signals: Signals) -> Deal:
    """What really happened in a round, as the one simulation of a deal."""
    now = {name: table[table["round"] == signals.round] for name, table in world.tables.items() if "round" in table}
    known = dict(zip(now["points"]["player_id"], now["points"]["points"], strict=True))
    fielded = now["appearances"][now["appearances"]["minutes"] > 0]["player_id"]
    points = np.array([[known.get(player, 0) for player in signals.player_id]], dtype=np.int16)
    played = np.isin(signals.player_id, fielded)[None, :]
    return Deal(points, played, played.copy(), np.zeros((1, 1, 2), dtype=np.int8))
