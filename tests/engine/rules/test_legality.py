"""A squad is legal when a plain reading of the rules says so, whatever the batch."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from engine.rules.legality import all_different, broken_rules, has_shape, legal, within_budget
from engine.rules.pool import Pool, TeamLimit, pool_of, wished
from models.signals import Signals

SHAPE = (1, 2, 2, 1)
TENTHS = st.integers(1, 150)


def a_pool(tenths: list[int], team: list[int], position: list[int], budget: int, cap: int) -> Pool:
    """Build a pool whose prices and budget are whole tenths."""
    prices = np.array([price / 10 for price in tenths])
    return Pool(prices, np.array(team), np.array(position), budget / 10, cap, SHAPE)


def plainly_legal(
    squad: list[int], tenths: list[int], team: list[int], position: list[int], budget: int, cap: int
) -> bool:
    """Read the rules as a manager does, in whole tenths."""
    places = Counter(position[row] for row in squad)
    return (
        len(set(squad)) == len(squad)
        and sum(tenths[row] for row in squad) <= budget
        and max(Counter(team[row] for row in squad).values()) <= cap
        and all(places[place] == count for place, count in enumerate(SHAPE))
    )


@st.composite
def markets(draw: st.DrawFn) -> tuple[list[int], list[int], list[int]]:
    """Players of every position, with their prices in tenths and their teams."""
    position = [0, 0, 1, 1, 1, 2, 2, 2, 3, 3]
    many = len(position)
    tenths = draw(st.lists(TENTHS, min_size=many, max_size=many))
    return tenths, draw(st.lists(st.integers(0, 3), min_size=many, max_size=many)), position


GOOD = [0, 2, 3, 5, 6, 8]
"""A squad of the right shape among the players of `markets`."""


@given(
    markets(),
    st.lists(st.lists(st.integers(0, 9), min_size=6, max_size=6), max_size=8),
    st.integers(10, 700),
    st.integers(1, 7),
)
def test_any_batch_is_judged_as_each_squad_alone_by_the_plain_rules(
    market: tuple[list[int], list[int], list[int]], squads: list[list[int]], budget: int, cap: int
) -> None:
    batch = [GOOD, *squads]
    judged = legal(np.array(batch), a_pool(*market, budget, cap))
    assert judged.tolist() == [plainly_legal(squad, *market, budget, cap) for squad in batch]


@given(st.lists(TENTHS, min_size=10, max_size=10), st.permutations(GOOD))
def test_a_squad_that_costs_the_budget_to_the_tenth_can_be_paid_in_any_order(
    tenths: list[int], squad: list[int]
) -> None:
    cost = sum(tenths[row] for row in squad)
    pool = a_pool(tenths, [0] * 10, [0] * 10, cost, 3)
    assert within_budget(np.array([squad]), pool).tolist() == [True]
    assert within_budget(np.array([squad]), replace(pool, budget=(cost - 1) / 10)).tolist() == [False]


@given(markets(), st.permutations(GOOD))
def test_the_order_of_the_men_does_not_matter(market: tuple[list[int], list[int], list[int]], squad: list[int]) -> None:
    pool = a_pool(*market, 400, 3)
    assert legal(np.array([squad]), pool).tolist() == legal(np.array([GOOD]), pool).tolist()


@pytest.mark.parametrize(
    ("team", "cap", "fits"),
    [
        ([0, 0, 0, 1, 2, 3], 3, True),
        ([0, 1, 0, 2, 0, 0], 3, False),
        ([0, 0, 0, 0, 0, 0], 6, True),
        ([0, 0, 0, 0, 0, 0], 15, True),
        ([0, 1, 2, 3, 4, 0], 1, False),
        ([0, 1, 2, 3, 4, 5], 1, True),
    ],
)
def test_a_team_may_have_as_many_men_as_its_cap_and_no_more(team: list[int], cap: int, fits: bool) -> None:
    pool = a_pool([10] * 6, team, [0, 1, 1, 2, 2, 3], 100, cap)
    assert legal(np.arange(6)[None, :], pool).tolist() == [fits]


def test_a_squad_of_the_wrong_size_has_no_shape_and_no_squads_are_no_verdicts() -> None:
    pool = a_pool([10] * 6, list(range(6)), [0, 1, 1, 2, 2, 3], 100, 3)
    assert not has_shape(np.array([[0, 1, 2, 3, 4]]), pool).any()
    assert not legal(np.array([[0, 1, 2, 3, 4]]), pool).any()
    assert legal(np.empty((0, 6), dtype=int), pool).shape == (0,)


def test_no_man_counts_twice() -> None:
    assert all_different(np.array([[0, 1, 2], [2, 1, 2]])).tolist() == [True, False]


def test_a_pool_has_its_stages_rules_and_the_managers_own_budget(beliefs: Signals) -> None:
    pool = pool_of(beliefs)
    assert (pool.budget, pool.team_cap, pool.shape, pool.size) == (100.0, 3, (2, 5, 5, 3), 15)
    assert pool.place_of.tolist() == [0] * 2 + [1] * 5 + [2] * 5 + [3] * 3
    assert pool_of(beliefs, budget=98.5).budget == 98.5
    later = pool_of(replace(beliefs, round=5))
    assert (later.budget, later.team_cap) == (105.0, 4)


def test_broken_rules_are_told_in_words() -> None:
    pool = Pool(
        price=np.array([5.0, 5.0, 6.0, 7.0]),
        team=np.array([0, 0, 0, 1]),
        position=np.array([0, 1, 2, 3]),
        budget=20.0,
        team_cap=2,
        shape=(1, 1, 1, 1),
    )
    said = broken_rules(np.array([0, 1, 2, 3]), pool, ("ESP", "FRA"))
    assert said == ("it costs 23.0, 20 is allowed", "3 from ESP, 2 are allowed")
    assert broken_rules(np.array([0, 0, 2, 3]), pool, ("ESP", "FRA"))[-2:] == (
        "a position has too many or too few players",
        "a player stands in it twice",
    )


def a_limited_pool(**limits: object) -> Pool:
    """Return six players of three teams, two of each, all of whom fit into a squad."""
    pool = a_pool([10] * 7, [0, 0, 1, 1, 2, 2, 3], [0, 1, 1, 2, 2, 3, 3], 100, 3)
    return wished(pool, **limits)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        (TeamLimit(0, 2), ()),
        (TeamLimit(0, 3), ("2 from A, you want at least 3",)),
        (TeamLimit(1, 0, 1), ("2 from B, you want at most 1",)),
        (TeamLimit(3, 0, 0), ()),
        (TeamLimit(3, 1), ("0 from D, you want at least 1",)),
        (TeamLimit(4, 1), ("0 from E, you want at least 1",)),
    ],
)
def test_a_managers_limits_on_teams_are_kept_and_told(limit: TeamLimit, said: tuple[str, ...]) -> None:
    pool, squad = a_limited_pool(limits=(limit,)), np.arange(6)
    assert legal(squad[None, :], pool).tolist() == [not said]
    assert broken_rules(squad, pool, "ABCDE") == said
    assert pool.floors[limit.team] == limit.least
    assert pool.caps[limit.team] == min(3, 3 if limit.most is None else limit.most)


@pytest.mark.parametrize(("most", "fits"), [(0, False), (1, True), (None, True)])
def test_only_so_many_changes_from_the_squad_one_has(most: int | None, fits: bool) -> None:
    pool, squad = a_limited_pool(current=(0, 1, 2, 3, 4, 6), most_changes=most), np.arange(6)
    assert legal(squad[None, :], pool).tolist() == [fits]
    assert broken_rules(squad, pool, "ABCD") == (() if fits else ("1 new players, you want at most 0",))


def test_limits_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match="From 2 to 1 players of a team is no range"):
        TeamLimit(0, 2, 1)
    with pytest.raises(InputError, match="At most -1 changes make no sense"):
        a_limited_pool(current=(0,), most_changes=-1)
    with pytest.raises(InputError, match="no squad to change"):
        a_limited_pool(most_changes=1)
