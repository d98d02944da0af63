"""State: what a manager brings into a round: his men, what they sell for, bank, free transfers, boosters left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING

from data.domain import POSITIONS
from data.errors import InputError, UnknownError, did_you_mean
from data.rules import UNLIMITED, GameRules
from engine.rules.money import payable
from models.signals import Signals

if TYPE_CHECKING:  # only who asks the game for his squad waits for its payloads
    from data.sources.fpl.managers.account import Account

MOST_MONEY = 1_000.0
"""Millions: ten times what squads are worth."""

MOST_FREE = 100
"""Above any number of free transfers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What a manager has before a round. What needs no rulebook is checked here, the rest by `check_state`."""

    squad: tuple[int, ...] = ()  # player ids; empty = nobody yet, a first squad is built
    paid: Mapping[int, float] = field(default_factory=dict)  # millions, by id; shown, never reckoned with
    selling: Mapping[int, float] = field(default_factory=dict)  # millions each man of the squad brings, by id
    bank: float = 0.0  # millions; of a first squad the whole budget
    free: int | None = None  # free transfers before the coming round; None = no limit
    boosters: tuple[str, ...] = ()  # keys of the rulebook's boosters that are left; one with two uses stands twice
    left: Mapping[int, str] = field(default_factory=dict)  # position of men of his who cannot be picked any more

    def __post_init__(self) -> None:
        twice = [player for player, times in Counter(self.squad).items() if times > 1]
        if twice:
            raise InputError(f"Player {twice[0]} stands in the squad twice. Name each man once.")
        if not isfinite(self.bank) or not payable(0.0, self.bank) or self.bank > MOST_MONEY:
            raise InputError(f"A bank of {self.bank} millions makes no sense; 0 is the least, {MOST_MONEY:g} the most.")
        if self.free is not None and not 0 <= self.free <= MOST_FREE:
            raise InputError(f"{self.free} free transfers make no sense; 0 is the least, {MOST_FREE} the most.")
        if set(self.selling) != set(self.squad):
            odd = sorted(set(self.selling) ^ set(self.squad))
            raise InputError(f"Selling prices and squad do not fit: player {odd[0]}. Give one price for each man.")
        wrong = [price for price in self.selling.values() if not (isfinite(price) and 0 <= price <= MOST_MONEY)]
        if wrong:
            raise InputError(f"A selling price of {wrong[0]} millions makes no sense; 0 is the least.")
        if not set(self.left) <= set(self.squad) or not set(self.left.values()) <= set(POSITIONS):
            raise InputError("Who has left must be a man of the squad with one of the positions GK, DEF, MID, FWD.")

    @property
    def wealth(self) -> float:
        """Millions he could spend if he sold everybody."""
        return round(self.bank + sum(self.selling.values()), 1)

    @classmethod
    def first(cls, rules: GameRules, round_number: int, boosters: tuple[str, ...] | None = None) -> State:
        """Return the state of somebody without a squad: the budget of the round's stage and every booster."""
        left = boosters_from(rules, round_number) if boosters is None else boosters
        return cls(bank=rules.stage(round_number).budget, boosters=left)

    @classmethod
    def of_account(cls, account: Account, left: Mapping[int, str] | None = None) -> State:
        """Return the state that a manager's own account tells to the penny."""
        return cls(
            squad=account.players,
            paid=account.paid,
            selling=account.selling,
            bank=account.bank,
            free=account.free_transfers,
            boosters=account.chips,
            left=left or {},
        )

    @classmethod
    def of_squad(
        cls,
        squad: tuple[int, ...],
        signals: Signals,
        *,
        selling: Mapping[int, float] | None = None,
        budget: float | None = None,
        free: int | None = None,
        boosters: tuple[str, ...] | None = None,
    ) -> State:
        """Return the state of a squad of which little more is known; what is not stated is as the stage has it.

        `budget` is bank and all selling prices; without it the stage's, or what the squad costs where that is more.
        """
        rules, stage = signals.rules, signals.rules.stage(signals.round)
        prices = {player: float(signals.price[signals.row_of(player)]) for player in squad}
        prices |= {player: price for player, price in (selling or {}).items() if player in prices}
        worth = sum(prices.values())
        money = max(stage.budget, worth) if budget is None else budget
        granted = None if stage.free_transfers == UNLIMITED else stage.free_transfers
        return cls(
            squad=squad,
            paid=dict(prices),
            selling=prices,
            bank=round(money - worth, 1),
            free=granted if free is None or granted is None else free,
            boosters=boosters_from(rules, signals.round) if boosters is None else boosters,
        )


def boosters_from(rules: GameRules, round_number: int) -> tuple[str, ...]:
    """Return the boosters that can be played in a round or later, each as often as it may be."""
    return tuple(key for key, one in rules.boosters.items() if one.rounds[1] >= round_number for _ in range(one.uses))


def check_state(state: State, signals: Signals) -> None:
    """Refuse a state that the round's rulebook or player list does not know: size, shape, players, boosters."""
    _check_boosters(state, signals.rules)
    if not state.squad:
        return
    size = signals.rules.squad.size
    if len(state.squad) != size:
        raise InputError(f"A squad has {size} players, yours has {len(state.squad)}. Name all of them, or nobody.")
    positions = dict(zip(signals.player_id.tolist(), signals.position.tolist(), strict=True))
    unknown = [player for player in state.squad if player not in positions and player not in state.left]
    if unknown:
        raise UnknownError(
            f"Player {unknown[0]} is not in the list of round {signals.round} of {signals.world}. "
            "Correct the number, or name his position if he has left."
        )
    places = Counter(POSITIONS[positions[man]] if man in positions else state.left[man] for man in state.squad)
    wrong = [f"{places[p]} {p} instead of {n}" for p, n in signals.rules.squad.shape.items() if places[p] != n]
    if wrong:
        raise InputError(f"The squad has {', '.join(wrong)}. Correct it, or start from nobody.")


def _check_boosters(state: State, rules: GameRules) -> None:
    for key, times in Counter(state.boosters).items():
        if key not in rules.boosters:
            raise UnknownError(f"{rules.title} has no booster {key!r}. {did_you_mean(key, rules.boosters)}")
        if times > rules.boosters[key].uses:
            title, uses = rules.boosters[key].title, rules.boosters[key].uses
            raise InputError(f"{title} can be played {uses}×, not {times}×. Name it as often as it is left.")
