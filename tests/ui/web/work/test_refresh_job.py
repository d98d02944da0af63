"""A refresh in the background: one at a time, always with an outcome."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from data.errors import InputError
from data.sources.report import FetchStep, SourceReport
from data.web.client import Answer, WebSettings
from data.worlds.library import find_world
from data.worlds.world import World
from tests.tools.feed_writer import to_feed
from tests.tools.loopback import Reply, serving
from tests.ui.web.work.test_scheduler import PATIENCE, in_the_end, until
from ui.web.work.refresh_job import SOURCES, refresh_task
from ui.web.work.scheduler import Phase, Scheduler


@pytest.mark.soak
def test_a_refresh_that_fails_keeps_the_last_good_world_and_one_that_works_replaces_it(
    monkeypatch: pytest.MonkeyPatch, world_cup: World
) -> None:
    scheduler, task = Scheduler(), refresh_task(SOURCES["fifa"])
    with serving({"players.json": Reply(status=404)}) as server:
        monkeypatch.setenv("THETAXI_FIFA_URL", server.url)
        failed = in_the_end(scheduler.again(task)).now.told.report
    assert failed is not None
    assert not failed.ok
    assert failed.kept == "nothing: there is no earlier world in its place"
    with serving(to_feed(world_cup, 2)) as server:
        monkeypatch.setenv("THETAXI_FIFA_URL", server.url)
        good = in_the_end(scheduler.again(task)).now.told.report
    assert good is not None
    assert good.ok
    assert find_world("fifa-live").rounds == (1, 2)


def test_only_one_refresh_of_a_source_runs_at_a_time() -> None:
    gate = threading.Event()

    def slow(
        source: str,
        url: str,
        folder: Path,
        details: bool,
        progress: Callable[[FetchStep], None],
        _: threading.Event,
    ) -> SourceReport:
        progress(FetchStep(Answer("players.json", {}, 10, cached=False), 1, 4))
        gate.wait(PATIENCE)
        return SourceReport(source=source, url=url, started=datetime.now(UTC), finished=datetime.now(UTC))

    scheduler, task = Scheduler(), refresh_task(SOURCES["fpl"], slow)
    job = scheduler.again(task)
    assert scheduler.again(task) is job
    until(lambda: bool(job.now.told.done))
    assert scheduler.state(task).told.share == 0.25
    assert not scheduler.state(refresh_task(SOURCES["fifa"], slow)).running
    gate.set()
    assert in_the_end(job).now.told.report is not None
    assert scheduler.again(task) is not job


@pytest.mark.parametrize(
    ("error", "said"), [(InputError("No room."), "No room."), (ZeroDivisionError("x"), "The refresh failed")]
)
def test_whatever_goes_wrong_ends_as_a_sentence(error: Exception, said: str) -> None:
    def broken(*_: object) -> SourceReport:
        raise error

    job = Scheduler().again(refresh_task(SOURCES["fifa"], broken))
    assert str(in_the_end(job).now.error).startswith(said)


def test_the_operator_may_set_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SOURCES["fpl"]
    assert source.base_url == source.address
    monkeypatch.setenv("THETAXI_FPL_URL", " http://127.0.0.1:9/ ")
    assert source.base_url == "http://127.0.0.1:9/"


def test_a_refresh_that_waits_for_a_silent_server_is_cancelled_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.web.client.WebSettings", partial(WebSettings, read=600.0, total=600.0))
    scheduler, task = Scheduler(), refresh_task(SOURCES["fpl"])
    with serving({"bootstrap-static/": Reply(hang=True)}) as server:
        monkeypatch.setenv("THETAXI_FPL_URL", server.url)
        job = scheduler.again(task)
        until(lambda: bool(server.paths))
        started = time.monotonic()
        scheduler.stop(task)
        report = in_the_end(job).now.told.report
    assert time.monotonic() - started < PATIENCE  # of ten minutes that a read may take here
    assert report is not None
    assert report.error == "The fetch was cancelled."
    assert scheduler.state(task).phase is Phase.STOPPED
    assert scheduler.again(task) is not job
