"""What past searches teach: which archetypes' blocks keep winning, over rounds, and how that may tilt the seeding.

After a search every block of the options on the board is credited to the archetype it descends from. The next search
may seed more from those whose blocks keep winning: twice as much as usual at most, half at least. So nobody is ever
silenced, and a conviction that lost three rounds is still there when its day comes.

The memory is a file in the user's folder. A round that is searched again replaces what it taught before; a file that
cannot be understood teaches nothing and a note says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Protocol

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from data.errors import InputError, PayloadError
from data.storage.files import read_bounded, replace_file, user_folder
from data.storage.json_text import read_json
from engine.search.population.blocks import BLOCK_NAMES

MEMORY_FILE = "memory.json"
LEAST_TILT, MOST_TILT = 0.5, 2.0
DOUBT = 3.0
"""Rounds of evenly shared wins that are believed before any was seen: one round's winner is mostly luck."""

MOST_LESSONS = 200
"""Rounds remembered; the earliest learned go first. A season has 38, under four aims 152."""

LARGEST_FILE = 1_000_000  # bytes; two hundred lessons take a tenth of it


class Memory(Protocol):
    """What a search may know of earlier ones."""

    def tilt(self, aim: str, archetypes: Sequence[str]) -> np.ndarray:
        """Return (a,) the factor by which to seed more, or less, from each archetype: ½ to 2."""
        ...

    def learned(self, aim: str, occasion: str, archetypes: Sequence[str], wins: np.ndarray) -> Memory:
        """Return the memory with a search added, whose options took so many blocks (a, 5) from each archetype."""
        ...


@dataclass(frozen=True, slots=True)
class NullMemory:
    """The memory of somebody who starts afresh every time."""

    def tilt(self, aim: str, archetypes: Sequence[str]) -> np.ndarray:  # noqa: ARG002
        """Return ones: no archetype is favoured."""
        return np.ones(len(archetypes))

    def learned(self, aim: str, occasion: str, archetypes: Sequence[str], wins: np.ndarray) -> NullMemory:  # noqa: ARG002
        """Return itself: nothing is kept."""
        return self


_Word = Annotated[str, Field(min_length=1, max_length=200)]
_Share = Annotated[float, Field(ge=0, le=1)]
_Blocks = Annotated[tuple[_Share, ...], Field(min_length=len(BLOCK_NAMES), max_length=len(BLOCK_NAMES), strict=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Lesson(_Strict):
    """Whose blocks won in one search: archetype → its share of the wins of each block."""

    aim: _Word  # "protect", …: what wins depends on what is wanted
    occasion: _Word  # world and round, such as "wc2026/3"
    shares: Annotated[dict[_Word, _Blocks], Field(max_length=50)]  # (5,) each, by block; 0..1


class _File(_Strict):
    version: Annotated[int, Field(ge=1, le=1)]
    lessons: Annotated[list[Lesson], Field(max_length=MOST_LESSONS)]


@dataclass(frozen=True, slots=True)
class BlockMemory:
    """Lessons of past searches, the earliest first."""

    lessons: tuple[Lesson, ...] = ()
    note: str = ""  # what was wrong with the file, if anything

    def tilt(self, aim: str, archetypes: Sequence[str]) -> np.ndarray:
        """Return (a,) each archetype's wins under an aim against an even share of them, kept between ½ and 2."""
        even = 1.0 / max(len(archetypes), 1)
        lessons = [lesson for lesson in self.lessons if lesson.aim == aim]
        won = np.array([sum(_won(lesson, name) for lesson in lessons) for name in archetypes], dtype=float)
        return np.asarray(np.clip((won + DOUBT * even) / ((len(lessons) + DOUBT) * even), LEAST_TILT, MOST_TILT))

    def learned(self, aim: str, occasion: str, archetypes: Sequence[str], wins: np.ndarray) -> BlockMemory:
        """Return the memory with a search added; an earlier search of the same occasion is replaced."""
        if wins.shape != (len(archetypes), len(BLOCK_NAMES)) or not np.isfinite(wins).all() or (wins < 0).any():
            raise InputError(
                f"Wins are counts of 0 or more for {len(archetypes)} archetypes and {len(BLOCK_NAMES)} blocks, "
                f"not {wins.tolist()}."
            )
        # A block that no option has, such as a spine, is nobody's win: it is shared evenly.
        total, even = wins.sum(axis=0), np.full(wins.shape, 1.0 / max(len(archetypes), 1))
        shares = np.divide(wins, total, out=even, where=total > 0)
        rows = {name: tuple(np.round(row, 6).tolist()) for name, row in zip(archetypes, shares, strict=True)}
        others = [lesson for lesson in self.lessons if (lesson.aim, lesson.occasion) != (aim, occasion)]
        return BlockMemory((*others, Lesson(aim=aim, occasion=occasion, shares=rows))[-MOST_LESSONS:])


def read_memory(path: Path | None = None) -> BlockMemory:
    """Return what the file remembers; nothing where there is none, nothing and a note where it is not ours."""
    file = path or memory_path()
    try:
        kept = _File.model_validate(_document(file))
    except FileNotFoundError:
        return BlockMemory()
    except (OSError, PayloadError, ValidationError) as error:
        return BlockMemory(note=f"{file.name} was not understood and is ignored: {_reason(error)}.")
    return BlockMemory(tuple(kept.lessons))


def keep_memory(memory: BlockMemory, path: Path | None = None) -> None:
    """Write what is remembered, so that a reader sees the old file or the new one and never a half."""
    text = _File(version=1, lessons=list(memory.lessons)).model_dump_json(indent=1)
    replace_file(path or memory_path(), text.encode())


def memory_path() -> Path:
    """Return where the user's memory is kept."""
    return user_folder() / MEMORY_FILE


def _won(lesson: Lesson, name: str) -> float:
    """Return an archetype's share of a lesson's blocks, each block counting alike."""
    return sum(lesson.shares.get(name, ())) / len(BLOCK_NAMES)


def _document(file: Path) -> object:
    return read_json(read_bounded(file, LARGEST_FILE), file.name)


def _reason(error: OSError | PayloadError | ValidationError) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(str(part) for part in first['loc']) or 'the whole'}: {first['msg']}"
    return (error.strerror or "it cannot be read") if isinstance(error, OSError) else str(error).rstrip(".")
