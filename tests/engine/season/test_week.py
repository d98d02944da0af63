"""A week of a season: who stands still keeps his squad, whatever has become of it."""

from __future__ import annotations

import numpy as np

from data.rules import load_rules
from data.worlds.library import find_world
from engine.fitness.judge import named_objective
from engine.fitness.wishes import NO_WISHES
from engine.plan.planner import NONE, PlanOrder, open_planner
from engine.season.holding import Holding
from engine.season.week import committed
from models.outlook import signals_ahead
from models.signals import build_signals

RETURNED = 252
"""Left for Sunderland on loan and is back at Chelsea before gameweek 4: a fourth man there of this squad."""

FOUR_OF_ONE_CLUB = (38, 47, 191, 220, 224, 235, RETURNED, 362, 381, 382, 402, 502, 582, 610, 624)


def test_a_squad_with_a_fourth_man_of_a_club_is_kept_by_who_stands_still() -> None:
    world, rules = find_world("fpl2025-26"), load_rules("fpl2025")
    beliefs = build_signals(world.at(4), rules)
    before = world.at(3).players.set_index("player_id")["price"]
    holding = Holding(paid={man: float(before[man]) for man in FOUR_OF_ONE_CLUB}, bank=0.0, free=3, boosters=())
    state = holding.state(world, beliefs)
    order = PlanOrder(horizon=2, state=state, chips=NONE, hits=False)
    ahead = signals_ahead(beliefs, 2)
    planner = open_planner(world.at(4), beliefs, order, NO_WISHES, lambda _: None, ahead=ahead)
    signals = planner.rounds.signals[0]
    clubs = signals.team[[signals.row_of(man) for man in FOUR_OF_ONE_CLUB]]
    assert np.bincount(clubs).max() == rules.stage(4).team_cap + 1
    found, row = committed(planner, named_objective("neutral", planner.rounds.views[0]), still=True)
    for move in found.plans[row].moves:
        assert sorted(int(signals.player_id[man]) for man in move.squad) == sorted(FOUR_OF_ONE_CLUB)
        assert (move.transfers, move.hits) == (0, 0)
