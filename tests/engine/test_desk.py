"""The front desk answers everybody's questions about squads, and a notebook shows its answers."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import engine
from data.errors import InfeasibleError, InputError
from engine.desk import Desk
from engine.fitness.wishes import Wishes
from tests.cases.small_world import small_cup
from tests.conftest import ROOT

FEW = 2


@pytest.fixture(scope="module")
def desk() -> Desk:
    return engine.open_desk(small_cup(), 2, seed=3)


def test_a_board_shows_itself_with_pitch_and_decomposition(desk: Desk) -> None:
    board = desk.pick("protect", generations=FEW)
    shown = board._repr_html_()
    assert all(man.short.split("'")[0] in shown for man in board.recommended.men)
    assert all(term in shown for term in board.recommended.decomposition.terms)
    assert f"{board.recommended.decomposition.fitness:.2f}" in shown
    assert "<table>" not in board.recommended._repr_html_()


def test_a_score_is_that_of_the_board(desk: Desk) -> None:
    best = desk.pick("gain", generations=FEW).recommended
    assert desk.score(best.rows, "gain").fitness == pytest.approx(best.decomposition.fitness, abs=1e-12)
    assert desk.score(best.rows, "protect").fitness != desk.score(best.rows, "gain").fitness


def test_a_comparison_shows_both_plans_under_both_objectives(desk: Desk) -> None:
    found = desk.compare("protect", "gain", generations=FEW)
    assert set(found.crossed) == {"protect", "gain"}
    assert "protect under gain" in found._repr_html_()
    with pytest.raises(InputError, match="protect and protect ask for the same"):
        desk.compare("protect", "protect")


@pytest.mark.soak
def test_chances_are_those_of_the_options_and_the_same_each_time(desk: Desk) -> None:
    board = desk.pick("neutral", generations=FEW)
    first, again = (desk.standing(board, lead=5, simulations=200) for _ in range(2))
    assert len(first) == len(board.options)
    assert first == again


def test_no_objective_is_an_error_that_asks(desk: Desk) -> None:
    with pytest.raises(InputError, match="The objective θ is missing"):
        desk.pick(None)


def test_wishes_that_cannot_hold_together_are_refused_at_the_desk(desk: Desk) -> None:
    keepers = tuple(desk.beliefs.player_id[desk.beliefs.position == 0][:3].tolist())
    with pytest.raises(InfeasibleError, match="No legal squad"):
        desk.with_wishes(Wishes(locks=keepers))


def test_selling_prices_make_the_budget_exact(desk: Desk) -> None:
    mine = tuple(desk.beliefs.player_id[list(desk.pick("neutral", generations=FEW).recommended.rows)].tolist())
    priced = desk.with_wishes(Wishes(squad=mine, selling=dict.fromkeys(mine, 4.5)))
    own = np.isin(priced.signals.player_id, mine)
    assert (priced.signals.price[own] == 4.5).all()
    assert (priced.signals.price[~own] == desk.beliefs.price[~own]).all()


def test_importing_the_library_loads_nothing_else() -> None:
    code = "import sys, engine; print('numpy' in sys.modules, engine.open_desk.__module__)"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert told.split() == ["False", "engine.desk"]
    with pytest.raises(AttributeError, match="it offers Desk"):
        engine.nothing_of_the_kind  # noqa: B018
