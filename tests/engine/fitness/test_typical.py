"""A typical squad spends the budget on expected points."""

from __future__ import annotations

from data.rules import GameRules
from engine.fitness.typical import typical_squad
from engine.fitness.view import SceneSettings, SquadView
from engine.rules.legality import has_shape, within_budget
from models.signals import build_signals
from tests.cases.small_world import quick_settings, small_cup


def test_a_typical_squad_can_be_paid_for_and_a_richer_one_expects_more(world_cup_rules: GameRules) -> None:
    signals = build_signals(small_cup().at(1), world_cup_rules, quick_settings(world_cup_rules))
    poor, rich = (SquadView(signals, SceneSettings(budget=budget)) for budget in (100.0, 130.0))
    for view in (poor, rich):
        squad = typical_squad(signals, view.pool)[None, :]
        assert within_budget(squad, view.pool).all()
        assert has_shape(squad, view.pool).all()
        assert (view.typical == squad[0]).all()
    assert signals.xev[rich.typical].sum() > signals.xev[poor.typical].sum()
