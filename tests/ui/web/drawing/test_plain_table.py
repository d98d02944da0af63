"""A plain table writes numbers as asked, names as they are, and runs nothing."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.cases.board_cases import EVIL_NAMES
from ui.web.drawing.plain_table import ShownColumn, table_html


def test_numbers_are_formatted_and_stand_to_the_right_with_their_hint() -> None:
    frame = pd.DataFrame({"Player": ["Saka"], "Price": [7.25], "Owned": [0.1234]})
    html = table_html(frame, "The squad", {"Price": ShownColumn("{:.1f}", "Millions"), "Owned": ShownColumn("{:.1%}")})
    assert '<th scope="col">Player</th><th scope="col" class="xi-num" title="Millions">Price</th>' in html
    assert '<td>Saka</td><td class="xi-num">7.2</td><td class="xi-num">12.3%</td>' in html
    assert 'aria-label="The squad"' in html


@pytest.mark.parametrize("name", EVIL_NAMES)
def test_names_and_heads_are_escaped(name: str) -> None:
    html = table_html(pd.DataFrame({name: [name]}), name, {name: ShownColumn(help=name)})
    assert "<script" not in html
    assert html.count("<td>") == 1


def test_what_is_missing_is_a_dash_and_sentences_may_take_lines() -> None:
    frame = pd.DataFrame({"Points": [1.5, None], "How": ["By the best man outside.", "Barred."]})
    html = table_html(frame, "Boosters", {"Points": ShownColumn("{:+.1f}"), "How": ShownColumn(prose=True)})
    assert '<td class="xi-num">+1.5</td>' in html
    assert '<td class="xi-num">–</td>' in html
    assert '<td class="xi-prose">Barred.</td>' in html


@pytest.mark.parametrize(("value", "form", "text"), [(-0.001, "{:+.2f}", "+0.00"), (-0.04, "{:.1f}%", "0.0%")])
def test_what_rounds_to_nothing_has_no_minus(value: float, form: str, text: str) -> None:
    table = table_html(pd.DataFrame({"Gain": [value]}), "A table", {"Gain": ShownColumn(form)})
    assert f">{text}</td>" in table
