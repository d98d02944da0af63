"""A refresh in the background: one per live source for all visitors, because the world it writes is theirs together.

    scheduler.again(refresh_task(SOURCES["fpl"]))            starts one, unless one is running already
    scheduler.stop(refresh_task(SOURCES["fpl"]))             cancels it within a second; the last good data stays
    scheduler.state(refresh_task(SOURCES["fpl"])).told       -> Fetched: how far it is, and the report in the end

A failure ends as a report that says which last good data is still in place; what looks wrong is held back.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from data.sources import odds
from data.sources.fetching import add_odds, refresh
from data.sources.fifa import source as fifa
from data.sources.fpl import source as fpl
from data.sources.report import FetchStep, SourceReport
from data.worlds.library import world_folder
from engine.desk import check_world
from ui.web.work.background import REFRESHES, REFRESHING
from ui.web.work.scheduler import Job, JobPart, Task

Refresh = Callable[[str, str, Path, bool, Callable[[FetchStep], None], Event], SourceReport]


@dataclass(frozen=True, slots=True)
class LiveSource:
    """A game whose public feed can be fetched."""

    key: str  # as the command line calls it
    title: str
    variable: str  # environment variable with another address
    address: str  # the game's own
    details: str  # what is known better when every player's own page is fetched too

    @property
    def base_url(self) -> str:
        """The address in force: the operator's, else the game's own."""
        return os.environ.get(self.variable, "").strip() or self.address

    @property
    def world(self) -> str:
        """The name its world is kept under."""
        return f"{self.key}-live"


SOURCES = {
    source.key: source
    for source in (
        LiveSource(
            "fifa",
            "World Cup Fantasy",
            "THETAXI_FIFA_URL",
            fifa.BASE_URL,
            "Some hundred requests more; the models know minutes and event counts better.",
        ),
        LiveSource(
            "fpl",
            "Fantasy Premier League",
            "THETAXI_FPL_URL",
            fpl.BASE_URL,
            "Some hundred requests more, needed only for past prices and where gameweeks came without counts.",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class RefreshOutcome:
    """How far a refresh is, and how it ended."""

    done: int = 0  # documents
    total: int = 0  # 0 while it is not known
    report: SourceReport | None = None  # of a refresh that ended

    @property
    def share(self) -> float:
        """The part that has arrived, 0..1."""
        return min(1.0, self.done / self.total) if self.total else 0.0


def checked_refresh(
    source: str, url: str, folder: Path, details: bool, progress: Callable[[FetchStep], None], stop: Event
) -> SourceReport:
    """Refresh a world, and hold back what cannot be judged."""
    return refresh(source, url, folder, details, progress, check=check_world, stop=stop)


ODDS = "odds"
ODDS_VARIABLE = "THETAXI_ODDS_URL"
"""Environment variable with another address of the odds."""


def odds_url() -> str:
    """Return where odds are fetched from: the operator's address, else football-data's own."""
    return os.environ.get(ODDS_VARIABLE, "").strip() or odds.BASE_URL


def odds_task() -> Task[RefreshOutcome]:
    """Return the task to lay bookmakers' odds beside the matches of the league that is being played."""

    def work(job: Job[RefreshOutcome]) -> RefreshOutcome:
        def moved(step: FetchStep) -> None:
            job.tell(RefreshOutcome(step.done, step.total))

        folder = world_folder(SOURCES["fpl"].world)
        return RefreshOutcome(report=add_odds(folder, (), odds_url(), moved, check=check_world, stop=job.wish))

    return Task(REFRESHES, ODDS, (JobPart(REFRESHING, work),), RefreshOutcome())


def refresh_task(
    source: LiveSource, fetch: Refresh = checked_refresh, *, details: bool = False
) -> Task[RefreshOutcome]:
    """Return the task to refresh a source; with `details` every player's history is fetched too."""

    def work(job: Job[RefreshOutcome]) -> RefreshOutcome:
        def moved(step: FetchStep) -> None:
            job.tell(RefreshOutcome(step.done, step.total))

        folder = world_folder(source.world)
        return RefreshOutcome(report=fetch(source.key, source.base_url, folder, details, moved, job.wish))

    return Task(REFRESHES, source.key, (JobPart(REFRESHING, work),), RefreshOutcome())
