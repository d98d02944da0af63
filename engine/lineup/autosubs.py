"""Auto-substitutions: the exact chance that each man of a bench comes in, for many elevens at once.

The rule. When the round is over the outfield bench is called once, in its order. A man who played replaces the first
starter, in the order defenders, midfielders, forwards, who did not play, was not replaced yet, and whose swap leaves
an allowed formation; an absent starter whom nobody replaced still counts in it. Where there is no such starter the man
stays out and is not called again. A goalkeeper is replaced by goalkeepers only, and they replace nobody else.

Games print less: not whom a man replaces when there is a choice. The order of the line-up is the one a manager sees,
and the choice only decides who may still come in afterwards.

Who of a position is absent does not matter, only how many; and a man who does not play changes nothing when he is
called. So a table says, for so many absent defenders, midfielders and forwards and for a row of men who play and are
called one after the other, whether the last of them comes in. A chance is that table times its probabilities.
Playing is taken as independent between men.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from data.domain import POSITIONS
from data.errors import InputError
from data.rules import STARTERS, GameRules

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Lineup = tuple[int, int, int, int]  # GK, DEF, MID, FWD
Row = tuple[int, ...]  # places on a bench, in the order they are called

OUTFIELD = (1, 2, 3)
"""Codes of the positions DEF, MID, FWD."""
LONGEST_BENCH = 5
"""Men of a bench whose orders are all tried: 120 for five. The games here have three, and a goalkeeper."""


@dataclass(frozen=True, slots=True, eq=False)
class BenchTable:
    """Who comes in under one formation, whatever the order of its outfield bench.

    The places of a bench are by position and, inside one, as the caller lists them. Absent men are counted up to the
    length of the bench: nobody could replace more.
    """

    lineup: Lineup
    bench: tuple[int, ...]  # (b,) position of each place: 1 DEF, 2 MID, 3 FWD
    orders: Ints  # (orders, b) places in the order they are called
    entries: Floats  # (DEF, MID, FWD absent, columns) 1 where the last man called comes in
    column: Mapping[Row, int]  # men who all play, in the order called → their column of `entries`

    def comes_in(self, rows: Sequence[Row]) -> Floats:
        """Return (cells, rows) 1 where the last man of a row called comes in.

        A cell is a number of absent defenders, midfielders and forwards, each from 0 to the length of the bench.
        """
        size = len(self.bench) + 1
        entries = np.zeros((size, size, size, len(rows)))
        back, middle, front = self.entries.shape[:3]
        entries[:back, :middle, :front] = self.entries[..., [self.column[row] for row in rows]]
        return entries.reshape(size**3, len(rows))


def bench_tables(rules: GameRules) -> tuple[BenchTable, ...]:
    """Return the table of every formation of a rulebook, in its order."""
    subs = rules.autosubs
    return _tables(rules.squad.lineups, rules.squad.places, subs.enabled, subs.keeps_formation)


def absent_by_subset(play: Floats, most: int) -> Floats:
    """Return (subsets, counts, p) how many of each subset of men (n, p) do not play; bit i of a subset is man i.

    Counts run to `most`; more than that many count as `most`.
    """
    count = np.zeros((1, most + 1, play.shape[1]))
    count[:, 0] = 1.0
    for plays in play:
        away, joined = count * (1.0 - plays), count * plays
        joined[:, 1:] += away[:, :-1]
        joined[:, most] += away[:, most]
        count = np.concatenate([count, joined])
    return count


def needed(reached: Mapping[Row, Floats], play: Floats) -> dict[Row, Floats]:
    """Return P(the last man comes in | he plays) for every row of men called, whoever of the others plays.

    `reached` is that chance where all of a row play, shorter rows first; `play` (b, …) is the chance of each place of
    the bench to play.
    """
    # (men who played, men still to be called) → chance of the last; rows by length, so what a row needs is there.
    chance: dict[tuple[Row, Row], Floats] = {}
    for row, all_play in reached.items():
        chance[row[:-1], row[-1:]] = all_play
        for split in range(len(row) - 2, -1, -1):
            played, called = row[:split], row[split:]
            absent, present = chance[played, called[1:]], chance[row[: split + 1], called[1:]]
            chance[played, called] = absent + play[called[0]] * (present - absent)
    return {row: chance[(), row] for row in reached}


def keepers_needed(play: Floats, enabled: bool) -> Floats:
    """Return P(he counts | he plays) of goalkeepers (g, …): the first starts, each next waits for all before him."""
    counts = np.zeros(play.shape)
    counts[0] = 1.0
    if enabled:
        counts[1:] = np.cumprod(1.0 - play[:-1], axis=0)
    return counts


@lru_cache(maxsize=32)
def _tables(
    lineups: tuple[Lineup, ...], shape: tuple[int, ...], enabled: bool, keeps_formation: bool
) -> tuple[BenchTable, ...]:
    _check_bench(shape)
    allowed = np.full((STARTERS + 1,) * 3, enabled and not keeps_formation)
    for _, *counts in lineups:
        allowed[tuple(counts)] = enabled
    return tuple(_table(lineup, shape, allowed) for lineup in lineups)


def _check_bench(shape: tuple[int, ...]) -> None:
    outfield, keepers = sum(shape) - shape[0] - (STARTERS - 1), shape[0] - 1
    if max(outfield, keepers) > LONGEST_BENCH:
        raise InputError(
            f"A bench of {outfield} outfield men and {keepers} {POSITIONS[0]} has too many orders to try them all. "
            f"Give a squad shape that leaves at most {LONGEST_BENCH} of each."
        )


def _table(lineup: Lineup, shape: tuple[int, ...], allowed: Bools) -> BenchTable:
    bench = tuple(code for code in OUTFIELD for _ in range(shape[code] - lineup[code]))
    places = range(len(bench))
    rows = [row for length in places for row in permutations(places, length + 1)]
    absent = np.indices([min(lineup[code], len(bench)) + 1 for code in OUTFIELD])
    standing = np.broadcast_to(np.array(lineup[1:])[:, None, None, None], absent.shape)
    states: dict[Row, tuple[Ints, Ints]] = {(): (absent, standing)}
    comes = np.zeros((len(rows), absent[0].size), dtype=bool)
    for number, row in enumerate(rows):
        now, *after = _call(bench[row[-1]], *states[row[:-1]], allowed)
        comes[number], states[row] = now.ravel(), (after[0], after[1])
    entries = comes.T.reshape(*absent.shape[1:], -1).astype(np.float64)
    orders = np.array(list(permutations(places)), dtype=np.int64)
    return BenchTable(lineup, bench, orders, entries, {row: number for number, row in enumerate(rows)})


def _call(position: int, absent: Ints, counts: Ints, allowed: Bools) -> tuple[Bools, Ints, Ints]:
    """Call a man who played: whether he comes in (DEF, MID, FWD absent), and who is absent and on the pitch after."""
    absent, counts = absent.copy(), counts.copy()
    comes = np.zeros(absent.shape[1:], dtype=bool)
    for out in range(len(OUTFIELD)):
        swap = np.zeros((len(OUTFIELD), 1, 1, 1), dtype=np.int64)
        swap[position - 1] += 1
        swap[out] -= 1
        after = np.clip(counts + swap, 0, STARTERS)
        now = ~comes & (absent[out] > 0) & allowed[tuple(after)]
        counts += swap * now
        absent[out] -= now
        comes |= now
    return comes, absent, counts
