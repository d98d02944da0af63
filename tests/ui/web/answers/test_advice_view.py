"""What is recommended can be chosen: an objective of the page, with the strength that was measured."""

from __future__ import annotations

import pytest

from engine.rank.intervals import Estimate
from engine.rank.recommendation import MOST_POINTS, Measured, Recommendation
from ui.web.answers.advice_view import advice_rows


def measured(name: str, share: float, k: float | None = None) -> Measured:
    return Measured(name, tuple(range(15)), Estimate(share, share - 0.01, share + 0.01), 80.0, k)


def a_recommendation(best: str) -> Recommendation:
    order = (measured(best, 0.7, 0.03 if best == "gain" else None), measured("protect", 0.6, 0.02))
    return Recommendation(order[0], order, "To erase 15, it measures best.", -0.03, "observed")


@pytest.mark.parametrize(("best", "choice", "k"), [("gain", "gain", 0.03), (MOST_POINTS, "neutral", None)])
def test_the_best_is_chosen_at_its_measured_strength_and_the_most_points_as_neutral(
    best: str, choice: str, k: float | None
) -> None:
    found = a_recommendation(best)
    assert found.choice == choice
    assert found.strength_of(choice) == k


def test_every_objective_is_listed_with_its_strength_and_interval_the_best_first() -> None:
    table = advice_rows(a_recommendation(MOST_POINTS))
    assert list(table["Objective"]) == ["Most points", "Protect"]
    assert list(table["Strength"]) == ["–", "k = 0.02"]
    assert "69.0%" in table["Ahead at the end"][0]
