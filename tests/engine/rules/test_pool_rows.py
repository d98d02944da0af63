"""The rows say of every set of players what legality says of it, and a program with them finds only legal squads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.legality import legal
from engine.rules.pool import Pool, TeamLimit
from engine.rules.pool_rows import Key, Row, RowKind, add_rows, counted, pool_rows
from engine.rules.solver import SolverProgram

SEEDS = st.integers(0, 100_000)


def a_pool(seed: int = 0) -> Pool:
    """Return twelve players for squads of five, with limits on two teams and on changes."""
    rng = np.random.default_rng(seed)
    position = np.array([0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 1, 2])
    limits = (TeamLimit(0, int(rng.integers(0, 2)), 2), TeamLimit(1, 0, int(rng.integers(0, 3))), TeamLimit(0, 1))
    return Pool(
        price=rng.integers(30, 90, 12) / 10,
        team=rng.integers(0, 4, 12),
        position=position,
        budget=float(rng.integers(25, 36)),
        team_cap=int(rng.integers(1, 4)),
        shape=(1, 2, 1, 1),
        limits=limits,
        current=(0, 2, 3, 5, 8),
        most_changes=int(rng.integers(0, 6)),
    )


@given(SEEDS)
def test_players_keep_all_rows_exactly_when_their_squad_is_legal(seed: int) -> None:
    pool, rng = a_pool(seed), np.random.default_rng(seed + 1)
    squads = np.array([rng.permutation(12)[:5] for _ in range(40)] + [[0, 2, 3, 5, 8]])
    picked = np.zeros((len(squads), 12))
    np.put_along_axis(picked, squads, 1.0, axis=1)
    sums = [(row, picked[:, row.players] @ row.factor) for row in pool_rows(pool)]
    kept = np.all([(total >= row.low) & (total <= row.high) for row, total in sums], axis=0)
    assert kept.tolist() == legal(squads, pool).tolist()


def test_limits_on_one_team_become_its_tightest_rows() -> None:
    pool = replace(a_pool(), limits=(TeamLimit(2, 1), TeamLimit(2, 0, 3), TeamLimit(2, 2, 2)), most_changes=None)
    rows = {row.key: row for row in pool_rows(pool)}
    assert (rows[Key(RowKind.LEAST, 2, 1)].low, rows[Key(RowKind.MOST, 2, 1)].high) == (2, 2)
    assert {key.rule for key in rows} == {0, 1}


def feasible(rows: list[Row]) -> bool:
    program = SolverProgram()
    chosen = program.flags(f"x{row}" for row in range(5))
    program.maximise((one, 1.0) for one in chosen)
    add_rows(program, dict(enumerate(chosen)), rows)
    answer = program.solve(10.0)
    assert answer.proved
    return answer.found


def test_a_row_about_nobody_at_hand_is_kept_when_nothing_is_asked_and_broken_else() -> None:
    strangers = np.array([7, 9])
    assert feasible([counted(Key(RowKind.NEVER), strangers, high=0)])
    assert not feasible([counted(Key(RowKind.MUST), strangers, low=1)])
    assert not feasible([counted(Key(RowKind.MUST), np.array([], dtype=int), low=2, high=2)])
    assert feasible([counted(Key(RowKind.MUST), np.array([1, 9]), low=1)])
