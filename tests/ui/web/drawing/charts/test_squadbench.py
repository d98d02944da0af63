"""The bars of the leaderboard keep its order and stay within 0 and 1."""

from __future__ import annotations

import pytest

from tests.cases.board_cases import a_placing
from ui.web.drawing.charts.squadbench import draw_scores, score_table, score_words

ENTRIES = (a_placing("ours", 0.995), a_placing("greedy", 0.01))


def test_intervals_end_where_scores_do() -> None:
    table = score_table(ENTRIES)
    assert list(table["contender"]) == ["ours", "greedy"]
    assert table["high"].max() == 1.0
    assert table["low"].min() == 0.0
    assert list(table["band"]) == ["Exceptional", "Below threshold"]


@pytest.mark.parametrize("dark", [False, True])
def test_bars_intervals_and_figures_are_drawn_in_the_order_of_the_board(dark: bool) -> None:
    chart = draw_scores(score_table(ENTRIES), dark).to_dict()
    assert [layer["mark"]["type"] for layer in chart["layer"]] == ["bar", "rule", "text"]
    assert chart["layer"][0]["encoding"]["y"]["sort"] == ["ours", "greedy"]


def test_the_words_say_every_score() -> None:
    assert score_words(ENTRIES) == "Scores from best to worst: ours 0.995 ± 0.020, greedy 0.010 ± 0.020."
