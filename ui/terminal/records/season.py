"""Command that plays a whole season blind and tells what it brought."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from data.storage.files import user_folder
from data.worlds.library import find_world
from ui.terminal.console import print_json, print_table, say, worked, write_file
from ui.terminal.options import ClusterOption, JsonOption, ModeOption, SeedOption, WorldOption, parse_rounds

if TYPE_CHECKING:
    from data.worlds.world import World
    from engine.rank.intervals import Difference
    from engine.season.walk import Season

QUICK_ROUNDS = 5
BASELINES = ("one round", "no boosters", "game's forecast")
ALL_BASELINES = (
    "one round",
    "one round, boosters",
    "no boosters",
    "booster rules",
    "hits",
    "game's forecast",
    "crowd",
    "template",
    "hindsight",
)
OBJECTIVES = ("neutral", "protect", "gain", "rank", "auto")
FEWER = 4
"""Runs of the other objectives where everything is played at once: they differ little and cost most."""


def season(
    theta: Annotated[
        list[str] | None,
        typer.Option(help="protect, neutral, gain, rank, auto (by the standing of the moment) or a spec; repeatable."),
    ] = None,
    world: WorldOption = "fpl2025-26",
    rounds: Annotated[str, typer.Option(help="Rounds that were played, such as 1-19; by default all known.")] = "",
    horizon: Annotated[int, typer.Option(min=1, max=8, help="Rounds that a plan looks at.")] = 5,
    chips: Annotated[
        str, typer.Option(help="Boosters as planned (plan), by fixed rules of a league (rules), or none.")
    ] = "plan",
    against: Annotated[
        list[str] | None,
        typer.Option(help=f"What the first objective is held against: {', '.join(ALL_BASELINES)}; may be repeated."),
    ] = None,
    once: Annotated[
        list[str] | None, typer.Option(help="What it is held against in the plain run alone; may be repeated.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All objectives and baselines in one run: the whole record.")
    ] = False,
    runs: Annotated[
        int, typer.Option(min=1, max=200, help="Runs, each with slightly other views; the first plain.")
    ] = 8,
    fewer: Annotated[
        int | None, typer.Option(min=1, max=200, help="Runs of the objectives after the first; by default as many.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="The first five rounds alone, one run.")] = False,
    captaincy: ModeOption = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the points so far into this .png or .svg file.")] = None,
    record: Annotated[Path | None, typer.Option(help="Write the record, as the page shows it, to this .json.")] = None,
    keep: Annotated[Path | None, typer.Option(help="Folder that finished rounds are kept in.")] = None,
    cluster: ClusterOption = None,
    cores: Annotated[int, typer.Option(min=-1, help="Local cores to use; -1 for all.")] = -1,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Play a season blind: plan at each deadline with what was known, commit one round, count official points.

    Example: [bold]thetaxi season --theta neutral --rounds 1-19 --plot season.png[/bold]

    A season that was stopped goes on where it was. JSON: {"world", "runs": [{"seed", "policy", "rounds": [{"round",
    "points", "expected", "hits", "transfers", "chip", "captain", "squad", "crowd_captain", "no_bench"}], "total"}],
    "rank": {policy: {"rank", "low", "high", "beyond"} or null}, "ablation": [{"part", "without", "runs", "gain",
    "by_round"}], "caveat"}.
    """
    from data.errors import InputError
    from engine.desk import rules_for
    from engine.replay.report import check_plot
    from engine.season.booster_rules import named_choice
    from engine.season.policies import season_policies
    from engine.season.record.published import record_text, season_record
    from engine.season.record.report import save_season_plot, season_json
    from engine.season.walk import SeasonSettings, play_season
    from models.calibration.walk import known_rounds

    if not theta and not everything:
        raise InputError("No objective is named. Give --theta neutral, protect, gain, rank or auto, or --all.")
    opened = find_world(world)
    asked = parse_rounds(rounds) if rounds else known_rounds(opened)
    thetas = tuple(dict.fromkeys([*(theta or ()), *OBJECTIVES])) if everything else tuple(theta or ())
    usual = ALL_BASELINES if everything else BASELINES
    settings = SeasonSettings(
        rounds=asked[:QUICK_ROUNDS] if quick else asked,
        policies=season_policies(
            thetas,
            horizon,
            named_choice(chips),
            usual if against is None else against,
            fewer or (min(runs, FEWER) if everything else None),
            once or (),
        ),
        runs=1 if quick else runs,
        seed=seed,
    )
    if plot is not None:
        check_plot(plot)
    folder = keep or user_folder() / "seasons"
    steps = play_season(opened, rules_for(opened.rulebook, captaincy), settings, folder, cluster=cluster, cores=cores)
    found = worked(steps, "Season")
    print_json(season_json(opened, found)) if json else _told(opened, found)
    if plot is not None:
        save_season_plot(opened, found, plot)
        say(f"Drawn to {plot}.")
    if record is not None:
        told = season_record(opened, found)
        write_file(record, record_text(told), "Record")
        say(f"Digest of its runs: {told['digest']}.")


def _told(world: World, found: Season) -> None:
    from engine.season.record.report import CAVEAT, ablations, records

    rows = [
        (
            one.name,
            f"{one.mean:.0f} ± {one.spread:.0f}" if one.runs > 1 else f"{one.mean:.0f}",
            str(one.runs),
            f"{one.expected:.0f}",
            f"{one.hits:.0f}",
            "" if one.rank is None else str(one.rank),
            _gap(one.behind),
            _gap(one.by_round),
        )
        for one in records(world, found)
    ]
    columns = ("policy", "points", "runs", "expected", "hits", "real rank of the mean", "ours more by", "over rounds")
    print_table(found.world, columns, rows, CAVEAT)
    parts = [(one.part, one.without, _gap(one.gain), _gap(one.by_round)) for one in ablations(found)]
    print_table("Where the points come from", ("part", "without it", "brings, over runs", "over rounds"), parts)
    average = sum(found.average)
    if average == average:  # NaN where a round's average is not known
        say(f"The average manager had {average:.0f}.")


def _gap(gap: Difference | None) -> str:
    return "" if gap is None else f"{gap.value:+.0f} ({gap.low:+.0f} to {gap.high:+.0f})"
