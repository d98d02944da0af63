"""Rules of planning at the desk: legal plans, the board over one round, boosters and wishes as stated, same bytes."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

from data.errors import InputError, ThetaXIError
from engine.board.board import make_board
from engine.desk import Desk, open_desk
from engine.fitness.wishes import Wishes
from engine.plan.advice.price_changes import price_notes
from engine.plan.answer.comparison import comparison_dict
from engine.plan.answer.export import plan_board_dict, plan_csv
from engine.plan.answer.plan_board import PlanBoard
from engine.plan.fitness.plan_fitness import score_plans
from engine.plan.fitness.rounds import PlanSettings
from engine.plan.moves.legality import breaches
from engine.plan.moves.state import State
from engine.plan.planner import PlanOrder
from tests.cases.plans.planned_rounds import held
from tests.cases.small_world import BLANK, CLUBS, player_of, small_cup, small_league, squad_ids

NOTHING_KEPT = PlanSettings(spare=())


@cache
def desk_of(kind: str) -> Desk:
    world, number = (small_league(), BLANK - 1) if kind == "league" else (small_cup(), 2)
    return open_desk(world, number, wishes=Wishes(squad=tuple(squad_ids(world, number)), free_transfers=1))


@cache
def board_of(kind: str, theta: str = "protect", chips: str = "none", horizon: int = 3) -> PlanBoard:
    return desk_of(kind).plan(theta, horizon if kind == "league" else 2, chips=chips, hits=False)


@pytest.mark.parametrize("kind", ["league", "cup"])
@pytest.mark.parametrize("theta", ["protect", "gain"])
@pytest.mark.daily("protect-league", "gain-cup")
def test_every_option_is_legal_and_its_first_move_differs(kind: str, theta: str) -> None:
    board = board_of(kind, theta)
    rounds = board.rounds
    for option in board.options:
        assert breaches(option.plan, rounds.state, rounds.signals[0]) == ()
        assert option.plan.hits == 0  # unless they are asked for
    assert len({option.plan.first_key() for option in board.options}) == len(board.options)
    totals = [option.table.total for option in board.options]
    assert totals == sorted(totals, reverse=True)
    assert board.bound.gap >= 0
    assert board.bound.placed <= board.bound.bound + 1e-6
    assert ("nothing better exists" in str(board.bound)) == (board.bound.closed and board.bound.gap < 1e-4)


@pytest.mark.parametrize(
    "theta", ["protect", *(pytest.param(theta, marks=pytest.mark.soak) for theta in ("neutral", "gain", "rank"))]
)
def test_over_one_round_the_plan_is_the_board(theta: str) -> None:
    """Nothing kept, the carry the board's: its squad, its terms, its order."""
    desk = desk_of("league").with_wishes(replace(desk_of("league").wishes, changes=1))
    plan = desk.plan(theta, 1, chips="none", hits=False, settings=NOTHING_KEPT)
    board = desk.pick(theta)
    best, option = plan.recommended, board.recommended
    assert sorted(best.plan.moves[0].squad) == sorted(option.rows)
    found = best.table.row(0) | {"progression_carry": best.table.lines["carry_beyond"]}
    for term, value in option.decomposition.terms.items():
        assert found[term] == pytest.approx(value, abs=1e-9)
    assert best.table.total == pytest.approx(option.decomposition.fitness, abs=1e-9)


def test_with_keeping_values_pick_and_plan_differ_by_one_line() -> None:
    desk = desk_of("league")
    planners = [
        desk.planner(PlanOrder(horizon=1, chips="none", hits=False, settings=one))
        for one in (NOTHING_KEPT, PlanSettings())
    ]
    squads, objective = planners[0].rounds.frame.start_squad[None, :], desk.objective("protect")
    without, kept = (planner.of_squads(objective, squads).recommended.table for planner in planners)
    assert kept.lines["transfers_kept"] > 0
    assert kept.total - without.total == pytest.approx(kept.lines["transfers_kept"])
    assert kept.cells == without.cells


def test_several_rounds_bring_more_than_holding_on() -> None:
    board = board_of("league")
    rounds = board.rounds
    still = score_plans(rounds, [held(rounds)], desk_of("league").objective("protect")).fitness[0]
    assert board.recommended.table.total >= still


def test_same_seed_same_bytes() -> None:
    np.random.seed(99)
    again = desk_of("league").plan("protect", 3, chips="none", hits=False)
    assert plan_board_dict(again) == plan_board_dict(board_of("league"))


def test_a_booster_is_played_where_it_is_asked_for_and_nowhere_else() -> None:
    board = desk_of("league").plan("neutral", 3, chips=[f"bench-boost@{BLANK + 1}"])
    assert board.recommended.plan.chips == (None, None, "bench_boost")
    assert board_of("league").recommended.plan.chips == (None, None, None)
    free = board_of("league", "neutral", "auto")
    assert any(free.recommended.plan.chips)


@pytest.mark.parametrize(
    ("chips", "said"),
    [
        (["bench_boost"], "names no booster and round"),
        (["bench_boost@x"], "names no booster and round"),
        (["bonch@2"], "no booster"),
        (["bench_boost@9"], "outside the plan"),
        (["free_hit@1"], "outside the plan|cannot be played"),
    ],
)
def test_boosters_that_cannot_be_are_refused(chips: list[str], said: str) -> None:
    with pytest.raises(ThetaXIError, match=said):
        desk_of("league").plan("neutral", 3, chips=chips)


