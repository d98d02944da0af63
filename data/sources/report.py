"""What a source said: the world read from it, and the visible record of a fetch that worked or failed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import chain
from typing import NamedTuple

from data.errors import PayloadError, UnreachableError
from data.web.client import Answer
from data.worlds.world import World

LONGEST_LIST = 8
"""Names spelt out in a warning; more are counted."""

LOST_IN_A_ROW = 3
"""Documents without an answer, one after the other, after which the source is not asked for more of the kind."""


class Reading(NamedTuple):
    """A world read from payloads, and in plain words what in them was unusual."""

    world: World
    warnings: tuple[str, ...]


class FetchStep(NamedTuple):
    """A document that has arrived, and how far the fetch is."""

    answer: Answer
    done: int
    total: int
    failure: str = ""  # why it did not arrive; only of a document that the fetch can go without


@dataclass(frozen=True, slots=True)
class SourceReport:
    """What a refresh did. Unless it is `ok`, `kept` says which last good data is still in place, and how old it is."""

    source: str
    url: str
    started: datetime
    finished: datetime
    fetched: Mapping[str, int] = field(default_factory=dict)  # document → its bytes
    warnings: tuple[str, ...] = ()
    error: str = ""
    kept: str = ""
    doubts: tuple[str, ...] = ()  # why the world that was read is held back

    @property
    def ok(self) -> bool:
        """Whether the world in its place is the new one."""
        return not self.error and not self.doubts

    @property
    def size(self) -> int:
        """Bytes of all documents."""
        return sum(self.fetched.values())

    @property
    def seconds(self) -> float:
        """How long the refresh took."""
        return (self.finished - self.started).total_seconds()

    def summary(self) -> str:
        """Return the report as a few lines of plain text."""
        documents = f"{len(self.fetched)} document{'' if len(self.fetched) == 1 else 's'}"
        head = f"{self.source}: {'failed after' if self.error else 'fetched'} {documents} ({self.size / 1e6:.1f} MB)"
        lines = [f"{head} in {self.seconds:.1f} s from {self.url}"]
        lines += [f"Error: {self.error}"] if self.error else []
        lines += [f"Held back: {doubt}" for doubt in self.doubts]
        lines += [f"Kept: {self.kept}"] if self.kept else []
        lines += [f"Note: {warning}" for warning in self.warnings]
        return "\n".join(lines)


def counted(
    first: Answer, names: Sequence[str], extra: Sequence[str], bring: Callable[[str], Answer]
) -> Iterator[FetchStep]:
    """Bring the documents after the first one, then the `extra` ones, which may fail, and number all of them."""
    total = 1 + len(names) + len(extra)
    for number, answer in enumerate(chain([first], map(bring, names)), start=1):
        yield FetchStep(answer, number, total)
    yield from optional_steps({name: partial(bring, name) for name in extra}, 1 + len(names), total)


def optional_steps(wanted: Mapping[str, Callable[[], Answer]], done: int, total: int) -> Iterator[FetchStep]:
    """Bring documents that a fetch can go without, and number them on; a source that does not answer is left alone."""
    lost = 0  # in a row
    for number, (name, bring) in enumerate(wanted.items(), start=done + 1):
        answer, failure, before, lost = nothing(name), "", lost, 0
        try:
            answer = bring()
        except PayloadError as error:
            failure = str(error)
        except UnreachableError as error:
            failure, lost = str(error), before + 1
        yield FetchStep(answer, number, total, failure)
        if lost == LOST_IN_A_ROW:
            return


def nothing(name: str) -> Answer:
    """Return what stands for a document that did not come."""
    return Answer(name, None, 0, cached=False)


def listed(names: Iterable[str]) -> str:
    """Return names for a warning: the first few spelt out, the rest counted."""
    every = list(names)
    shown = ", ".join(every[:LONGEST_LIST])
    return shown if len(every) <= LONGEST_LIST else f"{shown} and {len(every) - LONGEST_LIST} more"
