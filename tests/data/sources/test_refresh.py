"""A refresh replaces a world whole or leaves the last good one in place, and always reports."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest

from data.sources.refresh import fetched_at, fifa_game, fpl_game, refresh_world
from data.sources.report import LOST_IN_A_ROW, FetchStep, SourceReport
from data.web.client import WebSettings
from data.worlds.world import open_world
from tests.cases.league.live_worlds import small_cup, small_feed, small_league
from tests.tools.fpl_writer import to_fpl_api
from tests.tools.loopback import Loopback, Reply, serving

NOON = datetime(2026, 6, 20, 12, tzinfo=UTC)
PATIENT = WebSettings(connect=60.0, read=60.0, total=90.0, attempts=3, backoff=0.0)
"""However busy this machine is, a server that answers is waited for."""


def refreshed(
    server: Loopback, folder: Path, now: datetime = NOON, settings: WebSettings = PATIENT, **options: object
) -> SourceReport:
    return refresh_world(
        fifa_game(small_cup()),
        folder,
        now=lambda: now,
        base_url=server.url,
        settings=settings,
        **options,  # type: ignore[arg-type]
    )


def test_a_good_refresh_saves_a_world_and_says_what_came(tmp_path: Path) -> None:
    with serving(small_feed(2)) as server:
        report = refreshed(server, tmp_path / "live")
    assert (report.ok, report.error, report.kept, report.source) == (True, "", "", "fifa")
    assert list(report.fetched) == ["players.json", "squads.json", "rounds.json"]
    assert report.size > 1000
    world = open_world(tmp_path / "live")
    assert (world.name, world.title, world.rounds) == ("live", "FIFA World Cup 2026 (live)", (1, 2))
    assert fetched_at(world.sources) == NOON
    assert server.url in world.sources


def test_a_refresh_of_the_next_round_replaces_the_world(tmp_path: Path) -> None:
    for number in (2, 3):
        with serving(small_feed(number)) as server:
            assert refreshed(server, tmp_path / "live").ok
    assert open_world(tmp_path / "live").rounds == (1, 2, 3)


@pytest.mark.parametrize(
    ("age", "told"),
    [
        (timedelta(seconds=20), "less than a minute old"),
        (timedelta(minutes=1), "1 minute old"),
        (timedelta(hours=3, minutes=50), "3 hours old"),
        (timedelta(days=2), "2 days old"),
    ],
)
@pytest.mark.daily("age3")
def test_a_failed_refresh_keeps_the_last_good_world_and_tells_its_age(
    tmp_path: Path, age: timedelta, told: str
) -> None:
    with serving(small_feed(2)) as server:
        refreshed(server, tmp_path / "live")
        before = open_world(tmp_path / "live").at(2).checksum
        server.routes["rounds.json"] = b"<html>Sorry</html>"
        report = refreshed(server, tmp_path / "live", NOON + age)
    assert not report.ok
    assert "rounds.json is not JSON" in report.error
    assert report.kept == f"FIFA World Cup 2026 (live), rounds 1 to 2, {told}"
    assert list(report.fetched) == ["players.json", "squads.json"]
    assert open_world(tmp_path / "live").at(2).checksum == before


def test_a_first_refresh_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    with serving({}) as server:
        report = refreshed(server, tmp_path / "live")
    assert "404" in report.error
    assert report.kept.startswith("nothing")
    assert not (tmp_path / "live").exists()


def test_a_damaged_last_world_is_replaced_and_mentioned(tmp_path: Path) -> None:
    with serving(small_feed(2)) as server:
        refreshed(server, tmp_path / "live")
        next((tmp_path / "live").glob("players-*.parquet")).write_bytes(b"cut")
        report = refreshed(server, tmp_path / "live")
    assert report.ok
    assert "was damaged" in report.warnings[0]
    assert open_world(tmp_path / "live").rounds == (1, 2)


def test_a_folder_of_other_files_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with serving(small_feed(2)) as server:
        report = refreshed(server, tmp_path)
    assert "holds other files" in report.error
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == ["thesis.txt"]


def test_a_full_disk_is_reported_and_the_last_world_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(small_feed(2)) as server:
        refreshed(server, tmp_path / "live")

        def disk_full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("data.worlds.generations.replace_file", disk_full)
        report = refreshed(server, tmp_path / "live")
    assert "No space left" in report.error
    assert open_world(tmp_path / "live").rounds == (1, 2)


def test_a_bad_address_is_a_report_too(tmp_path: Path) -> None:
    report = refresh_world(fifa_game(small_cup()), tmp_path / "live", now=lambda: NOON, base_url="file:///etc/")
    assert "is not a web address" in report.error


def test_progress_sees_every_document(tmp_path: Path) -> None:
    seen: list[FetchStep] = []
    with serving(small_feed(2)) as server:
        report = refreshed(server, tmp_path / "live", details=True, progress=seen.append)
    assert [step.answer.path for step in seen] == list(report.fetched)
    assert seen[-1].done == seen[-1].total > 3
    assert len(open_world(tmp_path / "live").tables["events"]) > 0


def test_a_cached_refresh_gives_the_same_world(tmp_path: Path) -> None:
    cache, seen = tmp_path / "cache", list[FetchStep]()
    with serving(small_feed(2)) as server:
        refreshed(server, tmp_path / "live", cache=cache)
        first = open_world(tmp_path / "live").at(2).checksum
        refreshed(server, tmp_path / "live", cache=cache, progress=seen.append)
    assert seen
    assert all(step.answer.cached for step in seen)
    assert open_world(tmp_path / "live").at(2).checksum == first


def test_the_premier_league_is_refreshed_alike(tmp_path: Path) -> None:
    with serving(to_fpl_api(small_league(), 3)) as server:
        report = refresh_world(fpl_game(), tmp_path / "fpl", now=lambda: NOON, base_url=server.url, details=True)
        assert report.ok, report.error
        assert open_world(tmp_path / "fpl").rounds == (1, 2, 3)
        server.routes["fixtures/"] = Reply(status=500)
        failed = refresh_world(fpl_game(), tmp_path / "fpl", now=lambda: NOON, base_url=server.url, settings=PATIENT)
    assert "answered 500" in failed.error
    assert "rounds 1 to 3" in failed.kept
    assert open_world(tmp_path / "fpl").rulebook == "fpl2026"


def league_refreshed(server: Loopback, folder: Path, settings: WebSettings = PATIENT) -> SourceReport:
    return refresh_world(fpl_game(), folder, now=lambda: NOON, base_url=server.url, settings=settings, details=True)


def test_histories_that_do_not_come_do_not_fail_the_fetch(tmp_path: Path) -> None:
    spoilt = {"element-summary/10/": Reply(status=404), "element-summary/20/": b"<html>"}
    with serving({**to_fpl_api(small_league(), 3), **spoilt}) as server:
        report = league_refreshed(server, tmp_path / "fpl")
    assert report.ok, report.error
    assert "2 of 29 documents did not come: " in report.warnings[0]
    assert "answered 404" in report.warnings[0]
    assert len(report.fetched) == 27
    assert {10, 20} < set(open_world(tmp_path / "fpl").tables["events"]["player_id"])  # the gameweeks know them


def test_a_source_that_stops_answering_is_not_asked_for_every_history(tmp_path: Path) -> None:
    documents = to_fpl_api(small_league(), 3)
    dead = {name: Reply(status=503) for name in documents if name.startswith("element-summary")}
    with serving({**documents, **dead}) as server:
        report = league_refreshed(server, tmp_path / "fpl")
    assert report.ok, report.error
    assert "24 of 29 documents did not come" in report.warnings[0]
    assert len(set(server.paths)) == 5 + LOST_IN_A_ROW


def test_many_slow_documents_end_at_the_time_for_all_of_them(tmp_path: Path) -> None:
    documents = to_fpl_api(small_league(), 3)
    slow = {
        name: Reply(body=content, drip=1.0 / len(content)) if name.startswith("element-summary") else content
        for name, content in documents.items()
    }
    settings = WebSettings(connect=60.0, read=60.0, total=90.0, whole=3.0, attempts=1)
    with serving(slow) as server:
        report = league_refreshed(server, tmp_path / "fpl", settings)
    assert report.ok, report.error
    assert "documents did not come" in report.warnings[0]


def test_a_list_that_everything_needs_fails_when_the_time_for_all_is_over(tmp_path: Path) -> None:
    documents = to_fpl_api(small_league(), 3)
    slow = {**documents, "fixtures/": Reply(body=documents["fixtures/"], drip=0.05)}
    with serving(slow) as server:
        report = league_refreshed(server, tmp_path / "fpl", WebSettings(total=60.0, whole=3.0, attempts=1))
    assert "fixtures/ did not answer in time" in report.error


def test_a_cancelled_fetch_keeps_the_last_good_world(tmp_path: Path) -> None:
    stop = Event()
    with serving(small_feed(2)) as server:
        refreshed(server, tmp_path / "live")
        before = open_world(tmp_path / "live").at(2).checksum
        report = refreshed(server, tmp_path / "live", details=True, progress=lambda _: stop.set(), stop=stop)
    assert report.error == "The fetch was cancelled."
    assert report.kept.startswith("FIFA World Cup 2026 (live), rounds 1 to 2")
    assert open_world(tmp_path / "live").at(2).checksum == before
