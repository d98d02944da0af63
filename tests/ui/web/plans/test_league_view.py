"""The league's end as a table: one row per objective, the chance to win and to end above each rival."""

from __future__ import annotations

from engine.rank.intervals import Estimate
from engine.season.league.league_end import LeaguePlan, RivalChance
from ui.web.plans.league_view import NAMED, league_table


def a_plan(objective: str, win: float) -> LeaguePlan:
    rivals = tuple(RivalChance(f"Rival {number}", 10.0, Estimate(0.6, 0.55, 0.65)) for number in range(NAMED + 2))
    won = Estimate(win, win - 0.02, win + 0.02)
    return LeaguePlan(objective, won, 2.4, rivals, 311.0, None, None)


def test_every_objective_has_its_chance_to_win_and_the_nearest_rivals_are_named() -> None:
    table = league_table((a_plan("neutral", 0.31), a_plan("gain", 0.34)))
    assert table["Plan"].tolist() == ["Neutral", "Gain"]
    assert table["Wins the league"].tolist() == [str(Estimate(0.31, 0.29, 0.33)), str(Estimate(0.34, 0.32, 0.36))]
    assert sum(name.startswith("Above ") for name in table.columns) == NAMED