def test_who_must_and_who_must_not_be_in_is_heeded() -> None:
    desk, best = desk_of("league"), board_of("league").recommended
    bought = next(swap.into for card in best.cards for swap in card.moves)
    without = desk.with_wishes(replace(desk.wishes, bans=(bought.player_id,))).plan(
        "protect", 3, chips="none", hits=False
    )
    assert all(bought.row not in move.squad for move in without.recommended.plan.moves)
    sold = next(swap.out for card in best.cards for swap in card.moves)
    assert sold is not None
    kept = desk.with_wishes(replace(desk.wishes, locks=(sold.player_id,))).plan("protect", 3, chips="none", hits=False)
    assert all(sold.row in move.squad for move in kept.recommended.plan.moves)


def test_rolling_has_a_price() -> None:
    board = board_of("league")
    assert board.rolling is not None
    assert board.rolling >= -1e-9
    assert "oll" in board.rolling_words


def test_a_first_squad_is_built_from_nothing() -> None:
    board = open_desk(small_cup(), 2).plan(
        "neutral", 2, chips="none", hits=False, state=State.first(desk_of("cup").beliefs.rules, 2)
    )
    first = board.recommended.cards[0]
    assert first.builds
    assert board.rolling is None
    assert "a first squad" in board.recommended.first_move
    assert len({option.first_move for option in board.options}) == len(board.options) > 1
    assert " instead of " in board.options[1].first_move


def test_own_points_of_a_later_round_enter_the_plan() -> None:
    desk = desk_of("league")
    player = next(
        man for number in range(4) if (man := player_of("ARS", "FWD", number, CLUBS)) not in desk.wishes.squad
    )
    stranger = desk.beliefs.row_of(player)
    own = {BLANK: pd.DataFrame({"xev": [25.0]}, index=[player])}
    board = desk.plan("neutral", 3, chips="none", hits=False, own=own)
    assert stranger in board.recommended.plan.moves[1].squad
    assert board.recommended.cards[1].captain.row == stranger


def test_a_plan_that_was_taken_away_reads_back() -> None:
    desk, board = desk_of("league"), board_of("league")
    planner = desk.planner(PlanOrder(horizon=3, chips="none", hits=False))
    read = planner.read(plan_csv(board.recommended), desk.objective("protect"))
    assert read.plan == board.recommended.plan
    np.testing.assert_allclose(read.table.cells, board.recommended.table.cells, rtol=0, atol=1e-12)
    assert read.table.total == pytest.approx(board.recommended.table.total, abs=1e-9)
    with pytest.raises(InputError, match="this plan covers"):
        desk.planner(PlanOrder(horizon=2)).read(plan_csv(board.recommended), desk.objective("protect"))


def test_a_search_that_is_stopped_answers_all_the_same() -> None:
    desk = desk_of("league")
    steps = list(
        desk.planning(desk.objective("protect"), PlanOrder(horizon=3, chips="none", hits=False), stop=lambda: True)
    )
    assert isinstance(steps[-1], PlanBoard)
    assert steps[-1].recommended.table.total <= board_of("league").recommended.table.total + 1e-9


@pytest.mark.parametrize("horizon", [0, 9])
def test_a_horizon_beyond_what_is_forecast_is_refused(horizon: int) -> None:
    with pytest.raises(InputError, match="Choose 1 to 8"):
        desk_of("league").plan("neutral", horizon)


def test_price_changes_to_come_are_told_where_the_game_tells_them() -> None:
    desk = desk_of("league")
    players = desk.snapshot.players.assign(price_change=0.0)
    assert price_notes(replace(desk.snapshot, players=players), desk.beliefs) == {}
    players.loc[players.index[:3], "price_change"] = [100.0, -85.0, 50.0]
    notes = price_notes(replace(desk.snapshot, players=players), desk.beliefs)
    assert list(notes) == [0, 1]
    assert "rise tonight: buy now" in notes[0]
    assert "fall soon (85% of the way)" in notes[1]


def test_pick_hears_from_the_plan_what_rolling_is_worth() -> None:
    desk = desk_of("league")
    objective = desk.objective("protect")
    board = make_board(desk.judge, objective, np.array([desk.view.settings.current]))
    hint = desk.plan_hint(board, objective, 3)
    assert hint is not None
    told = desk.plan("protect", 3, chips="none")
    assert (hint.first_move, hint.rolling) == (told.recommended.first_move, told.rolling)
    assert any("Kept for later" in line for line in hint.sentences)
    assert open_desk(small_cup(), 2).plan_hint(board, objective) is None


def test_two_plans_are_compared_week_by_week_under_both_objectives() -> None:
    found = desk_of("league").compare_plans("protect", "gain", 3, chips="none", hits=False)
    told = comparison_dict(found)
    assert [week.round for week in found.weeks] == [BLANK - 1, BLANK, BLANK + 1]
    for plan in ("protect", "gain"):
        own = found.crossed[plan][plan].total
        assert own == pytest.approx(board_of("league", plan).recommended.table.total)
        assert all(found.crossed[other][plan].total <= own + 1e-9 for other in found.crossed)
    json.dumps(told, allow_nan=False)
    with pytest.raises(InputError, match="ask for the same"):
        desk_of("league").compare_plans("protect", "protect", 2)
