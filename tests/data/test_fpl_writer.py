"""The written API has the shape of the real one."""

from __future__ import annotations

import json
from typing import Any

from tests.cases.fpl_writer import entry_documents, league_documents, to_fpl_api
from tests.cases.live_worlds import small_league


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


def test_a_manager_has_a_squad_in_order_and_a_season_behind_him() -> None:
    written = entry_documents(7, 3, range(101, 116), bank=1.2, selling=[4.5] * 15, chip="3xc", transfers={2: 1})
    squad, season = (json.loads(body) for body in written.values())
    assert list(written) == ["entry/7/event/3/picks/", "entry/7/history/"]
    assert [pick["element"] for pick in squad["picks"]] == list(range(101, 116))
    assert [pick["is_captain"] for pick in squad["picks"]].index(True) == 0
    assert (squad["entry_history"]["bank"], squad["picks"][0]["selling_price"], squad["active_chip"]) == (12, 45, "3xc")
    assert [week["event_transfers"] for week in season["current"]] == [0, 1, 0]


def test_a_league_is_one_page_with_its_leader_first() -> None:
    page = json.loads(league_documents(5, "Office", [9, 8])["leagues-classic/5/standings/?page_standings=1"])
    assert page["league"]["name"] == "Office"
    assert [(row["rank"], row["entry"]) for row in page["standings"]["results"]] == [(1, 9), (2, 8)]
