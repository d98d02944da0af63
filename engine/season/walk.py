"""Play a season blind: plan at every deadline with what was known, commit the first round, count official points.

All policies and runs meet the same beliefs, which are built once for each deadline. A finished round is on the disk
before the next one begins, so a season that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from data.errors import InputError
from data.rules import GameRules
from data.storage.files import read_bounded, replace_file
from data.worlds.snapshot import Snapshot
from data.worlds.world import World
from engine.fitness.judge import named_objective
from engine.fitness.wishes import NO_WISHES
from engine.jobs import ALL_CORES, JobStep, last_of, run_jobs
from engine.plan.answer.plan_board import PlanBoard
from engine.plan.fitness import score_plans
from engine.plan.planner import AUTO, NONE, PlanOrder, open_planner
from engine.rank.field import JITTER
from engine.replay.rounds import check_rounds
from engine.season.holding import Holding
from engine.season.official_score import official_score
from engine.season.policies import SeasonPolicy, believed
from models.outlook import signals_ahead
from models.signals import Signals, build_signals
from models.streams import Stream, stream

LARGEST_ROUND = 5_000_000  # bytes of a kept round


class PlayedWeek(BaseModel):
    """One round of one run: what was done, what was expected of it, and what it brought."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    round: int
    points: int  # official, hits taken off
    expected: float  # hits taken off
    hits: int  # points that transfers took
    transfers: Annotated[int, Field(ge=0)]
    chip: str | None
    captain: int  # player id
    squad: tuple[int, ...]  # player ids, as they played
    holding: Holding  # carried into the next round


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
        """Every policy in every run, in the order in which rounds are kept."""
        return [(policy, run) for policy in self.policies for run in range(self.runs)]


@dataclass(frozen=True, eq=False)
class Season:
    """A season as it was played: the weeks of every policy and run."""

    world: str
    settings: SeasonSettings
    weeks: tuple[tuple[PlayedWeek, ...], ...]  # a row for each task
    average: tuple[float, ...] = field(default=())  # points of the average manager, by round; NaN where not known

    def points(self, policy: str) -> np.ndarray:
        """(runs, rounds) official points of a policy."""
        rows = [weeks for (one, _), weeks in zip(self.settings.tasks, self.weeks, strict=True) if one.name == policy]
        return np.array([[week.points for week in weeks] for weeks in rows])


def play_season(
    world: World,
    rules: GameRules,
    settings: SeasonSettings,
    folder: Path,
    *,
    cluster: str | None = None,
    cores: int = ALL_CORES,
) -> Iterator[JobStep | Season]:
    """Yield progress after every run of a round, the season last; rounds found in the folder are not played again."""
    check_rounds(world, settings.rounds)
    tasks, total = settings.tasks, len(settings.tasks) * len(settings.rounds)
    kept = _Kept(folder, _key(world, settings))
    rows: list[list[PlayedWeek]] = [[] for _ in tasks]
    for number in settings.rounds:
        weeks, before = kept.read(number, len(tasks)), sum(map(len, rows))
        if weeks is None:
            found: dict[int, PlayedWeek] = {}
            for place, week in _played(world, rules, settings, number, rows, cluster, cores):
                found[place] = week
                yield JobStep(before + len(found), total, rules.round_title(number))
            weeks = [found[place] for place in range(len(tasks))]
            kept.write(number, weeks)
        else:
            yield JobStep(before + len(weeks), total, rules.round_title(number))
        rows = [[*row, week] for row, week in zip(rows, weeks, strict=True)]
    average = world.tables["rounds"].set_index("round")["average"].reindex(list(settings.rounds))
    yield Season(world.title, settings, tuple(map(tuple, rows)), tuple(average.astype(float)))


@dataclass(frozen=True, eq=False)
class _Deadline:
    """What all runs of a round share: it is built once and sent to every worker."""

    world: World
    snapshot: Snapshot
    beliefs: Signals
    ahead: tuple[Signals, ...]
    game: np.ndarray  # (n,) the game's own forecast, NaN where it has none
    jitter: float


