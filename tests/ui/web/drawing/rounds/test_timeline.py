"""A plan as columns, its fixtures as a ticker, its boosters as a table: all told in words, one round looked at."""

from __future__ import annotations

import re

import pytest

from engine.desk import open_desk
from engine.fitness.wishes import Wishes
from engine.plan.advice.chips import BoosterRow
from engine.plan.answer.plan_board import PlanBoard
from tests.cases.small_world import small_cup, squad_ids
from ui.web.answers.plan_tables import firm_words, kept_html, terms_table
from ui.web.drawing.rounds.booster_table import boosters_html
from ui.web.drawing.rounds.ticker import TickerRow, ticker_html
from ui.web.drawing.rounds.timeline import timeline_html


@pytest.fixture(scope="module")
def board() -> PlanBoard:
    world = small_cup()
    return open_desk(world, 2, wishes=Wishes(squad=tuple(squad_ids(world)))).plan("neutral", 3)


def test_a_round_is_a_button_with_captain_points_range_and_money(board: PlanBoard) -> None:
    best = board.recommended
    html = timeline_html(best, best.cards[1].round, "£")
    assert [int(found) for found in re.findall(r'data-pick="(\d+)"', html)] == list(best.plan.rounds)
    assert re.findall(r'data-pick="(\d+)"[^>]*aria-pressed="true"', html) == [str(best.cards[1].round)]
    for card in best.cards:
        assert f"{card.expected:.1f}" in html
        assert f"£{card.bank:.1f}m" in html
    assert html.count("8 in 10:") == len(best.cards)


def test_the_table_of_rounds_and_terms_adds_up_along_both_edges(board: PlanBoard) -> None:
    best = board.recommended
    table = terms_table(best)
    figures = table.drop(columns="Round")
    assert figures.iloc[:-1].sum().tolist() == pytest.approx(figures.iloc[-1].tolist())
    assert figures.drop(columns="Score").sum(axis=1).tolist() == pytest.approx(figures["Score"].tolist(), abs=0.05)
    lines = [float(found) for found in re.findall(r"<dd>([+-]?[\d.]+)</dd>", kept_html(best))]
    assert figures["Score"].iloc[-1] + sum(lines[:-1]) == pytest.approx(lines[-1], abs=0.2)


def test_a_ticker_tells_blanks_doubles_and_from_when_somebody_is_there() -> None:
    row = TickerRow("O'Neill <b>", "ARS", (("CHE (H)", 4), ("–", 0), ("BOU (A), LIV (H)", 5)), "from 22", 2)
    html = ticker_html(["GW20", "GW21", "GW22"], [row], "Fixtures")
    assert "CHE (H) · 4" in html
    assert "no match" in html
    assert "BOU (A), LIV (H) · 5" in html
    assert "O&#x27;Neill &lt;b&gt;" in html
    assert html.count("xi-from") == 1


def test_a_booster_table_marks_the_best_round_and_the_planned_one() -> None:
    rows = [
        BoosterRow("wildcard", "Wildcard <b>", (3.1, None, 14.6), 2.0, 0),
        BoosterRow("shield", "Shield", (0.5, 0.2, 0.1), 9.0, None),
    ]
    html = boosters_html(rows, ["A", "B", "C"], ["A", "B", "C"])
    assert html.count("★") == 2
    assert "★ 14.6" in html
    assert "★ 9.0" in html
    assert html.count("xi-played") == 2
    assert "Wildcard &lt;b&gt;: play it in A" in html
    assert "No booster is left" in boosters_html([], [], [])


@pytest.mark.parametrize(("share", "verdict"), [(0.86, "safe"), (0.4, "a close call")])
def test_a_first_move_is_safe_or_a_close_call(share: float, verdict: str) -> None:
    assert firm_words(share) == f"The first move stays best in {share:.0%} of shaken forecasts: {verdict}."
