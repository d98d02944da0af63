"""Wishes of a plan over rounds: must have by, never sell, no hits, boosters, bank, captain; read into a plan's locks.

Every wish is a value that can be left aside, so that of a set that no plan can meet the smallest conflict is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import isfinite

import numpy as np

from data.errors import InfeasibleError, InputError, UnknownError, did_you_mean
from data.rules import GameRules
from engine.plan.linear.problem import NOBODY, ChipOffer, Locks, PlanProblem
from engine.plan.moves.state import MOST_MONEY, State
from models.signals import Signals

MOST_TRANSFERS = 100
"""Above any number of transfers."""


class WishKind(StrEnum):
    """What a wish is about."""

    HAVE = "have"  # a player in the squad of some rounds
    NEVER = "never"  # a player in no squad
    KEEP = "keep"  # a man who is never sold
    HITS = "hits"  # at most so many transfers beyond the free ones, each round
    TRANSFERS = "transfers"  # at most so many transfers, each of some rounds
    IN_ALL = "in_all"  # at most so many transfers in all
    CHIP = "chip"  # a booster in a round
    NO_CHIP = "no_chip"  # a booster, or every one, in none of some rounds
    BANK = "bank"  # at least so many millions unspent, each round
    CAPTAIN = "captain"  # a player as captain of a round


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One thing that is asked of a plan."""

    kind: WishKind
    player: int | None = None  # id
    chip: str | None = None  # key of a booster; None = all of them
    first: int | None = None  # round it holds from; None = the coming one
    last: int | None = None  # round it holds to; None = the end of the horizon
    amount: float = 0.0  # transfers, or millions

    def columns(self, rounds: Sequence[int]) -> np.ndarray:
        """Return the columns of the rounds it holds in, as far as they are planned."""
        first = rounds[0] if self.first is None else self.first
        last = rounds[-1] if self.last is None else self.last
        return np.flatnonzero([first <= number <= last for number in rounds])


@dataclass(frozen=True, slots=True)
class Have:
    """A player who has to be in the squad by a round, and from then on."""

    player: int  # id
    by: int | None = None  # round; None = the coming one
    until: int | None = None  # round after which he may go; None = never within the horizon


@dataclass(frozen=True, slots=True)
class ChipAt:
    """A booster and a round."""

    key: str
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanWishes:
    """What a manager asks of his plan, by player ids, rounds and keys of boosters."""

    have: tuple[Have, ...] = ()
    never: tuple[int, ...] = ()  # ids of players whom no round may have
    keep: tuple[int, ...] = ()  # ids of men who are never sold
    no_hits: bool = False
    each_round: int | None = None  # transfers at most in every round
    most_transfers: Mapping[int, int] = field(default_factory=dict)  # round → transfers at most in it
    in_all: int | None = None  # transfers at most over the horizon
    chips: tuple[ChipAt, ...] = ()  # boosters that are played, and when
    chips_out: tuple[ChipAt, ...] = ()  # boosters that are not played in a round
    chips_kept: tuple[str, ...] = ()  # boosters that are not played within the horizon
    plain: tuple[int, ...] = ()  # rounds without a booster
    no_chips: bool = False  # none of them
    bank: float = 0.0  # millions that stay unspent
    captain: Mapping[int, int] = field(default_factory=dict)  # round → id

    def __post_init__(self) -> None:
        counts = (self.each_round, self.in_all, *self.most_transfers.values())
        wrong = [count for count in counts if count is not None and not 0 <= count <= MOST_TRANSFERS]
        if wrong:
            raise InputError(f"At most {wrong[0]} transfers makes no sense; give a number from 0 to {MOST_TRANSFERS}.")
        if not isfinite(self.bank) or not 0 <= self.bank <= MOST_MONEY:
            raise InputError(f"Keeping {self.bank} millions in the bank makes no sense; 0 is the least.")
        for one in self.have:
            if one.by is not None and one.until is not None and one.until < one.by:
                raise InputError(f"A player by round {one.by} but only until {one.until} is no wish. Turn them round.")

    def parts(self) -> tuple[Wish, ...]:
        """Return every wish apart from the others."""
        return tuple(dict.fromkeys((*self._men(), *self._moves(), *self._boosters())))

    def _men(self) -> Iterator[Wish]:
        for one in self.have:
            yield Wish(kind=WishKind.HAVE, player=one.player, first=one.by, last=one.until)
        for player in self.never:
            yield Wish(kind=WishKind.NEVER, player=player)
        for player in self.keep:
            yield Wish(kind=WishKind.KEEP, player=player)
        for number, player in self.captain.items():
            yield Wish(kind=WishKind.CAPTAIN, player=player, first=number, last=number)

    def _moves(self) -> Iterator[Wish]:
        if self.no_hits:
            yield Wish(kind=WishKind.HITS)
        if self.each_round is not None:
            yield Wish(kind=WishKind.TRANSFERS, amount=self.each_round)
        for number, most in self.most_transfers.items():
            yield Wish(kind=WishKind.TRANSFERS, first=number, last=number, amount=most)
        if self.in_all is not None:
            yield Wish(kind=WishKind.IN_ALL, amount=self.in_all)
        if self.bank:
            yield Wish(kind=WishKind.BANK, amount=self.bank)

    def _boosters(self) -> Iterator[Wish]:
        for one in self.chips:
            yield Wish(kind=WishKind.CHIP, chip=one.key, first=one.round, last=one.round)
        for one in self.chips_out:
            yield Wish(kind=WishKind.NO_CHIP, chip=one.key, first=one.round, last=one.round)
        for key in self.chips_kept:
            yield Wish(kind=WishKind.NO_CHIP, chip=key)
        for number in self.plain:
            yield Wish(kind=WishKind.NO_CHIP, first=number, last=number)
        if self.no_chips:
            yield Wish(kind=WishKind.NO_CHIP)


