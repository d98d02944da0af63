"""Boards of every round that a manager would sign: no inverted pair, nobody bought who cannot play, hits in front."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from data.rules import CaptaincyMode
from data.worlds.world import World
from engine.board.board import Option
from engine.desk import Desk, open_desk
from engine.fitness.wishes import Wishes
from engine.rules.legality import legal
from tests.cases.judged_worlds import under, world_cup_signals
from tests.cases.objectives.plain_fitness import PlainRound
from tests.conftest import SOAKING
from tests.engine.fitness.test_sent_out import assert_sent_out_best

ROUNDS = range(1, 9)
OBJECTIVES = ("protect", "neutral", "gain", "rank")
PLACES = list(product(ROUNDS, CaptaincyMode))
QUICK = list(zip((1, 4, 8), CaptaincyMode, strict=True))


def a_desk(world: World, number: int, mode: CaptaincyMode) -> Desk:
    return Desk(world.at(number), under(world_cup_signals(number), mode))


def assert_sane(desk: Desk, option: Option, beliefs: PlainRound | None = None) -> None:
    """The line-up has no inverted pair, the squad is legal, and whoever cannot play was kept and is named."""
    rows, theta = np.array(option.rows), option.decomposition.spec
    scored = desk.judge.sent_out(rows[None, :], desk.objective(theta))
    assert [man.row for man in option.men] == [*scored.lineups.starters[0], *scored.lineups.bench[0]]
    assert option.captain.row == scored.lineups.captain[0]
    if beliefs is not None:
        assert_sent_out_best(beliefs, scored, 0, theta)
    assert legal(rows[None, :], desk.view.pool).all()
    idle = rows[desk.signals.unavailable[rows]]
    assert set(idle.tolist()) <= set(desk.view.settings.current)
    for man in idle:
        assert any(str(desk.signals.short[man]) in remark for remark in option.remarks)


@pytest.mark.parametrize(("number", "mode"), PLACES if SOAKING else QUICK)
@pytest.mark.daily("4-one_switch")
def test_every_board_is_one_a_manager_would_sign(world_cup: World, number: int, mode: CaptaincyMode) -> None:
    for seed in range(3) if SOAKING else (0,):
        desk = open_desk("wc2026", number, captaincy=mode, seed=seed) if seed else a_desk(world_cup, number, mode)
        beliefs = PlainRound(desk.signals)
        for theta in OBJECTIVES if SOAKING else OBJECTIVES[number % len(OBJECTIVES) :][:1]:
            board = desk.pick(theta) if SOAKING else desk.pick(theta, generations=1)
            for place, option in enumerate(board.options):
                assert_sane(desk, option, beliefs if SOAKING or place == 0 else None)


def test_one_squad_walks_through_the_tournament_under_its_real_limits(world_cup: World) -> None:
    squad: tuple[int, ...] = ()
    for number in ROUNDS if SOAKING else (4, 8):
        desk = Desk(world_cup.at(number), world_cup_signals(number), Wishes(squad=squad))
        option = desk.pick("neutral", generations=1).recommended
        assert_sane(desk, option)
        stage = desk.signals.rules.stage(number)
        assert desk.view.pool.budget == stage.budget
        if squad:
            card = option.transfers
            assert card is not None
            free = np.inf if stage.free_transfers == "unlimited" else float(stage.free_transfers)
            assert card.free == free
            assert card.hits == max(len(card.moves) - free, 0)
            assert option.expected == pytest.approx(
                option.decomposition.terms["raw_xev"] + option.decomposition.terms["captaincy_uplift"] - card.cost
            )
        squad = tuple(man.player_id for man in option.men)
