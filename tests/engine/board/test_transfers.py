"""The card of transfers: who goes, who comes, and a result that is net of hits wherever it is shown."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from data.domain import POSITIONS
from engine.board.board import Option, make_board
from engine.board.export import option_dict
from engine.board.transfers import EMPTY, TransferCard
from engine.fitness.judge import Judge, named_objective
from engine.fitness.squad_view import SceneSettings
from engine.rank.chances import simulate
from engine.rank.field import rivals_field
from tests.cases.judged_worlds import a_judge, cup_signals

FREE = 1


def a_squad_one_has() -> np.ndarray:
    return a_judge(cup_signals()).pool[3]


@cache
def judge_from(current: tuple[int, ...], free: int | None = FREE) -> Judge:
    return a_judge(cup_signals(), SceneSettings(current=current, free_transfers=free))


def moved(judge: Judge, squad: np.ndarray) -> tuple[Option, TransferCard]:
    option = make_board(judge, named_objective("neutral", judge.view), squad[None, :]).recommended
    assert option.transfers is not None
    return option, option.transfers


def test_transfers_pair_men_of_a_position_and_their_prices_add_up() -> None:
    current, other = a_squad_one_has(), a_judge(cup_signals()).pool[9]
    judge = judge_from(tuple(current.tolist()))
    signals = judge.view.signals
    _, card = moved(judge, other)
    new = set(other.tolist()) - set(current.tolist())
    assert {move.into_row for move in card.moves} == new
    assert all(move.position == POSITIONS[signals.position[move.into_row]] for move in card.moves)
    spent = signals.price[other].sum() - signals.price[current].sum()
    assert sum(move.price for move in card.moves) == pytest.approx(spent)
    points = signals.xev[other].sum() - signals.xev[current].sum()
    assert sum(move.points for move in card.moves) == pytest.approx(points)
    weight = judge.view.carry.sum(axis=1) * named_objective("neutral", judge.view).parameters["c"]
    assert sum(move.carry for move in card.moves) == pytest.approx(weight[other].sum() - weight[current].sum())
    assert (card.hits, card.cost) == (len(new) - FREE, 3.0 * (len(new) - FREE))


def test_prices_about_to_move_are_told_beside_the_move() -> None:
    current, other = a_squad_one_has(), a_judge(cup_signals()).pool[9]
    judge = judge_from(tuple(current.tolist()))
    signals = judge.view.signals
    leaves, comes = (int(np.setdiff1d(one, two)[0]) for one, two in ((current, other), (other, current)))
    tonight = np.zeros(len(signals))
    tonight[[leaves, comes]] = -120.0, 101.0
    moving = replace(judge, view=replace(judge.view, signals=replace(signals, price_tonight=tonight)))
    news = [words for move in moved(moving, other)[1].moves for words in move.market]
    assert sorted(news) == sorted(
        [
            f"{signals.short[leaves]}: price likely to fall tonight",
            f"{signals.short[comes]}: price likely to rise tonight",
        ]
    )
    assert not any(move.market for move in moved(judge, other)[1].moves)


def test_the_headline_of_an_option_is_net_of_hits_and_so_is_every_other_figure() -> None:
    current, other = a_squad_one_has(), a_judge(cup_signals()).pool[9]
    judge = judge_from(tuple(current.tolist()))
    option, card = moved(judge, other)
    gross = float(judge.view.lineups(other[None, :]).expected[0])
    assert option.expected == pytest.approx(gross - card.cost)
    assert np.mean(option.swing) == pytest.approx(option.expected)
    assert card.net == pytest.approx(option.expected - float(judge.view.lineups(current[None, :]).expected[0]))
    assert option.decomposition.terms["transfer_cost"] == -card.cost
    told = option_dict(option)["transfers"]
    assert isinstance(told, dict)
    assert (told["cost"], told["free"], len(told["moves"])) == (card.cost, FREE, len(card.moves))


def test_hits_come_off_simulated_points_too() -> None:
    judge = judge_from(tuple(a_squad_one_has().tolist()))
    squads, signals = judge.pool[8:10], judge.view.signals
    field = rivals_field(signals, judge.pool[:5])
    free, paid = (
        simulate(signals, squads, field, 20, np.random.default_rng(1), hits=hits).points
        for hits in (0.0, judge.view.transfer_cost(squads))
    )
    assert np.array_equal(free - paid, np.tile(judge.view.transfer_cost(squads)[:, None], 20))


@pytest.mark.parametrize(
    ("card", "headline"),
    [
        (TransferCard((), 2.0, 0, 0.0, 0.0), "No transfers: your fifteen stay."),
        ("one", "1 transfer with 1 free: no hit."),
        ("rebuild", "all free this round."),
        ("hits", "free: 2 beyond that cost 6 points."),
    ],
    ids=["none", "within the free ones", "a rebuild", "hits"],
)
def test_the_transfers_are_counted_in_a_sentence(card: TransferCard | str, headline: str) -> None:
    if isinstance(card, str):
        _, whole = moved(judge_from(tuple(a_squad_one_has().tolist())), a_judge(cup_signals()).pool[9])
        card = {
            "one": replace(whole, moves=whole.moves[:1], hits=0, cost=0.0),
            "rebuild": replace(whole, free=float("inf"), hits=0, cost=0.0),
            "hits": replace(whole, hits=2, cost=6.0),
        }[card]
    assert card.headline.endswith(headline)


def test_a_place_that_a_man_left_empty_is_filled_and_nothing_is_held_against_it() -> None:
    current = a_squad_one_has()
    judge = judge_from(tuple(current[1:].tolist()))
    _, card = moved(judge, current)
    assert [move.out for move in card.moves] == [EMPTY]
    assert card.moves[0].price == pytest.approx(judge.view.signals.price[current[0]])
    assert card.net is None
    assert "empty places" in card.result


def test_a_new_squad_has_no_transfers() -> None:
    judge = a_judge(cup_signals())
    board = make_board(judge, named_objective("gain", judge.view), judge.pool[:1])
    assert board.recommended.transfers is None
    assert option_dict(board.recommended)["transfers"] is None
