"""The command that tells how good the forecasts were: our record of a world, printed, drawn or as JSON."""

from __future__ import annotations

import json as json_text
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from data.rules import load_rules
from data.worlds.library import DEFAULT_WORLD, find_world
from ui.terminal.console import print_json, print_table, say, write_file
from ui.terminal.options import JsonOption, SeedOption, WorldOption, parse_rounds

if TYPE_CHECKING:
    from engine.replay.record import Record, Row

COUNTS = ("matches", "market_matches", "rows", "rounds", "runs")
"""Figures that are whole numbers."""
ERRORS = ("rmse", "spearman", "mae")


def calibrate(
    world: WorldOption = DEFAULT_WORLD,
    rounds: Annotated[
        str, typer.Option(help="Rounds to walk, such as 1-4 or 2,3; by default all that are known.")
    ] = "",
    horizon: Annotated[
        int | None,
        typer.Option(min=1, max=8, help="Rounds ahead to forecast them too; by default 6 in a league, else 1."),
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw reliability plots into this .png or .svg file.")] = None,
    out: Annotated[Path | None, typer.Option(help="Keep the record in this file, as the project ships it.")] = None,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Walk the known rounds without looking ahead and compare the forecasts with official points and baselines.

    Example: [bold]thetaxi calibrate --plot calibration.png[/bold]

    Players are "all", "relevant" (1 % own him, or one of his team's eleven dearest), "fit" (relevant, not flagged) and
    "owned5" (5 % own him). A forecast is our "model", "constant", "price", "crowd", the game's own "ep_next" and,
    rounds ahead, "carried": the coming round's minutes carried on. "elevens" are the best eleven and captain for the
    budget by each forecast, by official points a round, mean of six disturbed runs; "above" is by how much ours are.

    JSON: {"world", "checksum", "rounds", "points": [{"players", "forecast", "rounds", "horizon", "rmse", "spearman",
    "mae", "rows"}], "slopes": [{"players", "forecast", "horizon", "slope"}], "matches": {"matches", "log_loss", "rps",
    "clean_sheet_brier", "clean_sheet_base", "market_matches", "market_log_loss", "log_loss_there",
    "market_sheet_brier", "sheet_brier_there"}, "minutes": {"rows", "log_loss", "sixty_brier", "sixty_gap", "groups":
    [{"players", "rows", "log_loss", "sixty_brier"}], "tenths": [{"said", "was", "rows"}]}, "coverage": [{"position",
    "all", "relevant"}], "advance_brier", "top": [{"forecast", "points", "rows"}], "elevens": [{"forecast", "points",
    "error", "above", "above_error", "rounds", "runs"}], "reliability": [{"expected", "official", "error", "rows"}],
    "transform": (shares)}; a figure that is not defined is null. A slope is that of official points on the forecast.
    """
    from engine.jobs import last_of, work_on_one_core
    from engine.replay.record import Record, measure

    work_on_one_core()
    opened = find_world(world)
    chosen = parse_rounds(rounds) if rounds else ()
    steps = measure(opened, load_rules(opened.rulebook), rounds=chosen, seed=seed, horizon=horizon or 0)
    record = last_of(_told(steps), Record)
    if plot:
        _draw(record, plot)
    if out:
        write_file(out, record.text(), "Record")
    if json:
        print_json(json_text.loads(record.text()))
        return
    _print_record(opened.title, record)


def _told(steps: Iterator[int | Record]) -> Iterator[int | Record]:
    """Yield the steps of a measurement, each round told."""
    for step in steps:
        if isinstance(step, int):
            say(f"Round {step} done.", style="dim")
        yield step


def _draw(record: Record, path: Path) -> None:
    import pandas as pd

    from ui.terminal.records.reliability_plot import save_reliability

    save_reliability(pd.DataFrame(record.reliability), record.transform, path)
    say(f"Plots drawn to {path}.")


def _print_record(title: str, record: Record) -> None:
    now = [row for row in record.points if row["horizon"] == 1]
    _print_rows(f"{title}: points", now, ("players", "forecast", *ERRORS, "rows"))
    _print_pairs("Matches", record.matches | {"advance_brier": record.advance_brier})
    _print_pairs("Minutes", {name: value for name, value in record.minutes.items() if not isinstance(value, list)})
    _print_rows("Minutes by players", record.minutes["groups"], ("players", "log_loss", "sixty_brier", "rows"))
    _print_rows("An hour: said, and as often as it came", record.minutes["tenths"], ("said", "was", "rows"))
    _print_ahead(record)
    _print_rows("Central 80 % covers", record.coverage, ("position", "all", "relevant"))
    _print_rows("Official points of the 20 expected most", record.top, ("forecast", "points", "rows"))
    names = ("forecast", "points", "error", "above", "above_error", "rounds", "runs")
    _print_rows("The eleven for the budget, points a round", record.elevens, names)


def _print_ahead(record: Record) -> None:
    """Print the errors of forecasts made rounds before, where any were asked for."""
    slopes = {(row["horizon"], row["players"], row["forecast"]): row["slope"] for row in record.slopes}
    if slopes:
        told = [
            row | {"slope": slopes[key]}
            for row in record.points
            if (key := (row["horizon"], row["players"], row["forecast"])) in slopes
        ]
        told.sort(key=lambda row: int(row["horizon"]))
        names = ("horizon", "players", "forecast", *ERRORS, "slope", "rows")
        _print_rows("Rounds ahead: 1 is the coming one", told, names)


def _print_rows(title: str, rows: Sequence[Row], names: Sequence[str]) -> None:
    if rows:
        shown = [tuple(_shown(name, row[name]) for name in names) for row in rows]
        print_table(title, [_head(name) for name in names], shown)


def _print_pairs(title: str, values: Row) -> None:
    print_table(title, ["figure", "value"], [(_head(name), _shown(name, value)) for name, value in values.items()])


def _head(name: str) -> str:
    return {"rmse": "RMSE", "spearman": "Spearman", "mae": "MAE", "horizon": "ahead"}.get(name, name.replace("_", " "))


def _shown(name: str, value: object) -> object:
    if value is None:
        return "–"
    if name in COUNTS:
        return int(float(str(value)))
    return f"{value:.3f}" if isinstance(value, float) else value
