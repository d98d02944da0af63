"""Programs put in the place of CBC that do everything a solver should not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pulp
import pytest

from engine.rules import solver

ANSWER = 'for last; do :; done; exec > "$last"; '
"""Lets a script write the solution file, whose name is its last argument."""

EVERYBODY = "printf 'Optimal - objective value 99\\n'; for i in $(seq 0 99); do printf '%d X%07d 1 0\\n' $i $i; done"
FAKES = {
    "hangs": "exec sleep 600",
    "is killed": "kill -9 $$",
    "ends with an error": "exit 3",
    "writes nothing": "exit 0",
    "writes rubbish": f"{ANSWER} head -c 5000 /dev/urandom",
    "breaks off": f"{ANSWER} printf 'Optimal - objective value 9\\n 0 X0000000'",
    "has no numbers": f"{ANSWER} printf 'Optimal - objective value 9\\n 0 X0000000 nan 0\\n'",
    "writes without end": f"{ANSWER} echo Optimal; head -c 70000000 /dev/zero",
    "says infeasible": f"{ANSWER} printf 'Infeasible - objective value 0\\n'",
    "takes nobody": f"{ANSWER} printf 'Optimal - objective value 9\\n'",
    "takes everybody": f"{ANSWER} {EVERYBODY}",
}
"""Shell scripts, by what they do."""


def a_fake(folder: Path, script: str) -> Path:
    """Write a script as a program of its own."""
    path = folder / "cbc"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@contextmanager
def in_place_of_cbc(path: Path) -> Iterator[None]:
    """Let every program be solved by another executable, and forget afterwards what was learnt of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pulp.PULP_CBC_CMD, "pulp_cbc_path", str(path))
        solver._tell.cache_clear()
        yield
    solver.CBC_HANGS.clear()
