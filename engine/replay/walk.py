"""Walk rounds that were really played: pick at each deadline, keep the game's transfer rules, count official points.

All picks are made before any point is looked at; then everybody is scored in the same way, ours, the simple managers
and a whole simulated field. A few rounds are luck, so each policy plays many times with slightly other views, and the
figure to judge by is the paired gain under simulated rounds that nobody searched on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from data.errors import InputError
from data.rules import GameRules
from data.worlds.world import World
from engine.jobs import ALL_CORES, JobStep, run_jobs
from engine.rank.chances import field_entries
from engine.rank.draws import draw_rounds
from engine.rank.field import JITTER, observed_field
from engine.rank.field_draw import Tastes
from engine.rank.intervals import Difference, paired_over_runs
from engine.rank.scores import Entries, all_scores
from engine.replay.hindsight import Hindsight, hindsight
from engine.replay.ledger import Ledger, TransferMode, TransfersMade, offer_for, settle
from engine.replay.policies import STEADY, PickedSquad, View, policy_of
from engine.replay.rounds import Matchday, PlayedRound, check_rounds, played_rounds
from models.forecast import ModelSettings
from models.together.deal import Deal

RUNS = 8
FIELD, HELD_OUT = 2**31, 2**31 + 1
"""Purposes of seeds, no round and no run of anybody: tastes of the field's managers, and the simulated rounds that
judge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaySettings:
    """What is walked, by whom, and how often."""

    rounds: tuple[int, ...]
    policies: tuple[str, ...]  # objectives, spec files, and simple managers
    transfers: TransferMode = TransferMode.REAL
    runs: int = RUNS
    jitter: float = JITTER  # points of spread of a view on a man worth four
    managers: int = 1_000  # of the field; 0 = none
    simulations: int = 2_000  # held-out, of each round
    seed: int = 0

    def __post_init__(self) -> None:
        if self.runs < 1 or self.simulations < 2 or self.managers < 0 or not self.jitter >= 0:
            raise InputError(
                f"{self.runs} runs with a jitter of {self.jitter}, {self.simulations} simulations and {self.managers} "
                "managers make no replay. Ask for a run, two simulations and a jitter of 0 or more at least."
            )
        skipped = sorted(set(range(min(self.rounds, default=1), max(self.rounds, default=0))) - set(self.rounds))
        if skipped and self.transfers is TransferMode.REAL:
            raise InputError(
                f"Round {skipped[0]} is left out, but transfers carry over from round to round. Give rounds that "
                "follow one another, or a new squad every round by --transfers unlimited."
            )
        if not self.policies or len(set(self.policies)) != len(self.policies):
            raise InputError("A replay needs policies, each named once.")
        for name in self.policies:
            policy_of(name)


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """One policy over the rounds: row i of every array is run i, column j is round j."""

    name: str
    official: np.ndarray  # (runs, rounds) points, hits taken off
    changes: np.ndarray  # (runs, rounds)
    cost: np.ndarray  # (runs, rounds) points of hits
    simulated: np.ndarray  # (runs, rounds, n) held-out points, hits taken off
    held: np.ndarray  # (runs, rounds, n) the same where nobody's armband moves

    @property
    def totals(self) -> np.ndarray:
        """(runs,) points over all rounds."""
        return np.asarray(self.official.sum(axis=1))

    @property
    def mean(self) -> float:
        """The neighbourhood mean of the total."""
        return float(self.totals.mean())

    @property
    def spread(self) -> float:
        """Standard deviation of the total between runs; 0 for a policy that plays once."""
        return float(self.totals.std(ddof=1)) if len(self.totals) > 1 else 0.0


@dataclass(frozen=True, eq=False)
class Replay:
    """What came of a replay."""

    world: str
    settings: ReplaySettings
    captaincy: str
    tracks: tuple[Track, ...]
    field: np.ndarray  # (managers, rounds) official points of the simulated field
    best: Hindsight

    @cached_property
    def field_totals(self) -> np.ndarray:
        """(managers,) points of the field's managers over all rounds, the fewest first."""
        return np.sort(self.field.sum(axis=1))

    def track(self, name: str) -> Track:
        """Return the track of a policy."""
        for track in self.tracks:
            if track.name == name:
                return track
        raise InputError(f"{name!r} did not play. Who did: {', '.join(track.name for track in self.tracks)}.")

    def percentile(self, track: Track) -> float:
        """Return the share of the field below the neighbourhood mean of a policy; who is level counts half."""
        if not len(self.field):
            return float("nan")
        below = np.searchsorted(self.field_totals, track.mean, side="left")
        level = np.searchsorted(self.field_totals, track.mean, side="right")
        return float(below + level) / (2.0 * len(self.field))

    def gain(self, name: str, over: str, *, held: bool = False) -> Difference:
        """Return the paired gain in expected points per round of one policy over another, from held-out draws."""
        first, second = self.track(over), self.track(name)
        return paired_over_runs(*((one.held if held else one.simulated).mean(axis=1) for one in (first, second)))


