"""Benchmarks: what a user waits for, measured in fresh processes where start-up counts. Run by `make bench`."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

from data.library import find_world
from data.rules import load_rules
from engine.fitness import own_spec, score_squads, spec_for
from engine.objective import Objective, Theta
from engine.pool import random_squads
from engine.scene import SquadView
from models.signals import build_signals
from tests.conftest import ROOT
from tests.plain_fitness import PlainRound, PlainSquad

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
    timed = "from data.library import find_world\nfind_world('wc2026').at(1)"
    return {"open World.at(1), pandas imported (bar 0.3 s)": in_fresh_process("import pandas", timed)}


def build_the_signals() -> dict[str, float]:
    """Signals of matchday 1 in a fresh process: all of it, and with the past already read."""
    opened = (
        "import numpy as np\nfrom data.library import find_world\nfrom data.rules import load_rules\n"
        "from models.forecast import ModelSettings, read_past\nfrom models.signals import build_signals\n"
        "snapshot, rules = find_world('wc2026').at(1), load_rules('wc2026')\n"
    )
    cold = in_fresh_process(opened, "build_signals(snapshot, rules)")
    read = "past = read_past(snapshot, ModelSettings())\nbuild_signals(snapshot, rules, past=past)\n"
    cached = in_fresh_process(opened + read, "build_signals(snapshot, rules, past=past)")
    return {
        "signals of matchday 1, cold (bar 3 s)": cold,
        "signals of matchday 1, ratings cached (bar 1 s)": cached,
    }


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
    spec, strengths = spec_for(Objective(theta=Theta.PROTECT), view)
    custom = own_spec(TEN_METRICS, "ten.fitness", view)
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
    }


def _seconds(work: Callable[[], object]) -> float:
    """Return the seconds a piece of work takes, the median of a few runs."""
    runs = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        runs.append(time.perf_counter() - started)
    return statistics.median(runs)


BENCHMARKS: dict[str, Callable[[], dict[str, float]]] = {
    "world": open_a_round,
    "signals": build_the_signals,
    "fitness": score_squads_fast,
}


def main() -> None:
    """Run the chosen benchmarks and print seconds, as a table or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []], help="which to run; all by default")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures: dict[str, float] = {}
    for name in options.names or BENCHMARKS:
        started = time.perf_counter()
        figures |= BENCHMARKS[name]()
        print(f"{name}: {time.perf_counter() - started:.0f} s", file=sys.stderr)
    if options.json:
        print(json.dumps(figures, indent=2))
        return
    for title, seconds in figures.items():
        print(f"{seconds:8.3f} s  {title}")


if __name__ == "__main__":
    main()
