"""A whole SquadBench in a folder: pose the problems, hold what sessions are missing, keep the leaderboard.

bench.json        the settings and the problems with their proved optima
sessions/*.json   one file for each finished session
leaderboard.json, leaderboard.md
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

from data.errors import InputError
from data.rules import load_rules
from data.storage.files import user_folder
from data.worlds.library import DEFAULT_WORLD, find_world
from engine.bench.contenders import Contender, find_contenders
from engine.bench.leaderboard import FULL, Placing, Size, board_json, board_markdown, placing_of, read_board, updated
from engine.bench.problems import Problem, arena_of, pose
from engine.bench.score import fastest_seconds
from engine.bench.sessions import Session, SessionTask, hold, read_sessions, write_file, write_session
from engine.jobs import ALL_CORES, JobStep, check_cluster, run_jobs

SESSIONS, SETTINGS, BOARD, TABLE = "sessions", "bench.json", "leaderboard.json", "leaderboard.md"
MOVED = (BOARD, TABLE, SESSIONS, SETTINGS)
"""What a bench leaves, its settings last: whoever is killed before them finds the same bench without its sessions."""

MOST_ASIDE = 20
"""Benches set aside beside one: whoever presses a button cannot fill the disk, nor remove what others measured."""

KEPT_IN = "squadbench"
"""Folder of all benches below the user's own."""

PUBLISHED = Path(__file__).parent / "full.json"
"""The leaderboard of a bench of the full size, as it was written when we ran it."""


