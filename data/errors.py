"""The errors a user can meet, as one tree. Each message says what happened, the value, and the way out.

ThetaXIError
├── InputError            something the user or an outside source gave us is wrong
│   ├── RulebookError     a rulebook file breaks its own schema
│   ├── TableError        a table (fact file, world, CSV) has a bad cell, column or row
│   ├── NameMatchError    names that fit no player, or more than one
│   ├── SpecError         a fitness spec is malformed, or cannot be computed
│   └── UnknownError      a world, round or player that does not exist
├── SourceError           a live source failed
│   ├── UnreachableError  no answer: refused, timed out, too many failures
│   ├── StoppedError      the user cancelled the fetch
│   └── PayloadError      an answer that is not what the source promises
│       └── AbsentError   the answer that there is no such document
├── ModelError            the models cannot say anything sound about this input
│   └── SolverError       a solver failed, or its time ended before it found anything
└── InfeasibleError       no legal squad satisfies the request
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class ThetaXIError(Exception):
    """Root of everything we raise on purpose; the page and the command line show `str(error)`."""


class InputError(ThetaXIError):
    """Something that came from outside is wrong."""


class RulebookError(InputError):
    """A rulebook file is refused: file, key and reason."""


class TableError(InputError):
    """A table is refused: where it came from, row, column and value."""


class NameMatchError(InputError):
    """Names that match no player or several."""


class SpecError(InputError):
    """A fitness spec is refused: file, line, column and reason."""

    line: int | None = None  # from 1; None where the fault is in no line
    column: int | None = None  # from 1


class UnknownError(InputError):
    """A name the user gave is not among the known ones."""


class SourceError(ThetaXIError):
    """A live source could not be used."""


class UnreachableError(SourceError):
    """The source gave no usable answer in time."""


class StoppedError(SourceError):
    """The user asked for the fetch to end."""


class PayloadError(SourceError):
    """The source answered something it does not promise."""

    status: int | None = None  # of the HTTP answer, where that is what was wrong with it


class AbsentError(PayloadError):
    """The source says that there is no such document."""


class ModelError(ThetaXIError):
    """The models cannot say anything sound about this input."""


class SolverError(ModelError):
    """A solver gave no answer that holds, or none in its time."""


class InfeasibleError(ThetaXIError):
    """No legal squad satisfies the request; where a manager's own demands are part of it, it names them by value."""

    must: tuple[int, ...] = ()  # player rows asked for that stand in the way
    never: tuple[int, ...] = ()  # player rows ruled out that stand in the way


def nearest_meant(name: str, known: Iterable[str]) -> str:
    """Return a closing sentence with the nearest known names, or nothing where none is close."""
    near = get_close_matches(name, sorted(set(known)), n=3, cutoff=0.6)
    return f"Did you mean {' or '.join(near)}?" if near else ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a closing sentence with the nearest known names, or the known ones when they are few."""
    choices = sorted(set(known))
    near = nearest_meant(name, choices)
    if near:
        return near
    if len(choices) <= 12:
        return f"Known: {', '.join(choices)}."
    return f"{len(choices)} are known, none of them close."
