"""Command that plays a whole season blind and tells what it brought."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from data.storage.files import user_folder
from data.worlds.library import find_world
from ui.terminal.console import print_json, print_table, say, worked
from ui.terminal.options import ClusterOption, JsonOption, ModeOption, SeedOption, WorldOption, parse_rounds

if TYPE_CHECKING:
    from data.worlds.world import World
    from engine.season.walk import Season

QUICK_ROUNDS = 5
BASELINES = ("one round", "no boosters", "game's forecast")


def season(
    theta: Annotated[str, typer.Option(help="protect, neutral, gain, rank, or the path of a spec of your own.")],
    world: WorldOption = "fpl2025-26",
    rounds: Annotated[str, typer.Option(help="Rounds that were played, such as 1-19; by default all known.")] = "",
    horizon: Annotated[int, typer.Option(min=1, max=8, help="Rounds that a plan looks at.")] = 5,
    chips: Annotated[str, typer.Option(help="plan or none: whether boosters are played.")] = "plan",
    against: Annotated[
        list[str] | None,
        typer.Option(help="What ours is held against: one round, no boosters, hits, game's forecast; may be repeated."),
    ] = None,
    runs: Annotated[
        int, typer.Option(min=1, max=200, help="Runs, each with slightly other views; the first plain.")
    ] = 8,
    quick: Annotated[bool, typer.Option("--quick", help="The first rounds alone, one run: some minutes.")] = False,
    captaincy: ModeOption = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the points so far into this .png or .svg file.")] = None,
    keep: Annotated[Path | None, typer.Option(help="Folder that finished rounds are kept in.")] = None,
    cluster: ClusterOption = None,
    cores: Annotated[int, typer.Option(min=-1, help="Local cores to use; -1 for all.")] = -1,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Play a season blind: plan at each deadline with what was known, commit one round, count official points.

    Example: [bold]thetaxi season --theta neutral --rounds 1-19 --plot season.png[/bold]

    A season that was stopped goes on where it was. JSON: {"world", "runs": [{"seed", "policy", "rounds": [{"round",
    "points", "expected", "hits", "transfers", "chip", "captain", "squad"}], "total"}], "rank": {policy: {"rank", "low",
    "high", "beyond"} or null}, "caveat"}.
    """
    from data.errors import InputError
    from engine.desk import rules_for
    from engine.replay.report import check_plot
    from engine.season.policies import season_policies
    from engine.season.report import save_season_plot, season_json
    from engine.season.walk import SeasonSettings, play_season
    from models.calibration import known_rounds

    if chips not in ("plan", "none"):
        raise InputError(f"--chips {chips!r} is not known. Say plan or none.")
    opened = find_world(world)
    asked = parse_rounds(rounds) if rounds else known_rounds(opened)
    settings = SeasonSettings(
        rounds=asked[:QUICK_ROUNDS] if quick else asked,
        policies=season_policies(theta, horizon, chips == "plan", BASELINES if against is None else against),
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
        save_season_plot(found, plot)
        say(f"Drawn to {plot}.")


def _told(world: World, found: Season) -> None:
    from engine.season.report import CAVEAT, records

    rows = []
    for one in records(world, found):
        behind = (
            "" if one.behind is None else f"{one.behind.value:+.0f} ({one.behind.low:+.0f} to {one.behind.high:+.0f})"
        )
        place = "" if one.rank is None else str(one.rank)
        rows.append(
            (one.name, f"{one.mean:.0f} ± {one.spread:.0f}", f"{one.expected:.0f}", f"{one.hits:.0f}", place, behind)
        )
    columns = ("policy", "points", "expected", "hits", "real rank of the mean", "ours more by")
    print_table(found.world, columns, rows, CAVEAT)
    average = sum(found.average)
    if average == average:  # NaN where a round's average is not known
        say(f"The average manager had {average:.0f}.")
