"""An impossible request names the demands that conflict, none of which could be spared, and a way out."""

from __future__ import annotations

import numpy as np
import pytest

from data.errors import InfeasibleError, InputError
from engine.conflicts import Demands, Names, best_squad, rule_groups, smallest_conflict
from engine.legality import Pool
from engine.repair import repair

PLAYERS = tuple(f"man {row}" for row in range(24))
NAMES = Names(PLAYERS, ("ESP", "FRA", "GER", "USA"))


def a_pool(budget: float = 100.0, cap: int = 3) -> Pool:
    """Return four teams of six: a goalkeeper, two defenders, two midfielders, a forward, who cost 4 to 9."""
    team, man = np.divmod(np.arange(24), 6)
    return Pool(4.0 + man.astype(float), team, np.array([0, 1, 1, 2, 2, 3])[man], budget, cap, (1, 2, 2, 1))


def refused(pool: Pool, demands: Demands) -> str:
    squad = np.array([0, 7, 13, 9, 15, 23])
    with pytest.raises(InfeasibleError) as caught:
        repair(squad, pool, np.ones(24), demands, names=NAMES)
    return str(caught.value)


def test_too_many_locked_players_of_a_team_name_the_cap() -> None:
    said = refused(a_pool(), Demands(must=(0, 1, 2, 3, 10)))
    assert "man 10" not in said
    assert said == (
        "No legal squad: 4 locked players (man 0, man 1, man 2, man 3) do not fit at most 3 from ESP. "
        "Unlock one of man 0, man 1, man 2, man 3."
    )


def test_too_many_locked_players_of_a_position_name_the_shape() -> None:
    said = refused(a_pool(), Demands(must=(0, 6, 8)))
    assert said == ("No legal squad: 2 locked players (man 0, man 6) do not fit 1 GK. Unlock one of man 0, man 6.")


def test_too_little_money_says_what_the_cheapest_squad_costs() -> None:
    assert refused(a_pool(budget=30.0), Demands()) == (
        "No legal squad: the cheapest squad costs 37.0, the budget is 30. Raise the budget."
    )


def test_dear_locks_are_named_with_the_budget() -> None:
    said = refused(a_pool(budget=38.0), Demands(must=(2, 8)))
    assert "costs 39.0, the budget is 38" in said
    assert said.endswith("Unlock one of man 2, man 8, or raise the budget.")


def test_too_many_bans_are_named() -> None:
    said = refused(a_pool(), Demands(never=(5, 11, 17, 23)))
    assert "ruled out" in said
    assert said.endswith("Allow one of man 5, man 11, man 17, man 23.")


def test_a_cap_too_small_for_the_teams_is_named() -> None:
    assert "at most 1 per team" in refused(a_pool(cap=1), Demands())


def test_a_player_cannot_be_asked_for_and_ruled_out() -> None:
    with pytest.raises(InputError, match="Player 4 is asked for and ruled out"):
        Demands(must=(4,), never=(4, 5))


@pytest.mark.parametrize("seed", range(24))
def test_what_is_named_conflicts_and_without_any_one_of_it_a_squad_exists(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pool = a_pool(budget=float(rng.integers(36, 44)), cap=int(rng.integers(1, 4)))
    must = tuple(sorted(rng.permutation(24)[: rng.integers(2, 6)].tolist()))
    demands = Demands(must=must)
    if best_squad(pool, demands) is not None:
        assert repair(rng.permutation(24)[:6], pool, np.ones(24), demands).squad.size == 6
        return
    needed, groups = smallest_conflict(pool, demands), rule_groups(pool, demands)
    spared = frozenset(rule for group in groups if group not in needed for rule in group)
    assert best_squad(pool, demands, None, spared) is None
    for group in needed:
        assert best_squad(pool, demands, None, spared | set(group)) is not None


@pytest.mark.parametrize("seed", range(6))
def test_where_the_rules_alone_leave_no_squad_no_wish_is_blamed(seed: int) -> None:
    must = tuple(np.random.default_rng(seed).permutation(24)[:2].tolist())
    assert refused(a_pool(budget=36.0), Demands(must=must)) == refused(a_pool(budget=36.0), Demands())


def test_unnamed_players_are_numbered() -> None:
    assert Names().player(3) == "player 3"
    assert Names().team(2) == "team 2"
