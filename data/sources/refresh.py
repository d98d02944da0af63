"""Refresh a world folder from its live source: the new world replaces the old one whole, or the old one stays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

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
FETCHED_LINE = "Fetched: "
"""How a live world's sources begin the line with the time it was fetched."""


@dataclass(frozen=True, slots=True)
class Game:
    """A live source: where it is, how its documents are brought, and how they become a world."""

    source: str
    base_url: str
    title: str  # of its world
    fetch: Callable[..., Iterable[Step]]
    parse: Callable[..., Reading]


FPL = Game(
    "fpl",
    fpl.BASE_URL,
    "Fantasy Premier League (live)",
    fpl.fetch,
    lambda payloads, **about: fpl.parse(payloads, load_rules(fpl.RULEBOOK), **about),
)


def fifa_game(background: World) -> Game:
    """Return the World Cup's game; `background` is the bundled world of the tournament."""
    rules, cities = load_rules(background.rulebook), read_gazetteer(SHIPPED.parent).cities
    parse = partial(fifa.parse, background=background, rules=rules, cities=cities)
    return Game("fifa", fifa.BASE_URL, f"{background.title} (live)", fifa.fetch, parse)


def refresh_world(
    game: Game,
    folder: Path,
    *,
    now: Now,
    base_url: str = "",
    cache: Path | None = None,
    settings: WebSettings | None = None,
    details: bool = False,
    progress: Progress | None = None,
) -> SourceReport:
    """Fetch a game's feed into a world folder; without a base URL from its own address."""
    refresh = _Refresh(game, base_url or game.base_url, folder, now, progress)
    return refresh.run(cache, settings, details)


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

    def __init__(self, game: Game, url: str, folder: Path, now: Now, progress: Progress | None) -> None:
        self._game = game
        self._url = url
        self._folder = folder
        self._now = now
        self._progress = progress
        self._started = now()
        self._arrived: list[Step] = []

    def run(self, cache: Path | None, settings: WebSettings | None, details: bool) -> SourceReport:
        """Fetch, read and save; every failure a source or a disk can cause becomes a report."""
        last, damage = self._last()
        try:
            with open_client(self._url, cache, settings) as client:
                self._collect(self._game.fetch(client, details=details))
            payloads = {step.answer.path: step.answer.value for step in self._arrived}
            about = {"name": self._folder.name, "title": self._game.title, "sources": self._sources()}
            reading = self._game.parse(payloads, **about, last=last)
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
            source=self._game.source,
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
