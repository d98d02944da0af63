"""The work on a feed grows with its length and no faster, whatever stands in it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.cases.league.live_worlds import a_feed, payloads_of, read_cup, read_league, small_league
from tests.tools.fpl_writer import to_fpl_api

pytestmark = [pytest.mark.alone, pytest.mark.soak]

SIZES = (1_000, 4_000)
MOST = 8.0
"""Between the times of the two: linear work gives four, quadratic work sixteen."""


def waiting_league(count: int) -> dict[str, Any]:
    """A league in which so many matches have no date yet."""
    api = payloads_of(to_fpl_api(small_league(), 4))
    match = api["fixtures/"][-1] | {"event": None, "kickoff_time": None, "finished": False}
    api["fixtures/"] += [match | {"id": 1_000 + number} for number in range(count)]
    return api


def crowded_league(count: int) -> dict[str, Any]:
    """A league in which so many matches are played in the coming gameweek."""
    api = payloads_of(to_fpl_api(small_league(), 4))
    api["fixtures/"] += [api["fixtures/"][-1] | {"id": 1_000 + number} for number in range(count)]
    return api


def crowded_cup(count: int) -> dict[str, Any]:
    """A cup with so many matches of a knock-out round that no bracket knows."""
    feed = a_feed(2)
    match = feed["rounds.json"][0]["tournaments"][0] | {"status": "scheduled", "homeScore": None, "awayScore": None}
    rounds = feed["rounds.json"]
    rounds[3]["tournaments"] = [match | {"id": 10_000 + number} for number in range(count)]
    rounds[3]["startDate"] = "2026-06-28T20:00:00+01:00"
    return feed


def seconds(read: Callable[[dict[str, Any]], object], feed: dict[str, Any]) -> float:
    """Return the least of three runs."""
    taken = []
    for _ in range(3):
        started = time.perf_counter()
        read(feed)
        taken.append(time.perf_counter() - started)
    return min(taken)


@pytest.mark.parametrize(
    ("read", "feed"), [(read_league, waiting_league), (read_league, crowded_league), (read_cup, crowded_cup)]
)
def test_four_times_the_matches_take_about_four_times_as_long(
    read: Callable[[dict[str, Any]], object], feed: Callable[[int], dict[str, Any]]
) -> None:
    short, long = (seconds(read, feed(count)) for count in SIZES)
    assert long < MOST * short
