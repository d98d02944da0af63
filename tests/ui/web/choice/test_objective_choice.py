"""The three cards say what is computed, and a standing is told in words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from engine.board.glance import Glance
from models.signals import Signals
from tests.cases.board_cases import EVIL_NAMES
from ui.web.choice.objective_choice import card_html, difference_in_words, meaning, standing_line
from ui.web.choice.plan import Plan


def a_glance(first: int = 0, swing: tuple[float, float] = (50.0, 100.0)) -> Glance:
    return Glance(tuple(range(first, first + 15)), first, "4-4-2", 70.0, 75.04, swing, 99.0)


def named(name: str) -> Signals:
    return cast(Signals, SimpleNamespace(short=[name] * 40))


@pytest.mark.parametrize("name", EVIL_NAMES)
def test_a_card_shows_captain_expectation_and_range_and_escapes_the_name(name: str) -> None:
    html = card_html("protect", a_glance(), named(name))
    assert "75.0 points" in html
    assert "50 to 100" in html
    assert "<script" not in html
    assert "<img" not in html


def test_the_caption_is_computed_from_the_squads() -> None:
    glances = {"protect": a_glance(), "gain": a_glance(9, (40.0, 110.0)), "neutral": a_glance()}
    assert "share 6 of 15 players, their ranges are 50 and 70 points wide" in difference_in_words(glances)


def test_every_objective_has_a_sentence() -> None:
    for theta in ("protect", "neutral", "gain", "rank"):
        assert meaning(theta)[0].isupper()
        assert meaning(theta).endswith(".")


@pytest.mark.parametrize(
    ("lead", "left", "said"),
    [(None, None, ""), (0.0, 1, "level, 1 round left"), (12.0, 3, "12 points ahead"), (-7.5, 2, "7.5 points behind")],
)
def test_a_standing_is_told(lead: float | None, left: int | None, said: str) -> None:
    assert said in standing_line(Plan(lead=lead, left=left))
