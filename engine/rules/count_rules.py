"""Rules that count: of each group of players a squad has so many at least and so many at most, whatever the groups are.

Who may come in for whom, who still may come into a squad in the making, who is one too many: answered here once, for
any list of such rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

ANY = 1_000
"""A limit that no squad reaches."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How a rule is said: {n} is a number, {s} its plural, {team} the name of the team that a group's number is of."""

    reason: str  # why a squad was repaired: "the team cap"
    asked: str  # "{n} from {team}"
    found: str  # of what a squad has: "{n} new players"
    each: str = ""  # "{n} per team", of all groups at once

    def said(self, form: str, n: int | str, team: str = "") -> str:
        """Return one of the forms with its number and its group filled in."""
        return form.format(n=n, s="s" * (n != 1), team=team)


@dataclass(frozen=True, slots=True, eq=False)
class CountRule:
    """Players of each group, at least and at most; the last group is of those who do not count."""

    words: Wording
    wish: bool  # the manager's own, not the game's
    group: np.ndarray  # (n,) number of each player's group
    least: np.ndarray  # (g,)
    most: np.ndarray  # (g,)

    @classmethod
    def of(
        cls, words: Wording, group: np.ndarray, least: Sequence[int], most: Sequence[int], *, wish: bool = False
    ) -> CountRule:
        """Build a rule from each player's group, −1 for who does not count, and the limits of each group."""
        counted = np.where(group < 0, len(most), group)
        return cls(words, wish, counted, np.append(least, -1), np.append(most, ANY))

    def counts_as(self, other: CountRule) -> bool:
        """Return whether two rules are about the same groups."""
        return len(self.most) == len(other.most) and np.array_equal(self.group, other.group)

    def counts(self, squads: np.ndarray) -> np.ndarray:
        """Return (b, g) the players of each group in each squad (b, k)."""
        size = len(self.most)
        cell = self.group[squads] + size * np.arange(len(squads))[:, None]
        return np.bincount(cell.ravel(), minlength=size * len(squads)).reshape(len(squads), size)

    def kept(self, squads: np.ndarray) -> np.ndarray:
        """Return (b,) whether each squad (b, k) obeys."""
        counts = self.counts(squads)
        return np.asarray(((counts >= self.least) & (counts <= self.most)).all(axis=1))

    def admits(self, squads: np.ndarray, leavers: np.ndarray, newcomers: np.ndarray) -> np.ndarray:
        """Return (b, k, m) as `admitted` does, by this rule alone."""
        counts, comes, goes = self.counts(squads), self.group[newcomers], self.group[leavers][:, :, None]
        moves = _of_squads(counts < self.most, comes) & _of_squads(counts > self.least, goes)
        return np.asarray(moves | ((comes == goes) & _of_squads(counts <= self.most, goes)))

    def room(self, men: Sequence[int]) -> np.ndarray:
        """Return (n,) whose group has room beside some men."""
        return np.asarray((self._of(men) < self.most)[self.group])

    def lacks(self, men: Sequence[int]) -> np.ndarray:
        """Return (g,) how many players each group lacks with these men."""
        return np.asarray(np.maximum(self.least - self._of(men), 0))

    def leaves_room(self, men: Sequence[int]) -> bool:
        """Return whether some men may be in together."""
        return bool((self._of(men) <= self.most).all())

    def free_to_replace(self, men: np.ndarray) -> np.ndarray:
        """Return (m, m) whether the first may take the place of the second whoever else is in."""
        comes, goes = self.group[men][:, None], self.group[men]
        return np.asarray((comes == goes) | ((self.most[comes] >= ANY) & (self.least[goes] <= 0)))

    def limits(self) -> Iterator[tuple[int, int, int]]:
        """Yield each group that is limited, with the least and the most of it."""
        known = np.bincount(self.group, minlength=len(self.most)) > 0
        for number in np.flatnonzero((self.least > 0) | ((self.most < ANY) & known)):
            yield int(number), int(self.least[number]), int(self.most[number])

    def _of(self, men: Sequence[int]) -> np.ndarray:
        return np.bincount(self.group[np.asarray(men, dtype=np.int64)], minlength=len(self.most))


def merged(rules: Iterable[CountRule]) -> tuple[CountRule, ...]:
    """Return rules of which no two count the same groups: the tighter limit holds."""
    found: list[CountRule] = []
    for rule in rules:
        same = next((place for place, one in enumerate(found) if one.counts_as(rule)), None)
        if same is None:
            found.append(rule)
            continue
        least, most = np.maximum(found[same].least, rule.least), np.minimum(found[same].most, rule.most)
        found[same] = replace(rule, least=least, most=most)
    return tuple(found)


def admitted(rules: Sequence[CountRule], squads: np.ndarray, leavers: np.ndarray, newcomers: np.ndarray) -> np.ndarray:
    """Return (b, k, m) which newcomers may come into each squad (b, s) for each leaver (b, k): none is in it already.

    `newcomers` are player rows whose three dimensions stretch to (b, k, m). Money and shape are for the caller to see.
    """
    fits = outside(squads, newcomers)
    for rule in rules:
        fits = fits & rule.admits(squads, leavers, newcomers)
    return np.asarray(fits)


def outside(squads: np.ndarray, newcomers: np.ndarray) -> np.ndarray:
    """Return (b, k, m) which newcomers are not in each squad (b, s) already; they stretch as in `admitted`."""
    known = np.zeros((len(squads), 1 + max(int(squads.max(initial=0)), int(newcomers.max(initial=0)))), dtype=bool)
    known[np.arange(len(squads))[:, None], squads] = True
    return np.asarray(~_of_squads(known, newcomers))


def _of_squads(table: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return what a table (b, g) has for numbers (b, k, m) of groups; for (1, k, m) the same of every squad."""
    if len(numbers) == 1:
        return np.asarray(table.take(numbers[0], axis=1))
    return np.asarray(table[np.arange(len(table))[:, None, None], numbers])


def crowded(rules: Iterable[CountRule], squads: np.ndarray) -> np.ndarray:
    """Return (b, s) whether a man is of a group that has too many in his squad."""
    over = [np.take_along_axis(rule.counts(squads) > rule.most, rule.group[squads], axis=1) for rule in rules]
    return np.asarray(np.logical_or.reduce(over))


def too_many(rules: Iterable[CountRule], squads: np.ndarray, worth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (squad, player row) of every man too many of his group: the least by `worth` (b, s) along the squads."""
    place, beyond = np.arange(squads.shape[1]), np.zeros(squads.shape, dtype=bool)
    for rule in rules:
        group = rule.group[squads]
        order = np.lexsort((-worth, group), axis=1)
        ordered = np.take_along_axis(group, order, axis=1)
        begins = np.diff(ordered, axis=1, prepend=-1) != 0
        rank = place - np.maximum.accumulate(np.where(begins, place, 0), axis=1)
        over = np.zeros(squads.shape, dtype=bool)
        np.put_along_axis(over, order, rank >= rule.most[ordered], axis=1)
        beyond |= over
    managers, columns = np.nonzero(beyond)
    return managers, squads[managers, columns]


class Tally:
    """How many more of each group a squad in the making may take."""

    def __init__(self, rules: Iterable[CountRule], men: Sequence[int]) -> None:
        self._room = [(rule.group, (rule.most - rule._of(men)).tolist()) for rule in rules]

    def takes(self, man: int) -> bool:
        """Return whether every group has room for a man, and count him in."""
        for group, room in self._room:
            if room[group[man]] <= 0:
                return False
        for group, room in self._room:
            room[group[man]] -= 1
        return True
