"""What a squad does to a standing: the chance to hold a lead or erase a deficit, by simulating everybody's round.

One draw of all matches serves the squads and every opponent, so that what they share cancels out. This round is
simulated exactly: auto-subs, armbands, ties. Later rounds enter by the normal approximation: the squad's edge in
expected points of the rounds it is kept for, and each later round as wide as this one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from data.errors import InputError
from engine.fitness.judge import Judge
from engine.fitness.squad_view import SquadView
from engine.jobs import run_jobs
from engine.lineup.lineups import Lineups, best_lineups
from engine.rank.draws import draw_rounds
from engine.rank.field import Field
from engine.rank.intervals import Estimate, estimate
from engine.rank.kept_edge import lost_edge
from engine.rank.scores import Entries, all_scores, ladders_of, score_entries
from models.signals import Signals

SIMULATIONS = 2_000
AT_ONCE = 1_000
"""Simulations a core draws and scores before the next: small enough for two cores to share 2,000."""
LOWEST, HIGHEST = -50, 400
"""Points of a round that are told apart: nobody's fifteen earn less or more."""
TOP_SHARE = 0.01
FEWEST_FOR_TOP = 100
"""Managers below which the top 1 % is nobody."""
NARROWEST = 1.0
"""Variance of a later round at least: a copy of the rival differs from him by then."""


@dataclass(frozen=True, eq=False)
class Crowd:
    """The points of a whole field in every simulation, as counts."""

    managers: int
    below: np.ndarray  # (n, HIGHEST − LOWEST + 2) managers with fewer points than LOWEST + column

    def beaten(self, points: np.ndarray) -> np.ndarray:
        """Return (n,) the share of the field below a number of points (n,); who is level counts half."""
        place = np.clip(np.ceil(points) - LOWEST, 0, HIGHEST - LOWEST + 1).astype(np.int64)
        after = np.minimum(place + (points == np.ceil(points)), HIGHEST - LOWEST + 1)
        rows = np.arange(len(points))
        return np.asarray((self.below[rows, place] + self.below[rows, after]) / (2.0 * self.managers))

    @property
    def has_top(self) -> bool:
        """Whether there are managers enough for a top 1 %."""
        return self.managers >= FEWEST_FOR_TOP

    @cached_property
    def shares(self) -> np.ndarray:
        """(n, HIGHEST − LOWEST + 1) share of the field with each number of points."""
        return np.diff(self.below, axis=1) / self.managers

    @cached_property
    def mean(self) -> np.ndarray:
        """(n,) mean points of the field."""
        return np.asarray(self.shares @ GRID)

    @cached_property
    def variance(self) -> np.ndarray:
        """(n,) variance of points between the managers of a simulation."""
        return np.asarray(self.shares @ GRID**2 - self.mean**2)


GRID = np.arange(LOWEST, HIGHEST + 1, dtype=float)


@dataclass(frozen=True, slots=True, eq=False)
class Simulation:
    """Simulated rounds: row s of the crowd and column s of `points` are simulation s."""

    points: np.ndarray  # (p, n) int16, of the squads
    crowd: Crowd

    def ahead(self, squad: int, lead: float = 0.0) -> np.ndarray:
        """Return (n,) the chance to be ahead of somebody of the field after the round, being `lead` ahead before."""
        return self.crowd.beaten(self.points[squad] + float(lead))

    def top(self, squad: int) -> np.ndarray:
        """Return (n,) 1 where the squad is among the top 1 % of the field in this round."""
        return (self.ahead(squad) >= 1 - TOP_SHARE).astype(float)


@dataclass(frozen=True, slots=True)
class Prospects:
    """Where a squad may stand; a lead and a deficit are against a manager of the field chosen at random."""

    hold: Estimate  # the lead asked for
    erase: Estimate  # the deficit asked for
    percentile: Estimate  # expected share of the field below, from level
    top: Estimate | None  # P(top 1 % of the field), from level; None against a few rivals


@dataclass(frozen=True, slots=True)
class StandingChances:
    """The prospects of one squad after this round, and after the last."""

    lead: float
    deficit: float
    against: str
    expected: float  # mean simulated points, hits taken off
    round: Prospects
    finish: Prospects
    rounds_left: int  # this one included


def simulate(
    signals: Signals,
    squads: npt.ArrayLike,
    field: Field,
    n: int,
    rng: np.random.Generator,
    *,
    lineups: Lineups | None = None,
    hits: np.ndarray | float = 0.0,
    cluster: str | None = None,
) -> Simulation:
    """Return `n` simulated rounds of squads (p, 15) and of a whole field, all in the same matches.

    `hits` (p,) are the points that transfers take. On all cores here, or on the Dask cluster at an address: the result
    is the same.
    """
    if n < 1:
        raise InputError(f"{n} simulations say nothing; ask for at least 1.")
    lined = lineups if lineups is not None else best_lineups(signals, np.asarray(squads))
    own, others = entries_of(signals, lined), field_entries(signals, field)
    sizes = [min(AT_ONCE, n - start) for start in range(0, n, AT_ONCE)]
    tasks = list(zip(sizes, rng.spawn(len(sizes)), strict=True))
    points, below = zip(*_played(partial(_simulated, signals, own, others), tasks, cluster), strict=True)
    taken = np.broadcast_to(np.rint(hits), len(lined)).astype(np.int16)
    return Simulation(np.concatenate(points, axis=1) - taken[:, None], Crowd(len(field), np.concatenate(below)))


