"""Strength of the rank objective for a standing: its sign is that of the lead, and it grows as the end comes near."""

from __future__ import annotations

import pytest

from engine.season.standing_kappa import (
    LASTING,
    STRONGEST,
    WEAKEST,
    WEEK,
    spread_of_the_rest,
    standing_kappa,
)


def test_the_sign_is_that_of_the_lead() -> None:
    assert standing_kappa(0.0, 5) == 0.0
    assert standing_kappa(20.0, 5) == pytest.approx(-standing_kappa(-20.0, 5))
    assert standing_kappa(20.0, 5) > 0


def test_it_grows_as_the_end_comes_near_and_is_bounded() -> None:
    strengths = [standing_kappa(20.0, rounds) for rounds in (38, 10, 5, 2)]
    assert strengths == sorted(strengths)
    assert (standing_kappa(1e6, 1), standing_kappa(-1e6, 1)) == (STRONGEST, WEAKEST)


def test_the_spread_of_the_rest_is_that_of_two_managers() -> None:
    assert spread_of_the_rest(4) ** 2 == pytest.approx(2 * (4 * WEEK**2 + 16 * LASTING**2))
