"""What is said about the optimum is true of small worlds and never more than was proved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.rules import CaptaincyMode, load_rules
from data.worlds.world import World
from engine.board.board import Board, Claim, Verdict, make_board
from engine.board.claim import claim_of
from engine.fitness.judge import Judge, aim_at, text_aim
from engine.fitness.standard_form import standard_form
from engine.fitness.view import SceneSettings, SquadView
from engine.rules.conflicts import Demands
from engine.rules.legality import TeamLimit
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
    claim = claim_of(locked, aim, a_board(locked, best).recommended, seconds=20)
    assert "in the standard form with the captain held" in str(claim)
    assert claim.proved or claim.share < 0.01


def test_a_squad_that_scores_more_than_any_is_worth_in_the_form_is_said_to(locked: Judge) -> None:
    aim, seen = aim_at("neutral", locked.view), list[Verdict]()
    found = search_fitness(locked, aim, np.random.default_rng(1)).squads[0]
    option = a_board(locked, found).recommended
    for bonus in (-5.0, 5.0):
        told = option.decomposition
        scored = replace(told, fitness=told.fitness + bonus, terms={**told.terms, "a whim": bonus})
        seen.append(claim_of(locked, aim, replace(option, decomposition=scored), seconds=20).verdict)
    assert seen[1] in (Verdict.NO_LESS, Verdict.OPTIMAL)
    assert seen[0] in (Verdict.WITHIN, Verdict.OPTIMAL)


def test_a_careless_squad_is_never_called_optimal(locked: Judge) -> None:
    claim = claim_of(locked, aim_at("neutral", locked.view), a_board(locked, locked.pool[0]).recommended)
    assert claim.verdict is Verdict.WITHIN
    assert claim.share > 0.02


def test_a_ban_of_everybody_better_is_heeded(locked: Judge) -> None:
    star = int(np.argmax(locked.view.signals.xev))
    aim = aim_at("neutral", locked.view)
    form = standard_form(locked.view, aim)
    assert form is not None
    allowed = np.arange(len(form)) != star
    start = next(squad for squad in locked.pool if star not in squad)
    best = improve(form, start[None, :], np.random.default_rng(1), Limits(kicks=10), allowed).squads[0]
    assert star not in best
    claim = claim_of(locked, aim, a_board(locked, best).recommended, Demands(never=(star,)), seconds=20)
    assert claim.proved or claim.share < 0.01


def test_a_ladder_is_bounded_but_loosely(world_cup: World) -> None:
    judge = a_judge(world_cup, CaptaincyMode.UNLIMITED)
    option = a_board(judge, judge.pool[-1], "protect").recommended
    claim = claim_of(judge, aim_at("protect", judge.view), option)
    assert claim.verdict is Verdict.WITHIN
    assert "ladder" in str(claim)
    nobody_else = np.setdiff1d(np.arange(len(judge.view.signals)), option.rows)
    alone = claim_of(judge, aim_at("protect", judge.view), option, Demands(never=tuple(nobody_else.tolist())))
    assert alone.share < claim.share


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
    claim = claim_of(judge, aim, a_board(judge, best).recommended, seconds=20)
    assert claim.proved or claim.share < 0.01


def test_a_spec_of_the_users_own_has_no_bound(locked: Judge) -> None:
    aim = text_aim("fitness Mine { maximize raw_xev: 1 }", "mine.fitness", locked.view, {})
    assert claim_of(locked, aim, a_board(locked, locked.pool[-1]).recommended) == Claim(Verdict.NO_BOUND)


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (Claim(), "not proved"),
        (Claim(Verdict.NO_BOUND), "no bound for this spec"),
        (Claim(Verdict.OPTIMAL), "proved optimal in the standard form with the captain held"),
        (
            Claim(Verdict.NO_LESS, held=False),
            "proved to score no less than the optimum in the standard form, by a bound that takes squad and ladder "
            "apart",
        ),
        (
            Claim(Verdict.WITHIN, 0.0123),
            "within 1.2% of the optimum in the standard form with the captain held",
        ),
        (Claim(Verdict.WITHIN, 1e-9), "within 0.1% of the optimum in the standard form with the captain held"),
    ],
    ids=lambda given: "" if isinstance(given, str) else given.verdict.name.lower(),
)
def test_a_claim_names_the_form_it_is_true_of(claim: Claim, words: str) -> None:
    assert str(claim) == words
