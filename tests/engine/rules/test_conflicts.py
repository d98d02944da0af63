"""An impossible request names the demands that conflict, none of which could be spared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.errors import InputError
from engine.rules.conflicts import (
    CAPTAIN,
    FORMATION,
    MANY_BANS,
    Demands,
    Names,
    Request,
    best_squad,
    possible,
    rule_groups,
    smallest_conflict,
)
from engine.rules.legality import legal
from engine.rules.pool import Pool, TeamLimit
from engine.rules.pool_rows import BUDGET, Key, RowKind
from engine.rules.repair import repair
from tests.cases.objectives.form_cases import all_squads

SEEDS = st.integers(0, 100_000)


def a_pool(budget: float = 100.0, cap: int = 3) -> Pool:
    """Return four teams of six: a goalkeeper, two defenders, two midfielders, a forward, who cost 4 to 9."""
    team, man = np.divmod(np.arange(24), 6)
    return Pool(4.0 + man.astype(float), team, np.array([0, 1, 1, 2, 2, 3])[man], budget, cap, (1, 2, 2, 1))


def a_request(seed: int) -> tuple[Pool, Demands]:
    """Return demands of every kind at random; about half of them cannot hold together."""
    rng = np.random.default_rng(seed)
    pool = a_pool(budget=float(rng.integers(37, 46)), cap=int(rng.integers(2, 4)))
    rows = rng.permutation(24).tolist()
    locks, bans = (int(count) for count in rng.integers(0, 4, 2))
    if rng.random() < 0.5:
        limits = (TeamLimit(int(rng.integers(4)), int(rng.integers(3))), TeamLimit(0, 0, int(rng.integers(3))))
        pool = replace(pool, limits=limits)
    if rng.random() < 0.5:
        pool = replace(pool, current=(0, 7, 13, 9, 15, 23), most_changes=int(rng.integers(0, 4)))
    captain = rows[locks + bans] if rng.random() < 0.3 else None
    return pool, Demands(must=tuple(rows[:locks]), never=tuple(rows[locks : locks + bans]), captain=captain)


@given(SEEDS)
def test_a_squad_is_possible_when_trying_all_finds_one(seed: int) -> None:
    pool, demands = a_request(seed)
    found = [squad for squad in all_squads(pool) if demands.met(squad)]
    assert possible(pool, demands) == bool(found)


@settings(max_examples=30)
@given(SEEDS)
def test_what_is_named_conflicts_and_without_any_one_of_it_a_squad_exists(seed: int) -> None:
    request = Request(*a_request(seed))
    if request.holds(list(request.rows)):
        return
    needed = smallest_conflict(request)
    assert needed
    assert not request.holds([key for group in needed for key in group])
    for spared in needed:
        assert request.holds([key for group in needed if group != spared for key in group])


@settings(max_examples=20)
@given(SEEDS)
def test_the_best_squad_is_found_by_the_solver_as_by_trying_all(seed: int) -> None:
    pool, demands = a_request(seed)
    score = np.random.default_rng(seed + 1).uniform(0, 5, 24)
    found = [float(score[squad].sum()) for squad in all_squads(pool) if demands.met(squad)]
    best = best_squad(pool, demands, score)
    assert (best is None) == (not found)
    if best is not None:
        assert legal(best[None, :], pool)[0]
        assert score[best].sum() == pytest.approx(max(found), abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_where_the_rules_alone_leave_no_squad_no_wish_is_blamed(seed: int) -> None:
    must = tuple(np.random.default_rng(seed).permutation(24)[:2].tolist())
    pool = a_pool(budget=36.0)
    assert smallest_conflict(Request(pool, Demands(must=must))) == smallest_conflict(Request(pool, Demands()))


def test_how_far_a_row_can_go_is_told() -> None:
    request = Request(replace(a_pool(), limits=(TeamLimit(0, 1),)), Demands(must=(5,)))
    everything = list(request.rows)
    assert request.reach(BUDGET, everything) == 37.0
    assert request.reach(Key(RowKind.LEAST, 0, 1), everything) == 3.0
    assert request.reach(BUDGET, [*everything, FORMATION]) == 37.0


def test_only_the_cheapest_of_a_kind_decide() -> None:
    twins = replace(
        a_pool(), price=np.arange(24) / 10 + 4, team=np.zeros(24, dtype=int), position=np.repeat(np.arange(4), 6)
    )
    request = Request(replace(twins, team_cap=6), Demands(must=(5,), never=(0,)))
    assert request.reach(BUDGET, list(request.rows)) == pytest.approx(twins.price[[5, 6, 7, 12, 13, 18]].sum())


def test_a_captain_without_a_place_in_the_eleven_conflicts_with_the_formation() -> None:
    demands = Demands(captain=5, lineups=((1, 2, 2, 0),))
    assert not possible(a_pool(), demands)
    assert smallest_conflict(Request(a_pool(), demands)) == [(CAPTAIN,), (FORMATION,)]
    assert possible(a_pool(), replace(demands, lineups=((1, 2, 2, 0), (1, 2, 1, 1))))


def test_a_captain_is_asked_for_once_even_if_he_is_locked() -> None:
    demands = Demands(must=(5, 7), captain=5)
    assert demands.wanted == (5, 7)
    assert [row.key for row in demands.rows()] == [Key(RowKind.MUST, 7), CAPTAIN]
    assert not demands.met(np.array([7, 8]))
    assert demands.met(np.array([7, 5]))


def test_a_long_list_of_bans_is_looked_at_by_position_first() -> None:
    pool = a_pool()
    wide = replace(
        pool,
        price=np.tile(pool.price, 2),
        team=np.concatenate([pool.team, pool.team + 4]),
        position=np.tile(pool.position, 2),
    )
    forwards = tuple(np.flatnonzero(wide.position == 3).tolist())
    others = tuple(np.setdiff1d(np.arange(48), (*forwards, 0, 1, 7, 9, 10, 15, 13, 6)).tolist())
    request = Request(wide, Demands(never=(*forwards, *others)))
    assert len(request.demands.never) > MANY_BANS
    assert len([group for group in rule_groups(request) if group[0].kind is RowKind.NEVER]) <= 4
    named = [group for group in smallest_conflict(request) if group[0].kind is RowKind.NEVER]
    assert sorted(key.number for group in named for key in group) == sorted(forwards)


def test_a_player_cannot_be_asked_for_and_ruled_out() -> None:
    with pytest.raises(InputError, match="Player 4 is asked for and ruled out"):
        Demands(must=(4,), never=(4, 5))


def test_a_possible_request_is_repaired() -> None:
    demands = Demands(must=(2, 8))
    assert demands.met(repair(np.array([0, 7, 13, 9, 15, 23]), a_pool(), np.ones(24), demands).squad)


def test_unnamed_players_are_numbered() -> None:
    assert Names().player(3) == "player 3"
    assert Names().team(2) == "team 2"
