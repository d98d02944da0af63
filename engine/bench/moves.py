"""Moves that all evolutionary contenders share: draw, cross, mutate, repair and value many squads at once.

A `Craft` says how much of what helped ours is in them. `PLAIN` is what a good engineer writes around a library:
newcomers drawn blindly from the position, a greedy repair, every eleven of a squad tried. `LENT` has our own: newcomers
drawn by what they are worth, repair by least loss, few elevens tried. The crossover by position is the same, and all is
done in batches. Squads are rows of players by position, so the shape always holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import inf, isfinite

import numpy as np

from data.errors import InfeasibleError
from engine.fitness.standard_form import StandardForm, settled
from engine.rules.count_rules import admitted, crowded
from engine.rules.legality import legal
from engine.rules.money import TENTHS, tenths_down

SHORT_LIST = 16
"""Men of a position looked at for a price: enough that one of them is free and his team not full."""

REPAIR_STEPS = 12
"""Swaps that a repair may make; a squad that is still not legal is given up."""

LEAST_SHARE = 0.1
"""Share of what a squad overspends that one swap must save at least."""

ELEVENS_TRIED = 16
"""Elevens of a squad that are valued: with fewer the search stalls on wrong roles, with all it is ten times slower."""

NOBODY = -1

FREE = 0.1
"""Millions below which no price is taken to lie: a man's points per million stay finite."""

