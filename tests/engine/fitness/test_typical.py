"""A typical squad spends the budget on expected points."""

from __future__ import annotations

from engine.fitness.squad_view import SceneSettings, SquadView
from engine.fitness.typical import typical_squad
from engine.rules.legality import has_shape, within_budget
from models.signals import Signals


def test_a_typical_squad_can_be_paid_for_and_a_richer_one_expects_more(beliefs: Signals) -> None:
    poor, rich = (SquadView(beliefs, SceneSettings(budget=budget)) for budget in (100.0, 130.0))
    for view in (poor, rich):
        squad = typical_squad(beliefs, view.pool)[None, :]
        assert within_budget(squad, view.pool).all()
        assert has_shape(squad, view.pool).all()
        assert (view.typical == squad[0]).all()
    assert beliefs.xev[rich.typical].sum() > beliefs.xev[poor.typical].sum()
