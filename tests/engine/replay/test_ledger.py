"""Money and transfers between rounds, by the rules of both games."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from data.rules import load_rules
from engine.fitness.squad_view import SceneSettings
from engine.replay.ledger import Ledger, Offer, TransferMode, free_transfers, offer_for, settle
from models.signals import Signals
from tests.cases.judged_worlds import cup_signals, league_signals


def a_squad(signals: Signals, skip: int = 0) -> np.ndarray:
    """The first men of each position, after some that are passed over."""
    rows = [np.flatnonzero(signals.position == place) for place in range(4)]
    return np.concatenate([men[skip : skip + count] for men, count in zip(rows, (2, 5, 5, 3), strict=True)])


def a_ledger(signals: Signals, saved: int = 0, paid: float | None = None) -> Ledger:
    squad = a_squad(signals)
    prices = signals.price[squad] if paid is None else np.full(len(squad), paid)
    ids = signals.player_id[squad].tolist()
    return Ledger({player: float(price) for player, price in zip(ids, prices, strict=True)}, 1.0, saved)


@pytest.mark.parametrize(
    ("game", "number", "saved", "free"),
    [
        ("wc2026", 2, 1, 2),  # nothing is carried into the second matchday
        ("wc2026", 3, 1, 3),
        ("wc2026", 3, 2, 3),  # one at most
        ("wc2026", 4, 2, None),
        ("wc2026", 5, 4, 4),
        ("fpl2024", 2, 0, 1),
        ("fpl2024", 9, 3, 4),
        ("fpl2024", 9, 7, 5),  # a bank of five
    ],
)
def test_saved_transfers_are_carried_as_far_as_the_stage_lets_them(
    game: str, number: int, saved: int, free: int | None
) -> None:
    assert free_transfers(load_rules(game), number, Ledger({1: 5.0}, 0.0, saved)) == free


def test_changes_beyond_the_free_ones_are_hits() -> None:
    signals = cup_signals(2)
    ledger = a_ledger(signals)
    offer = offer_for(ledger, signals)
    squad = a_squad(signals)
    squad[[0, 2, 7]] = a_squad(signals, skip=6)[[0, 2, 7]]
    after, moves = settle(ledger, offer, signals, squad)
    assert (offer.free, moves.changes, moves.cost, after.saved) == (2, 3, 3, 0)
    same, none = settle(ledger, offer, signals, a_squad(signals))
    assert (none.changes, none.cost, same.saved) == (0, 0, 2)


def test_a_first_squad_costs_no_transfer_and_leaves_none_to_save() -> None:
    signals = cup_signals(1)
    offer = offer_for(None, signals)
    ledger, moves = settle(None, offer, signals, a_squad(signals))
    assert (moves.changes, moves.cost, ledger.saved, offer.free) == (0, 0, 0, None)


def test_where_all_is_free_one_starts_from_nothing_and_keeps_nothing() -> None:
    offer = offer_for(a_ledger(cup_signals(2)), cup_signals(2), TransferMode.UNLIMITED)
    assert not offer.settings.current
    assert not offer.kept


@given(paid=st.integers(40, 120), now=st.integers(40, 120))
def test_of_a_rise_half_is_kept_in_whole_tenths_and_a_fall_is_lost(paid: int, now: int) -> None:
    signals = league_signals(2)
    market = replace(signals, price=np.full(len(signals), now / 10))
    offer = offer_for(a_ledger(signals, paid=paid / 10), market)
    mine = offer.signals.price[list(offer.settings.current)]
    brings = (paid + (now - paid) // 2 if now > paid else now) / 10
    np.testing.assert_allclose(mine, brings)
    assert offer.settings.budget == pytest.approx(1.0 + 15 * brings)


def test_fixed_prices_leave_the_budget_to_the_stage() -> None:
    offer = offer_for(a_ledger(cup_signals(2)), cup_signals(2))
    assert offer.settings.budget is None
    assert offer.signals is cup_signals(2)


def test_a_man_who_left_the_game_is_a_change_forced_on_his_manager() -> None:
    signals = league_signals(2)
    ledger = a_ledger(signals)
    gone = Ledger({**dict(list(ledger.paid.items())[1:]), 9999: 4.5}, ledger.bank)
    offer = offer_for(gone, signals)
    assert (offer.gone, len(offer.settings.current)) == (1, 14)


def test_the_bank_is_what_the_squad_leaves() -> None:
    signals = league_signals(1)
    squad = a_squad(signals)
    ledger, _ = settle(None, Offer(signals, SceneSettings()), signals, squad)
    assert ledger.bank == pytest.approx(max(100.0 - signals.price[squad].sum(), 0.0), abs=0.05)


def test_a_ledger_without_sense_is_refused() -> None:
    with pytest.raises(InputError, match="0 is the least"):
        Ledger({}, 0.0, -1)
