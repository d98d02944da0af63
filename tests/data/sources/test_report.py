"""A report says what was fetched, what failed and what is still in place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from data.sources.report import SourceReport, listed

START = datetime(2026, 7, 1, 12, tzinfo=UTC)


def a_report(**changes: Any) -> SourceReport:
    facts: dict[str, Any] = {
        "source": "fifa",
        "url": "https://feed.test/",
        "started": START,
        "finished": START + timedelta(seconds=2.5),
        "fetched": {"players.json": 1_200_000, "squads.json": 300_000},
    }
    return SourceReport(**facts | changes)


def test_a_good_report_is_one_line() -> None:
    report = a_report()
    assert report.summary() == "fifa: fetched 2 documents (1.5 MB) in 2.5 s from https://feed.test/"


def test_a_failure_tells_the_error_and_what_is_kept() -> None:
    report = a_report(error="It broke.", kept="Cup, 3 hours old", warnings=("Odd.",), fetched={})
    assert report.summary().splitlines() == [
        "fifa: failed after 0 documents (0.0 MB) in 2.5 s from https://feed.test/",
        "Error: It broke.",
        "Kept: Cup, 3 hours old",
        "Note: Odd.",
    ]


def test_a_long_list_is_counted() -> None:
    assert listed("abc") == "a, b, c"
    assert listed("abcdefghij") == "a, b, c, d, e, f, g, h and 2 more"
