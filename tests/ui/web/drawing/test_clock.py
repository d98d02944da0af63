"""Times are the visitor's own, and how long is left is said in two units."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from ui.web.drawing.clock import countdown, kickoff_time, local_time, zone_name

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
NOON = datetime(2026, 6, 11, 19, 0, tzinfo=UTC)


def test_a_deadline_is_told_in_the_visitors_zone() -> None:
    assert local_time(NOON, BERLIN) == "Thu 11 Jun, 21:00"
    assert local_time(NOON, NEW_YORK) == "Thu 11 Jun, 15:00"


def test_a_kickoff_after_midnight_is_the_next_day() -> None:
    assert kickoff_time("2026-06-15T22:30Z", BERLIN) == "Tue 16 Jun, 00:30"
    assert kickoff_time("", BERLIN) == "–"


@pytest.mark.parametrize(
    ("gap", "said"),
    [
        (timedelta(seconds=30), "less than a minute left"),
        (timedelta(minutes=61), "1 hour 1 minute left"),
        (timedelta(days=2, hours=5), "2 days 5 hours left"),
        (timedelta(days=3), "3 days left"),
        (timedelta(days=-1), "closed 1 day ago"),
        (timedelta(days=-158), "closed 5 months ago"),
    ],
)
def test_how_long_is_left(gap: timedelta, said: str) -> None:
    assert countdown(NOON + gap, NOON) == said


def test_a_zone_is_named_as_people_write_it() -> None:
    assert zone_name(NEW_YORK) == "America/New York"
    assert zone_name(UTC) == "UTC"
