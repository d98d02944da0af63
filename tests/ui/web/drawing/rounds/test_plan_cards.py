"""Cards of plans and the answer: equal until one is chosen, marked only by measurement, and safe with any name."""

from __future__ import annotations

import re

from tests.cases.board_cases import EVIL_NAMES
from ui.web.drawing.rounds.plan_cards import AnswerRow, PlanFigures, answer_html, cards_html

PLANS = (
    PlanFigures("protect", "Protect", 62.14, (47.4, 78.2), "Haaland", "Enzo → Semenyo", "Ahead at the end 74%"),
    PlanFigures("neutral", "Neutral"),
    PlanFigures("gain", "Gain", 61.0, (42.0, 81.0), "Saka"),
)


def test_without_a_choice_no_card_is_pressed_and_none_is_marked() -> None:
    html = cards_html(PLANS, None, None)
    assert html.count('aria-pressed="false"') == 3
    assert "Best for you" not in html


def test_a_choice_presses_one_card_and_a_measurement_marks_one() -> None:
    html = cards_html(PLANS, "gain", "protect")
    assert re.findall(r'data-pick="(\w+)"[^>]*aria-pressed="true"', html) == ["gain"]
    assert html.count("Best for you") == 1


def test_a_card_tells_points_range_captain_moves_and_chance_or_that_it_waits() -> None:
    html = cards_html(PLANS, None, None)
    for words in ("62.1", "8 in 10: 47–78", "Haaland", "Enzo → Semenyo", "Ahead at the end 74%"):
        assert words in html
    assert html.count('data-state="ready"') == 2
    assert html.count('data-state="waiting"') == 1


def test_a_range_that_begins_below_nothing_has_no_second_dash() -> None:
    assert "8 in 10: 0–64<" in cards_html([PlanFigures("gain", "Gain", 30.0, (-0.4, 64.0), "Messi")], None, None)
    assert "8 in 10: -3 to 64<" in cards_html([PlanFigures("gain", "Gain", 30.0, (-3.0, 64.0), "Messi")], None, None)


def test_no_name_becomes_markup() -> None:
    for name in EVIL_NAMES:
        html = cards_html([PlanFigures("gain", name, 1.0, (0.0, 2.0), name, name, name)], None, None)
        html += answer_html(name, name, [AnswerRow(name, name, name)], name)
        assert "<script" not in html
        assert "<img" not in html
