"""How much faster ours is than pymoo and DEAP: CPU seconds to 99.9 % of the proved optimum, all in one run.

Part of `make bench`; alone: `python -m tests.benches.peers --rounds 1 4 --seeds 3`. All search the same standard form
the same pool with the same budget of CPU seconds; a run that does not get there counts with all of them. The peers run
as a good engineer uses them, which is what the bar is about, and with our own moves lent to them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from statistics import median

import numpy as np

from data.worlds.library import DEFAULT_WORLD
from engine.bench.contenders import Contender, find_contenders
from engine.bench.problems import Problem, pose
from tests.benches.search import told as in_lines

OURS, PEERS, LENT = "ours", ("pymoo-ga", "deap-ga"), ("pymoo-ga-lent", "deap-ga-lent")
THETAS = ("seed-protect", "neutral", "seed-gain")
BAR = 20.0
CAP = 20.0


def seconds_to_goal(contender: Contender, problem: Problem, seed: int, cap: float) -> float:
    """Return the CPU seconds until 99.9 % of the optimum, or all of them."""
    told: list[float] = []

    def heard(seconds: float, value: float, _squad: np.ndarray) -> bool:
        if value >= problem.goal:
            told.append(seconds)
        return bool(told)

    contender.solve(problem.arena.form, np.random.default_rng(seed), cap, heard)
    return told[0] if told else cap


def race_the_peers(
    rounds: Sequence[int] = (1, 2, 3, 4), seeds: Sequence[int] = (0, 1, 2), cap: float = CAP
) -> dict[str, float]:
    """Return the median seconds of each contender over rounds × θ × seeds; the ratios go to standard error."""
    times: dict[str, list[float]] = {name: [] for name in (OURS, *PEERS, *LENT)}
    for place in [(DEFAULT_WORLD, round_number, theta) for round_number in rounds for theta in THETAS]:
        problem = pose(place)
        for contender in find_contenders(list(times)):
            own = [seconds_to_goal(contender, problem, seed, cap) for seed in seeds]
            times[contender.name] += own
            missed = sum(seconds >= cap for seconds in own)
            said = f"{problem.name:18} {contender.name:13} {median(own):7.3f} s"
            print(said + (f", {missed} of {len(own)} not there" if missed else ""), file=sys.stderr, flush=True)
    for contender in find_contenders(list(times)):
        print(f"{contender.name}: {contender.configuration}", file=sys.stderr)
    middle = {name: median(own) for name, own in times.items()}
    for name in (*PEERS, *LENT):
        bar = f" (bar {BAR:g}x)" if name in PEERS else ""
        print(f"{name} / ours: {middle[name] / middle[OURS]:.1f}x{bar}", file=sys.stderr)
    return {f"{name} to 99.9 %, median CPU seconds": seconds for name, seconds in middle.items()}


def main() -> None:
    """Race and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", nargs="+", type=int, default=[1, 2, 3, 4])
    parser.add_argument("--seeds", type=int, default=3, help="how many seeds for each round and θ")
    parser.add_argument("--cap", type=float, default=CAP, help="CPU seconds of a run at most")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    print(in_lines(race_the_peers(options.rounds, range(options.seeds), options.cap), as_json=options.json))


if __name__ == "__main__":
    main()
