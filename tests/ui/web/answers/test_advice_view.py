"""What is recommended can be chosen: an objective of the page, with the strength that was measured."""

from __future__ import annotations

from engine.fitness.objective import RANK
from engine.rank.intervals import Estimate
from engine.rank.recommendation import MOST_POINTS, Measured, Recommendation
from ui.web.answers.advice_view import advice_rows, choice_of


def measured(name: str, share: float) -> Measured:
    return Measured(name, tuple(range(15)), Estimate(share, share - 0.01, share + 0.01), 80.0)


def a_recommendation(best: str) -> Recommendation:
    order = (measured(best, 0.7), measured("protect", 0.6))
    return Recommendation(order[0], order, "To hold a lead of 15, it measures best.", kappa=0.03)


def test_rank_is_chosen_with_the_strength_that_was_measured() -> None:
    assert choice_of(a_recommendation(RANK)) == ("rank", 0.03)


def test_a_theta_is_chosen_at_its_own_strength() -> None:
    assert choice_of(a_recommendation("gain")) == ("gain", None)


def test_the_most_points_are_chosen_as_neutral() -> None:
    assert choice_of(a_recommendation(MOST_POINTS)) == ("neutral", None)


def test_every_objective_is_listed_with_its_interval_the_best_first() -> None:
    table = advice_rows(a_recommendation(MOST_POINTS))
    assert list(table["Objective"]) == ["Most points", "Protect"]
    assert "69.0%" in table["Ahead at the end"][0]