TRIES = 50
"""Batches of draws after which a pool is taken to have no legal squad."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Craft:
    """How newcomers are drawn, squads repaired and elevens chosen."""

    heat: float  # points that make a newcomer e times likelier; inf draws blindly
    least_loss: bool  # repair by the one swap that costs least, else by the poorest bargain of the squad
    elevens: int | None  # of a squad that are valued; None = all

    @property
    def words(self) -> str:
        """What it does, for a configuration."""
        drawn = f"drawn by worth (heat {self.heat:g} points)" if isfinite(self.heat) else "drawn blindly"
        repair = "by least loss" if self.least_loss else "greedily (the fewest points per million leave)"
        tried = "all elevens" if self.elevens is None else f"the {self.elevens} likeliest elevens"
        return f"newcomers of the position {drawn}, repair {repair}, {tried} tried"


PLAIN = Craft(heat=inf, least_loss=False, elevens=None)
LENT = Craft(heat=1.0, least_loss=True, elevens=ELEVENS_TRIED)


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """What the moves need to know about a form, worked out once."""

    form: StandardForm
    craft: Craft
    worth: np.ndarray  # (n,) a man alone: what he brings as a starter less his own variance
    places: tuple[slice, ...]  # columns of each position
    men: tuple[np.ndarray, ...]  # player rows of each position
    affordable: tuple[np.ndarray, ...]  # per position (prices, SHORT_LIST) the worthiest men up to a price; −1 for none

    @classmethod
    def of(cls, form: StandardForm, craft: Craft = LENT) -> Moves:
        """Build the tables of a form."""
        pool = form.pool
        everyone = np.arange(len(form))
        worth = form.linear + form.starting + form.squad - form.risk * form.covariance[everyone, everyone]
        edges = np.cumsum((0, *pool.shape))
        dearest = int(np.rint(pool.price.max() * TENTHS))
        tables = tuple(_affordable(rows, worth, pool.price, dearest) for rows in pool.men)
        places = tuple(slice(int(a), int(b)) for a, b in pairwise(edges))
        return cls(form, craft, np.asarray(worth), places, tuple(pool.men), tables)

    def drawn(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """Return (count, s) squads whose men are drawn by the craft's heat."""
        parts = []
        for place, rows in zip(self.places, self.men, strict=True):
            score = self.worth[rows] / self.craft.heat + rng.gumbel(size=(count, len(rows)))
            needed = place.stop - place.start
            parts.append(rows[np.argpartition(-score, needed - 1, axis=1)[:, :needed]])
        return np.concatenate(parts, axis=1)

    def crossed(self, first: np.ndarray, second: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return (p, s) children: in each position men of both parents, each at most once, shared ones always."""
        child = np.empty_like(first)
        for place in self.places:
            both = np.sort(np.concatenate([first[:, place], second[:, place]], axis=1), axis=1)
            again = np.concatenate([np.zeros((len(both), 1), dtype=bool), both[:, 1:] == both[:, :-1]], axis=1)
            shared = again.copy()
            shared[:, :-1] |= again[:, 1:]
            key = rng.random(both.shape) - shared
            key[again] = inf
            order = np.argsort(key, axis=1)[:, : place.stop - place.start]
            child[:, place] = np.take_along_axis(both, order, axis=1)
        return child

    def mutated(self, squads: np.ndarray, rng: np.random.Generator, rate: float) -> np.ndarray:
        """Return (p, s) the squads with each man replaced at a rate by one of his position; nobody stands twice."""
        after = squads.copy()
        for place, rows in zip(self.places, self.men, strict=True):
            hit_row, column = np.nonzero(rng.random(squads[:, place].shape) < rate)
            if not len(hit_row):
                continue
            came = rng.choice(rows, size=len(hit_row), p=self._chances(rows))
            fresh = (after[hit_row][:, place] != came[:, None]).all(axis=1)
            trial = after[:, place].copy()
            trial[hit_row[fresh], column[fresh]] = came[fresh]
            ordered = np.sort(trial, axis=1)
            twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
            after[:, place] = np.where(twice[:, None], after[:, place], trial)
        return after

    def swapped(self, squads: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return (p, s) the squads with one man, anyone, replaced by one of his position."""
        after, column = squads.copy(), rng.integers(0, squads.shape[1], len(squads))
        for place, rows in zip(self.places, self.men, strict=True):
            here = np.flatnonzero((column >= place.start) & (column < place.stop))
            came = rng.choice(rows, size=len(here), p=self._chances(rows))
            fresh = (squads[here] != came[:, None]).all(axis=1)
            after[here[fresh], column[here[fresh]]] = came[fresh]
        return after

    def _chances(self, rows: np.ndarray) -> np.ndarray:
        """Return the probability of each of some men to be drawn: e times larger for every `heat` points of worth."""
        chance = np.exp((self.worth[rows] - self.worth[rows].max()) / self.craft.heat)
        return np.asarray(chance / chance.sum())

    def repaired(self, squads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, s) the squads after at most REPAIR_STEPS swaps, and (p,) which of them are legal."""
        step = self._least_loss if self.craft.least_loss else self._poorest_out
        after = squads.copy()
        fine = legal(after, self.form.pool)
        for _ in range(REPAIR_STEPS):
            open_rows = np.flatnonzero(~fine)
            if not len(open_rows):
                break
            after[open_rows] = step(after[open_rows])
            fine[open_rows] = legal(after[open_rows], self.form.pool)
        for place in self.places:  # the same men are the same row, which is how duplicates are told
            after[:, place] = np.sort(after[:, place], axis=1)
        return after, fine

    def _poorest_out(self, squads: np.ndarray) -> np.ndarray:
        """Return squads whose man of the fewest points per million has left, one of a crowded team where there is one.

        In comes the worthiest who leaves no debt; where nobody is so cheap, the worthiest of the cheapest.
        """
        pool = self.form.pool
        price, over = pool.price[squads], crowded(pool.counted, squads)
        debt = np.where(over.any(axis=1), 0.0, price.sum(axis=1) - pool.budget)
        floor = np.concatenate(
            [np.full(p.stop - p.start, pool.price[men].min()) for p, men in zip(self.places, self.men, strict=True)]
        )
        into, _ = self._best_instead(squads, np.maximum(price - debt[:, None], floor))
        bargain = self.worth[squads] / np.maximum(price, FREE)
        stays = np.where(over.any(axis=1, keepdims=True), ~over, price <= floor) | (into == NOBODY)
        column, row = np.where(stays, inf, bargain).argmin(axis=1), np.arange(len(squads))
        after = squads.copy()
        goes = ~stays[row, column]
        after[row[goes], column[goes]] = into[row[goes], column[goes]]
        return after

    def _least_loss(self, squads: np.ndarray, share: float = 1.0) -> np.ndarray:
        """Return squads with one man swapped at the least loss: out of a crowded team, else to save a share of a debt.

        Where no one swap saves so much, half as much is tried.
        """
        pool = self.form.pool
        price, over = pool.price[squads], crowded(pool.counted, squads)
        blocked = over.any(axis=1, keepdims=True) & ~over
        debt = np.where(over.any(axis=1), 0.0, price.sum(axis=1) - pool.budget)
        into, loss = self._best_instead(squads, price - share * debt[:, None])
        loss[blocked] = inf
        column, row = loss.argmin(axis=1), np.arange(len(squads))
        found = np.isfinite(loss[row, column])
        after = squads.copy()
        after[row[found], column[found]] = into[row[found], column[found]]
        if not found.all() and share > LEAST_SHARE:
            after[~found] = self._least_loss(squads[~found], share / 2)
        return after

    def _best_instead(self, squads: np.ndarray, most: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, s) the worthiest free man up to a price in place of each, and the worth lost; inf for nobody."""
        pool = self.form.pool
        level = tenths_down(most)
        into = np.empty_like(squads)
        for place, table in zip(self.places, self.affordable, strict=True):
            listed = table[np.clip(level[:, place], 0, len(table) - 1)]
            free = (listed >= 0) & admitted(pool.counted, squads, squads[:, place], listed)
            best = np.take_along_axis(listed, free.argmax(axis=2)[..., None], axis=2)[..., 0]
            into[:, place] = np.where(free.any(axis=2) & (level[:, place] >= 0), best, NOBODY)
        return into, np.where(into == NOBODY, inf, self.worth[squads] - self.worth[into])

    def values(self, squads: np.ndarray) -> np.ndarray:
        """Return (p,) what squads are worth in the best of the elevens tried: with few, seldom less than the best."""
        return settled(self.form, squads, self.craft.elevens)[2]


def legal_starts(moves: Moves, rng: np.random.Generator, count: int) -> np.ndarray:
    """Return (count, s) legal squads, drawn and repaired, however many draws that takes."""
    found = np.empty((0, moves.form.pool.size), dtype=np.int64)
    for _ in range(TRIES):
        squads, fine = moves.repaired(moves.drawn(rng, count))
        found = np.concatenate([found, squads[fine]])
        if len(found) >= count:
            return found[:count]
    raise InfeasibleError(
        f"{TRIES * count} draws gave {len(found)} legal squads within {moves.form.pool.budget:g}. Raise the budget."
    )


def _affordable(rows: np.ndarray, worth: np.ndarray, price: np.ndarray, dearest: int) -> np.ndarray:
    """Return (dearest + 1, SHORT_LIST) the worthiest men who cost at most so many tenths, −1 where there are fewer."""
    tenths = np.rint(price[rows] * TENTHS).astype(np.int64)
    order = np.argsort(-worth[rows], kind="stable")
    table = np.full((dearest + 1, SHORT_LIST), NOBODY, dtype=np.int64)
    for level in range(dearest + 1):
        listed = rows[order][tenths[order] <= level][:SHORT_LIST]
        table[level, : len(listed)] = listed
    return table
