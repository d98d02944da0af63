"""Run the command line in a process of its own, as a user does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command printed and how it ended."""

    output: str
    notes: str
    code: int

    @property
    def json(self) -> dict[str, object]:
        """The one JSON object on standard output."""
        content = json.loads(self.output)
        assert isinstance(content, dict)
        return content


def thetaxi(*arguments: str | Path, timeout: float = 120) -> Answer:
    """Run `thetaxi` with these arguments."""
    command = [sys.executable, "-c", "from ui.terminal.main import main; main()", *map(str, arguments)]
    width = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    run = subprocess.run(
        command, cwd=ROOT, env=os.environ | width, capture_output=True, text=True, timeout=timeout, check=False
    )
    return Answer(run.stdout, run.stderr, run.returncode)
