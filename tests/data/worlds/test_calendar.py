"""Doubles and blanks are known a few rounds before, whatever the finished season tells."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from data.errors import InputError
from data.worlds.calendar import as_announced, first_rounds
from data.worlds.library import find_world
from data.worlds.snapshot import Snapshot
from data.worlds.world import World

MOVED, FIRST_SET, NOW_IN = 310, 31, 26
"""A match of the bundled season: set for gameweek 31, played in 26, a double for both teams."""


@pytest.fixture(scope="module")
def season() -> World:
    return find_world("fpl2025-26")


def round_of(snapshot: Snapshot, match: int) -> list[int]:
    fixtures = snapshot.fixtures
    return [int(number) for number in fixtures.loc[fixtures["match_id"] == match, "round"]]


def test_a_double_far_ahead_is_not_known_yet(season: World) -> None:
    snapshot = season.at(20)
    assert round_of(snapshot, MOVED) == [NOW_IN]
    assert round_of(as_announced(snapshot), MOVED) == [FIRST_SET]


@pytest.mark.parametrize(("ahead", "known"), [(5, FIRST_SET), (6, NOW_IN), (12, NOW_IN)])
def test_it_is_known_as_many_rounds_before_as_is_set(season: World, ahead: int, known: int) -> None:
    assert round_of(as_announced(season.at(20), ahead), MOVED) == [known]


def test_a_blank_is_known_before_its_new_date(season: World) -> None:
    """Brought forward in the calendar of a test: from round 23 to 31, seen from 20 with four rounds known."""
    snapshot = season.at(20)
    fixtures = snapshot.fixtures.copy()
    match = int(fixtures.loc[fixtures["round"] == 23, "match_id"].iloc[0])
    fixtures.loc[fixtures["match_id"] == match, "round"] = 31
    late = Snapshot(**{**vars(snapshot), "fixtures": fixtures})
    assert round_of(as_announced(late, 4), match) == []
    assert round_of(as_announced(late, 2), match) == [23]


def test_a_match_believed_elsewhere_begins_with_its_round(season: World) -> None:
    known = as_announced(season.at(20)).fixtures
    kickoff = known.set_index("match_id")["kickoff"]
    others = known[(known["round"] == FIRST_SET) & (known["match_id"] != MOVED)]
    assert kickoff[MOVED] == others["kickoff"].min()


def test_every_round_has_the_matches_it_was_first_set_with(season: World) -> None:
    fixtures = season.at(1).fixtures
    rounds = first_rounds(fixtures, 20)
    assert rounds is not None
    assert (np.bincount(rounds)[1:] == 10).all()
    assert int((rounds != fixtures["round"]).sum()) == 5


def test_the_coming_round_and_the_past_stay_as_they_are(season: World) -> None:
    snapshot = season.at(15)
    known = as_announced(snapshot, 0)
    for part in (snapshot.fixtures["round"] <= 15, snapshot.fixtures["round"] == 15):
        same = known.fixtures[known.fixtures["round"].isin(snapshot.fixtures.loc[part, "round"])]
        pd.testing.assert_frame_equal(same, snapshot.fixtures[part], check_dtype=False)


def test_a_tournament_has_no_such_numbers(world_cup: World) -> None:
    snapshot = world_cup.at(1)
    assert as_announced(snapshot) is snapshot


def test_a_negative_number_of_rounds_is_refused(season: World) -> None:
    with pytest.raises(InputError, match="-1 rounds before"):
        as_announced(season.at(5), -1)
