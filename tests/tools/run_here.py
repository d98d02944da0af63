"""Run the command line inside the test's own process: what a subprocess does, without starting Python again."""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from typer.main import get_command

from ui.terminal.main import main

BUILT = cache(get_command)
"""The commands, put together once: typer does it anew for every call."""

PROCESS = (sys.executable, "-c", "from ui.terminal.main import main; main()")
"""The command line as a process of its own."""

UNHURRIED = ("--seconds", "600")
"""A search here ends with its generations: on a busy machine ten seconds would give another board."""

TERMINAL = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command printed and how it ended."""

    output: str
    notes: str
    code: int

    @property
    def said(self) -> str:
        """The notes as one line, without the frame that wrong usage is put in."""
        return " ".join(self.notes.replace("│", " ").split())

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        content = json.loads(self.output)
        assert isinstance(content, dict)
        return content


def here(*arguments: str | Path) -> Answer:
    """Run `thetaxi` with these arguments, on a terminal of a hundred columns without colours."""
    output, notes, code = io.StringIO(), io.StringIO(), 0
    searches = arguments[:1] in (("pick",), ("compare",)) and "--seconds" not in arguments
    with (
        patch("typer.main.get_command", BUILT),
        patch.dict(os.environ, TERMINAL),
        redirect_stdout(output),
        redirect_stderr(notes),
    ):
        try:
            main([str(argument) for argument in (*arguments, *(UNHURRIED if searches else ()))])
        except SystemExit as end:
            code = int(str(end.code or 0))
    return Answer(output.getvalue(), notes.getvalue(), code)


def a_file(path: Path, text: str) -> Path:
    """Write what a command is to read."""
    path.write_text(text, encoding="utf-8")
    return path


def done(*arguments: str | Path) -> Answer:
    """Run a command that has to succeed."""
    answer = here(*arguments)
    assert answer.code == 0, answer.notes
    return answer


def refused(sentence: str, *arguments: str | Path, code: int = 1) -> None:
    """Run a command that has to end with a sentence and an exit code, and neither an answer nor a traceback."""
    answer = here(*arguments)
    assert (answer.code, answer.output) == (code, "")
    assert sentence in answer.said
    assert "Traceback" not in answer.notes
