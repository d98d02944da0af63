"""Rules of crediting goals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.together.goal_credit import credit_goals, dealt_shares


def held(shares: list[float], count: int) -> np.ndarray:
    return np.repeat(np.array(shares)[:, None], count, axis=1)


def a_generator() -> np.random.Generator:
    return np.random.default_rng(5)


@given(seed=st.integers(0, 2**32 - 1), men=st.integers(1, 6))
def test_a_goal_has_one_scorer_and_at_most_one_assister_who_is_another(seed: int, men: int) -> None:
    rng = np.random.default_rng(seed)
    goal = rng.dirichlet(np.ones(men))[:, None] * np.ones((1, 40))
    assist = (1 - goal) * rng.random()
    scored = rng.integers(0, 2, 40)
    goals, assists = credit_goals(goal, assist, scored, rng)
    assert goals.sum(axis=0).tolist() == scored.tolist()  # shares sum to 1: somebody scored it
    assert (assists.sum(axis=0) <= scored).all()
    assert not (goals & assists).any()


def test_what_the_shares_lack_belongs_to_nobody() -> None:
    goals, assists = credit_goals(held([0.2, 0.3], 20_000), held([0.4, 0.1], 20_000), np.full(20_000, 2), a_generator())
    assert goals.mean(axis=1) / 2 == pytest.approx([0.2, 0.3], abs=0.01)
    assert assists.mean(axis=1) / 2 == pytest.approx([0.4, 0.1], abs=0.01)


def test_no_goal_credits_nobody() -> None:
    goals, assists = credit_goals(held([0.9], 5), held([0.1], 5), np.zeros(5, dtype=int), a_generator())
    assert not goals.any()
    assert not assists.any()


def test_shares_that_never_exceed_all_goals_are_dealt_as_they_are_and_those_that_always_do_are_normalised() -> None:
    share = np.array([[0.3, 0.0], [0.7, 0.2]])
    assert dealt_shares(share) is share

    assert dealt_shares(held([0.9, 0.6], 3)) == pytest.approx(held([0.6, 0.4], 3))


@given(seed=st.integers(0, 2**32 - 1))
def test_a_player_keeps_his_mean_share_though_full_elevens_are_cut(seed: int) -> None:
    rng = np.random.default_rng(seed)
    share = rng.dirichlet(np.full(12, 4.0))[:, None] * (rng.random((12, 2_000)) < 0.85)
    share *= 0.95 / share.sum(axis=0).mean()
    dealt = dealt_shares(share)
    assert dealt.sum(axis=0).max() <= 1 + 1e-12
    assert dealt.mean(axis=1) == pytest.approx(share.mean(axis=1), rel=0.02)
