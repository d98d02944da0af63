"""Refresh a world folder from its live source: the new world replaces the old one whole, or the old one stays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Event

from data.errors import ThetaXIError, UnknownError
from data.importing.gazetteer import SHIPPED, read_gazetteer
from data.rules import load_rules
from data.sources.doubts import Check, doubts_about
from data.sources.fifa import source as fifa
from data.sources.fpl import source as fpl
from data.sources.report import FetchStep, Reading, SourceReport
from data.web.client import WebSettings, open_client
from data.worlds.held import drop_held, hold_back
from data.worlds.world import World, open_world

Now = Callable[[], datetime]
Progress = Callable[[FetchStep], None]
FETCHED_LINE = "Fetched: "
"""How a live world's sources begin the line with the time it was fetched."""


@dataclass(frozen=True, slots=True)
class Game:
    """A live source: where it is, how its documents are brought, and how they become a world."""

    source: str
    base_url: str
    title: str  # of its world
    fetch: Callable[..., Iterable[FetchStep]]
    parse: Callable[..., Reading]


def fpl_game(background: World | None = None) -> Game:
    """Return the Premier League's game; `background` is a world that knows earlier seasons."""
    parse = partial(fpl.parse, background=background)
    return Game("fpl", fpl.BASE_URL, "Fantasy Premier League (live)", fpl.fetch, parse)


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
    progress: Progress = lambda _: None,
    check: Check | None = None,
    stop: Event | None = None,
) -> SourceReport:
    """Fetch a game's feed into a world folder; without a base URL from its own address.

    Every failure a source or a disk can cause becomes a report, and so does a fetch that is cancelled by `stop`. A
    world that is suspicious, or that `check` refuses, is held back until the user takes it (`data.worlds.held`).
    """
    url, started, arrived = base_url or game.base_url, now(), list[FetchStep]()

    def report(warnings: tuple[str, ...], error: str = "", doubts: tuple[str, ...] = ()) -> SourceReport:
        documents = {step.answer.path: step.answer.size for step in arrived if not step.failure}
        kept = _kept(last, now()) if error or doubts else ""
        return SourceReport(game.source, url, started, now(), documents, warnings, error, kept, doubts)

    last, damage = _last(folder)
    try:
        with open_client(url, cache, settings, stop=stop) as client:
            for step in game.fetch(client, details=details):
                arrived.append(step)
                progress(step)
        payloads = {step.answer.path: step.answer.value for step in arrived if not step.failure}
        reading = game.parse(payloads, name=folder.name, title=game.title, sources=_sources(url, started), last=last)
        doubts = doubts_about(reading.world, last, check)
        _put(reading.world, folder, doubts)
    except (ThetaXIError, OSError) as error:
        return report(damage, str(error) or type(error).__name__)
    return report((*damage, *_lost(arrived), *reading.warnings), doubts=doubts)


def _lost(arrived: list[FetchStep]) -> tuple[str, ...]:
    """Return a sentence about the documents that the fetch went without, if any."""
    failures = [step.failure for step in arrived if step.failure]
    count = arrived[-1].total - len(arrived) + len(failures)
    if not failures:
        return ()
    return (f"{count} of {arrived[-1].total} documents did not come: {failures[0]}",)


def _put(world: World, folder: Path, doubts: tuple[str, ...]) -> None:
    """Put a world into its place, or where it waits while there are doubts about it."""
    if doubts:
        hold_back(world, folder, doubts)
        return
    world.save(folder)
    drop_held(folder)


def fetched_at(sources: str) -> datetime | None:
    """Return when a live world was fetched, by what it says of its sources; None for a world that was not."""
    lines = [line for line in sources.splitlines() if line.startswith(FETCHED_LINE)]
    try:
        moment = datetime.fromisoformat(lines[0].removeprefix(FETCHED_LINE).strip())
    except (IndexError, ValueError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _last(folder: Path) -> tuple[World | None, tuple[str, ...]]:
    """Return the world of an earlier refresh, and a warning when there is one but it cannot be read."""
    try:
        return open_world(folder), ()
    except UnknownError:
        return None, ()
    except ThetaXIError as error:
        return None, (f"The world of an earlier fetch was damaged: {error}",)


def _sources(url: str, started: datetime) -> str:
    return (
        f"# Where these facts come from\n\nThe public feed of the game at {url}, facts only.\n\n"
        f"{FETCHED_LINE}{started.isoformat()}\n"
    )


def _kept(last: World | None, now: datetime) -> str:
    if last is None:
        return "nothing: there is no earlier world in its place"
    rounds = f"{last.title}, rounds {last.rounds[0]} to {last.rounds[-1]}"
    moment = fetched_at(last.sources)
    age = f"{span_in_words(max(now - moment, timedelta()))} old" if moment else "of unknown age"
    return f"{rounds}, {age}"


def span_in_words(span: timedelta) -> str:
    """Return a span in the largest unit that says something: "3 days", "1 hour"."""
    minutes = int(abs(span).total_seconds() // 60)
    for size, unit in ((24 * 60, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            count = minutes // size
            return f"{count} {unit}{'' if count == 1 else 's'}"
    return "less than a minute"
