"""The command line: `thetaxi COMMAND`. Output goes to standard output, everything else to standard error.

Exit codes: 0 done · 1 the request cannot be met (the message says why and what to do) · 2 wrong usage ·
3 a live source failed and the last good data is still in place · 130 interrupted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from inspect import getdoc

import typer

from data.errors import SourceError, ThetaXIError
from ui.terminal import fitness, models, pick, why
from ui.terminal.console import allow_any_letter, drop_output, say
from ui.terminal.plans import plan
from ui.terminal.records import calibrate, league_experiment, ledger, replay, season, squadbench
from ui.terminal.standing import standing
from ui.terminal.worlds import data, fetch

COMMANDS = (
    *(data.worlds, data.restore, data.players, data.import_world, data.import_fpl),
    *(fetch.fetch, fetch.odds, fetch.entry, fetch.league),
    *(models.signals, calibrate.calibrate, fitness.score),
    *(models.fit_minutes, models.fit_later_minutes, models.fit_lines, models.solve_seeds, models.breed_boards),
    *(pick.pick, plan.plan, pick.compare, squadbench.squadbench),
    *(why.why, why.boosters, standing.standing, standing.rank_table),
    *(replay.replay, season.season, league_experiment.league_experiment, replay.fit_keeping),
    *(ledger.decide, ledger.ledger, replay.review),
)
"""Each is called as its function is; the help lists them in this order."""


def _unwrapped(command: Callable[..., None]) -> str:
    """Return a docstring's paragraphs each as one line, for the terminal to wrap."""
    return re.sub(r"(?<!\n)\n(?!\n)", " ", getdoc(command) or "")


app = typer.Typer(
    name="thetaxi",
    help="Fantasy-football squads for the rank you need. Start the page with `make app`.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
specs = typer.Typer(help="Read and check the specs that squads are scored by.", no_args_is_help=True)
for room, commands in ((app, COMMANDS), (specs, (fitness.show, fitness.check))):
    for spoken in commands:
        room.command(help=_unwrapped(spoken))(spoken)
app.add_typer(specs, name="fitness")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and turn our errors into a sentence and an exit code."""
    allow_any_letter()
    try:
        app(arguments)
    except SourceError as error:
        _stop(str(error), 3)
    except ThetaXIError as error:
        _stop(str(error), 1)
    except KeyboardInterrupt:
        _stop("Interrupted.", 130)
    except OSError as error:
        drop_output()
        what = f"{error.filename} cannot be used" if error.filename else "The output cannot be written"
        _stop(f"{what}: {error.strerror}. Make room or mend it, or choose another place.", 1)


def _stop(message: str, code: int) -> None:
    with suppress(OSError):  # nobody hears a sentence that cannot be written either; the code still tells
        say(message, style="red")
    raise SystemExit(code)
