"""Crossover and mutation of plans, on their intentions: what a child means to do before each round.

Blocks of a plan are a round's moves, a booster with its round, and a position's line through time. Crossover takes the
first rounds of one parent and the intentions of the other for the rest, or one position's line, or the boosters. A
mutation changes one thing: it moves a transfer earlier or later, swaps its target or its leaver, rolls, adds a
transfer (a hit where none is free), or shifts, drops or plays a booster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from data.rules import BoosterEffect
from engine.plan.breeding.intents import Intent, Swap
from engine.plan.linear.problem import PlanProblem

Intents = tuple[Intent, ...]

APPETITE = 4.0
"""Points over the horizon that make a newcomer e times likelier to be drawn."""

DEAREST = 40
"""Newcomers of a position that are drawn from: the worthiest for their price are among them (the LP's slack has all
that were bought among the first ten)."""

CROSSINGS = ("first rounds", "a position's line", "boosters")
CROSSING_CHANCES = (0.6, 0.25, 0.15)

MUTATIONS = ("move", "target", "leaver", "roll", "add", "booster")
MUTATION_CHANCES = (0.2, 0.25, 0.15, 0.1, 0.2, 0.1)
"""Most plans of a beam differ by a target or by a week, so those lead."""


@dataclass(frozen=True, slots=True)
class Child:
    """A child's intentions, and for each round the parent whose moves it has: 0 or 1, −1 where something is new."""

    intents: Intents
    giver: tuple[int, ...]
    how: str  # "crossover: first rounds", "mutation: target", …


def cross(first: Intents, second: Intents, position: np.ndarray, rng: np.random.Generator) -> Child:
    """Return a child of two plans; where a plan has one round there is nothing to cut, and boosters cross."""
    how = str(rng.choice(CROSSINGS, p=CROSSING_CHANCES))
    if how == CROSSINGS[0] and len(first) > 1:
        cut = int(rng.integers(1, len(first)))
        return Child(first[:cut] + second[cut:], (0,) * cut + (1,) * (len(first) - cut), f"crossover: {how}")
    if how == CROSSINGS[1]:
        place = int(rng.integers(0, int(position.max()) + 1))
        lines = tuple(_line(ours, theirs, place, position) for ours, theirs in zip(first, second, strict=True))
        giver = tuple(0 if line == ours else 1 for line, ours in zip(lines, first, strict=True))
        return Child(lines, giver, f"crossover: {how}")
    played = tuple(_booster_of(ours, theirs) for ours, theirs in zip(first, second, strict=True))
    giver = tuple(0 if mixed == ours else 1 for mixed, ours in zip(played, first, strict=True))
    return Child(played, giver, f"crossover: {CROSSINGS[2]}")


def _line(ours: Intent, theirs: Intent, place: int, position: np.ndarray) -> Intent:
    """Return a round with the swaps of one position taken from the other parent."""
    kept = tuple(swap for swap in ours.swaps if position[swap[0]] != place)
    return replace(ours, swaps=kept + tuple(swap for swap in theirs.swaps if position[swap[0]] == place))


def _booster_of(ours: Intent, theirs: Intent) -> Intent:
    """Return a round with the other's booster; one that builds a squad brings its moves along."""
    if ours.whole or theirs.whole or len(theirs.swaps) > len(ours.swaps) + 2:
        return theirs
    return replace(ours, chip=theirs.chip)


