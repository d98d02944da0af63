"""Savers that are killed or held up at any operation on disk: each is a process of its own, forked from this one.

    python -m tests.tools.disk_faults kill FOLDER WORK          a folder for each operation of WORK, killed there
    python -m tests.tools.disk_faults race FOLDER COUNT         a folder for each race of two savers

Every folder begins as a copy of FOLDER/base. What became of them is for the test to look at.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from io import BufferedWriter
from itertools import count
from pathlib import Path
from typing import Any

from data.worlds.generations import digests_of, save_state
from data.worlds.manifest import Manifest, new_manifest
from data.worlds.restoring import restore_world
from data.worlds.table_files import to_parquet
from data.worlds.world import World
from tests.cases.league.live_worlds import small_league

LONGEST_PAUSE = 0.004  # seconds a racer is held up at an operation
OPERATIONS = ("replace", "rename", "unlink", "rmdir", "mkdir")
"""What changes a folder. To be killed after one of them is to be killed before the next."""

Meet = Callable[[], None]


def league(number: int) -> World:
    """Return a small league whose market, and no other table, is its own."""
    world = small_league()
    market = world.tables["market"]
    tables = {**world.tables, "market": market.assign(price=market["price"] + number / 10)}
    return replace(world, title=f"League {number}", sources=f"Number {number}\n", tables=tables)


@cache
def written(number: int) -> tuple[Manifest, dict[str, bytes]]:
    """Return a league as `World.save` writes it: packing it anew takes longer than all the rest."""
    world = league(number)
    contents = {name: to_parquet(frame) for name, frame in world.tables.items()}
    return new_manifest(world.name, world.title, world.rulebook, world.sources, digests_of(contents)), contents


def save_league(number: int, folder: Path) -> None:
    """Save a league."""
    save_state(folder, *written(number))


WORKS: dict[str, Callable[[Path], object]] = {"save": partial(save_league, 9), "restore": restore_world}


def watch_disk(meet: Meet) -> None:
    """Let `meet` be called in this process before each operation on disk, and amid each write."""
    for name in OPERATIONS:
        setattr(os, name, partial(_met, getattr(os, name), meet))
    os.fdopen = partial(_opened, os.fdopen, meet)


def _met(real: Callable[..., Any], meet: Meet, *arguments: Any, **options: Any) -> Any:
    meet()
    return real(*arguments, **options)


def _opened(real: Callable[..., Any], meet: Meet, handle: int, mode: str = "r", **options: Any) -> Any:
    file = real(handle, mode, **options)
    return _HalfWriter(file, meet) if mode == "wb" else file


class _HalfWriter:
    """A file that meets somebody when half of what it is given is written."""

    def __init__(self, file: BufferedWriter, meet: Meet) -> None:
        self._file, self._meet = file, meet

    def __enter__(self) -> _HalfWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, content: bytes) -> int:
        """Write one half, flush, meet, and write the other."""
        half = len(content) // 2
        self._file.write(content[:half])
        self._file.flush()
        self._meet()
        return half + self._file.write(content[half:])


def _child(work: Callable[[], object], meet: Meet) -> int:
    """Start work in a child that meets somebody at each operation; return its process id."""
    process = os.fork()
    if process:
        return process
    watch_disk(meet)
    try:
        work()
        os._exit(0)
    except BaseException as error:
        print(repr(error), file=sys.stderr, flush=True)
        os._exit(1)


def _dying_at(last: int) -> Meet:
    numbers = count()

    def meet() -> None:
        if next(numbers) == last:
            os.kill(os.getpid(), signal.SIGKILL)

    return meet


def _dawdling(seed: int) -> Meet:
    rng = random.Random(seed)
    return lambda: time.sleep(rng.uniform(0, LONGEST_PAUSE))


def _copies(root: Path) -> Iterator[Path]:
    for number in count():
        folder = root / f"{number:03}"
        if (root / "base").exists():
            shutil.copytree(root / "base", folder)
        yield folder


def kill_everywhere(root: Path, work: Callable[[Path], object]) -> None:
    """Do the work in one copy after the other, killed an operation later each time, until it comes to its end."""
    for number, folder in enumerate(_copies(root)):
        _, status = os.waitpid(_child(partial(work, folder), _dying_at(number)), 0)
        if not os.WIFSIGNALED(status):
            print(f"{number} {os.WEXITSTATUS(status)}")
            return


def race(root: Path, races: int) -> None:
    """Let two savers write to one folder at the same time, each held up now and then."""
    for one in (1, 2):
        written(one)
    for number, folder in zip(range(races), _copies(root), strict=False):
        order = (1, 2) if number % 2 else (2, 1)
        racers = [_child(partial(save_league, one, folder), _dawdling(2 * number + one)) for one in order]
        print(*(os.WEXITSTATUS(os.waitpid(racer, 0)[1]) for racer in racers))


if __name__ == "__main__":
    what, place, how = sys.argv[1:]
    written(9)
    if what == "kill":
        kill_everywhere(Path(place), WORKS[how])
    else:
        race(Path(place), int(how))