def chances(
    judge: Judge,
    squads: npt.ArrayLike,
    field: Field,
    rng: np.random.Generator,
    *,
    lead: float = 15.0,
    deficit: float = 25.0,
    n: int = SIMULATIONS,
    rounds_left: int | None = None,
    lineups: Lineups | None = None,
    cluster: str | None = None,
) -> tuple[StandingChances, ...]:
    """Return the chances of each squad (p, 15) against a field; `rounds_left` counts this round.

    P(hold) is of a lead on a manager chosen at random from the field, P(erase) of a deficit against him. Squads are
    sent out in the line-ups that expect most unless others are given.
    """
    view = judge.view
    signals, rows = view.signals, np.asarray(squads)
    lined = lineups or view.lineups(rows)
    hits = view.transfer_cost(rows)
    simulation = simulate(signals, rows, field, n, rng, lineups=lined, hits=hits, cluster=cluster)
    left = rounds_left if rounds_left is not None else signals.rules.rounds - signals.round + 1
    edges = later_edges(view, lined.starters, field, left - 1)
    return tuple(
        StandingChances(
            lead,
            deficit,
            field.name,
            float(simulation.points[row].mean()),
            _prospects(simulation, row, lead, deficit, 0, 0.0),
            _prospects(simulation, row, lead, deficit, left - 1, float(edges[row])),
            left,
        )
        for row in range(len(rows))
    )


def entries_of(signals: Signals, lineups: Lineups) -> Entries:
    """Return line-ups as entries; each follows the ladder of its captain where the rules let the armband move."""
    ladders = ladders_of(signals.armband, signals.rules, lineups)
    return Entries(lineups.starters, lineups.bench, lineups.captain, lineups.vice, ladders)


def field_entries(signals: Signals, field: Field) -> Entries:
    """Return a field as entries: armbands held, or moved by each manager's own ladder."""
    if field.ladder:
        return entries_of(signals, best_lineups(signals, field.squads))
    return Entries(field.starters, field.bench, field.captain, field.vice)


_Task = tuple[int, np.random.Generator]
"""How many simulations, and the generator that draws them."""

_Counted = tuple[np.ndarray, np.ndarray]
"""The points (p, n) of the squads, and the counts of the field."""


def _played(play: Callable[[_Task], _Counted], tasks: list[_Task], cluster: str | None) -> list[_Counted]:
    if cluster is None:
        with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as cores:
            return list(cores.map(play, tasks))
    parts = dict(run_jobs(play, tasks, cluster=cluster))
    return [parts[place] for place in range(len(tasks))]


def _simulated(signals: Signals, own: Entries, others: Entries, task: _Task) -> _Counted:
    rules, position, (n, rng) = signals.rules, signals.position, task
    drawn = draw_rounds(signals, n, rng)
    below = np.zeros((n, len(GRID) + 1), dtype=np.int32)
    for part, points in score_entries(others, drawn, rules, position):
        below[part, 1:] = _counted(points).cumsum(axis=1)
    return all_scores(own, drawn, rules, position), below


def _counted(points: np.ndarray) -> np.ndarray:
    """Return (n, grid) how many of the points (m, n) fall on each number of the grid."""
    n = points.shape[1]
    place = np.clip(points, LOWEST, HIGHEST).astype(np.int32) - LOWEST
    place += np.arange(n, dtype=np.int32) * len(GRID)
    return np.bincount(place.ravel(), minlength=n * len(GRID)).reshape(n, len(GRID))


def ahead_at_the_end(simulation: Simulation, row: int, lead: float, later: int, edge: float) -> np.ndarray:
    """Return (n,) the chance to be ahead of somebody of the field after `later` more rounds.

    `edge` is what the squad is expected to gain on him in them. Each is as wide as the simulated one.
    """
    if later <= 0:
        return simulation.ahead(row, lead)
    crowd, points = simulation.crowd, simulation.points[row].astype(float)
    gap = points - crowd.mean
    one_round = float(np.mean(gap**2 + crowd.variance) - gap.mean() ** 2)
    width = np.sqrt(later * max(one_round, NARROWEST))
    different, which = np.unique(points, return_inverse=True)  # a hundred or so in thousands of simulations
    beats = ndtr((different[:, None] + lead + edge - GRID) / width)
    return np.asarray((crowd.shares * beats[which]).sum(axis=1))


def top_at_the_end(simulation: Simulation, row: int, later: int, edge: float) -> np.ndarray:
    """Return (n,) the chance to be in the top 1 % of the field after `later` more rounds.

    The field's own spread grows with the rounds; the squad's gap to its mean is as wide in each as in this one.
    """
    if later <= 0:
        return simulation.top(row)
    gap, variance = simulation.points[row] - simulation.crowd.mean, simulation.crowd.variance
    bar = -ndtri(TOP_SHARE) * np.sqrt(variance + later * variance.mean())
    return np.asarray(ndtr((gap + edge - bar) / np.sqrt(later * max(float(gap.var()), NARROWEST))))


def later_edges(view: SquadView, starters: np.ndarray, field: Field, rounds: int) -> np.ndarray:
    """Return (p,) expected points that elevens (p, 11) gain on the field in so many later rounds.

    Discounted as the carry is, and counted by the share of a forecast edge that comes; after a free rebuild everybody
    starts anew, without an edge.
    """
    later = view.carry[:, : max(rounds, 0)].sum(axis=1)
    edges = later[starters].sum(axis=1) - later[field.starters].sum(axis=1).mean()
    return np.asarray(edges - lost_edge(edges))


def _prospects(simulation: Simulation, row: int, lead: float, deficit: float, later: int, edge: float) -> Prospects:
    return Prospects(
        hold=estimate(ahead_at_the_end(simulation, row, lead, later, edge)),
        erase=estimate(ahead_at_the_end(simulation, row, -deficit, later, edge)),
        percentile=estimate(ahead_at_the_end(simulation, row, 0.0, later, edge)),
        top=estimate(top_at_the_end(simulation, row, later, edge)) if simulation.crowd.has_top else None,
    )
