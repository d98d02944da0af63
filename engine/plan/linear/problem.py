"""The linear problem of a plan: what each role of each man is worth in every round, boosters, and what is asked.

Arrays only: what an objective is made of is not known here. Row i is player i of the frame, column j round j.
The value of a plan is

    Σ rounds [ Σ starters start + Σ bench weight of his place · bench + captain of one starter + Σ squad hold
               + what the round's booster adds − its keeping value − hit_cost · hits ]
    + Σ last kept squad final + spare[free transfers after the horizon]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from data.errors import InfeasibleError, InputError
from data.rules import BoosterEffect, GameRules
from engine.plan.linear.frame import Frame
from engine.plan.linear.solved_before import SolvedBefore
from engine.plan.moves.state import State

NOBODY = -1
FREE_CHIPS = (BoosterEffect.WILDCARD, BoosterEffect.FREE_HIT)
"""Boosters whose transfers are free."""

MOST_HITS = 3
"""Transfers beyond the free ones that a round's search looks at, unless stated."""


@dataclass(frozen=True, slots=True, eq=False)
class RoleValues:
    """What each man is worth in each role of each round, in points."""

    start: np.ndarray  # (n, r) in the eleven
    captain: np.ndarray  # (n, r) more, with the armband
    bench: np.ndarray  # (n, r) on the bench, were he sure to come in: times the weight of his place
    hold: np.ndarray  # (n, r) for being in the kept squad at all, whatever his role
    final: np.ndarray  # (n,) for being kept after the last round: carry beyond the horizon
    spare: tuple[float, ...]  # for k free transfers after the horizon, k = 0, 1, …; beyond its end the last counts
    bench_weights: tuple[float, ...] = (0.15, 0.06, 0.02)  # P(needed) of the outfield bench in order, falling
    keeper_weight: float = 0.03  # P(needed) of the goalkeepers on the bench, together

    @classmethod
    def of_points(cls, points: np.ndarray, spare: float = 0.0, most: int = 5) -> RoleValues:
        """Return the values of who wants nothing but points (n, r), and `spare` for each transfer left at the end."""
        none = np.zeros_like(points)
        table = tuple(spare * count for count in range(most + 1))
        return cls(start=points, captain=points, bench=points, hold=none, final=none[:, 0], spare=table)

    def spare_value(self, count: int) -> float:
        """Return what so many free transfers after the horizon are worth."""
        return float(self.spare[min(count, len(self.spare) - 1)]) if self.spare else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class ChipOffer:
    """A booster at hand: in which rounds, what it adds there, and what it gives up.

    Wildcard and free hit change the transfers, a bench boost counts everybody in full, a triple captain adds `captain`
    once more unless columns of its own are given. All others add the columns that they come with.
    """

    key: str  # in the rulebook's boosters
    effect: BoosterEffect
    allowed: np.ndarray  # (r,) bool: by its window, and by wishes
    keeping: np.ndarray  # (r,) points given up by playing it in a round: what it would be worth later
    start: np.ndarray | None = None  # (n, r) added to a starter
    captain: np.ndarray | None = None  # (n, r) added to the captain
    outside: np.ndarray | None = None  # (n, r) added once, of the best man outside the squad (12th man)
    uses: int = 1  # rounds it can be played in at most

    @property
    def free_transfers(self) -> bool:
        """Whether it makes the round's transfers free."""
        return self.effect in FREE_CHIPS


@dataclass(frozen=True, slots=True, eq=False)
class Locks:
    """What a manager asks of his plan, as arrays; `Locks.none` asks nothing."""

    must: np.ndarray  # (n, r) bool: in the squad that plays the round
    never: np.ndarray  # (n, r) bool: not in it
    never_sell: np.ndarray  # (n,) bool: a man of the start squad who stays
    most_hits: np.ndarray  # (r,) transfers beyond the free ones at most; 0 = no hits
    most_transfers: np.ndarray  # (r,) transfers at most, wildcards and first squads excepted
    least_bank: np.ndarray  # (r,) millions that stay unspent after the round's moves
    captain: np.ndarray  # (r,) player row who wears the armband, NOBODY = whoever is best
    chip_in: tuple[str | None, ...]  # booster that has to be played in the round; None = free to choose
    most_in_all: int | None = None  # transfers over all rounds at most, wildcards and first squads excepted

    @classmethod
    def none(cls, players: int, rounds: int, size: int = 15) -> Locks:
        """Return no wish at all."""
        return cls(
            must=np.zeros((players, rounds), dtype=bool),
            never=np.zeros((players, rounds), dtype=bool),
            never_sell=np.zeros(players, dtype=bool),
            most_hits=np.full(rounds, MOST_HITS),
            most_transfers=np.full(rounds, size),
            least_bank=np.zeros(rounds),
            captain=np.full(rounds, NOBODY),
            chip_in=(None,) * rounds,
        )


