"""A squad in use is a plan with all of its men locked; the plan it came from comes back."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from data.worlds.library import find_world
from tests.cases.small_world import squad_ids

SCRIPT = """
from datetime import UTC, datetime
import streamlit as st
from ui.web.choice.frame import open_chosen
from ui.web.choice.plan import Plan
from ui.web.squads.squad_use import USED, draw_in_use, searched

plan = Plan(round=1, theta="gain", locks={locks!r}, draft={laid_out!r})
st.session_state[USED] = {used!r}
chosen = open_chosen(plan, datetime.now(UTC))
found = searched(chosen)
st.text(",".join(map(str, found.plan.locks)))
st.text(str(found is chosen))
draw_in_use(chosen)
"""
WHOLE = tuple(range(15))


def opened(locks: tuple[int, ...], used: tuple[tuple[int, ...], tuple[int, ...]], *laid_out: int) -> AppTest:
    page = AppTest.from_string(SCRIPT.format(locks=locks, used=used, laid_out=laid_out), default_timeout=60).run()
    assert not page.exception
    return page


def seen_by(locks: tuple[int, ...], used: tuple[tuple[int, ...], tuple[int, ...]]) -> list[str]:
    return [text.value for text in opened(locks, used).text]


def test_a_few_locks_are_wishes_and_stay() -> None:
    assert seen_by((3, 4), ((), ())) == ["3,4", "True"]


def test_the_wishes_before_a_squad_was_used_come_back() -> None:
    assert seen_by(WHOLE, (WHOLE[::-1], (3, 4))) == ["3,4", "False"]


def test_a_whole_squad_from_a_link_leaves_the_search_open() -> None:
    assert seen_by(WHOLE, ((), ())) == ["", "False"]


def test_my_squad_is_named_only_where_it_has_the_squad_laid_out() -> None:
    there = squad_ids(find_world("wc2026"))
    locks = tuple(there)
    assert opened(locks, ((), ())).success[0].value == "A squad is in use: Pick shows it."
    assert "My team has it laid out" in opened(locks, ((), ()), *there).success[0].value
