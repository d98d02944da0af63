"""Rules of places: where, when and against whom, with none, one or two matches."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from models.players.places import NO_MATCH, Places, chance_to_play, clean_sheets, place_players
from models.teams.goals import score_grid
from tests.cases.chances_cases import a_man, the_chances

CODES = ("ARS", "BHA", "CHE", "FUL", "LIV")
PLAYERS = pd.DataFrame({"team": ["LIV", "ARS", "CHE", "BHA", "FUL", "ARS"]})
MATCHES = pd.DataFrame(
    {
        "kickoff": pd.to_datetime(
            ["2026-08-15T14:00Z", "2026-08-15T14:00Z", "2026-08-18T19:00Z"], format="ISO8601", utc=True
        ),
        "home": ["ARS", "FUL", "LIV"],
        "away": ["BHA", "LIV", "FUL"],
        "at_home": ["", "FUL", "FUL"],  # the last is played at the nominal away side's
    }
)


def the_places(matches: pd.DataFrame = MATCHES) -> Places:
    return place_players(PLAYERS, CODES, matches)


def test_players_know_the_number_of_their_team_and_of_its_matches_none_one_or_two() -> None:
    assert the_places().team.tolist() == [4, 0, 2, 1, 3, 0]
    assert the_places().matches.tolist() == [2, 1, 0, 1, 2, 1]


def test_opponents_are_named_with_the_true_venue() -> None:
    shown = the_places().opponents[[0, 4, 1, 2]].tolist()
    assert shown == ["FUL (A), FUL (A)", "LIV (H), LIV (H)", "BHA (N)", NO_MATCH]


def test_one_kickoff_is_one_slot_a_double_counts_by_its_last_match_and_without_a_match_there_is_none() -> None:
    places = the_places()
    assert places.slot.tolist() == [1, 0, 0, 0, 1, 0]
    assert places.kickoff[0] == np.datetime64("2026-08-18T19:00")
    assert places.kickoff[1] == np.datetime64("2026-08-15T14:00")
    assert np.isnat(places.kickoff).tolist() == [False, False, True, False, False, False]


def test_nobody_has_a_place_in_an_empty_round() -> None:
    places = the_places(MATCHES.iloc[:0])
    assert (places.matches == 0).all()
    assert (places.opponents == NO_MATCH).all()


def two_matches_of_one() -> tuple[list[dict[str, object]], np.ndarray]:
    men = [
        a_man(0, player=0, match=0, state=(0.5, 0.2, 0.3)),
        a_man(0, player=0, match=1, away=True, state=(0.4, 0.1, 0.5)),
        a_man(1, player=2, match=1, state=(0.1, 0.0, 0.9)),
    ]
    return men, np.array([[1.5, 1.0], [2.0, 0.5]])


def test_one_of_two_matches_is_enough_to_play() -> None:
    men, rates = two_matches_of_one()
    plays = chance_to_play(the_chances(men, score_grid(rates[:, 0], rates[:, 1])), players=4)
    np.testing.assert_allclose(plays, [1 - 0.5 * 0.4, 0.0, 0.9, 0.0])


def test_clean_sheets_stand_in_a_column_per_match_and_none_is_zero() -> None:
    men, rates = two_matches_of_one()
    grid = score_grid(rates[:, 0], rates[:, 1])
    sheets = clean_sheets(the_chances(men, grid), players=4)
    assert sheets.shape == (4, 2)
    np.testing.assert_allclose(sheets[0], [np.exp(-1.0), np.exp(-2.0)], rtol=1e-4)
    assert sheets[2] == pytest.approx([np.exp(-0.5), 0.0], rel=1e-4)
    assert (sheets[[1, 3]] == 0).all()
