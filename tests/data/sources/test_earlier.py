"""What an earlier world recorded fills the gaps of a feed, and never looks ahead."""

from __future__ import annotations

import pandas as pd

from data.sources.earlier import first_wins, remembered, same_men, with_known_status
from tests.cases.league.live_worlds import small_cup


def test_only_rounds_before_the_coming_one_are_remembered() -> None:
    assert set(remembered([small_cup()], "market", 3)["round"]) == {1, 2}
    assert remembered([small_cup()], "market", 1).empty


def test_where_two_worlds_differ_the_first_is_believed() -> None:
    twice = remembered([small_cup(), small_cup()], "events", 3)
    assert len(twice) == len(small_cup().at(3).events)
    one = pd.DataFrame({"player_id": [1], "round": [1], "points": [5]})
    other = pd.DataFrame({"player_id": [2, 1], "round": [1, 1], "points": [7, 9]})
    assert first_wins("points", [one, other])["points"].tolist() == [5, 7]


def test_a_number_belongs_to_the_same_man_only_in_the_same_team() -> None:
    teams = small_cup().at(1).players.set_index("player_id")["team"]
    changed = teams.copy()
    changed.iloc[0] = "ATL"
    changed.loc[999_999] = "ATL"
    assert set(same_men([small_cup()], teams)) == set(teams.index)
    assert set(same_men([small_cup()], changed)) == set(teams.index[1:])


def test_an_unknown_earlier_status_counts_as_playing() -> None:
    market = pd.DataFrame({"player_id": [999_999, 999_999], "round": [1, 2], "status": [None, "injured"]})
    for worlds in ([], [small_cup()]):
        assert with_known_status(market, worlds, 2)["status"].tolist() == ["playing", "injured"]
