"""CBC as an untrusted process: started on a file, killed when it overstays, its answer read within limits."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from threading import Timer
from time import perf_counter

from data.errors import SolverError

OVERTIME, PATIENCE = 1.5, 2.0
"""CBC is killed after so many times its own limit and so many seconds: it looks at its clock only now and then."""

MOST_BYTES = 64_000_000
"""Of a solution file; the three matchdays of a World Cup in one program take half a million."""

STATUSES = ("Optimal", "Infeasible", "Integer", "Unbounded", "Stopped")
"""First words of a solution file; "Integer infeasible" is said where only the fractions have a solution."""


class OverdueError(SolverError):
    """CBC had to be killed."""


@dataclass(frozen=True, slots=True)
class CbcAnswer:
    """What CBC says of a program; nothing of it is checked yet."""

    optimal: bool
    infeasible: bool
    found: bool
    values: dict[str, float]  # by the names of the file, rows among them


def run_cbc(path: str, program: Path, seconds: float, gap: float | None) -> CbcAnswer:
    """Return what CBC says of the most of a program in an MPS file; every way it can fail is a `SolverError`."""
    solution = program.with_suffix(".sol")
    ratio = [] if gap is None else ["-ratio", str(gap)]
    limits = ["-sec", str(seconds), *ratio, "-timeMode", "elapsed"]
    _wait_for(
        [path, str(program), "-max", *limits, "-solve", "-printingOptions", "all", "-solution", str(solution)],
        OVERTIME * seconds + PATIENCE,
    )
    return _answer(solution)


def _wait_for(command: Sequence[str], most: float) -> None:
    """Wait for a process that may take so many seconds at most."""
    started, quiet = perf_counter(), subprocess.DEVNULL
    try:
        process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
    except OSError as error:
        raise SolverError(f"it cannot be started ({error.strerror})") from None
    alarm = Timer(most, process.kill)
    alarm.start()
    try:
        code = process.wait()
    finally:
        alarm.cancel()
        process.kill()  # where we were interrupted; one that has ended is let be
    if perf_counter() - started >= most:
        raise OverdueError(f"it did not end in {most:.1f} seconds and was killed")
    if code:
        raise SolverError(f"it ended with code {code}")


def _answer(solution: Path) -> CbcAnswer:
    try:
        if solution.stat().st_size > MOST_BYTES:
            raise SolverError(f"it wrote more than {MOST_BYTES / 1e6:g} MB")
        words, *lines = solution.read_text(encoding="ascii", errors="replace").splitlines() or [""]
    except OSError as error:
        raise SolverError(f"it wrote no answer ({error.strerror})") from None
    said = words.split()
    status = said[0] if said else ""
    if status not in STATUSES:
        raise SolverError(f"it answered {words[:40]!r}")
    # "Stopped on time - objective value …" has a solution, "Stopped on time (no integer solution …" has none.
    found = status == "Optimal" or (status == "Stopped" and said[4:5] == ["objective"])
    return CbcAnswer(status == "Optimal", status in ("Infeasible", "Integer"), found, dict(_values(lines)))


def _values(lines: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Yield names and values: "number name value cost", after two stars where a row is broken."""
    for line in takewhile(str.strip, lines):
        try:
            _, name, value, *_ = line.removeprefix("**").split()
            amount = float(value)
        except ValueError:
            amount = math.nan
        if not math.isfinite(amount):
            raise SolverError(f"it answered {line[:40]!r}")
        yield name, amount
