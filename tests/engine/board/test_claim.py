"""What is said about the optimum is true of small worlds and never more than was proved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.rules import CaptaincyMode, load_rules
from data.worlds.world import World
from engine.board.board import Board, make_board
from engine.board.claim import NO_BOUND, proof_in_words
from engine.fitness.judge import Judge, aim_at, text_aim
from engine.fitness.standard_form import standard_form
from engine.fitness.view import SceneSettings, SquadView
from engine.rules.conflicts import Demands
from engine.rules.pool import TeamLimit
from engine.search.climbing.local_search import Limits, improve
from engine.search.finishing.polish import search_fitness
from engine.search.seeding.archetypes import SquadProblem, Wishes, ev_maximiser
from models.signals import build_signals


def a_judge(world: World, mode: CaptaincyMode) -> Judge:
    rules = load_rules("wc2026").with_captaincy(mode)
    return Judge(SquadView(build_signals(world.at(1), rules)), np.random.default_rng(0), pool_size=50)


@pytest.fixture(scope="module")
def locked(world_cup: World) -> Judge:
    return a_judge(world_cup, CaptaincyMode.LOCKED)


def a_board(judge: Judge, squad: np.ndarray, theta: str = "neutral") -> Board:
    return make_board(judge, aim_at(theta, judge.view), squad[None, :])


def test_a_searched_squad_is_proved_or_nearly_so(locked: Judge) -> None:
    aim = aim_at("neutral", locked.view)
    form = standard_form(locked.view, aim)
    assert form is not None
    best = improve(form, locked.pool[-1:], np.random.default_rng(1), Limits(kicks=10)).squads[0]
    words = proof_in_words(locked, aim, a_board(locked, best).recommended, seconds=20)
    assert "in the standard form with the captain held" in words
    assert words.startswith("proved") or float(words.split()[1].rstrip("%")) < 1.0


def test_a_squad_that_scores_more_than_any_is_worth_in_the_form_is_said_to(locked: Judge) -> None:
    aim, seen = aim_at("neutral", locked.view), list[str]()
    found = search_fitness(locked, aim, np.random.default_rng(1)).squads[0]
    option = a_board(locked, found).recommended
    for bonus in (-5.0, 5.0):
        told = option.decomposition
        scored = replace(told, fitness=told.fitness + bonus, terms={**told.terms, "a whim": bonus})
        seen.append(proof_in_words(locked, aim, replace(option, decomposition=scored), seconds=20))
    assert seen[1].startswith(("proved to score no less", "proved optimal"))
    assert seen[0].startswith(("within", "proved optimal"))


def test_a_careless_squad_is_never_called_optimal(locked: Judge) -> None:
    words = proof_in_words(locked, aim_at("neutral", locked.view), a_board(locked, locked.pool[0]).recommended)
    assert words.startswith("within ")
    assert float(words.split()[1].rstrip("%")) > 2.0


def test_a_ban_of_everybody_better_is_heeded(locked: Judge) -> None:
    star = int(np.argmax(locked.view.signals.xev))
    aim = aim_at("neutral", locked.view)
    form = standard_form(locked.view, aim)
    assert form is not None
    allowed = np.arange(len(form)) != star
    start = next(squad for squad in locked.pool if star not in squad)
    best = improve(form, start[None, :], np.random.default_rng(1), Limits(kicks=10), allowed).squads[0]
    assert star not in best
    words = proof_in_words(locked, aim, a_board(locked, best).recommended, Demands(never=(star,)), seconds=20)
    assert words.startswith("proved") or float(words.split()[1].rstrip("%")) < 1.0


def test_a_ladder_is_bounded_but_loosely(world_cup: World) -> None:
    judge = a_judge(world_cup, CaptaincyMode.UNLIMITED)
    option = a_board(judge, judge.pool[-1], "protect").recommended
    words = proof_in_words(judge, aim_at("protect", judge.view), option)
    assert words.startswith("within ")
    assert "ladder" in words
    nobody_else = np.setdiff1d(np.arange(len(judge.view.signals)), option.rows)
    alone = proof_in_words(judge, aim_at("protect", judge.view), option, Demands(never=tuple(nobody_else.tolist())))
    assert float(alone.split()[1].rstrip("%")) < float(words.split()[1].rstrip("%"))


def test_what_a_manager_holds_is_part_of_the_proof(locked: Judge) -> None:
    signals, star = locked.view.signals, int(np.argmax(locked.view.signals.xev))
    brazil = list(signals.teams.strengths.codes).index("BRA")
    settings = SceneSettings(captain=star, formation=2, teams=(TeamLimit(brazil, 2),))
    judge = Judge(SquadView(signals, settings), np.random.default_rng(0), pool_size=50)
    aim = aim_at("neutral", judge.view)
    form = standard_form(judge.view, aim)
    assert form is not None
    start, _ = SquadProblem.of(judge.view, ev_maximiser(judge.view), Wishes.none(len(signals))).solve(20.0)
    best = improve(form, start[None, :], np.random.default_rng(1), Limits(kicks=40), kept=(star,)).squads[0]
    words = proof_in_words(judge, aim, a_board(judge, best).recommended, seconds=20)
    assert words.startswith("proved") or float(words.split()[1].rstrip("%")) < 1.0


def test_a_spec_of_the_users_own_has_no_bound(locked: Judge) -> None:
    aim = text_aim("fitness Mine { maximize raw_xev: 1 }", "mine.fitness", locked.view, {})
    assert proof_in_words(locked, aim, a_board(locked, locked.pool[-1]).recommended) == NO_BOUND
