"""A fetch is polite: a final gameweek is asked for once in its season, and what is missing stops nothing."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from data.sources.fpl import source as fpl
from data.sources.refresh import fpl_game, refresh_world
from data.sources.report import FetchStep, SourceReport
from data.web.client import WebSettings, open_client
from tests.cases.league.live_worlds import payloads_of, small_league
from tests.tools.fpl_writer import to_fpl_api
from tests.tools.loopback import Loopback, Reply, serving

BOOTSTRAP, FIXTURES, STATUS = "bootstrap-static/", "fixtures/", "event-status/"
NOON = datetime(2027, 3, 10, 12, tzinfo=UTC)
ONCE = WebSettings(attempts=1, backoff=0.0)
DAY = 24 * 3600
COUNTS = {"total_points": 2, "minutes": 90, "starts": 1}


def mid_season(coming: int = 30, *, checked: bool = True, year: int = 2026) -> dict[str, bytes]:
    """A season of 38 gameweeks, those before the coming one finished; the last of them is checked or not."""
    api = _small_api()
    events = [
        {
            "id": number,
            "deadline_time": (datetime(year, 8, 14, tzinfo=UTC) + number * timedelta(days=7)).isoformat(),
            "finished": number < coming,
            "data_checked": number < coming - (not checked),
            "is_current": number == coming - 1,
            "is_next": number == coming,
        }
        for number in range(1, 39)
    ]
    week = {"elements": [{"id": 10, "stats": COUNTS, "explain": []}]}
    documents: dict[str, Any] = {BOOTSTRAP: api[BOOTSTRAP] | {"events": events}, FIXTURES: api[FIXTURES]}
    documents[STATUS] = {"status": [{"event": coming - 1, "bonus_added": checked, "points": "r" if checked else "l"}]}
    documents |= {f"event/{number}/live/": week for number in range(1, coming)}
    return {name: json.dumps(value).encode() for name, value in documents.items()}


def refreshed(server: Loopback, home: Path, **settings: Any) -> SourceReport:
    folder, cache = home / "live", home / "cache"
    return refresh_world(fpl_game(), folder, now=lambda: NOON, base_url=server.url, cache=cache, **settings)


def asked(server: Loopback, home: Path) -> list[str]:
    """Fetch with the cache that a refresh has, and return what the server was asked for."""
    before = len(server.requests)
    with open_client(server.url, home / "cache") as client:
        assert BOOTSTRAP in [step.answer.path for step in fpl.fetch(client) if not step.failure]
    return server.paths[before:]


@cache
def _small_api() -> dict[str, Any]:
    return payloads_of(to_fpl_api(small_league(), 1))


def test_a_first_fetch_takes_a_request_a_gameweek_and_a_refresh_only_what_can_have_changed(tmp_path: Path) -> None:
    with serving(mid_season(30)) as server:
        first, again = asked(server, tmp_path), asked(server, tmp_path)
        server.routes |= mid_season(31)
        later = asked(server, tmp_path)
    assert len(first) == 32
    assert len(set(first)) == len(first)
    assert again == [BOOTSTRAP, STATUS, FIXTURES]
    assert later == [BOOTSTRAP, STATUS, FIXTURES, "event/30/live/"]


def test_the_last_week_of_a_season_still_makes_less_than_fifty_requests(tmp_path: Path) -> None:
    with serving(mid_season(38)) as server:
        assert len(asked(server, tmp_path)) == 40
        assert len(asked(server, tmp_path)) == 3


@pytest.mark.parametrize("told", ["checked", "bonus"])
def test_a_week_is_asked_for_until_it_is_final_and_then_no_more(tmp_path: Path, told: str) -> None:
    unfinished = mid_season(5, checked=False)
    if told == "bonus":  # the game calls it checked while the day's bonus is still to come
        unfinished[BOOTSTRAP] = mid_season(5)[BOOTSTRAP]
    with serving(unfinished) as server:
        assert "event/4/live/" in asked(server, tmp_path)
        assert asked(server, tmp_path)[3:] == ["event/4/live/"]
        server.routes |= mid_season(5)
        assert asked(server, tmp_path)[3:] == ["event/4/live/"]
        assert asked(server, tmp_path)[3:] == []


def test_an_unchanged_week_that_becomes_final_is_kept_for_good_too(tmp_path: Path) -> None:
    def tagged(documents: dict[str, bytes]) -> dict[str, bytes | Reply]:
        return {name: Reply(body=body, headers={"ETag": f'"{len(body)}"'}) for name, body in documents.items()}

    with serving(tagged(mid_season(5, checked=False))) as server:
        asked(server, tmp_path)
        server.routes |= tagged(mid_season(5))
        assert asked(server, tmp_path)[3:] == ["event/4/live/"]
        assert asked(server, tmp_path)[3:] == []


def test_a_week_of_last_season_is_not_taken_for_this_one(tmp_path: Path) -> None:
    with serving(mid_season(5, year=2025)) as server:
        asked(server, tmp_path)
        server.routes |= mid_season(5, year=2026)
        assert len(asked(server, tmp_path)) == 7


def test_a_week_that_the_game_does_not_have_is_named_and_not_asked_for_all_day(tmp_path: Path) -> None:
    documents = mid_season(5)
    del documents["event/2/live/"]
    with serving(documents) as server:
        report = refreshed(server, tmp_path)
        assert report.ok
        assert any("Gameweek 2 came without counts" in warning for warning in report.warnings)
        assert server.paths.count("event/2/live/") == 1
        assert asked(server, tmp_path) == [BOOTSTRAP, STATUS, FIXTURES]
        for kept in (tmp_path / "cache").iterdir():
            os.utime(kept, (time.time() - 2 * DAY, time.time() - 2 * DAY))
        assert asked(server, tmp_path)[3:] == ["event/2/live/"]


def test_a_kept_week_that_cannot_be_read_is_asked_for_again(tmp_path: Path) -> None:
    with serving(mid_season(5) | {"event/3/live/": b'{"elements": "soon"}'}) as server:
        report = refreshed(server, tmp_path)
        assert report.ok
        assert any("cannot be read" in warning and "event/3/live/" in warning for warning in report.warnings)
        server.routes |= mid_season(5)
        assert asked(server, tmp_path)[3:] == ["event/3/live/"]
        assert asked(server, tmp_path)[3:] == []


def test_a_source_that_stops_answering_is_left_alone_and_what_came_is_used(tmp_path: Path) -> None:
    documents: dict[str, Any] = mid_season(30)
    documents |= {f"event/{number}/live/": Reply(status=503) for number in range(1, 28)}
    with serving(documents) as server:
        report = refreshed(server, tmp_path, settings=ONCE)
    assert report.ok, report.error
    assert server.paths[3:] == [f"event/{number}/live/" for number in (29, 28, 27, 26, 25)]


def test_without_event_status_the_game_s_own_word_counts(tmp_path: Path) -> None:
    documents = mid_season(5)
    del documents[STATUS]
    with serving(documents) as server:
        asked(server, tmp_path)
        assert asked(server, tmp_path) == [BOOTSTRAP, STATUS, FIXTURES]


def test_every_step_is_numbered(tmp_path: Path) -> None:
    seen: list[FetchStep] = []
    with serving(mid_season(5)) as server:
        refreshed(server, tmp_path, progress=seen.append)
    assert [step.done for step in seen] == list(range(1, 8))
    assert {step.total for step in seen} == {7}


@pytest.mark.soak
def test_without_a_list_of_matches_those_of_the_last_world_stand_in(tmp_path: Path) -> None:
    with serving(mid_season(5)) as server:
        refreshed(server, tmp_path)
        for gone in (Reply(status=404), Reply(body=b"[]")):
            server.routes[FIXTURES] = gone
            report = refreshed(server, tmp_path)
            assert report.ok, report.error
            assert "The game does not list its matches" in " ".join(report.warnings)
    with serving({name: body for name, body in mid_season(5).items() if name != FIXTURES}) as server:
        assert "fixtures/ did not come" in refreshed(server, tmp_path / "new").error
