"""Run the command line inside the test's own process: what a subprocess does, without starting Python again."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

from tests.tools.command_line import Answer
from ui.terminal.main import main

TERMINAL = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}


def here(*arguments: str | Path) -> Answer:
    """Run `thetaxi` with these arguments, on a terminal of a hundred columns without colours."""
    output, notes, code = io.StringIO(), io.StringIO(), 0
    with patch.dict(os.environ, TERMINAL), redirect_stdout(output), redirect_stderr(notes):
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = int(str(end.code or 0))
    return Answer(output.getvalue(), notes.getvalue(), code)