def _played(
    world: World,
    rules: GameRules,
    settings: SeasonSettings,
    number: int,
    rows: Sequence[Sequence[PlayedWeek]],
    cluster: str | None,
    cores: int,
) -> Iterator[tuple[int, PlayedWeek]]:
    snapshot = world.at(number)
    beliefs = build_signals(snapshot, rules, rng=stream(settings.seed, Stream.COMPETITION, number))
    farthest = max(policy.horizon for policy in settings.policies)
    told = snapshot.players.set_index("player_id").reindex(beliefs.player_id)
    game = told["expected_next"].to_numpy(dtype=float) if "expected_next" in told else np.full(len(beliefs), np.nan)
    deadline = _Deadline(world, snapshot, beliefs, tuple(signals_ahead(beliefs, farthest)), game, settings.jitter)
    nobody = Holding.nobody(rules, number)
    tasks = [
        (policy, run, row[-1].holding if row else nobody)
        for (policy, run), row in zip(settings.tasks, rows, strict=True)
    ]
    yield from run_jobs(partial(_week, deadline), tasks, cluster=cluster, cores=cores)


def _week(deadline: _Deadline, task: tuple[SeasonPolicy, int, Holding]) -> PlayedWeek:
    """Plan, commit the first round, and only then look at what happened."""
    policy, run, holding = task
    seen = believed(deadline.ahead[: policy.horizon], policy, run, deadline.game, deadline.jitter)
    state = holding.state(deadline.world, deadline.beliefs)
    order = PlanOrder(horizon=policy.horizon, state=state, chips=AUTO if policy.chips else NONE, hits=policy.hits)
    planner = open_planner(deadline.snapshot, deadline.beliefs, order, NO_WISHES, lambda _: None, ahead=seen)
    objective = named_objective(policy.theta, planner.rounds.views[0])
    plan = last_of(planner.search(objective), PlanBoard).options[0].plan
    moves = plan.moves[0]
    signals = planner.rounds.signals[0]
    scored = score_plans(planner.rounds, [plan], objective)
    cost = moves.hits * signals.rules.transfers.hit_cost
    lineups = scored.lineups[0]
    return PlayedWeek(
        round=moves.round,
        points=official_score(deadline.world, signals, lineups, moves.chip) - cost,
        expected=float(scored.expected[0, 0]),
        hits=cost,
        transfers=moves.transfers,
        chip=moves.chip,
        captain=int(signals.player_id[lineups.captain[0]]),
        squad=tuple(int(signals.player_id[row]) for row in moves.squad),
        holding=holding.after(moves, signals),
    )


def _key(world: World, settings: SeasonSettings) -> str:
    """Return what tells one season's folder from another's: facts and settings."""
    text = json.dumps([world.at(settings.rounds[-1]).checksum, asdict(settings)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _Kept:
    """Finished rounds of one season on the disk, each a file that is written whole or not at all."""

    folder: Path
    key: str

    def read(self, number: int, tasks: int) -> list[PlayedWeek] | None:
        """Return the weeks of a round, a row for each task; None where it was not finished."""
        path = self._path(number)
        if not path.exists():
            return None
        try:
            weeks = [PlayedWeek.model_validate(row) for row in json.loads(read_bounded(path, LARGEST_ROUND))]
        except (OSError, ValueError, ValidationError):
            raise InputError(
                f"{path} cannot be read as a round of a season. Remove it to play the round again."
            ) from None
        if len(weeks) != tasks or any(week.round != number for week in weeks):
            raise InputError(f"{path} holds another season's round. Remove it to play the round again.")
        return weeks

    def write(self, number: int, weeks: Sequence[PlayedWeek]) -> None:
        """Keep a finished round."""
        text = json.dumps([week.model_dump() for week in weeks])
        replace_file(self._path(number), text.encode())

    def _path(self, number: int) -> Path:
        return self.folder / self.key / f"round-{number:02d}.json"
