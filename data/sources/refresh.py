"""Refresh a world folder from its live source: the new world replaces the old one whole, or the old one stays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx

from data.errors import ThetaXIError, UnknownError
from data.importing.gazetteer import SHIPPED, read_gazetteer
from data.rules import load_rules
from data.sources.fifa import source as fifa
from data.sources.fpl import source as fpl
from data.sources.report import Fetched, Reading, SourceReport, Step
from data.web.client import WebSettings, open_client
from data.worlds.world import World, open_world

Now = Callable[[], datetime]
Progress = Callable[[Step], None]
Read = Callable[[Mapping[str, object], World | None, str], Reading]
FETCHED_LINE = "Fetched: "
"""How a live world's sources begin the line with the time it was fetched."""


def refresh_fifa(
    folder: Path,
    background: World,
    *,
    now: Now,
    base_url: str = fifa.BASE_URL,
    cache: Path | None = None,
    settings: WebSettings | None = None,
    stats: bool = False,
    progress: Progress | None = None,
) -> SourceReport:
    """Fetch the World Cup game's feed into a world folder; `background` is the bundled world of the tournament."""

    def read(payloads: Mapping[str, object], last: World | None, sources: str) -> Reading:
        return fifa.parse(
            payloads,
            background,
            load_rules(background.rulebook),
            read_gazetteer(SHIPPED.parent).cities,
            name=folder.name,
            title=f"{background.title} (live)",
            sources=sources,
            last=last,
        )

    def fetch(client: httpx.Client) -> Iterable[Step]:
        return fifa.fetch(client, stats=stats)

    refresh = _Refresh("fifa", base_url, folder, now, progress)
    return refresh.run(fetch, read, cache, settings)


def refresh_fpl(
    folder: Path,
    background: World | None = None,
    *,
    now: Now,
    base_url: str = fpl.BASE_URL,
    cache: Path | None = None,
    settings: WebSettings | None = None,
    histories: bool = False,
    rulebook: str = fpl.RULEBOOK,
    progress: Progress | None = None,
) -> SourceReport:
    """Fetch the Premier League game into a world folder; `background` is an earlier season, for its results."""

    def read(payloads: Mapping[str, object], last: World | None, sources: str) -> Reading:
        return fpl.parse(
            payloads,
            background,
            load_rules(rulebook),
            name=folder.name,
            title="Fantasy Premier League (live)",
            sources=sources,
            last=last,
        )

    def fetch(client: httpx.Client) -> Iterable[Step]:
        return fpl.fetch(client, histories=histories)

    refresh = _Refresh("fpl", base_url, folder, now, progress)
    return refresh.run(fetch, read, cache, settings)


def fetched_at(world: World) -> datetime | None:
    """Return when a live world was fetched, None for a world that was not."""
    lines = [line for line in world.sources.splitlines() if line.startswith(FETCHED_LINE)]
    try:
        moment = datetime.fromisoformat(lines[0].removeprefix(FETCHED_LINE).strip())
    except (IndexError, ValueError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class _Refresh:
    """One run: what has arrived so far is kept here, so that a failure can still be told in full."""

    def __init__(self, source: str, url: str, folder: Path, now: Now, progress: Progress | None) -> None:
        self._source = source
        self._url = url
        self._folder = folder
        self._now = now
        self._progress = progress
        self._started = now()
        self._arrived: list[Step] = []

    def run(
        self,
        fetch: Callable[[httpx.Client], Iterable[Step]],
        read: Read,
        cache: Path | None,
        settings: WebSettings | None,
    ) -> SourceReport:
        """Fetch, read and save; every failure a source or a disk can cause becomes a report."""
        last, damage = self._last()
        try:
            with open_client(self._url, cache, settings) as client:
                self._collect(fetch(client))
            payloads = {step.answer.path: step.answer.value for step in self._arrived}
            reading = read(payloads, last, self._sources())
            reading.world.save(self._folder)
        except (ThetaXIError, OSError) as error:
            return self._report(error=str(error) or type(error).__name__, kept=self._kept(last), warnings=damage)
        return self._report(warnings=(*damage, *reading.warnings))

    def _collect(self, steps: Iterable[Step]) -> None:
        for step in steps:
            self._arrived.append(step)
            if self._progress:
                self._progress(step)

    def _last(self) -> tuple[World | None, tuple[str, ...]]:
        """Return the world of an earlier refresh, and a warning when there is one but it cannot be read."""
        try:
            return open_world(self._folder), ()
        except UnknownError:
            return None, ()
        except ThetaXIError as error:
            return None, (f"The world of an earlier fetch was damaged: {error}",)

    def _sources(self) -> str:
        return (
            f"# Where these facts come from\n\nThe public feed of the game at {self._url}, facts only.\n\n"
            f"{FETCHED_LINE}{self._started.isoformat()}\n"
        )

    def _kept(self, last: World | None) -> str:
        if last is None:
            return "nothing: there is no earlier world in its place"
        rounds = f"{last.title}, rounds {last.rounds[0]} to {last.rounds[-1]}"
        moment = fetched_at(last)
        return f"{rounds}, {_age(self._now() - moment) if moment else 'of unknown age'}"

    def _report(self, *, error: str = "", kept: str = "", warnings: tuple[str, ...] = ()) -> SourceReport:
        documents = (step.answer for step in self._arrived)
        return SourceReport(
            source=self._source,
            url=self._url,
            ok=not error,
            started=self._started,
            finished=self._now(),
            fetched=tuple(Fetched(answer.path, answer.size, answer.cached) for answer in documents),
            warnings=warnings,
            error=error,
            kept=kept,
        )


def _age(span: timedelta) -> str:
    """Return an age in the largest unit that says something."""
    minutes = max(0, int(span.total_seconds() // 60))
    for size, unit in ((24 * 60, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            count = minutes // size
            return f"{count} {unit}{'' if count == 1 else 's'} old"
    return "less than a minute old"
