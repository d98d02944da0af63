"""How long a round against a whole field takes: 10,000 simulations × 5,000 managers; run by `make bench`."""

from __future__ import annotations

import resource
import subprocess
import sys
import time

import numpy as np

from engine.fitness.reference import linear_squad
from engine.fitness.squad_view import SquadView
from engine.rank.chances import simulate
from engine.rank.field import observed_field
from engine.rank.field_draw import Tastes
from tests.cases.judged_worlds import world_cup_signals
from tests.conftest import ROOT

MANAGERS, SIMULATIONS = 5_000, 10_000


def measure_the_field() -> dict[str, float]:
    """Return seconds and peak megabytes of a process of its own that simulates the whole field."""
    command = [sys.executable, "-m", "tests.benches.standing"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    drawn, simulated, peak = map(float, told)
    return {
        f"{MANAGERS} managers drawn and repaired": drawn,
        f"{SIMULATIONS} simulations x {MANAGERS} managers (bar 10 s)": simulated,
        "the same: peak MB of the process (bar 1500)": peak,
    }


def main() -> None:
    """Print the seconds to draw the field, to simulate, and the peak of memory in MB."""
    rng, signals = np.random.default_rng(0), world_cup_signals()
    squad = linear_squad(signals, SquadView(signals).pool)
    started = time.perf_counter()
    field = observed_field(signals, MANAGERS, Tastes(0))
    drawn = time.perf_counter()
    simulate(signals, squad[None, :], field, SIMULATIONS, rng)
    done = time.perf_counter()
    print(drawn - started, done - drawn, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)


if __name__ == "__main__":
    main()