@dataclass(frozen=True, eq=False)
class Mutator:
    """Draws small changes to intentions under one problem."""

    problem: PlanProblem
    worth: np.ndarray  # (n, r) points a man brings from a round on

    def mutate(self, intents: Intents, rng: np.random.Generator) -> Child:
        """Return a child with one thing changed; where it has nothing of the kind drawn, a transfer is added."""
        how = str(rng.choice(MUTATIONS, p=MUTATION_CHANCES))
        changed = self._operators[how](list(intents), rng)
        if changed is None:
            how, changed = "add", self._add(list(intents), rng)
        giver = tuple(0 if new == old else -1 for new, old in zip(changed, intents, strict=True))
        return Child(tuple(changed), giver, f"mutation: {how}")

    @property
    def _operators(self) -> dict[str, Callable[[list[Intent], np.random.Generator], list[Intent] | None]]:
        operators = (self._move, self._target, self._leaver, self._roll, self._add, self._booster)
        return dict(zip(MUTATIONS, operators, strict=True))

    def _drawn(self, intents: Sequence[Intent], rng: np.random.Generator) -> tuple[int, int] | None:
        """Return a round's column and a place among its swaps, drawn from all swaps of the plan."""
        places = [(column, place) for column, one in enumerate(intents) for place in range(len(one.swaps))]
        return places[int(rng.integers(len(places)))] if places else None

    def _move(self, intents: list[Intent], rng: np.random.Generator) -> list[Intent] | None:
        """Make a transfer a round earlier or later."""
        drawn = self._drawn(intents, rng)
        if drawn is None or len(intents) < 2:
            return None
        column, place = drawn
        target = column + (1 if rng.random() < 0.5 else -1)
        target = target if 0 <= target < len(intents) else 2 * column - target
        swap = intents[column].swaps[place]
        intents[column] = _without(intents[column], place)
        intents[target] = replace(intents[target], swaps=(*intents[target].swaps, swap))
        return intents

    def _target(self, intents: list[Intent], rng: np.random.Generator) -> list[Intent] | None:
        """Buy another man in a transfer."""
        drawn = self._drawn(intents, rng)
        if drawn is None:
            return None
        column, place = drawn
        out, into = intents[column].swaps[place]
        new = self.newcomer(column, int(self.problem.frame.position[out]), rng, avoid=(into,))
        intents[column] = _with(intents[column], place, (out, new))
        later = [self._renamed(one, into, new) for one in intents[column + 1 :]]
        return intents[: column + 1] + later

    def _renamed(self, intent: Intent, old: int, new: int) -> Intent:
        """Return a later round in which the man who was not bought after all is not sold either: the other one is."""
        return replace(intent, swaps=tuple((new if out == old else out, into) for out, into in intent.swaps))

    def _leaver(self, intents: list[Intent], rng: np.random.Generator) -> list[Intent] | None:
        """Sell another man for the same newcomer: one of the start squad, the least worth likeliest."""
        drawn, frame = self._drawn(intents, rng), self.problem.frame
        if drawn is None:
            return None
        column, place = drawn
        out, into = intents[column].swaps[place]
        mates = frame.start_squad[frame.position[frame.start_squad] == frame.position[into]]
        mates = mates[mates != out]
        if not mates.size:
            return None
        intents[column] = _with(intents[column], place, (self._by_worth(mates, column, rng, -1.0), into))
        return intents

    def _roll(self, intents: list[Intent], rng: np.random.Generator) -> list[Intent] | None:
        """Make none of a round's transfers; half the time they follow a round later."""
        busy = [column for column, one in enumerate(intents) if one.swaps]
        if not busy:
            return None
        column = int(rng.choice(busy))
        swaps, intents[column] = intents[column].swaps, replace(intents[column], swaps=())
        if column + 1 < len(intents) and rng.random() < 0.5:
            intents[column + 1] = replace(intents[column + 1], swaps=(*swaps, *intents[column + 1].swaps))
        return intents

    def _add(self, intents: list[Intent], rng: np.random.Generator) -> list[Intent]:
        """Buy one more man in some round, beyond the free transfers if need be."""
        column, frame = int(rng.integers(len(intents))), self.problem.frame
        own = frame.start_squad
        if not own.size:
            return self._exchange(intents, rng)
        out = self._by_worth(own, column, rng, -1.0)
        new = self.newcomer(column, int(frame.position[out]), rng, avoid=tuple(own.tolist()))
        intents[column] = replace(intents[column], swaps=(*intents[column].swaps, (out, new)))
        return intents

    def _exchange(self, intents: list[Intent], rng: np.random.Generator) -> list[Intent]:
        """Put another man into a first squad."""
        men = list(intents[0].whole)
        if men:
            place = int(rng.integers(len(men)))
            men[place] = self.newcomer(0, int(self.problem.frame.position[men[place]]), rng, avoid=tuple(men))
            intents[0] = replace(intents[0], whole=tuple(men))
        return intents

    def _booster(self, intents: list[Intent], rng: np.random.Generator) -> list[Intent] | None:
        """Shift a booster to another round that allows it, drop it, or play one that was kept."""
        offers = [offer for offer in self.problem.chips if offer.allowed.any()]
        if not offers:
            return None
        offer = offers[int(rng.integers(len(offers)))]
        played = [column for column, one in enumerate(intents) if one.chip == offer.key]
        for column in played:
            intents[column] = replace(intents[column], chip=None, whole=())
        rounds = [column for column in np.flatnonzero(offer.allowed).tolist() if column not in played]
        if rounds and not (played and rng.random() < 0.25):
            target = int(rng.choice(rounds))
            intents[target] = self._playing(intents[target], target, offer.key, offer.effect, rng)
        return intents

    def _playing(
        self, intent: Intent, column: int, key: str, effect: BoosterEffect, rng: np.random.Generator
    ) -> Intent:
        """Return a round with a booster; a wildcard buys three men more, a free hit builds a squad for the round."""
        frame = self.problem.frame
        if effect is BoosterEffect.FREE_HIT:
            return Intent(chip=key, whole=self._for_one_round(column))
        if effect is not BoosterEffect.WILDCARD or not frame.start_squad.size:
            return replace(intent, chip=key)
        leavers = [self._by_worth(frame.start_squad, column, rng, -1.0) for _ in range(3)]
        swaps = [(out, self.newcomer(column, int(frame.position[out]), rng, avoid=())) for out in leavers]
        return Intent((*intent.swaps, *swaps), key)

    def _for_one_round(self, column: int) -> tuple[int, ...]:
        """Return the men of the highest value of one round by position: repair makes them a squad that can be paid."""
        frame, value = self.problem.frame, self.problem.values.start[:, column]
        best = [
            np.flatnonzero((frame.position == place) & frame.buyable)[
                np.argsort(-value[(frame.position == place) & frame.buyable], kind="stable")[:count]
            ]
            for place, count in enumerate(frame.shape)
        ]
        return tuple(np.concatenate(best).tolist())

    def newcomer(self, column: int, place: int, rng: np.random.Generator, *, avoid: tuple[int, ...]) -> int:
        """Return a man of a position to buy before a round, the worthiest likeliest."""
        frame = self.problem.frame
        open_to = frame.buyable & (frame.position == place) & ~self.problem.locks.never[:, column]
        open_to[list(avoid)] = False
        men = np.flatnonzero(open_to)
        best = men[np.argsort(-self.worth[men, column], kind="stable")[:DEAREST]]
        return self._by_worth(best, column, rng, 1.0)

    def _by_worth(self, men: np.ndarray, column: int, rng: np.random.Generator, sign: float) -> int:
        pull = sign * self.worth[men, column] / APPETITE
        chance = np.exp(pull - pull.max())
        return int(rng.choice(men, p=chance / chance.sum()))


def _with(intent: Intent, place: int, swap: Swap) -> Intent:
    return replace(intent, swaps=(*intent.swaps[:place], swap, *intent.swaps[place + 1 :]))


def _without(intent: Intent, place: int) -> Intent:
    return replace(intent, swaps=intent.swaps[:place] + intent.swaps[place + 1 :])
