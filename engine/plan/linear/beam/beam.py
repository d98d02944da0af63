"""The beam: many squads led through the rounds together, the best guesses kept, hopeless ones cut by a known plan.

A guess is exact so far and at shadow prices for the rest, hence never too low: whoever guesses less than a plan that is
known already can be dropped without loss. "Keep this squad to the end" gives such plans at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from engine.plan.linear.beam.paths import Paths, codes_of, joined, start_path
from engine.plan.linear.beam.swaps import Exchanging, SwapSets, no_swap, one_more
from engine.plan.linear.beam.terrain import LEGAL, Terrain
from engine.plan.linear.rebuild import best_squad

ROUNDING = 1e-9

AROUND = 45
"""Men who may come into a squad that was built anew: it is the best of its round already, and nothing is pruned yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BeamSettings:
    """How wide the search is."""

    width: int = 1_000  # paths kept after a round
    sets: int = 5  # sets of exchanges looked at for each number of them, as a multiple of the width
    buys: int = 120  # men who may come in a round
    rebuilt: int = 3  # paths that a squad is built anew for, where transfers are free
    climbs: int = 4  # rounds of exchanges around such squads
    proving: bool = False  # whether to end where something with hope would be left out: nothing is proved then


@dataclass(slots=True, eq=False)
class Beam:
    """One run through the rounds."""

    ground: Terrain
    settings: BeamSettings
    floor: float  # value of a plan that is known: less is not looked at
    layers: list[Paths] = field(default_factory=list)
    whole: bool = True  # whether everything with hope was looked at: then no plan is worth more than floor and found

    def run(self, first: Paths | None = None, column: int = 0) -> Paths:
        """Return the paths after the last round, the best first; `first` are those to go on from, after `column`."""
        paths = start_path(self.ground.problem.frame) if first is None else first
        self.layers, self.whole = [paths], first is None and self.ground.exact
        for step in range(column, self.ground.rounds):
            paths = self._round(step, paths)
            self.layers.append(paths)
            if not len(paths) or (self.settings.proving and not self.whole):
                break
            if step < self.ground.rounds - 1:
                self.floor = max(self.floor, float(self._kept_to_the_end(step, paths).max()))
        return paths

    def first_moves(self) -> Paths:
        """Return all squads after the first round, the best guess first."""
        return self._round(0, start_path(self.ground.problem.frame))

    def _round(self, column: int, paths: Paths) -> Paths:
        one = self.ground.guided.rounds[column]
        anything = one.wildcard or int(paths.count[0]) == self.ground.guided.path.counts - 1
        if one.free_hit:
            found = self._valued(column, paths, no_swap(self.ground, column, paths), 0)
        elif anything:
            found = self._rebuilt(column, paths)
        else:
            found = self._swapped(column, paths)
        found = found.distinct()
        self.whole &= len(found) <= self.settings.width and not anything
        return found.only(np.arange(min(len(found), self.settings.width)))

    def _swapped(self, column: int, paths: Paths) -> Paths:
        """Return the squads after every number of transfers that the round allows."""
        ground, settings = self.ground, self.settings
        most = ground.guided.path.most_made[column][paths.count]
        tails = self._tails(column, paths.count, int(most.max(initial=0)))
        buys, least = self._buys(column, settings.buys), self.floor - ground.base[column] - ROUNDING
        sets = no_swap(ground, column, paths)
        found = [self._valued(column, paths, sets, 0)]
        for made in range(1, tails.shape[1]):
            search = Exchanging(buys, settings.sets * settings.width, least, tails[:, made:], proving=settings.proving)
            grown = one_more(ground, column, paths, sets.only(most[sets.origin] >= made), search)
            found.append(self._valued(column, paths, grown.paid, made))
            sets = grown.growing
            self.whole &= grown.whole
            if settings.proving and not self.whole:
                break
        return joined(found)

    def _tails(self, column: int, count: np.ndarray, most: int) -> np.ndarray:
        """(p, n + 1) what 0, 1 … transfers bring with a count before them; −inf where they are barred."""
        return np.stack([self._carried(column, count, made) for made in range(most + 1)], axis=1)

    def _buys(self, column: int, most: int) -> np.ndarray:
        """Return the rows of men who may come in a round: the lowest loss, and of each position some, all with hope."""
        ground, frame = self.ground, self.ground.problem.frame
        loss = ground.guided.guide.loss[column].copy()
        loss[~frame.buyable] = np.inf
        hopeful = loss <= min(ground.bound - self.floor + ROUNDING, -LEGAL)
        order = np.argsort(loss, kind="stable")
        chosen = np.zeros(len(frame), dtype=bool)
        chosen[order[:most]] = True
        for place in range(len(frame.shape)):
            men = order[frame.position[order] == place]
            chosen[men[: most // 9]] = True
        self.whole &= not bool((hopeful & ~chosen).any())
        return np.flatnonzero(chosen & hopeful)

    def _valued(self, column: int, paths: Paths, sets: SwapSets, made: int) -> Paths:
        """Return sets that are legal and not hopeless as paths with exact values."""
        ground, path = self.ground, self.ground.guided.path
        after, points, counted = (table[column, :, made] for table in path.steps)
        count = paths.count[sets.origin]
        spent = paths.spent[sets.origin] + counted[count]
        carried = self._carried(column, count, made)
        hope = paths.value[sets.origin] + ground.base[column] + sets.worth + carried
        keep = (hope >= self.floor - ROUNDING) & (hope > LEGAL)
        if ground.problem.locks.most_in_all is not None:
            keep &= spent <= ground.problem.locks.most_in_all
        keep[keep] = ground.affordable(column, sets.codes[keep]) & ground.wishes_kept(column, sets.codes[keep])
        sets, count, spent, carried = sets.only(keep), count[keep], spent[keep], carried[keep]
        value = paths.value[sets.origin] + ground.points(column, sets.codes) + points[count]
        guess = value - points[count] + carried + ground.rest[column] + ground.later[column][sets.codes].sum(axis=1)
        found = Paths(sets.codes, after[count], value, spent, sets.origin, np.full(len(value), made), guess)
        return found.only(guess >= self.floor - ROUNDING)

    def _carried(self, column: int, count: np.ndarray, made: int) -> np.ndarray:
        """(p,) points of so many transfers with a count before them, and what prices say of the count after them."""
        after, points, _ = (table[column, :, made] for table in self.ground.guided.path.steps)
        if column == self.ground.rounds - 1:
            return np.asarray(points[count])
        return np.asarray(points[count] + self.ground.guided.guide.path[column + 1, after[count]])

    def _kept_to_the_end(self, column: int, paths: Paths) -> np.ndarray:
        """(p,) what each path brings if its squad is kept from here on; −inf where that is not legal."""
        ground, steps = self.ground, self.ground.guided.path.steps
        total, count = paths.value.copy(), paths.count.copy()
        for step in range(column + 1, ground.rounds):
            total += steps[1][step, count, 0] + ground.points(step, paths.codes)
            total[~(ground.affordable(step, paths.codes) & ground.wishes_kept(step, paths.codes))] = -np.inf
            count = steps[0][step, count, 0]
        return np.asarray(total)

    def _rebuilt(self, column: int, paths: Paths) -> Paths:
        """Return squads of a round whose transfers are free: built anew, then improved by exchanges around them."""
        settings, size = self.settings, self.ground.problem.frame.size
        few = paths.only(np.arange(min(len(paths), settings.rebuilt)))
        seeds = np.stack([self._anew(column, few, row) for row in range(len(few))])
        sets = self._sets(column, seeds, np.arange(len(few)))
        if few.codes.shape[1]:
            sets = _both(sets, no_swap(self.ground, column, few))
        buys, looked = self._buys(column, min(settings.buys, AROUND)), settings.sets * settings.width
        found = self._valued(column, few, sets, size)
        tail = np.repeat(self._carried(column, few.count, size)[:, None], 2, axis=1)
        least = self.floor - self.ground.base[column] - ROUNDING
        for _ in range(settings.climbs):
            top = found.best(settings.width)
            around = self._sets(column, top.codes, top.parent)
            once = one_more(self.ground, column, few, around, Exchanging(buys, looked, least, tail, back=True))
            last = Exchanging(buys, looked, least, tail[:, :1], back=True)
            twice = one_more(self.ground, column, few, once.growing, last)
            found = joined([top, *(self._valued(column, few, grown.paid, size) for grown in (once, twice))])
        return found

    def _sets(self, column: int, codes: np.ndarray, origin: np.ndarray) -> SwapSets:
        worth = self.ground.worth[column][codes].sum(axis=1)
        return SwapSets(codes, origin, np.full(len(codes), -1), worth)

    def _anew(self, column: int, paths: Paths, row: int) -> np.ndarray:
        """(size,) codes of the best squad of a round together with what prices say of the later ones."""
        old = np.zeros(len(self.ground.problem.frame), dtype=bool)
        held = paths.codes[row]
        old[held[held % 2 == 1] >> 1] = True
        built, key = self.ground.built, (column, old.tobytes())
        if key not in built:
            built[key] = self._best_of(column, old)
        return built[key]

    def _best_of(self, column: int, old: np.ndarray) -> np.ndarray:
        ground, frame, one = self.ground, self.ground.problem.frame, self.ground.guided.rounds[column]
        codes = codes_of(np.arange(len(frame)), old)
        cost = np.where(frame.buyable | old, ground.cost[codes], np.inf)
        stays = ground.problem.locks.never_sell & frame.owned
        extra = np.where(stays, 0.0, ground.later[column][codes] + ground.bonus[column])  # without him all is barred
        rows = best_squad(ground.problem, column, replace(one, must=one.must | stays), cost, extra, gap=1e-4).rows
        return codes_of(rows, old[rows])


def _both(first: SwapSets, second: SwapSets) -> SwapSets:
    parts = zip(*((one.codes, one.origin, one.last, one.worth) for one in (first, second)), strict=True)
    return SwapSets(*(np.concatenate(part) for part in parts))
