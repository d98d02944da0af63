"""A team that a browser kept comes back whole in its round, as men alone in another, and never as anything else."""

from __future__ import annotations

import pytest

from ui.web.choice.plan import Plan
from ui.web.squads.team_store import read_team, written_team

TEAM = Plan(
    world="fpl2025-26",
    round=20,
    current=tuple(range(1, 16)),
    selling=(5.0,) * 15,
    budget=101.3,
    free=2,
    entry=123456,
    chips=("wildcard",),
)


def test_in_its_round_a_team_comes_back_with_its_money() -> None:
    found = read_team(written_team(TEAM), Plan(world="fpl2025-26", round=20))
    assert found == {name: getattr(TEAM, name) for name in found}
    assert {"current", "entry", "budget", "free", "selling", "chips"} == set(found)


def test_in_another_round_only_the_men_and_the_entry_hold() -> None:
    found = read_team(written_team(TEAM), Plan(world="fpl2025-26", round=21))
    assert found == {"current": TEAM.current, "entry": TEAM.entry}


@pytest.mark.parametrize("held", ["", "[", "7", "[]", "{}", '{"world": 3}', "x" * 9_000, '{"current": "1,1,1"}'])
def test_whatever_else_a_browser_holds_is_no_team(held: str) -> None:
    assert read_team(held, Plan(world="fpl2025-26", round=20)) == {}


def test_a_team_of_another_competition_is_not_offered() -> None:
    assert read_team(written_team(TEAM), Plan(world="wc2026", round=20)) == {}
