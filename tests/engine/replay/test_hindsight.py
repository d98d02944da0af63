"""The optimum after the fact: never below anybody, never helped by limits."""

from __future__ import annotations

import pytest

from data.rules import GameRules, load_rules
from engine.replay.hindsight import hindsight
from engine.replay.ledger import TransferMode
from tests.cases.replay_cases import invented_cup, league_replay, league_rounds


def with_hits(cost: int) -> GameRules:
    rules = load_rules("wc2026")
    return rules.model_copy(update={"transfers": rules.transfers.model_copy(update={"hit_cost": cost})})


def test_transfers_that_cost_nothing_are_as_good_as_unlimited_ones() -> None:
    rounds = invented_cup(with_hits(0))
    free, real = hindsight(rounds, TransferMode.UNLIMITED), hindsight(rounds, TransferMode.REAL)
    assert sum(real.points) == sum(free.points)
    assert free.proved
    assert real.proved


def test_dearer_hits_never_raise_the_optimum() -> None:
    totals = [sum(hindsight(invented_cup(with_hits(cost)), TransferMode.REAL).points) for cost in (0, 3, 50)]
    assert totals == sorted(totals, reverse=True)
    assert totals[0] > totals[-1]


def test_rounds_before_and_after_a_free_rebuild_are_solved_apart() -> None:
    rules = load_rules("wc2026")
    both = hindsight(invented_cup(rules, (1, 2)), TransferMode.REAL)
    first = hindsight(invented_cup(rules, (1,)), TransferMode.REAL)
    assert both.points[0] <= first.points[0]
    assert len(both.points) == 2


def test_where_prices_move_the_optimum_is_that_of_new_squads() -> None:
    best = hindsight(league_rounds(), TransferMode.REAL)
    assert best.limits is TransferMode.UNLIMITED


@pytest.mark.parametrize("name", ["max-EV", "random", "price", "crowd", "template"])
@pytest.mark.soak
def test_nobody_beats_hindsight(name: str) -> None:
    replay = league_replay()
    assert (replay.track(name).official <= replay.best.points).all()