@dataclass(frozen=True, slots=True, eq=False)
class PlanProblem:
    """A plan to be found: the rules it keeps to, what roles are worth, boosters at hand, and what is asked."""

    frame: Frame
    values: RoleValues
    chips: tuple[ChipOffer, ...] = ()
    locks: Locks = field(kw_only=True)
    solved: SolvedBefore = field(default_factory=SolvedBefore, kw_only=True, repr=False)  # of all who share the frame

    def __post_init__(self) -> None:
        self._check_values()
        self._check_chips()
        self._check_locks()

    @property
    def players(self) -> int:
        """Rows of every array."""
        return len(self.frame)

    @property
    def rounds(self) -> tuple[int, ...]:
        """The rounds that are planned."""
        return self.frame.rounds

    @property
    def purse(self) -> np.ndarray:
        """(r,) millions that the squad of a round may cost, what has to stay in the bank taken off."""
        return np.asarray(self.frame.wealth - self.locks.least_bank)

    def chip(self, key: str) -> ChipOffer:
        """Return the offer of a booster."""
        for offer in self.chips:
            if offer.key == key:
                return offer
        at_hand = ", ".join(offer.key for offer in self.chips) or "none"
        raise InputError(f"Booster {key!r} is not at hand. At hand: {at_hand}.")

    def asking(self, **changes: object) -> PlanProblem:
        """Return the problem with some of its locks replaced."""
        return replace(self, locks=replace(self.locks, **changes))  # type: ignore[arg-type]

    def holding(self, chips: Sequence[str | None]) -> PlanProblem:
        """Return the problem with boosters in these rounds and in no other."""
        offers = (
            replace(one, allowed=one.allowed & np.array([chip == one.key for chip in chips])) for one in self.chips
        )
        return replace(self, chips=tuple(offers)).asking(chip_in=tuple(chips))

    def _check_values(self) -> None:
        shape, values = (self.players, len(self.rounds)), self.values
        for name in ("start", "captain", "bench", "hold"):
            _check_array(name, getattr(values, name), shape)
        _check_array("final", values.final, shape[:1])
        _check_array("spare", np.array(values.spare, dtype=float), (len(values.spare),))
        weights = (*values.bench_weights, 0.0)
        if list(weights) != sorted(weights, reverse=True) or not 0 <= values.keeper_weight <= 1 or weights[0] > 1:
            raise InputError(f"Bench weights {values.bench_weights} must fall from at most 1 to 0.")
        if len(values.bench_weights) != self.frame.size - self.frame.shape[0] - 10:
            raise InputError(f"{len(values.bench_weights)} bench weights do not fit the squad's outfield bench.")

    def _check_chips(self) -> None:
        shape = (self.players, len(self.rounds))
        for offer in self.chips:
            _check_array(f"{offer.key}: allowed", offer.allowed, shape[1:])
            _check_array(f"{offer.key}: keeping", offer.keeping, shape[1:])
            for name in ("start", "captain", "outside"):
                column = getattr(offer, name)
                if column is not None:
                    _check_array(f"{offer.key}: {name}", column, shape)
        if len({offer.key for offer in self.chips}) != len(self.chips):
            raise InputError("A booster is offered twice; give each once, with the uses that are left.")

    def _check_locks(self) -> None:
        shape, locks = (self.players, len(self.rounds)), self.locks
        for name in ("must", "never"):
            _check_array(name, getattr(locks, name), shape)
        _check_array("never_sell", locks.never_sell, shape[:1])
        for name in ("most_hits", "most_transfers", "least_bank", "captain"):
            _check_array(name, getattr(locks, name), shape[1:])
        if len(locks.chip_in) != len(self.rounds):
            raise InputError(f"{len(locks.chip_in)} rounds with a booster asked for, but {len(self.rounds)} planned.")
        for column, key in enumerate(locks.chip_in):
            if key is not None and not self.chip(key).allowed[column]:
                raise InfeasibleError(f"{key} cannot be played in round {self.rounds[column]}.")
        for key in {key for key in locks.chip_in if key is not None}:
            if locks.chip_in.count(key) > self.chip(key).uses:
                raise InfeasibleError(f"{key} is asked for {locks.chip_in.count(key)}×: more often than it is left.")
        both = np.argwhere(locks.must & locks.never)
        if len(both):
            error = InfeasibleError(f"Player row {both[0][0]} must and must not be in the squad of one round.")
            error.must = error.never = (int(both[0][0]),)
            raise error


def _check_array(name: str, given: np.ndarray, shape: tuple[int, ...]) -> None:
    if given.shape != shape:
        raise InputError(f"{name} has the shape {given.shape}, not {shape}.")
    if not np.isfinite(given).all():
        raise InputError(f"{name} has a value that is no number.")


def chip_offers(state: State, rules: GameRules, rounds: tuple[int, ...]) -> tuple[ChipOffer, ...]:
    """Return the boosters that a state has left, with the rounds their windows allow; keeping one is worth nothing yet.

    What the others than wildcard, free hit, bench boost and triple captain add has to be given by their columns.
    """
    offers = []
    for key, uses in Counter(state.boosters).items():
        booster = rules.boosters[key]
        allowed = np.array([booster.legal_in(number) for number in rounds]) & (rules.boosters_per_round > 0)
        if allowed.any():
            offers.append(ChipOffer(key, booster.effect, allowed, np.zeros(len(rounds)), uses=uses))
    return tuple(offers)
