"""A line-up on the pitch: everybody in his line, the bench in order, and no name can break the page."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from tests.cases.board_cases import EVIL_NAMES, a_man, an_option, with_names
from ui.web.drawing.lineup.marks import Mark, short_name
from ui.web.drawing.lineup.pitch import PitchNotes, pitch_html

ALLOWED = {"section", "div", "ul", "li", "b", "i", "em", "span", "h4", "button"}


class Read(HTMLParser):
    """What a browser makes of the pitch: its tags, the text by player, the names of the lists."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.men: list[str] = []
        self.classes: list[str] = []
        self.lists: list[str] = []
        self.attributes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.tags.append(tag)
        self.attributes |= set(known)
        if "xi-man" in str(known.get("class")):
            self.men.append("")
            self.classes.append(str(known["class"]))
        if tag == "ul":
            self.lists.append(str(known.get("aria-label")))

    def handle_data(self, data: str) -> None:
        if self.men and len(self.lists) < 6:
            self.men[-1] += data


def test_starters_stand_by_position_and_the_bench_in_order() -> None:
    read = Read(pitch_html(an_option()))
    assert len(read.men) == 15
    assert read.lists[:5] == ["Goalkeeper", "Defenders", "Midfielders", "Forwards", "Bench, in order"]
    assert [text.startswith(f"P{number}") for number, text in enumerate(read.men)][11:] == [True] * 4


def test_captain_and_vice_are_said_not_only_drawn() -> None:
    read = Read(pitch_html(an_option()))
    assert "captain P9" in read.men[9]
    assert "vice-captain P8" in read.men[8]
    assert sum("captain" in text for text in read.men) == 2


@pytest.mark.parametrize(
    ("exposure", "kind"), [(0.2, "xi-popular"), (0.15, "xi-popular"), (0.1, "xi-between"), (0.04, "xi-rare")]
)
def test_the_stripe_tells_what_the_field_has_of_him(exposure: float, kind: str) -> None:
    option = an_option()
    read = Read(pitch_html(replace(option, men=(a_man(0, eo=exposure), *option.men[1:]))))
    assert kind in read.classes[0]


def test_ringed_players_are_outlined_and_said_to_be_in_this_plan_only() -> None:
    read = Read(pitch_html(an_option(), notes=PitchNotes(ringed={100, 114})))
    assert [number for number, style in enumerate(read.classes) if "xi-ringed" in style] == [0, 14]
    assert "in this plan only" in read.men[0]


def test_no_name_becomes_markup() -> None:
    marks = {100 + place: Mark(3, name, name, name) for place, name in enumerate(EVIL_NAMES)}
    notes = PitchNotes(marks, sign="<b onclick=1>")
    read = Read(pitch_html(with_names(an_option(), EVIL_NAMES), label='"><script>', notes=notes))
    assert set(read.tags) <= ALLOWED
    assert not {name for name in read.attributes if name.startswith("on")}
    for text, name in zip(read.men, EVIL_NAMES, strict=False):
        assert short_name(name) in text


def test_the_squad_can_be_found_by_its_ids() -> None:
    assert 'data-squad="100,101,' in pitch_html(an_option())


def test_every_player_is_a_button_that_says_who_was_pressed() -> None:
    html = pitch_html(an_option())
    assert re.findall(r'<button type="button" data-pick="(\d+)"', html) == [str(100 + place) for place in range(15)]


def test_a_doubt_a_newcomer_and_a_hard_match_are_said_in_words() -> None:
    notes = PitchNotes({100: Mark(5, "75%", "75 % to play", "Knock")}, sign="£", fresh={101})
    read = Read(pitch_html(an_option(), notes=notes))
    assert "75 % to play" in read.men[0]
    assert "5 of 5 for difficulty" in read.men[0]
    assert "£" in read.men[0]
    assert "new" in read.men[1]
