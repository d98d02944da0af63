"""The written API has the shape of the real one."""

from __future__ import annotations

import json
from typing import Any

from data.fpl_writer import to_fpl_api
from tests.live_worlds import small_league


def documents(round_number: int) -> dict[str, Any]:
    return {name: json.loads(content) for name, content in to_fpl_api(small_league(), round_number).items()}


def test_money_is_in_tenths_ownership_is_text_and_positions_are_numbers() -> None:
    keeper = documents(4)["bootstrap-static/"]["elements"][0]
    assert (keeper["now_cost"], keeper["selected_by_percent"], keeper["element_type"]) == (44, "50.000000", 1)
    assert keeper["status"] == "a"


def test_exactly_one_gameweek_is_next_and_the_one_before_is_current() -> None:
    events = documents(3)["bootstrap-static/"]["events"]
    assert [event["is_next"] for event in events] == [False, False, True, False]
    assert [event["is_current"] for event in events] == [False, True, False, False]
    assert [event["finished"] for event in events] == [True, True, False, False]


def test_a_double_gameweek_is_two_rows_of_history() -> None:
    history = documents(4)["element-summary/20/"]["history"]
    assert [(row["round"], row["fixture"], row["was_home"]) for row in history] == [
        (1, 11, False),
        (3, 14, True),
        (3, 16, True),
    ]


def test_results_to_come_are_not_written() -> None:
    scores = {match["id"]: match["team_h_score"] for match in documents(3)["fixtures/"]}
    assert scores[13] == 1
    assert scores[14] is None
