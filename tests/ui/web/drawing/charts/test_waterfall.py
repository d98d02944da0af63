"""The waterfall tells every term, those at zero in one line, and ends at their sum."""

from __future__ import annotations

import re

import pytest

from tests.cases.board_cases import EVIL_NAMES
from ui.web.drawing.charts.waterfall import reach, waterfall_bars, waterfall_html


def test_each_bar_starts_where_the_one_before_ended_and_the_total_closes() -> None:
    bars = waterfall_bars({"Goals": 3.0, "Cards": -0.5, "Saves": 0.0}, "xEV")
    assert [bar.term for bar in bars] == ["Goals", "Cards", "Saves", "xEV"]
    assert [bar.start for bar in bars] == [0.0, 3.0, 2.5, 0.0]
    assert [bar.end for bar in bars] == [3.0, 2.5, 2.5, 2.5]
    assert [bar.label for bar in bars] == ["+3.00", "-0.50", "+0.00", "2.50"]
    assert [bar.kind for bar in bars] == ["gain", "loss", "gain", "total"]


def test_less_than_a_hundredth_is_no_loss() -> None:
    bars = waterfall_bars({"Goals": 10.0, "Own goals": -0.004, "Cards": -10.0}, "xEV")
    assert [bar.label for bar in bars[:-1]] == ["+10.00", "+0.00", "-10.00"]


def test_the_table_has_a_row_per_term_with_its_bar_to_scale_and_its_points() -> None:
    html = waterfall_html({"Goals": 3.0, "Cards": -1.0, "Saves": 0.0}, "xEV")
    assert re.findall(r'<th scope="row">(.*?)</th>', html) == ["Goals", "Cards", "xEV"]
    assert re.findall(r"<td>(.*?)</td>", html) == ["+3.00", "-1.00", "2.00"]
    shares = [tuple(map(float, found)) for found in re.findall(r"left:([\d.]+)%;width:([\d.]+)%", html)]
    assert shares == [(0.0, 100.0), (66.67, 33.33), (0.0, 66.67)]
    assert "--zero:0.00%" in html


def test_terms_at_zero_are_one_line_that_names_them() -> None:
    html = waterfall_html({"Goals": 3.0, "Cards": -0.001, "Saves <b>": 0.0}, "xEV")
    assert "<summary>2 terms are zero</summary>Cards, Saves &lt;b&gt;" in html
    assert "zero</summary>" not in waterfall_html({"Goals": 3.0}, "xEV")


def test_one_large_term_is_cut_so_that_the_others_are_seen_and_that_is_said() -> None:
    html = waterfall_html({"Eleven": 53.3, "Captain": 7.9, "Swing": -1.4}, "Score")
    assert "the bars begin at" in html
    assert html.count('class="xi-cut"') == 2
    widths = [float(width) for width in re.findall(r"width:([\d.]+)%", html)]
    assert min(widths) > 5
    assert "the bars begin at" not in waterfall_html({"Goals": 3.0, "Saves": 3.0}, "xEV")


def test_a_sum_below_zero_leaves_room_on_the_left_of_zero() -> None:
    html = waterfall_html({"Cards": -2.0, "Goals": 0.5}, "Difference")
    assert "--zero:100.00%" in html
    assert re.findall(r"left:([\d.]+)%;width:([\d.]+)%", html) == [
        ("0.00", "100.00"),
        ("0.00", "25.00"),
        ("25.00", "75.00"),
    ]


@pytest.mark.parametrize("terms", [{"Goals": 3.0, "Cards": -0.5}, {"Cards": -2.0}, {"Goals": 0.0}, {}])
def test_every_bar_stays_on_the_page(terms: dict[str, float]) -> None:
    bars = waterfall_bars(terms, "xEV")
    low, high = reach(bars)
    assert all(low <= bar.end <= high for bar in bars)
    for left, width in re.findall(r"left:([\d.]+)%;width:([\d.]+)%", waterfall_html(terms, "xEV")):
        assert float(left) + float(width) <= 100.02


@pytest.mark.parametrize("name", EVIL_NAMES)
def test_terms_of_a_users_own_are_escaped(name: str) -> None:
    html = waterfall_html({name: 1.0}, name)
    assert "<script" not in html
    assert len(re.findall(r"<tr ", html)) == 2
