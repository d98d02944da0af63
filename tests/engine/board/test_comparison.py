"""Two plans side by side: every swap says what it changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.board.comparison import compare
from engine.fitness.judge import named_objective
from tests.cases.judged_worlds import small_board, small_judge


def test_a_swap_tells_points_ownership_swing_and_price() -> None:
    judge = small_judge()
    one, other = (small_board(theta).recommended for theta in ("protect", "gain"))
    result = compare(judge, (one, named_objective("protect", judge.view)), (other, named_objective("gain", judge.view)))
    assert len(result.shared) + len(result.swaps) == len(one.men)
    for swap in result.swaps:
        assert swap.first.position == swap.second.position == swap.position
        assert swap.first.xev + swap.points == pytest.approx(swap.second.xev)
        assert swap.first.price + swap.price == pytest.approx(swap.second.price)
        assert swap.first.owned + swap.owned == pytest.approx(swap.second.owned)
        wide = (swap.second.ceiling - swap.second.floor, swap.first.ceiling - swap.first.floor)
        assert swap.swing == pytest.approx(wide[0] - wide[1])


def test_two_plans_of_one_name_stay_two() -> None:
    judge = small_judge()
    one, other = (small_board(theta).recommended for theta in ("protect", "gain"))
    objective = named_objective("gain", judge.view)
    same = replace(other, decomposition=replace(other.decomposition, spec=one.decomposition.spec))
    result = compare(judge, (one, objective), (same, objective))
    assert list(result.crossed) == ["protect", "protect (2)"]
    assert all(list(by_aim) == ["gain", "gain (2)"] for by_aim in result.crossed.values())
