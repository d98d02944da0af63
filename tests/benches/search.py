"""How fast and how well squads are found: against the solver's linear part, proved optima, a second, larger pools."""

from __future__ import annotations

import argparse
import json
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache, partial
from math import inf

import numpy as np

from data.rules import CaptaincyMode
from engine.bench.contenders import OURS, cpu_seconds
from engine.fitness.judge import Judge, Objective, named_objective
from engine.fitness.squad_scoring import ScoredSquads
from engine.fitness.squad_view import SquadView
from engine.fitness.standard_form import StandardForm, standard_form
from engine.lineup.lineups import best_lineups
from engine.proof.bound import prove
from engine.rules.exact import LinearValues, linear_optimum
from engine.search.climbing.limits import Limits
from engine.search.climbing.start import QuickSettings, search_form
from engine.search.finishing.polish import PolishLimits, search_fitness
from models.together.covariance import Block, Covariance
from tests.cases.judged_worlds import under, world_cup_signals

THETAS = ("seed-protect", "neutral", "seed-gain")
REACHED, FLOOR = 0.001, 0.005
"""Shares of the best squad's expected points: within the first a run has reached it, beyond the second it failed."""

SHARE_OF_SOLVER = 0.5
LONG = QuickSettings(limits=Limits(kicks=400), starts=16)
BUDGET = 1.0
QUICK_START = QuickSettings(limits=Limits(kicks=20, stalled=30))
RESTARTS = 6
"""Searches that share the time of the one that sets the mark: a single one may stay in the basin it fell into."""

TEAM_SIZE, TEAMS_IN_A_MATCH = 26, 2
GROWTH = (500, 1_000, 2_000, 5_000)
LARGEST = 20_000
KICKS = 60


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured."""

    rounds: tuple[int, ...]
    seeds: int
    perturbed: int  # pools, with three seeds each
    long_search: float  # CPU seconds of the search that sets the mark under a moving armband


FULL = Sizes((1, 2, 3, 4), 10, 20, 60.0)
QUICK = Sizes((1, 4), 2, 2, 5.0)


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A standard form with its best known value and what a share of it is measured in."""

    title: str
    form: StandardForm
    best: float
    points: float  # raw_xev + captaincy_uplift of the best
    proved: bool
    solver: float  # CPU seconds of PuLP for the linear part


@cache
def the_view(round_number: int, mode: CaptaincyMode) -> SquadView:
    """Return the bundled World Cup before a round."""
    return SquadView(under(world_cup_signals(round_number), mode))


def the_form(view: SquadView, theta: str) -> StandardForm:
    """Return the standard form of a shipped objective."""
    form = standard_form(view, named_objective(theta, view))
    assert form is not None
    return form


def a_case(title: str, view: SquadView, form: StandardForm) -> Case:
    """Search long, prove, and time the solver."""
    solver = _solver_seconds(form)
    found = search_form(form, np.random.default_rng(99), LONG)
    proof = prove(form, float(found.value[0]), found.squads[0])
    lineup = best_lineups(view.signals, found.squads[:1])
    points = float(lineup.raw_xev[0] + lineup.captaincy_uplift[0])
    best = proof.bound if proof.squad is not None else float(found.value[0])
    _say(f"{title}: best {best:.3f}, {proof.how}, PuLP {solver:.2f} s")
    return Case(title, form, best, points, proof.proved, solver)


def seconds_to(case: Case, seed: int) -> tuple[float, float]:
    """Return the CPU seconds until ours is within reach of the best, all it has if never, and its last gap."""
    trace: list[tuple[float, float]] = []
    goal = case.best - REACHED * case.points

    def on_best(spent: float, value: float, squad: np.ndarray) -> bool:
        trace.append((spent, value))
        return value >= goal

    OURS.solve(case.form, np.random.default_rng(seed), BUDGET, on_best)
    reached = [spent for spent, value in trace if value >= goal]
    return (reached[0] if reached else BUDGET), max(case.best - trace[-1][1], 0.0) / case.points


def locked(sizes: Sizes) -> dict[str, float]:
    """Time to 99.9 % of the proved optimum with the captain held, beside the solver's linear part."""
    cases = [
        a_case(f"MD{number} {theta}", view, the_form(view, theta))
        for number in sizes.rounds
        for view in [the_view(number, CaptaincyMode.LOCKED)]
        for theta in THETAS
    ]
    solver = float(np.median([case.solver for case in cases]))
    runs = [seconds_to(case, seed) for case in cases for seed in range(sizes.seeds)]
    return {
        "PuLP, linear part: median s": solver,
        "optima proved: share": float(np.mean([case.proved for case in cases])),
        **_told(OURS.name, runs),
        f"{OURS.name}: time to 99.9 % / PuLP (bar {SHARE_OF_SOLVER})": float(
            np.median([spent for spent, _ in runs]) / solver
        ),
        **_perturbed(sizes),
    }


