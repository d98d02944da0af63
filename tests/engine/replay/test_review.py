"""A round looked back on: each term has its counterpart in facts, and the watch reads over rounds."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

from data.errors import InputError
from data.worlds.world import World
from engine.fitness.judge import Judge, named_objective
from engine.fitness.squad_view import SquadView
from engine.replay.review import RoundReview, TermReview, review_round, watch_across
from tests.cases.judged_worlds import cup_signals, league_signals
from tests.cases.objectives.form_cases import top_squad
from tests.cases.small_world import changed, small_cup, small_league


@cache
def a_judge(number: int = 1) -> Judge:
    return Judge(SquadView(league_signals(number)), np.random.default_rng(0), pool_size=100)


def reviewed(theta: str, world: World | None = None, number: int = 1) -> RoundReview:
    judge = a_judge(number)
    return review_round(world or small_league(), judge, named_objective(theta, judge.view), judge.pool[-1])


def of(review: RoundReview, name: str) -> TermReview:
    return next(term for term in review.terms if term.name == name)


@pytest.mark.parametrize("theta", ["protect", "neutral", "gain", "rank"])
def test_what_was_said_is_the_decomposition(theta: str) -> None:
    judge = a_judge()
    said = {term.name: term.said for term in reviewed(theta).terms}
    assert said == dict(judge.decompose(judge.pool[-1], named_objective(theta, judge.view)).terms)


def test_eleven_and_armband_make_up_the_official_points() -> None:
    review = reviewed("protect")
    assert of(review, "raw_xev").happened + of(review, "captaincy_uplift").happened == review.points
    starters = [man for man in review.men if not man.role.startswith("bench")]
    if all(man.played for man in starters):
        assert of(review, "raw_xev").happened == sum(man.happened for man in starters)


def test_the_variance_term_comes_as_the_square_of_the_surprise() -> None:
    review, judge = reviewed("protect"), a_judge()
    k = named_objective("protect", judge.view).parameters["k"]
    assert of(review, "variance_term").happened == pytest.approx(-k * (review.points - review.expected) ** 2)
    assert review.deviation == pytest.approx(
        (review.points - review.expected) / np.sqrt(-of(review, "variance_term").said / k)
    )


def test_by_the_letter_of_the_seed_a_template_man_one_missed_costs_what_he_scored() -> None:
    def nobody_scored(points: pd.DataFrame) -> pd.DataFrame:
        return points.assign(points=points["points"].where(points["round"] != 1, 0))

    silent = reviewed("seed-protect", changed(small_league(), "points", nobody_scored))
    assert of(silent, "ownership_leverage").happened == 0.0
    assert of(silent, "ownership_leverage").said == of(reviewed("seed-protect"), "ownership_leverage").said


@pytest.mark.parametrize("theta", ["protect", "gain"])
def test_leverage_comes_to_what_squad_and_field_did_together(theta: str) -> None:
    review = reviewed(theta)
    term, swing = of(review, "ownership_leverage"), of(review, "variance_term")
    assert term.said * swing.said < 0
    # Both are shares of the same surprise: of the squad's times the field's, and of the squad's times itself.
    assert np.sign(term.happened) in (np.sign(term.said), -np.sign(term.said))
    assert term.happened != pytest.approx(term.said)


def test_the_carry_comes_from_later_rounds_as_far_as_they_were_played() -> None:
    review = reviewed("neutral")
    assert review.carried == (2,)
    assert of(review, "progression_carry").happened > 0
    last = reviewed("neutral", number=2)
    assert last.carried == ()
    assert of(last, "progression_carry").happened == 0.0


def test_a_clean_sheet_stack_is_paid_by_what_the_score_was() -> None:
    def goalless(fixtures: pd.DataFrame) -> pd.DataFrame:
        first = fixtures["round"] == 1
        return fixtures.assign(
            home_goals_90=fixtures["home_goals_90"].mask(first, 0),
            away_goals_90=fixtures["away_goals_90"].mask(first, 0),
        )

    judge = a_judge()
    squads = judge.pool[
        np.argsort(-judge.score(judge.pool, named_objective("seed-gain", judge.view)).terms["cs_corr_bonus"])
    ]
    objective = named_objective("seed-gain", judge.view)
    lost, kept = (
        of(review_round(world, judge, objective, squads[0]), "cs_corr_bonus")
        for world in (small_league(), changed(small_league(), "fixtures", goalless))
    )
    assert lost.said == kept.said > 0
    assert kept.happened > kept.said > lost.happened > 0  # below one half a kept sheet is the larger surprise


def test_a_round_that_was_not_played_cannot_be_reviewed() -> None:
    judge = Judge(SquadView(cup_signals(2)), np.random.default_rng(0), pool_size=50)
    with pytest.raises(InputError, match="Official points of round 2 are not known"):
        review_round(small_cup(), judge, named_objective("gain", judge.view), judge.pool[-1])


def test_a_squad_that_breaks_a_rule_was_on_no_board() -> None:
    judge = a_judge()
    squad = top_squad(judge.view.pool, judge.view.signals.price)
    with pytest.raises(InputError, match="breaks a rule"):
        review_round(small_league(), judge, named_objective("gain", judge.view), squad)


def test_the_verdict_says_points_and_surprise() -> None:
    review = replace(reviewed("protect"), points=90, expected=40.0, deviation=3.1)
    assert review.verdict.endswith("90 points where 40.0 were said, +3.1 standard deviations: a surprise.")


def test_the_watch_speaks_when_one_term_leads_round_after_round() -> None:
    one = replace(
        reviewed("gain"),
        shares={"variance_term": 0.8, "raw_xev": 0.2},
        terms=(TermReview("raw_xev", 60.0, 48.0), TermReview("variance_term", 5.0, 5.2)),
    )
    said = watch_across([one, replace(one, round=2)])
    assert said == (
        "swing-led in 2 of 2 rounds: check whether the variance term stands in for what you really want.",
        "expected points: +120.0 said over 2 rounds, +96.0 came.",
    )
    assert watch_across([one]) == ()
    assert one.leader == "variance_term"
    assert replace(one, shares={}).leader == ""
