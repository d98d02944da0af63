"""The three cards say what is computed, and a standing is told in words."""

from __future__ import annotations

import pytest

from tests.cases.board_cases import EVIL_NAMES, a_man, an_option, with_names
from ui.web.choice.objective_choice import PENDING, card_html, difference_in_words, meaning, standing_line
from ui.web.choice.plan import Plan


@pytest.mark.parametrize("name", EVIL_NAMES)
def test_a_card_shows_captain_expectation_and_range_and_escapes_the_name(name: str) -> None:
    html = card_html("protect", with_names(an_option(), (name,) * 15))
    assert "68.0 points" in html
    assert "55 to 81" in html
    assert "<script" not in html
    assert "<img" not in html


def test_a_card_waits_for_its_board_and_tells_no_other_figure() -> None:
    html = card_html("gain", None)
    assert html.count(PENDING) == 3
    assert 'data-state="waiting"' in html


def test_the_caption_is_computed_from_the_squads() -> None:
    first = an_option(swing=(50.0, 100.0))
    others = tuple(a_man(number, row=number + 9) for number in range(15))
    second = an_option(swing=(40.0, 110.0), men=others)
    assert difference_in_words(first, second).startswith("Protect and gain share 6 of 15 players; their ranges are 50 ")
    assert difference_in_words(first, first).startswith("No difference here")


def test_every_objective_has_a_sentence() -> None:
    for theta in ("protect", "neutral", "gain"):
        assert meaning(theta)[0].isupper()
        assert meaning(theta).endswith(".")


@pytest.mark.parametrize(
    ("lead", "left", "said"),
    [(None, None, ""), (0.0, 1, "level, 1 round left"), (12.0, 3, "12 points ahead"), (-7.5, 2, "7.5 points behind")],
)
def test_a_standing_is_told(lead: float | None, left: int | None, said: str) -> None:
    assert said in standing_line(Plan(lead=lead, left=left))
