"""The armband's timeline: kick-offs in the visitor's zone, names, and from which score to keep."""

from __future__ import annotations

import math
import re
from zoneinfo import ZoneInfo

import pytest

from models.armband.ladder import Rung
from tests.cases.board_cases import EVIL_NAMES, a_ladder, an_option, with_names
from ui.web.drawing.armband_timeline import rule_of, timeline_html

BERLIN = ZoneInfo("Europe/Berlin")


def a_rung(player: int, keep_from: int | None = None, move_to: int | None = None) -> Rung:
    return Rung(player=player, slot=0, onward=-math.inf, keep_from=keep_from, move_to=move_to)


def test_the_wearers_stand_in_order_with_local_times_and_their_rule() -> None:
    ladder = a_ladder(captain=a_rung(9, 11, 5), later=(a_rung(5, 8, 6), a_rung(6)))
    html = timeline_html(an_option(armband=ladder), BERLIN)
    assert re.findall(r"<strong>(\w+)</strong><span>([^<]+)</span>", html) == [
        ("P9", "keep from 11"),
        ("P5", "keep from 8"),
        ("P6", "keep him"),
    ]
    assert html.count("<time>Mon 15 Jun, 18:00</time>") == 3
    assert html.count('class="xi-first"') == 1


@pytest.mark.parametrize("name", EVIL_NAMES)
def test_names_cannot_break_out(name: str) -> None:
    html = timeline_html(with_names(an_option(), (name,) * 15), BERLIN)
    assert "<script" not in html
    assert "<img" not in html


def test_a_wearer_who_is_kept_whatever_he_scores_has_no_number() -> None:
    assert rule_of(a_rung(1)) == "keep him"
