"""Benchmarks: what a user waits for, measured in fresh processes where start-up counts. Run by `make bench`."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence

import numpy as np

from data.rules import load_rules
from data.worlds.library import find_world
from data.worlds.snapshot import Snapshot
from engine.fitness.judge import text_objective
from engine.fitness.objective import Dial, Theta
from engine.fitness.reference import random_squads
from engine.fitness.squad_scoring import score_squads, spec_for
from engine.fitness.squad_view import SquadView
from engine.search.population.candidates import Candidates, candidates
from engine.search.population.population import Population
from models.armband.captaincy import best_armbands
from models.competition.tournament import simulate_tournament
from models.players.scorers import match_scorers
from models.signals import build_signals
from models.teams.club_priors import club_priors
from models.teams.past_matches import day_of
from models.teams.rating_settings import RatingSettings
from models.teams.ratings import Ratings, fit_ratings
from models.together.deal import deal
from tests.benches.ahead import measure_ahead
from tests.benches.bound import measure_the_bounds
from tests.benches.jobs import measure_the_jobs
from tests.benches.page import measure_the_page
from tests.benches.peers import race_the_peers
from tests.benches.plans import measure_the_plans
from tests.benches.search import measure_the_search, told
from tests.benches.standing import measure_the_field
from tests.cases.objectives.plain_fitness import PlainRound, PlainSquad
from tests.conftest import ROOT
from tests.tools.run_here import PROCESS

REPEATS = 3


def in_fresh_process(setup: str, timed: str) -> float:
    """Return the seconds a statement takes in a new interpreter after its set-up, the median of a few runs."""
    code = f"{setup}\nimport time\nstart = time.perf_counter()\n{timed}\nprint(time.perf_counter() - start)"
    runs = [
        float(subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout)
        for _ in range(REPEATS)
    ]
    return statistics.median(runs)


def open_a_round() -> dict[str, float]:
    """World.at(1) in a process that has imported pandas; the bar is 0.3 s."""
    timed = "from data.worlds.library import find_world\nfind_world('wc2026').at(1)"
    return {"open World.at(1), pandas imported (bar 0.3 s)": in_fresh_process("import pandas", timed)}


def build_the_signals() -> dict[str, float]:
    """Signals of matchday 1 in a fresh process."""
    opened = (
        "import numpy as np\nfrom data.worlds.library import find_world\nfrom data.rules import load_rules\n"
        "from models.signals import build_signals\n"
        "snapshot, rules = find_world('wc2026').at(1), load_rules('wc2026')\n"
    )
    return {"signals of matchday 1, cold (bar 3 s)": in_fresh_process(opened, "build_signals(snapshot, rules)")}


TEN_METRICS = """
fitness Ten {
  gate feasible
  metric one { per record starter: xev * (1 - eo) aggregate: sum }
  metric two { per record starter: ceiling > 8 ? ceiling : 0 aggregate: max }
  metric three { per record bench: role * xev aggregate: sum }
  metric four { per record owned: role * start aggregate: avg }
  metric five { per record template_missed: (1 - role) * eo * ceiling aggregate: sum }
  metric six { per record differential_owned: role * ceiling * (1 - eo) aggregate: sum transform: sqrt(value) }
  metric seven { per tick: squad.expected aggregate: avg }
  metric eight { per tick: squad.playing aggregate: min }
  metric nine { per record owned: clamp(floor, 0, 3) aggregate: sum }
  metric ten { per record owned: variance / (1 + price) aggregate: sum transform: min(value, 50) }
  maximize raw_xev: 1
  maximize captaincy_uplift: 1
  reward one: 0.1
  reward two: 0.1
  reward three: 0.1
  reward four: 1
  penalize five: 0.3 as ownership_leverage
  reward six: 0.04 as ownership_leverage
  reward seven: 0.1
  reward eight: 0.1
  reward nine: 0.1
  penalize ten: 0.1
}
"""


def score_squads_fast() -> dict[str, float]:
    """10,000 squads with their terms against the plain formula (bar 50×), and ten metrics against a shipped spec."""
    signals = build_signals(find_world("wc2026").at(1), load_rules("wc2026"))
    view, beliefs = SquadView(signals), PlainRound(signals)
    squads = random_squads(signals.xev, view.pool, np.random.default_rng(0), 10_000)
    spec, strengths = spec_for(Dial(theta=Theta.PROTECT), view)
    custom = text_objective(TEN_METRICS, "ten.fitness", view, {}).spec
    score_squads(view, squads[:100], spec, strengths)  # tables that are built once
    shipped = _seconds(lambda: score_squads(view, squads, spec, strengths))
    ten = _seconds(lambda: score_squads(view, squads, custom, {}))
    few = squads[:100]
    plain = _seconds(lambda: [PlainSquad(beliefs, squad).terms("protect") for squad in few]) / len(few)
    print(f"plain / compiled, per squad: {plain * len(squads) / shipped:.0f}x (bar 50x)", file=sys.stderr)
    print(f"ten metrics / shipped spec: {ten / shipped:.2f}x (bar 3x)", file=sys.stderr)
    return {
        "10,000 squads scored by a shipped spec, terms included": shipped,
        "10,000 squads scored by a spec of ten metrics": ten,
        "one squad by the plain formula": plain,
        "10,000 squads lined up: eleven, bench and armband together": _seconds(lambda: view.lineups(squads)),
    }


def _seconds(work: Callable[[], object]) -> float:
    """Return the seconds a piece of work takes, the median of a few runs."""
    runs = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        runs.append(time.perf_counter() - started)
    return statistics.median(runs)


def _club_ratings(snapshot: Snapshot) -> Ratings:
    settings, began = RatingSettings.league(), day_of(snapshot.fixtures["kickoff"].min())
    priors = club_priors(snapshot.results, snapshot.teams, snapshot.players, began, settings)
    return fit_ratings(snapshot.results, before=snapshot.deadline, settings=settings, priors=priors)


def run_the_models() -> dict[str, float]:
    """The slow parts of the models, each alone."""
    snapshot, rules = find_world("wc2026").at(1), load_rules("wc2026")
    season = [find_world("fpl2025-26").at(number) for number in range(1, 21)]
    signals = build_signals(snapshot, rules)
    rng = np.random.default_rng(0)
    elevens = np.argsort(rng.random((10_000, len(signals))), axis=1)[:, :11]
    tournament = (snapshot.teams, snapshot.fixtures, snapshot.bracket, snapshot.best_thirds, signals.teams.rates)
    return {
        "ratings fitted on all internationals (bar 1 s)": _seconds(
            lambda: fit_ratings(snapshot.results, before=snapshot.deadline, settings=RatingSettings())
        ),
        "ratings of clubs fitted at 20 deadlines (bar .5 s)": _seconds(lambda: [_club_ratings(s) for s in season]),
        "scorers matched to players": _seconds(lambda: match_scorers(snapshot.goals, snapshot.players, snapshot.teams)),
        "20,000 tournaments (bar 1 s)": _seconds(
            lambda: simulate_tournament(*tournament, rng=np.random.default_rng(0))
        ),
        "armband of 10,000 elevens, unlimited": _seconds(lambda: best_armbands(signals.armband, elevens, "unlimited")),
        "1,000 simulated rounds dealt": _seconds(
            lambda: deal(signals.chances, rules, 1_000, np.random.default_rng(0), owned=signals.owned)
        ),
    }


def grow_a_population() -> dict[str, float]:
    """A thousand candidates more for a population of 200,000 that all change nobody, the longest frontier there is."""
    rng = np.random.default_rng(1)

    def some(many: int) -> Candidates:
        squads = rng.integers(0, 1_500, (many, 15))
        price = rng.integers(900, 1001, many) / 10
        return candidates(squads, rng.normal(60, 5, many), variance=rng.normal(350, 30, many), price=price)

    tracemalloc.start()
    population = Population(15)
    for _ in range(200):
        population.add(some(1_000))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"200,000 candidates hold {held / 1e6:.0f} MB (bar 200 MB)", file=sys.stderr)
    batches = iter([some(1_000) for _ in range(REPEATS)])
    return {"1,000 candidates added to 200,000 (bar 0.02 s)": _seconds(lambda: population.add(next(batches)))}


def pick_from_cold() -> dict[str, float]:
    """Boards on the command line, start-up and proof included; the bar is 6 s."""
    commands = {
        "protect": ("pick", "--round", "1", "--theta", "protect"),
        "gain": ("pick", "--round", "1", "--theta", "gain"),
        "both": ("compare", "--round", "1"),
    }
    printed = statistics.median(_cpu_seconds((*commands["protect"], "--no-prove")) for _ in range(REPEATS))
    return {
        f"{words[0]} {name} from a cold start, proof included (bar 6 s)": statistics.median(
            [_command_seconds(words) for _ in range(REPEATS)]
        )
        for name, words in commands.items()
    } | {"pick protect from a cold start to the printed board, CPU seconds (bar 5 s)": printed}


def _cpu_seconds(words: Sequence[str]) -> float:
    """Return the CPU seconds of a command as a user starts it: no variable says how many threads to use."""
    plain = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    before = os.times()
    subprocess.run([*PROCESS, *words, "--json"], cwd=ROOT, capture_output=True, check=True, env=plain)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def _command_seconds(words: Sequence[str]) -> float:
    started = time.perf_counter()
    subprocess.run([*PROCESS, *words, "--json"], cwd=ROOT, capture_output=True, check=True)
    return time.perf_counter() - started


BENCHMARKS: dict[str, Callable[[], dict[str, float]]] = {
    "world": open_a_round,
    "signals": build_the_signals,
    "models": run_the_models,
    "fitness": score_squads_fast,
    "population": grow_a_population,
    "pick": pick_from_cold,
    "page": measure_the_page,
    "jobs": measure_the_jobs,
    "field": measure_the_field,
    "search": measure_the_search,
    "bounds": lambda: measure_the_bounds((1, 4)),
    "peers": lambda: race_the_peers((1, 4), (0,)),
    "plans": measure_the_plans,
    "ahead": lambda: measure_ahead("wc2026", (1, 2, 3), runs=2),
}
FULL_SIZE: dict[str, Callable[[], dict[str, float]]] = {
    "search": lambda: measure_the_search(full=True),
    "bounds": measure_the_bounds,
    "peers": lambda: race_the_peers(seeds=range(10)),
    "plans": lambda: measure_the_plans(((3, 20), (5, 20), (8, 20)), joint=5),
    "ahead": lambda: (
        measure_ahead("wc2026", tuple(range(1, 9)), runs=8)
        | measure_ahead("fpl2025-26", tuple(range(2, 20)), runs=5, jitter=0.0)
    ),
}
"""The same at the sizes that the figures we claim come from: an hour or so."""


def main() -> None:
    """Run the chosen benchmarks and print their figures, as a table or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []], help="which to run; all by default")
    parser.add_argument("--full", action="store_true", help="the search at full size: all rounds, ten seeds")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    measured = BENCHMARKS | FULL_SIZE if options.full else BENCHMARKS
    figures: dict[str, float] = {}
    for name in options.names or measured:
        started = time.perf_counter()
        figures |= measured[name]()
        print(f"{name}: {time.perf_counter() - started:.0f} s", file=sys.stderr)
    print(
        "" if options.json else "Seconds, where a line does not say otherwise:\n",
        told(figures, as_json=options.json),
        sep="",
    )


if __name__ == "__main__":
    main()
