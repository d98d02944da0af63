"""The command line: `thetaxi COMMAND`. Output goes to standard output, everything else to standard error.

Exit codes: 0 done · 1 the request cannot be met (the message says why and what to do) · 2 wrong usage ·
3 a live source failed and the last good data is still in place · 130 interrupted.
"""

from __future__ import annotations

import typer

from data.errors import SourceError, ThetaXIError
from ui.terminal.console import notes
from ui.terminal.data import add_data_commands
from ui.terminal.fetch import add_fetch_command
from ui.terminal.fitness import add_fitness_commands
from ui.terminal.models import add_model_commands
from ui.terminal.pick import add_pick_commands
from ui.terminal.replay import add_replay_commands
from ui.terminal.squadbench import add_squadbench_command
from ui.terminal.standing import add_standing_commands
from ui.terminal.why import add_why_commands

app = typer.Typer(
    name="thetaxi",
    help="Fantasy-football squads for the rank you need. Start the page with `make app`.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
add_data_commands(app)
add_fetch_command(app)
add_model_commands(app)
add_fitness_commands(app)
add_pick_commands(app)
add_squadbench_command(app)
add_why_commands(app)
add_standing_commands(app)
add_replay_commands(app)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and turn our errors into a sentence and an exit code."""
    try:
        app(arguments)
    except SourceError as error:
        _stop(str(error), 3)
    except ThetaXIError as error:
        _stop(str(error), 1)
    except KeyboardInterrupt:
        _stop("Interrupted.", 130)


def _stop(message: str, code: int) -> None:
    notes().print(message, style="red", markup=False)
    raise SystemExit(code)
