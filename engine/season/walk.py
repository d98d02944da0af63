"""Play a season blind: plan at every deadline with what was known, commit the first round, count official points.

All policies and runs meet the same beliefs, which are built once for each deadline. A finished week of a run is on the
disk before its next one begins, so a season that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from data.errors import InputError
from data.rules import GameRules
from data.storage.files import read_bounded, replace_file
from data.worlds.world import World
from engine.jobs import ALL_CORES, JobStep, run_jobs
from engine.rank.field import JITTER
from engine.replay.rounds import check_rounds, official_points
from engine.season.holding import Holding
from engine.season.policies import TRUTH, SeasonPolicy, Told
from engine.season.week import Deadline, PlayedWeek, WeekTask, play_week
from models.calibration.walk import known_rounds
from models.outlook import signals_ahead
from models.signals import Signals, build_signals
from models.streams import Stream, stream

LARGEST_RUN = 1_000_000  # bytes of a kept run


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonSettings:
    """What is played, by whom, and how often."""

    rounds: tuple[int, ...]
    policies: tuple[SeasonPolicy, ...]
    runs: int = 8
    jitter: float = JITTER  # points of spread of a view on a man worth four; run 0 has none
    seed: int = 0

    def __post_init__(self) -> None:
        if self.runs < 1 or not self.jitter >= 0:
            raise InputError(
                f"{self.runs} runs with a jitter of {self.jitter} play nothing; give 1 run and 0 at least."
            )
        if list(self.rounds) != list(range(self.rounds[0], self.rounds[0] + len(self.rounds))):
            raise InputError(f"A season needs rounds that follow one another, not {list(self.rounds)}.")

    @property
    def tasks(self) -> list[tuple[SeasonPolicy, int]]:
        """Every policy in every run, in the order in which they are played."""
        return [(policy, run) for policy in self.policies for run in range(min(self.runs, policy.runs or self.runs))]


@dataclass(frozen=True, eq=False)
class Season:
    """A season as it was played: the weeks of every policy and run."""

    world: str
    settings: SeasonSettings
    weeks: tuple[tuple[PlayedWeek, ...], ...]  # a row for each task
    average: tuple[float, ...] = field(default=())  # points of the average manager, by round; NaN where not known

    def weeks_of(self, policy: str) -> list[tuple[PlayedWeek, ...]]:
        """Return the weeks of every run of a policy."""
        return [weeks for (one, _), weeks in zip(self.settings.tasks, self.weeks, strict=True) if one.name == policy]

    def points(self, policy: str) -> np.ndarray:
        """(runs, rounds) official points of a policy."""
        return np.array([[week.points for week in weeks] for weeks in self.weeks_of(policy)])


def play_season(
    world: World,
    rules: GameRules,
    settings: SeasonSettings,
    folder: Path,
    *,
    cluster: str | None = None,
    cores: int = ALL_CORES,
) -> Iterator[JobStep | Season]:
    """Yield progress after every week, the season last; weeks found in the folder are not played again."""
    check_rounds(world, settings.rounds)
    tasks, total = settings.tasks, len(settings.tasks) * len(settings.rounds)
    kept = _Kept(folder, _key(world, rules, settings), settings.rounds)
    rows = [kept.read(*task) for task in tasks]
    for at, number in enumerate(settings.rounds):
        doing = rules.round_title(number)
        missing = [place for place, row in enumerate(rows) if len(row) <= at]
        for place, week in _played(world, rules, settings, number, rows, missing, cluster, cores):
            rows[place].append(week)
            kept.write(*tasks[place], rows[place])
            yield JobStep(sum(map(len, rows)), total, doing)
        yield JobStep(sum(map(len, rows)), total, doing)
    average = tuple(_averages(world, settings.rounds).tolist())
    yield Season(world.title, settings, tuple(map(tuple, rows)), average)


def _played(
    world: World,
    rules: GameRules,
    settings: SeasonSettings,
    number: int,
    rows: Sequence[Sequence[PlayedWeek]],
    missing: Sequence[int],
    cluster: str | None,
    cores: int,
) -> Iterator[tuple[int, PlayedWeek]]:
    """Yield the places of missing weeks with the weeks as they are played; nothing is built where none is missing."""
    if not missing:
        return
    deadline, nobody = deadline_of(world, rules, settings, number), Holding.nobody(rules, number)
    tasks = [
        WeekTask(*settings.tasks[place], row[-1].holding if row else nobody, sum(week.points for week in row))
        for place, row in ((place, rows[place]) for place in missing)
    ]
    for at, week in run_jobs(partial(play_week, deadline), tasks, cluster=cluster, cores=cores):
        yield missing[at], week


def deadline_of(world: World, rules: GameRules, settings: SeasonSettings, number: int) -> Deadline:
    """Return what is believed at a round's deadline of it and the rounds after it, as far as any policy looks."""
    snapshot = world.at(number)
    beliefs = build_signals(snapshot, rules, rng=stream(settings.seed, Stream.COMPETITION, number))
    ahead = tuple(signals_ahead(beliefs, max(policy.horizon for policy in settings.policies)))
    told = snapshot.players.set_index("player_id").reindex(beliefs.player_id)
    game = told["expected_next"].to_numpy(dtype=float) if "expected_next" in told else np.full(len(beliefs), np.nan)
    looked_up = any(policy.forecasts == TRUTH for policy in settings.policies)
    truth = tuple(_happened(world, signals) for signals in ahead) if looked_up else ()
    before = _averages(world, range(settings.rounds[0], number))
    return Deadline(world, snapshot, beliefs, ahead, Told(game, truth), settings.jitter, float(np.sum(before)))


