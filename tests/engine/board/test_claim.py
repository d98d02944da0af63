"""What is said about the optimum is true of small worlds and never more than was proved."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from data.rules import CaptaincyMode
from engine.board.board import Board, Claim, Option, Verdict, make_board
from engine.board.claim import claim_of, proof_of_option
from engine.fitness.judge import Judge, named_objective, text_objective
from engine.fitness.squad_view import SceneSettings
from engine.fitness.standard_form import standard_form
from engine.language.spec import shipped_text
from engine.proof.bound import Proof
from engine.rules.conflicts import Demands
from engine.rules.pool import TeamLimit
from engine.search.climbing.limits import Limits
from engine.search.climbing.local_search import improve
from engine.search.finishing.polish import search_fitness
from engine.search.seeding.archetypes import SquadProblem, ev_maximiser
from models.signals import Signals
from tests.cases.judged_worlds import NO_DEMANDS, a_judge, cup_signals, under


@pytest.fixture(scope="module")
def locked(signals: Signals) -> Judge:
    return a_judge(under(signals, CaptaincyMode.LOCKED))


def a_board(judge: Judge, squad: np.ndarray, theta: str = "neutral") -> Board:
    return make_board(judge, named_objective(theta, judge.view), squad[None, :])


def climbed(judge: Judge, start: np.ndarray, kicks: int = 10, **options: Any) -> np.ndarray:
    """Return the squad that a short climb under neutral reaches."""
    form = standard_form(judge.view, named_objective("neutral", judge.view))
    assert form is not None
    return improve(form, start[None, :], np.random.default_rng(1), Limits(kicks=kicks), **options).squads[0]


def claimed(judge: Judge, squad: np.ndarray, demands: Demands = NO_DEMANDS) -> Claim:
    """Return what is claimed of a squad under neutral."""
    option = a_board(judge, squad).recommended
    return claim_of(judge, named_objective("neutral", judge.view), option, demands, seconds=60)


def gap(claim: Claim) -> float:
    """Return how far from the optimum a squad may be by a claim, as a share: 0 where it is proved."""
    return 0.0 if claim.proved else claim.share


def test_a_searched_squad_is_proved_or_nearly_so(locked: Judge) -> None:
    claim = claimed(locked, climbed(locked, locked.pool[-1]))
    assert "in the standard form with the captain held" in str(claim)
    assert gap(claim) < 0.01


@pytest.mark.soak
def test_a_squad_that_scores_more_than_any_is_worth_in_the_form_is_said_to(locked: Judge) -> None:
    objective, seen = named_objective("neutral", locked.view), list[Verdict]()
    found = search_fitness(locked, objective, np.random.default_rng(1)).squads[0]
    option = a_board(locked, found).recommended
    for bonus in (-5.0, 5.0):
        told = option.decomposition
        scored = replace(told, fitness=told.fitness + bonus, terms={**told.terms, "a whim": bonus})
        seen.append(claim_of(locked, objective, replace(option, decomposition=scored), seconds=60).verdict)
    assert seen[1] in (Verdict.NO_LESS, Verdict.OPTIMAL)
    assert seen[0] in (Verdict.WITHIN, Verdict.OPTIMAL)


def test_a_careless_squad_is_never_called_optimal(locked: Judge) -> None:
    claim = claimed(locked, locked.pool[0])
    assert claim.verdict is Verdict.WITHIN
    assert claim.share > 0.02
    assert claim.points > 1.0


def test_a_ban_of_everybody_better_is_heeded(locked: Judge) -> None:
    star = int(np.argmax(locked.view.signals.xev))
    allowed = np.arange(len(locked.view.signals)) != star
    start = next(squad for squad in locked.pool if star not in squad)
    best = climbed(locked, start, allowed=allowed)
    assert star not in best
    assert gap(claimed(locked, best, Demands(never=(star,)))) < 0.01


@pytest.mark.soak
def test_a_ladder_is_bounded_but_loosely(signals: Signals) -> None:
    judge = a_judge(under(signals, CaptaincyMode.UNLIMITED))
    option = a_board(judge, judge.pool[-1], "protect").recommended
    claim = claim_of(judge, named_objective("protect", judge.view), option)
    assert claim.verdict is Verdict.WITHIN
    assert "ladder" in str(claim)
    nobody_else = np.setdiff1d(np.arange(len(judge.view.signals)), option.rows)
    alone = claim_of(judge, named_objective("protect", judge.view), option, Demands(never=tuple(nobody_else.tolist())))
    assert gap(alone) < gap(claim)


def test_what_a_manager_holds_is_part_of_the_proof(locked: Judge) -> None:
    signals, star = locked.view.signals, int(np.argmax(locked.view.signals.xev))
    brazil = list(signals.teams.strengths.codes).index("BRA")
    settings = SceneSettings(captain=star, formation=2, teams=(TeamLimit(brazil, 2),))
    judge = a_judge(signals, settings)
    start = SquadProblem.of(judge.view, ev_maximiser(judge.view), Demands()).solve(20.0)
    best = climbed(judge, start, 40, kept=(star,))
    assert gap(claimed(judge, best)) < 0.01


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


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (Claim(Verdict.OPTIMAL), "Nothing better exists"),
        (Claim(Verdict.NO_LESS, held=False), "Nothing better exists"),
        (Claim(Verdict.WITHIN, 0.0057, points=0.41), "At most 0.5 points below the best possible squad"),
        (Claim(Verdict.WITHIN, 1e-9, points=1e-8), "At most 0.1 points below the best possible squad"),
        (Claim(), "How far below the best possible squad it can be is not known"),
        (Claim(Verdict.NO_BOUND), "How far below the best possible squad it can be is not known"),
    ],
)
def test_a_claim_has_a_headline_in_points_that_promises_no_more(claim: Claim, words: str) -> None:
    assert claim.headline == words


@cache
def shipped_proof(mode: CaptaincyMode) -> tuple[Judge, Option, Proof]:
    """Return a judge of the small cup, an option and what is proved of it under gain."""
    judge = a_judge(under(cup_signals(), mode))
    option = a_board(judge, judge.pool[-1], "gain").recommended
    proof = proof_of_option(judge, named_objective("gain", judge.view), option, seconds=60.0)
    assert proof is not None
    return judge, option, proof


@pytest.mark.parametrize("mode", [CaptaincyMode.LOCKED, CaptaincyMode.UNLIMITED])
@pytest.mark.parametrize(
    ("written", "instead", "apart"),
    [
        ("-- Chase:", "-- Hunt:", 0.05),
        ("captaincy_uplift: 1", "captaincy_uplift: 1.0 as armband", 0.05),
        ("parameter w = 1 ", "parameter w = 1.1 ", 2.0),
        ("  maximize cs_lift: 0 as cs_corr_bonus\n", "", 2.0),
    ],
)
@pytest.mark.daily("  maximize", "captaincy_uplift", "-- Chase")
def test_a_spec_of_ones_own_is_bounded_like_the_shipped_one(
    mode: CaptaincyMode, written: str, instead: str, apart: float
) -> None:
    judge, option, shipped = shipped_proof(mode)
    text = shipped_text("gain").replace(written, instead)
    assert text != shipped_text("gain")
    own = proof_of_option(judge, text_objective(text, "mine.fitness", judge.view, {}), option, seconds=60.0)
    assert own is not None
    assert own.gap == pytest.approx(shipped.gap, abs=apart)


def test_a_spec_without_a_standard_form_has_no_bound(locked: Judge) -> None:
    objective = text_objective(
        "fitness Mine { maximize raw_xev: 1 maximize teams: 1 }", "mine.fitness", locked.view, {}
    )
    assert claim_of(locked, objective, a_board(locked, locked.pool[-1]).recommended) == Claim(Verdict.NO_BOUND)
