"""Two plans' terms as grouped bars: two bars for each term, each with its number."""

from __future__ import annotations

import pandas as pd
import pytest

from ui.web.drawing.charts.pair import draw_pair
from ui.web.drawing.look import term_colours


@pytest.mark.parametrize("dark", [False, True])
def test_each_plan_has_its_bar_its_colour_and_its_number(dark: bool) -> None:
    table = pd.DataFrame(
        {"term": ["Captaincy", "Captaincy"], "plan": ["Protect", "<b>Gain</b>"], "points": [8.0, -1.5]}
    )
    spec = draw_pair(table, dark).to_dict()
    bars, words = spec["layer"]
    assert bars["encoding"]["color"]["scale"] == {
        "domain": ["Protect", "<b>Gain</b>"],
        "range": list(term_colours(dark)[:2]),
    }
    assert words["encoding"]["text"]["field"] == "label"
    assert {row["label"] for rows in spec["datasets"].values() for row in rows} == {"+8.00", "-1.50"}