def _happened(world: World, signals: Signals) -> np.ndarray:
    """(n,) the official points of a round; as forecast where it is not known yet."""
    if signals.round not in known_rounds(world):
        return signals.xev
    return official_points(world, signals.round, signals.player_id).astype(float)


def _averages(world: World, rounds: Iterable[int]) -> np.ndarray:
    """(r,) points of the average manager; NaN where they are not known."""
    average = world.tables["rounds"].set_index("round")["average"].reindex(list(rounds))
    return np.asarray(average.astype(float))


def _key(world: World, rules: GameRules, settings: SeasonSettings) -> str:
    """Return what tells one season's folder from another's: facts, rules, and what all policies have in common."""
    common = [settings.rounds[0], settings.jitter, settings.seed]
    return _fingerprint([world.at(settings.rounds[-1]).checksum, rules.model_dump(mode="json"), common])


def _fingerprint(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _Kept:
    """Finished weeks on the disk: a file for each run of each policy, which is written whole or not at all.

    So a policy that is asked for later, or one run more, joins those that were played before.
    """

    folder: Path
    key: str
    rounds: tuple[int, ...]

    def read(self, policy: SeasonPolicy, run: int) -> list[PlayedWeek]:
        """Return the weeks that a run of a policy has finished."""
        path = self._path(policy, run)
        if not path.exists():
            return []
        try:
            weeks = [PlayedWeek.model_validate(row) for row in json.loads(read_bounded(path, LARGEST_RUN))]
        except (OSError, ValueError, ValidationError):
            raise InputError(f"{path} cannot be read as a run of a season. Remove it to play the run again.") from None
        if [week.round for week in weeks] != list(self.rounds[: len(weeks)]):
            raise InputError(f"{path} holds another season's rounds. Remove it to play the run again.")
        return weeks

    def write(self, policy: SeasonPolicy, run: int, weeks: Sequence[PlayedWeek]) -> None:
        """Keep the weeks that a run of a policy has finished."""
        text = json.dumps([week.model_dump() for week in weeks])
        replace_file(self._path(policy, run), text.encode())

    def _path(self, policy: SeasonPolicy, run: int) -> Path:
        return self.folder / self.key / f"{_fingerprint(asdict(replace(policy, runs=None)))}-{run:03d}.json"