THETAS = ("seed-protect", "neutral", "seed-gain")
"""Objectives of a bench: the letter of the seed is harder to climb than the shipped protect and gain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchSettings:
    """What all contenders of a bench are measured by."""

    world: str = DEFAULT_WORLD
    rounds: tuple[int, ...] = (1, 2, 3, 4)
    thetas: tuple[str, ...] = THETAS
    size: Size = FULL
    seed: int = 0

    @property
    def places(self) -> list[tuple[str, int, str]]:
        """Every round under every θ."""
        return list(product((self.world,), self.rounds, self.thetas))

    @property
    def task(self) -> str:
        """What the leaderboard calls it."""
        rounds = ", ".join(map(str, self.rounds))
        return f"{self.world}, rounds {rounds}, {', '.join(self.thetas)}, {self.size.name}, {self.size.cap:g} s a run"


@dataclass(frozen=True, slots=True, eq=False)
class Bench:
    """A bench in its folder, on local cores or on a cluster."""

    folder: Path
    settings: BenchSettings
    contenders: Sequence[Contender]
    cluster: str | None = None
    cores: int = ALL_CORES

    def run(self, now: str) -> Iterator[JobStep | tuple[Placing, ...]]:
        """Yield every step, and the leaderboard last; sessions that are finished already are not held again."""
        problems = yield from self._problems()
        tasks = self._tasks(problems)
        finished = read_sessions(self.folder / SESSIONS, tasks)
        missing = [task for task in tasks if task.file_name not in finished]
        yield JobStep(len(finished), len(tasks), f"{len(finished)} sessions were finished before")
        for place, session in run_jobs(hold, missing, cluster=self.cluster, cores=self.cores):
            task = missing[place]
            write_session(self.folder / SESSIONS / task.file_name, session)
            finished[task.file_name] = session
            yield JobStep(len(finished), len(tasks), f"{task.contender}, session {task.number + 1}")
        yield self._entered(self._whole(problems), now)

    def clear(self) -> None:
        """Remove what a bench has left in the folder, and nothing else; a bench that cannot be held removes nothing."""
        self._refuse_impossible()
        own = [self.folder / name for name in (SETTINGS, BOARD, TABLE)]
        try:
            for path in (*(self.folder / SESSIONS).glob("*.json"), *own):
                path.unlink(missing_ok=True)
        except OSError as error:
            raise InputError(f"{error.filename} cannot be removed: {error.strerror}. Choose another --out.") from None

    def set_aside(self) -> None:
        """Move what a bench has left to a new folder beside its own; a bench that cannot be held moves nothing."""
        self._refuse_impossible()
        left = [path for name in MOVED if (path := self.folder / name).exists()]
        if not left:
            return
        names = (self.folder.with_name(f"{self.folder.name}-{number}") for number in range(1, MOST_ASIDE + 1))
        place = next((path for path in names if not path.exists()), None)
        if place is None:
            raise InputError(f"{MOST_ASIDE} benches are set aside beside {self.folder}. Remove some of them first.")
        try:
            place.mkdir()
            for path in left:
                path.rename(place / path.name)
        except OSError as error:
            raise InputError(f"{error.filename} cannot be moved: {error.strerror}. Choose another --out.") from None

    def _refuse_impossible(self) -> None:
        """Refuse a bench that cannot be held, before anything is given up for it."""
        self._stamp()
        for theta in self.settings.thetas:
            arena_of(self.settings.world, self.settings.rounds[0], theta)
        check_cluster(self.cluster)

    def _whole(self, problems: tuple[Problem, ...]) -> list[Session]:
        """Return the sessions of all who have finished theirs in the folder: one yardstick for the whole board."""
        tasks = replace(self, contenders=find_contenders(None))._tasks(problems)
        found = read_sessions(self.folder / SESSIONS, tasks)
        half = {task.contender for task in tasks if task.file_name not in found}
        return [found[task.file_name] for task in tasks if task.contender not in half]

    def _problems(self) -> Generator[JobStep, None, tuple[Problem, ...]]:
        """Pose the problems, or read them where that was done; the generator's value is what was found."""
        known = self._known()
        if known is not None:
            return known
        places = self.settings.places
        posed: dict[int, Problem] = {}
        yield JobStep(0, len(places), "proving the optima")
        for place, problem in run_jobs(pose, places, cluster=self.cluster, cores=self.cores):
            posed[place] = problem
            yield JobStep(len(posed), len(places), f"{problem.name} is posed")
        problems = tuple(posed[place] for place in range(len(places)))
        content = self._stamp() | {"problems": [asdict(one) for one in problems]}
        write_file(self.folder / SETTINGS, json.dumps(content, indent=1))
        return problems

    def _known(self) -> tuple[Problem, ...] | None:
        content = read_content(self.folder / SETTINGS)
        if content is None:
            return None
        if {name: content.get(name) for name in self._stamp()} != self._stamp():
            raise InputError(
                f"{self.folder} holds a bench with other settings or other data. "
                "Use --fresh to remove it, or another --out."
            )
        return tuple(Problem(**problem) for problem in content["problems"])

    def _stamp(self) -> dict[str, Any]:
        """Return what a resumed bench must agree with: settings, data and rules by their checksums, and our version."""
        world = find_world(self.settings.world)
        sums = [world.at(round_number).checksum for round_number in self.settings.rounds]
        rules = sha256(load_rules(world.rulebook).model_dump_json().encode()).hexdigest()
        stamp = {"settings": asdict(self.settings), "checksums": sums, "rules": rules, "version": version("thetaxi")}
        return dict(json.loads(json.dumps(stamp)))

    def _tasks(self, problems: tuple[Problem, ...]) -> list[SessionTask]:
        """Return all sessions, the contenders in turn: a board is fair however early it is looked at."""
        size, seed = self.settings.size, self.settings.seed
        return [
            SessionTask(contender=one.name, number=number, runs=size.runs, cap=size.cap, seed=seed, problems=problems)
            for number, one in product(range(size.sessions), self.contenders)
        ]

    def _entered(self, sessions: list[Session], now: str) -> tuple[Placing, ...]:
        """Enter every contender on the leaderboard and write it; the best time per problem is that of all here."""
        size = self.settings.size
        held = {one.contender: [other for other in sessions if other.contender == one.contender] for one in sessions}
        fastest = fastest_seconds([[run for one in own for run in one.runs] for own in held.values()])
        board = _board(self.folder / BOARD)
        for name, own in held.items():
            runs = [one.runs for one in own]
            task = self.settings.task
            board = updated(board, placing_of(name, own[0].configuration, task, runs, fastest, now, size.cap))
        write_file(self.folder / BOARD, json.dumps(board_json(board), indent=1, ensure_ascii=False))
        write_file(self.folder / TABLE, board_markdown(board))
        return board


def bench_folder(size: Size) -> Path:
    """Return where a bench of a size is kept if nobody says otherwise."""
    return user_folder() / KEPT_IN / size.name.replace(" ", "-")


def last_board() -> tuple[Placing, ...]:
    """Return the leaderboard that was written last in the user's folder; empty where no bench has ended yet."""
    boards = sorted((user_folder() / KEPT_IN).glob(f"*/{BOARD}"), key=lambda path: path.stat().st_mtime)
    return _board(boards[-1]) if boards else ()


def published_board() -> tuple[Placing, ...]:
    """Return the leaderboard of the full size that comes with the project."""
    return _board(PUBLISHED)


def _board(path: Path) -> tuple[Placing, ...]:
    content = read_content(path)
    return () if content is None else read_board(content, str(path))


def sessions_done(folder: Path) -> int | None:
    """Return how many sessions of a folder are finished; None while its problems are still being posed."""
    return len(list((folder / SESSIONS).glob("*.json"))) if (folder / SETTINGS).exists() else None


def read_content(path: Path) -> dict[str, Any] | None:
    """Return what a file of a bench says; None where there is none."""
    try:
        if not path.exists():
            return None
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}. Use --fresh to start anew.") from None
    if not isinstance(content, dict):
        raise InputError(f"{path} is no file of SquadBench. Use --fresh to start anew.")
    return content