def replay(
    world: World,
    rules: GameRules,
    settings: ReplaySettings,
    *,
    cluster: str | None = None,
    cores: int = ALL_CORES,
    models: ModelSettings | None = None,
) -> Iterator[JobStep | Replay]:
    """Yield every step, and the replay last."""
    check_rounds(world, settings.rounds)
    played: list[PlayedRound] = []
    for one in played_rounds(world, rules, settings.rounds, settings.seed, models):
        played.append(one)
        title = rules.round_title(one.matchday.signals.round)
        yield JobStep(len(played), len(settings.rounds), f"Known before {title}")
    matchdays = tuple(one.matchday for one in played)
    tasks = [
        WalkTask(name, run, matchdays, settings)
        for name in settings.policies
        for run in range(1 if name in STEADY else settings.runs)
    ]
    walks: dict[int, Walked] = {}
    for place, walked in run_jobs(walk, tasks, cluster=cluster, cores=cores):
        walks[place] = walked
        yield JobStep(len(walks), len(tasks), f"Picked by {tasks[place].policy}")
    yield JobStep(0, len(played), "Scoring everybody")
    yield _scored(world.name, rules, settings, played, [(task, walks[place]) for place, task in enumerate(tasks)])


@dataclass(frozen=True, slots=True, eq=False)
class WalkTask:
    """One policy on its way through the rounds with one view; it holds nothing of what happened in the last."""

    policy: str
    run: int
    matchdays: tuple[Matchday, ...]
    settings: ReplaySettings


Walked = tuple[tuple[PickedSquad, TransfersMade], ...]


def walk(task: WalkTask) -> Walked:
    """Return the choice and the moves of each round."""
    settings, policy = task.settings, policy_of(task.policy)
    view = View(Tastes(settings.seed), task.run, settings.jitter)
    ledger: Ledger | None = None
    steps: list[tuple[PickedSquad, TransfersMade]] = []
    for matchday in task.matchdays:
        signals = matchday.signals
        rng = np.random.default_rng([settings.seed, task.run, signals.round])
        offer = offer_for(ledger, signals, settings.transfers)
        choice = policy(matchday, offer, view, rng)
        known = ledger if settings.transfers is TransferMode.REAL else None
        ledger, moves = settle(known, offer, signals, choice.squad)
        steps.append((choice, moves))
    return tuple(steps)


def entries_for(choices: Sequence[PickedSquad], *, held: bool = False) -> Entries:
    """Return choices as entries to be scored; with `held` no armband moves."""
    armbands = [choice.held if held else (choice.captain, choice.vice) for choice in choices]
    return Entries(
        np.stack([choice.starters for choice in choices]),
        np.stack([choice.bench for choice in choices]),
        np.array([captain for captain, _ in armbands]),
        np.array([vice for _, vice in armbands]),
        () if held else tuple(choice.ladder for choice in choices),
    )


def field_points(played: PlayedRound, managers: int, tastes: Tastes) -> np.ndarray:
    """Return (managers,) the official points of a simulated field; the same people in every round."""
    signals = played.matchday.signals
    field = observed_field(signals, managers, tastes)
    return np.asarray(all_scores(field_entries(signals, field), played.official, signals.rules, signals.position)[:, 0])


def _scored(
    world: str,
    rules: GameRules,
    settings: ReplaySettings,
    played: Sequence[PlayedRound],
    walks: list[tuple[WalkTask, Walked]],
) -> Replay:
    official, simulated, held = [], [], []
    for turn, one in enumerate(played):
        choices = [walked[turn][0] for _, walked in walks]
        rng = np.random.default_rng([settings.seed, HELD_OUT, one.matchday.signals.round])
        drawn = draw_rounds(one.matchday.signals, settings.simulations, rng)
        official.append(_points(choices, one, one.official)[:, 0])
        simulated.append(_points(choices, one, drawn))
        held.append(_points(choices, one, drawn, held=True))
    cost = np.array([[moves.cost for _, moves in walked] for _, walked in walks])
    changes = np.array([[moves.changes for _, moves in walked] for _, walked in walks])
    net = np.stack(official, axis=1) - cost
    tracks = []
    for name in settings.policies:
        rows = [row for row, (task, _) in enumerate(walks) if task.policy == name]
        figures = [
            np.stack([points[rows] for points in kind], axis=1) - cost[rows][:, :, None] for kind in (simulated, held)
        ]
        tracks.append(Track(name, net[rows], changes[rows], cost[rows], *figures))
    tastes = Tastes(int(np.random.default_rng([settings.seed, FIELD]).integers(2**31)))
    field = [field_points(one, settings.managers, tastes) for one in played] if settings.managers else []
    return Replay(
        world,
        settings,
        rules.captaincy.mode.value,
        tuple(tracks),
        np.stack(field, axis=1) if field else np.zeros((0, len(played))),
        hindsight(played, settings.transfers),
    )


def _points(choices: Sequence[PickedSquad], played: PlayedRound, drawn: Deal, *, held: bool = False) -> np.ndarray:
    signals = played.matchday.signals
    return all_scores(entries_for(choices, held=held), drawn, signals.rules, signals.position)
