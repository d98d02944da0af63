"""What a source said: the world read from it, and the visible record of a fetch that worked or failed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from data.web.client import Answer
from data.worlds.world import World

LONGEST_LIST = 8
"""Names spelt out in a warning; more are counted."""


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
    """What a refresh did. After a failure `kept` says which last good data is still in place, and how old it is."""

    source: str
    url: str
    started: datetime
    finished: datetime
    fetched: Mapping[str, int] = field(default_factory=dict)  # document → its bytes
    warnings: tuple[str, ...] = ()
    error: str = ""
    kept: str = ""

    @property
    def ok(self) -> bool:
        """Whether the world in its place is the new one."""
        return not self.error

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
        head = f"{self.source}: {'fetched' if self.ok else 'failed after'} {documents} ({self.size / 1e6:.1f} MB)"
        lines = [f"{head} in {self.seconds:.1f} s from {self.url}"]
        lines += [f"Error: {self.error}"] if self.error else []
        lines += [f"Kept: {self.kept}"] if self.kept else []
        lines += [f"Note: {warning}" for warning in self.warnings]
        return "\n".join(lines)


def counted(first: Answer, names: Sequence[str], bring: Callable[[str], Answer]) -> Iterator[FetchStep]:
    """Bring the documents after the first one, and number all of them as they arrive."""
    for number, answer in enumerate(chain([first], map(bring, names)), start=1):
        yield FetchStep(answer, number, 1 + len(names))


def listed(names: Iterable[str]) -> str:
    """Return names for a warning: the first few spelt out, the rest counted."""
    every = list(names)
    shown = ", ".join(every[:LONGEST_LIST])
    return shown if len(every) <= LONGEST_LIST else f"{shown} and {len(every) - LONGEST_LIST} more"