NO_PLAN_WISHES = PlanWishes()


def rows_by_id(signals: Signals, state: State) -> dict[int, int]:
    """Return the player rows of a plan by id: those of the signals, then men of the state who have left the list."""
    rows = {int(player): row for row, player in enumerate(signals.player_id)}
    gone = [player for player in state.squad if player not in rows]
    return rows | {player: len(signals) + place for place, player in enumerate(gone)}


def check_wishes(parts: Iterable[Wish], rows: Mapping[int, int], rules: GameRules) -> None:
    """Refuse wishes about players, boosters and rounds that do not exist."""
    for wish in parts:
        if wish.player is not None and wish.player not in rows:
            raise UnknownError(f"Player {wish.player} is not in the list of this round. Correct the number.")
        if wish.chip is not None and wish.chip not in rules.boosters:
            raise UnknownError(f"{rules.title} has no booster {wish.chip!r}. {did_you_mean(wish.chip, rules.boosters)}")
        for number in (wish.first, wish.last):
            if number is not None and not 1 <= number <= rules.rounds:
                raise UnknownError(f"{rules.title} has rounds 1 to {rules.rounds}, not {number}.")


def with_wishes(problem: PlanProblem, parts: Iterable[Wish], rows: Mapping[int, int]) -> PlanProblem:
    """Return the problem with what is asked, as far as it concerns the rounds that are planned.

    A booster that is asked for in a round beyond the horizon is kept for it. Wishes that contradict one another at once
    are an `InfeasibleError`; `conflicts` says which.
    """
    reader = _Reader(problem)
    for wish in parts:
        reader.read(wish, rows)
    return replace(problem, chips=reader.offers(), locks=reader.locks)


class _Reader:
    """Collects wishes into copies of a problem's locks and booster offers."""

    def __init__(self, problem: PlanProblem) -> None:
        locks = problem.locks
        arrays = ("must", "never", "never_sell", "most_hits", "most_transfers", "least_bank", "captain")
        self.locks: Locks = replace(locks, **{name: getattr(locks, name).copy() for name in arrays})
        self.rounds, self.chips = problem.rounds, problem.chips
        self.allowed = {offer.key: offer.allowed.copy() for offer in problem.chips}

    def read(self, wish: Wish, rows: Mapping[int, int]) -> None:
        """Take a wish in."""
        columns, locks = wish.columns(self.rounds), self.locks
        row = NOBODY if wish.player is None else rows[wish.player]
        match wish.kind:
            case WishKind.HAVE:
                locks.must[row, columns] = True
            case WishKind.NEVER:
                locks.never[row, columns] = True
            case WishKind.KEEP:
                locks.never_sell[row] = True
            case WishKind.HITS:
                locks.most_hits[columns] = np.minimum(locks.most_hits[columns], int(wish.amount))
            case WishKind.TRANSFERS:
                locks.most_transfers[columns] = np.minimum(locks.most_transfers[columns], int(wish.amount))
            case WishKind.IN_ALL:
                before = int(wish.amount) if locks.most_in_all is None else locks.most_in_all
                self.locks = replace(locks, most_in_all=min(before, int(wish.amount)))
            case WishKind.BANK:
                locks.least_bank[columns] = np.maximum(locks.least_bank[columns], wish.amount)
            case WishKind.CAPTAIN:
                _refuse_two(locks.captain[columns], (NOBODY, row), "captains")
                locks.captain[columns] = row
                locks.must[row, columns] = True
            case WishKind.CHIP | WishKind.NO_CHIP:
                self._read_chip(wish, columns)

    def _read_chip(self, wish: Wish, columns: np.ndarray) -> None:
        if wish.kind is WishKind.NO_CHIP:
            for key, allowed in self.allowed.items():
                if wish.chip in (None, key):
                    allowed[columns] = False
        elif not columns.size:
            self._keep(wish.chip)
        elif wish.chip not in self.allowed:
            raise InfeasibleError(f"{wish.chip} is not at hand in these rounds.")
        elif columns.size:
            asked = list(self.locks.chip_in)
            _refuse_two([asked[int(columns[0])]], (None, wish.chip), "boosters")
            asked[int(columns[0])] = wish.chip
            self.locks = replace(self.locks, chip_in=tuple(asked))

    def _keep(self, key: str | None) -> None:
        """Keep a booster for its round beyond the horizon."""
        if key in self.allowed:
            self.allowed[key][:] = False

    def offers(self) -> tuple[ChipOffer, ...]:
        """Return the boosters with the rounds that are left to them."""
        return tuple(replace(offer, allowed=self.allowed[offer.key]) for offer in self.chips)


def _refuse_two(given: Iterable[object], fits: tuple[object, object], what: str) -> None:
    """Refuse a second, other answer to what a round can have one of."""
    if any(one not in fits for one in given):
        raise InfeasibleError(f"Two {what} are asked for in one round.")
