"""The waterfall keeps every term and ends at their sum."""

from __future__ import annotations

import pytest

from ui.waterfall import AXIS_HEIGHT, ROW_HEIGHT, draw_waterfall, reach, waterfall_table


def test_each_bar_starts_where_the_one_before_ended_and_the_total_closes() -> None:
    table = waterfall_table({"Goals": 3.0, "Cards": -0.5, "Saves": 0.0}, "xEV")
    assert list(table["term"]) == ["Goals", "Cards", "Saves", "xEV"]
    assert list(table["from"]) == [0.0, 3.0, 2.5, 0.0]
    assert list(table["to"]) == [3.0, 2.5, 2.5, 2.5]
    assert list(table["label"]) == ["+3.00", "-0.50", "+0.00", "2.50"]
    assert list(table["kind"]) == ["gain", "loss", "gain", "total"]


def test_the_drawing_names_every_term() -> None:
    chart = draw_waterfall({"Goals": 3.0, "Saves": 0.0}, "xEV", "#000000").to_dict()
    named = {row["term"] for rows in chart["datasets"].values() for row in rows}
    assert named == {"Goals", "Saves", "xEV"}
    assert chart["height"] == pytest.approx(3 * ROW_HEIGHT + AXIS_HEIGHT)


@pytest.mark.parametrize("terms", [{"Goals": 3.0, "Cards": -0.5}, {"Cards": -2.0}, {"Goals": 0.0}, {}])
def test_the_axis_holds_every_bar_and_room_for_its_label(terms: dict[str, float]) -> None:
    table = waterfall_table(terms, "xEV")
    low, high = reach(table)
    assert low <= min(table["from"].min(), table["to"].min(), 0.0)
    assert high > max(table["from"].max(), table["to"].max(), 0.0)
