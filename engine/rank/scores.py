"""Points of thousands of line-ups in thousands of simulated rounds: eleven, auto-subs, captain, vice and ladder.

Exact, not approximate. Who comes in depends only on the formation, the order of the bench, how many defenders,
midfielders and forwards are absent, and who of the bench played. One sparse product packs all of that into one whole
number per line-up and simulation, and a table answers it; another product adds up the eleven. A line-up that moves
its armband by the ladder follows its rule simulation by simulation and forfeits its auto-subs where it moved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from scipy.sparse import csr_array

from data.domain import Position
from data.errors import InputError
from data.rules import GameRules
from engine.lineup.autosubs import OUTFIELD, BenchTable, bench_tables
from engine.lineup.joint import NOBODY
from engine.lineup.lineups import Lineups
from models.armband.captaincy import Setting
from models.armband.ladder import Ladder, Rung, best_ladder
from models.armband.table import ArmbandTable
from models.together.deal import Deal

ABSENT_BITS = 4
"""Bits of a count of absent men: up to fifteen, more than an eleven has."""
BENCH_BIT = ABSENT_BITS * len(OUTFIELD)
"""A code, from its lowest bit: absent DEF, MID, FWD; a bit for each man of the bench who played; absent goalkeeper."""
CELLS = 2**20
"""Line-ups × simulations worked on at once: 4 megabytes an array."""


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """Line-ups to be scored: row i of every array is entry i."""

    starters: np.ndarray  # (m, 11) player rows: GK, DEF, MID, FWD
    bench: np.ndarray  # (m, b) player rows: outfield men as they are called, then the goalkeepers
    captain: np.ndarray  # (m,) player row
    vice: np.ndarray  # (m,) player row, −1 for nobody
    ladders: tuple[Ladder | None, ...] = ()  # one for each entry, None where the armband is held; empty = all are held

    def __post_init__(self) -> None:
        if self.ladders and len(self.ladders) != len(self.captain):
            raise InputError(f"{len(self.captain)} entries need a ladder each, not {len(self.ladders)}.")

    def __len__(self) -> int:
        return len(self.captain)


def ladders_of(table: ArmbandTable, rules: GameRules, lineups: Lineups) -> tuple[Ladder, ...]:
    """Return the ladder of each eleven under its captain and vice; none where the rules hold the armband."""
    setting: Setting = rules.captaincy.mode.value
    if setting == "locked" or not rules.captaincy.vice_covers:
        return ()
    copies = max(rules.captaincy.multiplier - 1, 1)
    return tuple(
        best_ladder(
            table,
            lineups.starters[row],
            setting,
            forfeit=float(lineups.forfeit[row]) / copies,
            wearers=(int(lineups.captain[row]), int(lineups.vice[row]), float(lineups.captaincy_uplift[row]) / copies),
        )
        for row in range(len(lineups))
    )


def score_entries(
    entries: Entries, drawn: Deal, rules: GameRules, position: np.ndarray
) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield (simulations, points (m, simulations) int16) part by part, in order."""
    at_once = max(1, CELLS // max(len(entries), 1))
    plan = _Plan.of(entries, rules, position, drawn.points.shape[1])
    for start in range(0, len(drawn), at_once):
        part = slice(start, min(start + at_once, len(drawn)))
        yield part, plan.scores(drawn, part)


def all_scores(entries: Entries, drawn: Deal, rules: GameRules, position: np.ndarray) -> np.ndarray:
    """Return (m, n) int16 the points of every entry in every simulation."""
    return np.concatenate([points for _, points in score_entries(entries, drawn, rules, position)], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """Everything about the entries that no simulation changes."""

    entries: Entries
    rules: GameRules
    eleven: csr_array  # (m, players) 1 for a starter
    signs: csr_array  # (m, players) weights that turn who played into a code
    code: np.ndarray  # (m, 1) of an entry of whom nobody played
    table: np.ndarray  # (kinds, codes) bits of the bench that comes in
    kind: np.ndarray  # (m,) formation and order of the bench

    @classmethod
    def of(cls, entries: Entries, rules: GameRules, position: np.ndarray, players: int) -> _Plan:
        size, bench = len(entries), entries.bench.shape[1]
        starts = position[entries.starters]
        weight = _absence_weights(bench)[starts]
        bits = 2.0 ** (BENCH_BIT + np.arange(bench))
        men = np.hstack([entries.starters, entries.bench])
        values = np.hstack([-weight, np.broadcast_to(bits, (size, bench))])
        return cls(
            entries,
            rules,
            _rows(entries.starters, np.ones(entries.starters.shape), players),
            _rows(men, values, players),
            weight.sum(axis=1, keepdims=True).astype(np.float32),
            *_kinds(entries, rules, position),
        )

    def scores(self, drawn: Deal, part: slice) -> np.ndarray:
        """Return (m, simulations) the points of a part of the simulations."""
        points = np.ascontiguousarray(drawn.points[part].T, dtype=np.float32)
        played = np.ascontiguousarray(drawn.played[part].T, dtype=np.float32)
        total, brought = self.eleven @ points, self._brought(points, played)
        copies = self.rules.captaincy.multiplier - 1
        armbands = self._held(points, played)
        for row, ladder in enumerate(self.entries.ladders):
            if ladder is not None:
                armbands[row], moved = follow(ladder, points, played)
                brought[row, moved & self.rules.autosubs.manual_change_cancels_autosubs] = 0.0
        total += brought
        total += copies * armbands
        return np.asarray(total, dtype=np.int16)

    def _brought(self, points: np.ndarray, played: np.ndarray) -> np.ndarray:
        """Return (m, simulations) the points of those who come in."""
        code = (self.signs @ played + self.code).astype(np.int32)
        code += (self.kind * self.table.shape[1])[:, None].astype(np.int32)
        comes = self.table.ravel()[code]
        total = np.zeros(code.shape, dtype=np.float32)
        for place, men in enumerate(self.entries.bench.T):
            total += points[men] * (comes >> place & 1)
        return np.asarray(total)

    def _held(self, points: np.ndarray, played: np.ndarray) -> np.ndarray:
        """Return (m, simulations) the score of the captain, or of the vice where the captain did not play."""
        worn = points[self.entries.captain]
        if self.rules.captaincy.vice_covers and (self.entries.vice != NOBODY).all():
            worn += points[self.entries.vice] * (1.0 - played[self.entries.captain])
        return np.asarray(worn)


def follow(ladder: Ladder, points: np.ndarray, played: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (n,) what the armband doubles and (n,) whether it was moved, for points and played (players, n)."""
    worn = np.zeros(points.shape[1], dtype=np.float32)
    here = played[ladder.captain.player] > 0
    moving: dict[int, np.ndarray] = {}
    for rung, open_to in ((ladder.captain, here), (ladder.vice, ~here)):
        _climb(rung, open_to, points, worn, moving)
    moved = np.zeros(points.shape[1], dtype=bool)
    for flags in moving.values():
        moved |= flags
    for rung in ladder.later:
        _climb(rung, moving.pop(rung.player, np.zeros_like(moved)), points, worn, moving)
    return worn, moved


def _climb(
    rung: Rung, open_to: np.ndarray, points: np.ndarray, worn: np.ndarray, moving: dict[int, np.ndarray]
) -> None:
    """Keep the armband on this rung where its rule says so; else pass it on."""
    score = points[rung.player]
    goes = open_to & (score < rung.keep_from) if rung.keep_from is not None else np.zeros_like(open_to)
    worn[open_to & ~goes] = score[open_to & ~goes]
    if rung.move_to is not None:
        moving[rung.move_to] = moving.get(rung.move_to, np.zeros_like(goes)) | goes


def _rows(men: np.ndarray, values: np.ndarray, players: int) -> csr_array:
    start = np.arange(0, men.size + 1, men.shape[1])
    return csr_array((values.astype(np.float32).ravel(), men.ravel(), start), shape=(len(men), players))


def _absence_weights(bench: int) -> np.ndarray:
    """Return (4,) what an absent goalkeeper, defender, midfielder and forward add to a code."""
    return np.array([2.0 ** (BENCH_BIT + bench), *(2.0 ** (ABSENT_BITS * np.arange(len(OUTFIELD))))])


def _kinds(entries: Entries, rules: GameRules, position: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the tables of the kinds of entries at hand (kinds, codes), and the kind of each entry."""
    starts = np.sort(position[entries.starters], axis=1)
    counts = np.stack([(starts == place).sum(axis=1) for place in range(len(Position))], axis=1)
    found, kind = np.unique(np.hstack([counts, position[entries.bench]]), axis=0, return_inverse=True)
    by_lineup = {table.lineup: table for table in bench_tables(rules)}
    tables = [_table(by_lineup[tuple(row[:4])], tuple(row[4:]), rules.autosubs.enabled) for row in found.tolist()]
    return np.stack(tables), kind.ravel()


@lru_cache(maxsize=256)
def _table(table: BenchTable, bench: tuple[int, ...], enabled: bool) -> np.ndarray:
    """Return (codes,) which of a bench, by position in its order, comes in: bit i for its man i."""
    outfield = [code for code in bench if code != 0]
    found = np.zeros((2, 2 ** len(bench), *(2**ABSENT_BITS,) * len(OUTFIELD)), dtype=np.uint8)
    for played in product((False, True), repeat=len(bench)):
        number = sum(2**place for place, here in enumerate(played) if here)
        found[:, number] = _outfield_bits(table, outfield, played)
        waiting = [place for place in range(len(outfield), len(bench)) if played[place]]
        if waiting and enabled:
            found[1, number] |= np.uint8(2 ** waiting[0])
    # The lowest bits of a code are the defenders: the last axis runs fastest.
    return np.ascontiguousarray(found.transpose(0, 1, 4, 3, 2)).ravel()


def _outfield_bits(table: BenchTable, outfield: list[int], played: tuple[bool, ...]) -> np.ndarray:
    """Return (DEF, MID, FWD absent) which outfield men of the bench come in, as bits."""
    free = [[place for place, code in enumerate(table.bench) if code == position] for position in range(len(Position))]
    places = [free[position].pop(0) for position in outfield]
    counts = np.indices((2**ABSENT_BITS,) * len(OUTFIELD))
    absent = tuple(np.minimum(count, most - 1) for count, most in zip(counts, table.entries.shape, strict=False))
    row: tuple[int, ...] = ()
    bits = np.zeros(counts.shape[1:], dtype=np.uint8)
    for turn, place in enumerate(places):
        if played[turn]:
            row = (*row, place)
            bits |= (table.entries[(*absent, table.column[row])] > 0).astype(np.uint8) << turn
    return bits
