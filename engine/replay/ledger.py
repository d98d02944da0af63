"""What a manager carries from round to round: his men and what he paid, money, and transfers he saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from data.errors import InputError
from data.rules import GameRules
from engine.fitness.squad_view import SceneSettings
from engine.fitness.wishes import Wishes
from engine.rules.money import payable
from models.signals import Signals


class TransferMode(StrEnum):
    """Whether the game's limits on transfers are played or every squad is built anew."""

    REAL = "real"
    UNLIMITED = "unlimited"


@dataclass(frozen=True, slots=True)
class Ledger:
    """A manager between two rounds."""

    paid: Mapping[int, float]  # player id → millions he was bought for
    bank: float  # millions; counted where prices move
    saved: int = 0  # free transfers that were left

    def __post_init__(self) -> None:
        if self.saved < 0 or not payable(0.0, self.bank):
            raise InputError(
                f"{self.saved} saved transfers and {self.bank:.1f} millions make no sense; 0 is the least."
            )


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """What a manager may do before a round."""

    signals: Signals  # with his own selling prices
    settings: SceneSettings  # with the squad he has, its free transfers and his money
    kept: bool = True  # whether the squad is carried into the next round
    gone: int = 0  # men of his who are no longer in the game: so many changes are forced on him

    @property
    def free(self) -> int | None:
        """Transfers that cost nothing; None where a squad is built anew."""
        return self.settings.free_transfers if self.settings.current else None


@dataclass(frozen=True, slots=True)
class TransfersMade:
    """What a manager did before a round."""

    changes: int
    cost: int  # points of hits


def offer_for(ledger: Ledger | None, signals: Signals, mode: TransferMode = TransferMode.REAL) -> Offer:
    """Return what the rules let a manager do; without a ledger, or where all is free, he starts from nothing."""
    if ledger is None or mode is TransferMode.UNLIMITED:
        return Offer(signals, SceneSettings(), kept=mode is TransferMode.REAL)
    known = {int(player): row for row, player in enumerate(signals.player_id)}
    current = tuple(sorted(known[player] for player in ledger.paid if player in known))
    rules = signals.rules
    selling = {
        player: rules.transfers.selling_price(paid, float(signals.price[known[player]]))
        for player, paid in ledger.paid.items()
        if player in known
    }
    budget = None
    if not rules.transfers.prices_fixed:
        left_over = sum(price for player, price in ledger.paid.items() if player not in known)
        budget = round(ledger.bank + left_over + sum(selling.values()), 1)
    settings = SceneSettings(
        current=current, free_transfers=free_transfers(rules, signals.round, ledger), budget=budget
    )
    priced = signals if rules.transfers.prices_fixed else Wishes(selling=selling).priced(signals)
    return Offer(priced, settings, gone=len(ledger.paid) - len(current))


def free_transfers(rules: GameRules, round_number: int, ledger: Ledger) -> int | None:
    """Return the transfers that cost nothing before a round; None where there is no limit."""
    return rules.free_transfers_after(round_number - 1, ledger.saved, made=0)


def settle(ledger: Ledger | None, offer: Offer, market: Signals, squad: np.ndarray) -> tuple[Ledger, TransfersMade]:
    """Return the ledger after a manager took a squad (15,) of player rows, and what his moves cost.

    `market` are the signals with everybody's prices: newcomers are bought at those.
    """
    rules, number = market.rules, market.round
    before = dict(ledger.paid) if ledger is not None else {}
    ids = [int(player) for player in market.player_id[squad]]
    prices = {player: float(price) for player, price in zip(ids, market.price[squad], strict=True)}
    changes = sum(player not in before for player in ids) if before else 0
    free = free_transfers(rules, number, ledger) if ledger is not None else None
    cost = 0 if free is None else rules.transfers.hit_cost * max(changes - free, 0)
    money = offer.settings.budget if offer.settings.budget is not None else rules.stage(number).budget
    bank = money - float(offer.signals.price[squad].sum())
    paid = {player: before.get(player, prices[player]) for player in ids}
    saved = 0 if free is None else max(free - changes, 0)
    return Ledger(paid, max(round(bank, 1), 0.0), saved), TransfersMade(changes, cost)