def _told(title: str, runs: list[tuple[float, float]]) -> dict[str, float]:
    spent, gap = np.array(runs).T
    return {
        f"{title}: median s to 99.9 %": float(np.median(spent)),
        f"{title}: share within 0.1 % after {BUDGET:g} s (bar 0.95)": float((gap <= REACHED).mean()),
        f"{title}: largest gap (bar {FLOOR})": float(gap.max()),
    }


def _perturbed(sizes: Sizes) -> dict[str, float]:
    """The same on pools whose points, prices and popularity are shaken."""
    runs = []
    for number in range(sizes.perturbed):
        view = the_view(sizes.rounds[number % len(sizes.rounds)], CaptaincyMode.LOCKED)
        form = _shaken(the_form(view, THETAS[number % len(THETAS)]), np.random.default_rng(number))
        case = a_case(f"pool {number}", view, form)
        runs += [seconds_to(case, seed) for seed in range(3)]
    return _told("ours, perturbed pools", runs)


def _shaken(form: StandardForm, rng: np.random.Generator) -> StandardForm:
    """Return a form whose men bring up to a fifth more or less and cost up to three tenths more or less."""
    near = rng.uniform(0.8, 1.2, len(form))
    price = np.round(form.pool.price + rng.integers(-3, 4, len(form)) / 10, 1).clip(3.5)
    popular = form.squad * rng.uniform(0.8, 1.2, len(form))
    pool = replace(form.pool, price=price)
    return replace(form, pool=pool, linear=form.linear * near, captain=form.captain * near, squad=popular)


@dataclass(eq=False)
class Watched(Judge):
    """A judge that remembers when which fitness was first seen, in CPU seconds."""

    trace: list[tuple[float, float]] = field(default_factory=list)

    def score(self, squads: np.ndarray, objective: Objective) -> ScoredSquads:
        """Score squads and note the best."""
        scored = super().score(squads, objective)
        best = float(scored.fitness[scored.ranking[:1]].max(initial=-inf))
        if not self.trace or best > self.trace[-1][1]:
            self.trace.append((time.process_time(), best))
        return scored


@dataclass(frozen=True, slots=True)
class Run:
    """What a search under a moving armband came to."""

    trace: tuple[tuple[float, float], ...]  # CPU seconds and fitness of every new best
    points: float  # raw_xev + captaincy_uplift of the last

    @property
    def fitness(self) -> float:
        """Of the best squad."""
        return self.trace[-1][1]

    def seconds_to(self, goal: float) -> float:
        """Return the CPU seconds until a fitness was seen; infinite if it never was."""
        return min((spent for spent, value in self.trace if value >= goal), default=inf)


def unlimited(sizes: Sizes) -> dict[str, float]:
    """The exact fitness under a moving armband: a second's answer against the best that is known."""
    gaps, spent, solver = [], [], []
    for number in sizes.rounds:
        view = the_view(number, CaptaincyMode.UNLIMITED)
        for theta in THETAS:
            solver.append(_solver_seconds(the_form(view, theta)))
            share = sizes.long_search / RESTARTS
            long = [_exact_run(view, theta, share, 1_000 + number, LONG) for number in range(RESTARTS)]
            runs = [_exact_run(view, theta, BUDGET, seed, QUICK_START) for seed in range(sizes.seeds)]
            best = max([*long, *runs], key=lambda run: run.fitness)
            short = [(best.fitness - run.fitness) / best.points for run in runs]
            gaps += short
            spent += [run.seconds_to(best.fitness - REACHED * best.points) for run in runs]
            _say(f"moving armband, MD{number} {theta}: best {best.fitness:.3f}, largest gap {max(short):.4f}")
    return {
        "moving armband: median s to 99.9 % of the best known": float(np.median(spent)),
        f"moving armband: time to 99.9 % / PuLP (bar {SHARE_OF_SOLVER})": float(np.median(spent) / np.median(solver)),
        "moving armband: share within 0.1 % of the best known (bar 0.95)": float((np.array(gaps) <= REACHED).mean()),
        f"moving armband: largest gap (bar {FLOOR})": float(max(gaps)),
    }


