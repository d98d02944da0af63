"""Answers as tables: who goes and who comes, and what a booster is worth."""

from __future__ import annotations

from data.rules import BoosterEffect
from engine.board.boosters import BoosterValue
from engine.board.comparison import Swap
from engine.board.why import Why
from tests.cases.board_cases import a_man, an_option
from ui.web.answers.questions import booster_rows, swap_rows


def test_a_swap_shows_both_men_and_what_changes() -> None:
    swap = Swap("DEF", a_man(1), a_man(2, xev=6.5, owned=0.3, price=7.0))
    table = swap_rows(Why(a_man(2), False, an_option(), an_option(), (swap,)))
    assert table.iloc[0].to_dict() == {"Out": "Player 1", "In": "Player 2", "Points": 1.5, "Owned": 20.0, "Price": 1.0}


def test_boosters_are_marked_where_the_rules_do_not_confirm_or_allow_them() -> None:
    effect = next(iter(BoosterEffect))
    values = (
        BoosterValue("a", "Twelfth man", effect, True, 7.5, "The best outside.", True),
        BoosterValue("b", "Shield", effect, False, None, "From round 4 only.", False),
    )
    table = booster_rows(values)
    assert list(table["Booster"]) == ["Twelfth man", "Shield *"]
    assert list(table["This round"]) == ["allowed", "not allowed"]


def test_a_booster_that_the_manager_played_is_told_and_worth_nothing_more() -> None:
    effect = next(iter(BoosterEffect))
    values = (
        BoosterValue("a", "Twelfth man", effect, True, 7.5, "The best outside.", True),
        BoosterValue("b", "Shield", effect, False, None, "From round 4 only.", True),
    )
    assert list(booster_rows(values, ("b",))["This round"]) == ["played already", "not allowed"]
    assert booster_rows(values, ("b",))["Points"].isna().all()
    assert list(booster_rows(values, ("a",))["This round"]) == ["allowed", "not allowed"]
