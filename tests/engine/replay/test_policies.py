"""Policies pick legal squads from what is known, within their transfers, each by its own lights."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from data.errors import InputError
from engine.lineup.lineups import best_lineups
from engine.rank.field_draw import Tastes
from engine.replay.ledger import TransferMode, offer_for, settle
from engine.replay.policies import SIMPLE, PickedSquad, View, jittered_signals, lined_up, policy_of
from engine.replay.rounds import Matchday
from engine.rules.legality import legal
from engine.rules.pool import pool_of
from tests.cases.judged_worlds import cup_signals
from tests.cases.replay_cases import league_rounds

PLAIN = View(Tastes(0), 0, strength=0.0)


def matchday(number: int) -> Matchday:
    signals = cup_signals(number)
    return Matchday(signals, {"price": 0.5 * signals.price, "crowd": 4.0 * signals.owned})


@cache
def picked(name: str, mode: TransferMode = TransferMode.REAL) -> PickedSquad:
    now = matchday(1)
    return policy_of(name)(now, offer_for(None, now.signals, mode), PLAIN, np.random.default_rng(1))


def expected(choice: PickedSquad) -> float:
    """Expected points of a squad's best line-up."""
    lined = best_lineups(cup_signals(1), choice.squad[None, :])
    return float(lined.raw_xev[0] + lined.captaincy_uplift[0])


@pytest.mark.parametrize("name", [*SIMPLE, "max-EV", "protect"])
@pytest.mark.daily("protect", "crowd")
def test_every_policy_lines_up_a_legal_squad(name: str) -> None:
    choice, signals = picked(name), cup_signals(1)
    assert legal(choice.squad[None, :], pool_of(signals))[0]
    assert sorted([*choice.starters, *choice.bench]) == sorted(choice.squad)
    counts = tuple(int((signals.position[choice.starters] == place).sum()) for place in range(4))
    assert counts in signals.rules.squad.lineups
    assert {choice.captain, choice.vice, *choice.held} <= set(choice.starters.tolist())


@pytest.mark.parametrize("name", ["price", "crowd", "template", "random"])
def test_simple_managers_never_take_a_hit(name: str) -> None:
    first, second = matchday(1), matchday(2)
    view, rng = View(Tastes(0), 0, strength=3.0), np.random.default_rng(2)
    before = policy_of(name)(first, offer_for(None, first.signals), view, rng)
    ledger, _ = settle(None, offer_for(None, first.signals), first.signals, before.squad)
    offer = offer_for(ledger, second.signals)
    after = policy_of(name)(second, offer, View(Tastes(1), 0, strength=3.0), rng)
    assert settle(ledger, offer, second.signals, after.squad)[1].cost == 0


def test_whoever_pays_for_price_gets_the_dearest_eleven() -> None:
    signals = cup_signals(1)
    dear, crowd = picked("price"), picked("template")
    assert signals.price[dear.starters].sum() >= signals.price[crowd.starters].sum() - 1e-9
    assert signals.owned[crowd.starters].sum() >= signals.owned[dear.starters].sum() - 1e-9


def test_the_search_expects_more_than_any_simple_manager() -> None:
    ours, signals = expected(picked("max-EV")), cup_signals(1)
    for name in SIMPLE:
        other = picked(name)
        assert ours >= signals.xev[other.starters].sum() + signals.xev[other.captain]


def test_a_view_lasts_over_rounds_and_moves_the_beliefs_with_it() -> None:
    view = View(Tastes(5), 3, strength=0.35)
    points, ids = np.array([4.0, 4.0, 0.0]), np.array([101, 102, 103])
    seen = view.jittered(points, ids)
    np.testing.assert_array_equal(seen, view.jittered(points, ids))
    np.testing.assert_array_equal(seen[::-1], view.jittered(points[::-1], ids[::-1]))
    assert seen[2] == 0.0
    assert seen[0] != seen[1]
    signals = cup_signals(1)
    moved = jittered_signals(signals, view)
    np.testing.assert_allclose(moved.points.mean, moved.xev)
    assert 0 < np.abs(moved.xev - signals.xev).max() < 2.0
    assert jittered_signals(signals, PLAIN) is signals


def test_a_squad_is_lined_up_by_what_its_manager_believes() -> None:
    signals = cup_signals(1)
    squad = picked("price").squad
    value = np.zeros(len(signals))
    value[squad] = np.arange(len(squad))[::-1]
    choice = lined_up(squad, value, -value, signals)
    keeper = squad[signals.position[squad] == 0]
    assert choice.starters[0] == keeper[np.argmax(value[keeper])]
    assert value[choice.captain] == value[choice.starters].min()
    outfield = choice.bench[:-1]
    assert (np.diff(value[outfield]) <= 0).all()


def test_a_locked_armband_has_no_ladder() -> None:
    now = league_rounds()[0].matchday
    choice = policy_of("max-EV")(now, offer_for(None, now.signals), PLAIN, np.random.default_rng(0))
    assert choice.ladder is None
    assert picked("max-EV").ladder is not None


def test_later_rounds_count_only_for_a_squad_that_is_kept() -> None:
    kept, free = (expected(picked("neutral", mode=mode)) for mode in (TransferMode.REAL, TransferMode.UNLIMITED))
    assert free >= kept - 0.2


def test_an_unknown_policy_names_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"There is no policy 'crowds'\. Did you mean crowd"):
        policy_of("crowds")