def _exact_run(view: SquadView, theta: str, seconds: float, seed: int, settings: QuickSettings) -> Run:
    """Return what a search of so many CPU seconds comes to; whatever runs before the first squad counts."""
    judge, rng = Watched(view, np.random.default_rng(0)), np.random.default_rng(seed)
    objective, started = named_objective(theta, view), time.process_time()
    forever = PolishLimits(steps=sys.maxsize, patience=sys.maxsize)
    found = search_fitness(judge, objective, rng, settings, forever, stop=partial(is_over, started + seconds))
    points = float(found.lineups.raw_xev[0] + found.lineups.captaincy_uplift[0])
    return Run(tuple((at - started, value) for at, value in judge.trace), points)


def is_over(end: float) -> bool:
    """Return whether this process has used its CPU seconds up."""
    return time.process_time() > end


def _solver_seconds(form: StandardForm) -> float:
    """Return the CPU seconds PuLP needs for the linear part."""
    started = cpu_seconds()
    values = LinearValues(form.linear + form.squad, form.usual_bench * form.linear + form.squad, form.captain)
    linear_optimum(values, form.pool, form.lineups)
    return cpu_seconds() - started


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def a_large_form(players: int) -> StandardForm:
    """Return a form of so many players: those of matchday 1 again and again, shaken, in more teams and matches."""
    rng, small = np.random.default_rng(players), the_form(the_view(1, CaptaincyMode.LOCKED), "protect")
    source = rng.integers(0, len(small), players)
    team = np.arange(players) // TEAM_SIZE
    match = team // TEAMS_IN_A_MATCH
    own = small.covariance[source, source]
    blocks = []
    for number in range(int(match[-1]) + 1):
        rows = np.flatnonzero(match == number)
        spread = np.sqrt(own[rows]) * rng.choice([-0.2, 0.3], len(rows))
        blocks.append(Block(rows, np.outer(spread, spread) + np.diag(own[rows] - spread**2)))
    near = rng.uniform(0.8, 1.2, players)
    men = {"price": small.pool.price[source], "team": team, "position": small.pool.position[source]}
    return replace(
        small,
        pool=replace(small.pool, **men),
        linear=small.linear[source] * near,
        captain=small.captain[source] * near,
        squad=small.squad[source],
        starting=small.starting[source],
        leading=small.leading[source],
        swing=small.swing[source],
        covariance=Covariance(tuple(blocks), players),
    )


def growth(sizes: Sizes) -> dict[str, float]:
    """CPU seconds of the same work on larger pools, and the memory of the largest."""
    figures, spent = {}, {}
    for players in GROWTH:
        form = a_large_form(players)
        started = time.process_time()
        for seed in range(sizes.seeds):
            search_form(form, np.random.default_rng(seed), QuickSettings(limits=Limits(kicks=KICKS)))
        spent[players] = (time.process_time() - started) / sizes.seeds
        figures[f"{players} players: s for {KICKS} exchanges of a herd"] = spent[players]
    times = GROWTH[-1] / GROWTH[0]
    figures[f"cost of {times:g} times the players (bar {times:g})"] = spent[GROWTH[-1]] / spent[GROWTH[0]]
    tracemalloc.start()
    search_form(a_large_form(LARGEST), np.random.default_rng(0), QuickSettings(limits=Limits(kicks=KICKS)))
    figures[f"{LARGEST} players: peak MB (bar 1000)"] = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return figures


PARTS: dict[str, Callable[[Sizes], dict[str, float]]] = {"locked": locked, "unlimited": unlimited, "growth": growth}


def measure_the_search(parts: Iterable[str] = PARTS, *, full: bool = False) -> dict[str, float]:
    """Return the figures of all parts, each told on standard error as soon as it is known."""
    figures: dict[str, float] = {}
    for part in parts:
        found = PARTS[part](FULL if full else QUICK)
        for title, value in found.items():
            _say(f"{value:10.4f}  {title}")
        figures |= found
    return figures


def told(figures: dict[str, float], *, as_json: bool) -> str:
    """Return figures as a table or as JSON."""
    lines = (f"{value:10.4f}  {title}" for title, value in figures.items())
    return json.dumps(figures, indent=2) if as_json else "\n".join(lines)


def main() -> None:
    """Measure the chosen parts and print them, as a table or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="which to run; all by default")
    parser.add_argument("--quick", action="store_true", help="two rounds, two seeds")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    print(told(measure_the_search(options.parts or PARTS, full=not options.quick), as_json=options.json))


if __name__ == "__main__":
    main()
