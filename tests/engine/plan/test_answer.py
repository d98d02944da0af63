"""Rules of a plan as people read it: cards of every round, a CSV that can be read again, two plans side by side."""

from __future__ import annotations

import csv
import json
from io import StringIO

import pytest

from data.errors import InputError
from engine.fitness.judge import named_objective
from engine.plan.answer.bound import PlanBound
from engine.plan.answer.comparison import compare_plans
from engine.plan.answer.export import MOVE_COLUMNS, PLAYER_COLUMNS, plan_csv, plan_dict, read_plan_csv
from engine.plan.answer.plan_board import PlanOption, move_words, plan_options
from engine.plan.fitness.rounds import PlanRounds
from tests.cases.plans.planned_rounds import a_swap, held


@pytest.fixture(scope="module")
def options(rounds: PlanRounds) -> tuple[PlanOption, ...]:
    swap = {rounds.rounds[1]: a_swap(rounds)}
    plans = [held(rounds), held(rounds, chips={rounds.rounds[0]: "bench_boost"}, swap=swap)]
    return plan_options(rounds, named_objective("protect", rounds.views[0]), plans)


def test_a_card_says_who_plays_in_every_round(options: tuple[PlanOption, ...], rounds: PlanRounds) -> None:
    for option in options:
        for card, move in zip(option.cards, option.plan.moves, strict=True):
            assert (card.round, card.hits, card.bank, card.free) == (move.round, move.hits, move.bank, move.free)
            assert len(card.eleven) == 11
            assert sorted(man.row for man in card.men) == sorted(move.squad)
            assert card.captain in card.eleven
            assert card.vice in card.eleven
        assert [card.left for card in option.cards[:-1]] == [card.free for card in option.cards[1:]]
        assert sum(card.expected for card in option.cards) == pytest.approx(option.table.points)


def test_a_swap_tells_price_and_points_for_as_long_as_he_stays(
    options: tuple[PlanOption, ...], rounds: PlanRounds
) -> None:
    out, into = a_swap(rounds)
    swap = options[1].cards[1].moves[0]
    assert (swap.out.row if swap.out else None, swap.into.row) == (out, into)
    assert swap.price == pytest.approx(rounds.frame.price[into] - rounds.frame.selling[out], abs=0.05)
    assert swap.points == pytest.approx(sum(later.xev[into] - later.xev[out] for later in rounds.signals[1:]))


def test_a_move_is_told_in_one_sentence(options: tuple[PlanOption, ...]) -> None:
    assert move_words(options[0].cards[0]) == "Roll: no transfer."
    assert move_words(options[1].cards[0]) == "Play Bench Boost; no transfer."
    assert "→" in move_words(options[1].cards[1])


def test_a_csv_holds_a_row_per_player_and_round_and_reads_back(options: tuple[PlanOption, ...]) -> None:
    for option in options:
        text = plan_csv(option)
        players, moves = (list(csv.reader(StringIO(part))) for part in text.split("\n\n"))
        assert tuple(players[0]) == PLAYER_COLUMNS
        assert len(players) == 1 + 15 * len(option.cards)
        assert tuple(moves[0]) == MOVE_COLUMNS
        for spelling in (text, text.encode("utf-8-sig"), text.replace("\n", "\r\n")):
            told = read_plan_csv(spelling)
            assert [(number, chip) for number, chip, _ in told] == [(m.round, m.chip) for m in option.plan.moves]
            for (_, _, ids), card in zip(told, option.cards, strict=True):
                assert ids == tuple(man.player_id for man in card.men)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no plan of ours"),
        ("a,b\n1,2\n", "no plan of ours"),
        (",".join(PLAYER_COLUMNS) + "\n1,2\n\n" + ",".join(MOVE_COLUMNS), "2 cells"),
        (",".join(PLAYER_COLUMNS) + "\n" + ",".join(["x"] * 12) + "\n\n" + ",".join(MOVE_COLUMNS), "whole number"),
        ("\n" * 3000, "lines"),
    ],
)
def test_a_file_that_is_no_plan_is_refused_by_name(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_plan_csv(text)


def test_plain_values_hold_every_round(options: tuple[PlanOption, ...]) -> None:
    told = plan_dict(options[1])
    json.dumps(told, allow_nan=False)
    rounds = told["rounds"]
    assert isinstance(rounds, list)
    assert {"round", "out", "in", "chip", "captain", "vice", "eleven", "bench", "hits", "bank", "free", "terms"} <= set(
        rounds[0]
    )


def test_two_plans_part_where_they_first_differ(options: tuple[PlanOption, ...], rounds: PlanRounds) -> None:
    protect, gain = (named_objective(theta, rounds.views[0]) for theta in ("protect", "gain"))
    found = compare_plans(rounds, (options[0], protect), (options[1], gain))
    assert found.parts_in == rounds.rounds[0]  # by its booster
    assert found.weeks[1].only_second == (options[1].cards[1].moves[0].into.short,)
    assert found.crossed["protect"]["protect"].total == pytest.approx(options[0].table.total)
    assert found.crossed["protect"]["gain"].total != pytest.approx(options[0].table.total)
    assert "part in" in found.summary()
    same = compare_plans(rounds, (options[0], protect), (options[0], protect))
    assert same.parts_in is None
    assert "plan the same" in same.summary()


def test_the_bound_tells_the_linear_part_apart_and_says_optimal_only_when_closed() -> None:
    open_ = PlanBound(300.0, 303.0, 300.0, False, 12)
    assert "no plan beats this by more than 1.00%" in str(open_)
    assert "best of 12 plans scored; no bound is known there" in str(open_)
    assert "nothing better exists" not in str(open_)
    assert "nothing better exists" in str(PlanBound(300.0, 300.0, 300.0, True, 1))
    assert "nothing better exists" not in str(PlanBound(299.0, 300.0, 300.0, True, 1))
