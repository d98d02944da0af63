"""Minutes of later rounds: odds are drawn to the typical, and how a player stands today says how fast he heals."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest

from models.players.minutes.later_minutes import (
    KINDS,
    Absences,
    return_days,
    settled_minutes,
    shipped_later_minutes,
)

STATES = np.array([[0.02, 0.08, 0.90], [0.5, 0.3, 0.2], [0.9, 0.08, 0.02]])
NOBODY_KEEPS = np.zeros(3, dtype=bool)
USUAL = np.array([[1.5, -3.0, 1.8, 2.4], [-0.5, -5.5, -0.3, 0.4], [-1.2, -6.5, -1.6, -1.2]])
"""Market, owned, long minutes and appearances of players who usually play as in STATES."""

DAY = np.datetime64("2026-01-10")


def of_kind(name: str) -> np.ndarray:
    return np.full(3, KINDS.index(name))


def absences(*rows: tuple[str, object, str]) -> Absences:
    players = pd.DataFrame(rows, columns=["status", "chance", "news"]).astype({"chance": "Int64"})
    return Absences.of(players, datetime(2025, 12, 20, tzinfo=UTC))


@pytest.mark.parametrize("ahead", [1, 3, 7, 30])
def test_states_are_probabilities_and_keep_their_order(ahead: int) -> None:
    for name in KINDS:
        state = shipped_later_minutes().state(STATES, NOBODY_KEEPS, of_kind(name), USUAL, ahead)
        np.testing.assert_allclose(state.sum(axis=1), 1.0, atol=1e-12)
        assert (state >= 0).all()
        assert (np.diff(state[:, 2]) < 0).all()


def test_chances_of_an_hour_fall_as_they_did_in_past_seasons() -> None:
    """What four seasons said by another fit: log odds of an hour = −.11 + .81 × now, then −.30 + .61 × now."""
    later = shipped_later_minutes()
    for ahead, constant, slope in ((1, -0.11, 0.81), (5, -0.30, 0.61)):
        found = later.state(STATES, NOBODY_KEEPS, of_kind("fit"), USUAL, ahead)[:, 2]
        odds = constant + slope * np.log(STATES[:, 2] / (1 - STATES[:, 2]))
        np.testing.assert_allclose(found, 1 / (1 + np.exp(-odds)), atol=0.06)


def test_a_goalkeeper_who_plays_plays_an_hour() -> None:
    state = shipped_later_minutes().state(STATES, ~NOBODY_KEEPS, of_kind("fit"), USUAL, 4)
    np.testing.assert_allclose(state[:, 2] / (state[:, 1] + state[:, 2]), STATES[:, 2] / STATES[:, 1:].sum(axis=1))


def test_far_ahead_the_long_record_counts_more_than_the_last_weeks() -> None:
    later, fringe = shipped_later_minutes(), USUAL[[2, 2, 2]]
    near, far = (
        [later.state(STATES, NOBODY_KEEPS, of_kind("fit"), place, ahead)[0, 2] for place in (USUAL[[0, 0, 0]], fringe)]
        for ahead in (1, 7)
    )
    assert near[0] > near[1]
    assert far[0] - far[1] > 1.5 * (near[0] - near[1])


def test_where_elevens_are_settled_only_who_is_not_fit_changes() -> None:
    np.testing.assert_allclose(
        settled_minutes().state(STATES, NOBODY_KEEPS, of_kind("fit"), USUAL, 3), STATES, atol=1e-4
    )
    out = [settled_minutes().state(STATES, NOBODY_KEEPS, of_kind("injured"), USUAL, ahead)[0, 0] for ahead in (1, 3, 6)]
    assert out == sorted(out, reverse=True)
    assert out[0] > 0.2


def test_a_day_without_a_year_is_the_one_around_the_deadline() -> None:
    said = pd.Series(["Knee injury - Expected back 3 Jan", "Suspended until 28 Dec", "Expected back 15 Dec", "Ill", ""])
    found = return_days(said, datetime(2025, 12, 20, tzinfo=UTC))
    assert [str(day) for day in found] == ["2026-01-03", "2025-12-28", "2025-12-15", "NaT", "NaT"]
    assert np.isnat(return_days(pd.Series(["Expected back 31 Feb"]), datetime(2025, 12, 20, tzinfo=UTC))).all()


def test_how_a_player_stands_on_the_day_of_a_match() -> None:
    told = absences(
        ("playing", None, ""),
        ("doubtful", 75, "Knock"),
        ("doubtful", None, "Knock"),
        ("doubtful", 25, "Knock"),
        ("injured", 0, "Knee injury - Unknown return date"),
        ("injured", 0, "Knee injury - Expected back 10 Jan"),
        ("suspended", 0, "Suspended until 10 Jan"),
        ("absent", 0, "Expected back 11 Jan"),
        ("suspended", 0, ""),
        ("injured", 0, ""),
    )
    names = [KINDS[column] for column in told.kinds(np.full(10, DAY))]
    assert names == [*KINDS, "served", "injured"]
    unknown = [KINDS[column] for column in told.kinds(np.full(10, np.datetime64("NaT", "D")))]
    assert unknown[4:8] == ["injured"] * 4
