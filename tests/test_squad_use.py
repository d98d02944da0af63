"""A squad in use is a plan with all of its men locked; the plan it came from comes back."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

SCRIPT = """
import streamlit as st
from ui.frame import open_chosen
from ui.plan import Plan
from ui.squad_use import USED, searched

plan = Plan(round=1, theta="gain", locks={locks!r})
st.session_state[USED] = {used!r}
chosen = open_chosen(plan)
found = searched(chosen)
st.text(",".join(map(str, found.plan.locks)))
st.text(str(found is chosen))
"""
WHOLE = tuple(range(15))


def seen_by(locks: tuple[int, ...], used: tuple[tuple[int, ...], tuple[int, ...]]) -> list[str]:
    page = AppTest.from_string(SCRIPT.format(locks=locks, used=used), default_timeout=60).run()
    assert not page.exception
    return [text.value for text in page.text]


def test_a_few_locks_are_wishes_and_stay() -> None:
    assert seen_by((3, 4), ((), ())) == ["3,4", "True"]


def test_the_wishes_before_a_squad_was_used_come_back() -> None:
    assert seen_by(WHOLE, (WHOLE[::-1], (3, 4))) == ["3,4", "False"]


def test_a_whole_squad_from_a_link_leaves_the_search_open() -> None:
    assert seen_by(WHOLE, ((), ())) == ["", "False"]
