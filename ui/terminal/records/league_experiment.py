"""Command that lets ours take over real managers of a recorded league and holds the stated chances against reality."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from data.worlds.library import find_world
from ui.terminal.console import print_json, print_table, say, worked, write_file
from ui.terminal.options import JsonOption, SeedOption, WorldOption, parse_rounds


def league_experiment(
    folder: Annotated[Path, typer.Argument(help="Folder of a recorded league: league_SEASON_weeks.csv and others.")],
    season: Annotated[str, typer.Option(help="The season in the names of its files.")] = "2025-26",
    world: WorldOption = "fpl2025-26",
    starts: Annotated[str, typer.Option(help="Gameweeks from which ours takes over.")] = "5,8,11,14",
    weeks: Annotated[int, typer.Option(min=1, max=8, help="Gameweeks that it plays.")] = 5,
    managers: Annotated[int, typer.Option(min=2, max=1_000, help="Managers from each gameweek.")] = 52,
    record: Annotated[Path | None, typer.Option(help="Write the record, as the page shows it, to this .json.")] = None,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Take over real managers for some gameweeks under each objective, beside what a rival next to them really did.

    Example: [bold]thetaxi league-experiment facts/fpl/field --record league.json[/bold]

    JSON: {"digest", "cases", "managers", "starts", "outcomes": [{"objective", "goal", "cases", "share", "more",
    "points"}], "calibration": [{"objective", "cases", "brier", "constant", "slope", "intercept", "curve"}]}.
    """
    from data.sources.fpl.managers.recorded_league import RecordedManager, recorded_managers
    from engine.desk import rules_for
    from engine.season.league.league_experiment import Experiment, ExperimentSettings, play_experiment
    from engine.season.league.stated_chances import experiment_record
    from engine.season.record.published import record_text

    opened = find_world(world)
    settings = ExperimentSettings(starts=parse_rounds(starts), weeks=weeks, managers=managers, seed=seed)
    people = recorded_managers(folder, season, RecordedManager)
    found: Experiment = worked(play_experiment(opened, rules_for(opened.rulebook), people, settings), "Experiment")
    digest = hashlib.sha256(dumps([asdict(case) for case in found.cases], sort_keys=True).encode()).hexdigest()
    told = experiment_record(found.cases, digest)
    print_json(told) if json else _told(told)
    if record is not None:
        write_file(record, record_text(told), "Record")
        say(f"Digest of its cases: {digest}.")


def _told(told: dict[str, object]) -> None:
    outcomes: list[dict[str, dict[str, float]]] = told["outcomes"]  # type: ignore[assignment]
    rows = [
        (one["objective"], one["goal"], one["cases"], _share(one["share"]), _share(one["more"]), f"{one['points']:.0f}")
        for one in outcomes
    ]
    columns = ("objective", "goal", "cases", "reached", "more than neutral", "points")
    print_table(f"{told['cases']} cases of {told['managers']} managers", columns, rows)
    judged: list[dict[str, dict[str, float]]] = told["calibration"]  # type: ignore[assignment]
    lines = [
        (
            one["objective"],
            f"{one['brier']:.4f}",
            f"{one['constant']:.4f}",
            _figure(one["slope"]),
            _figure(one["intercept"]),
        )
        for one in judged
    ]
    print_table("Stated chances", ("objective", "Brier score", "constant", "slope", "intercept"), lines)


def _share(one: dict[str, float] | None) -> str:
    return "" if one is None else f"{one['value']:.1%} ({one['low']:.1%} to {one['high']:.1%})"


def _figure(one: dict[str, float]) -> str:
    return f"{one['value']:.2f} ({one['low']:.2f} to {one['high']:.2f})"
