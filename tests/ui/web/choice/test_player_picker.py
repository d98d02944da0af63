"""Whoever types a name finds the man, whatever letters his keyboard has, and never takes more than one at once."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from ui.web.choice.player_picker import searchable


@pytest.mark.parametrize(
    ("label", "plain"),
    [
        ("Kylian Mbappé (FRA, FWD)", "kylian mbappe"),
        ("Martin Ødegaard (NOR, MID)", "martin odegaard"),
        ("Michael O'Neill (NIR, DEF)", "michael oneill"),
    ],
)
def test_a_name_with_uncommon_letters_is_said_again_in_plain_ones(label: str, plain: str) -> None:
    assert searchable(label) == f"{label}\n{plain}"


def test_a_plain_name_is_said_once() -> None:
    assert searchable("Harry Kane (ENG, FWD)") == "Harry Kane (ENG, FWD)"


def a_script() -> None:
    import streamlit as st

    from ui.web.choice.player_picker import draw_one, draw_picker

    labels = {1: "Kylian Mbappé (FRA)", 2: "Harry Kane (ENG)", 3: "Martin Ødegaard (NOR)"}
    draw_picker("Many", labels, key="many")
    st.text(str(draw_one("One", labels, key="one")))


def test_one_keystroke_takes_one_player_and_a_list_of_one_keeps_the_latest() -> None:
    page = AppTest.from_function(a_script).run()
    assert all(box.proto.select_all == 0 for box in page.multiselect)
    page.multiselect(key="many").set_value([1, 3]).run()
    assert page.multiselect(key="many").value == [1, 3]
    page.multiselect(key="one").set_value([1]).run()
    page.multiselect(key="one").set_value([1, 2]).run()
    assert page.text[0].value == "2"
    page.multiselect(key="one").set_value([]).run()
    assert page.text[0].value == "None"
