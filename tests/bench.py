"""Benchmarks: what a user waits for, measured in fresh processes where start-up counts. Run by `make bench`."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from tests.conftest import ROOT

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


BENCHMARKS: dict[str, Callable[[], dict[str, float]]] = {"world": open_a_round, "signals": build_the_signals}


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
