"""The command that measures ways to search against each other: `thetaxi squadbench`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from data.worlds.library import DEFAULT_WORLD
from ui.terminal.console import print_json, print_table, say, worked
from ui.terminal.options import ClusterOption, JsonOption, SeedOption, WorldOption, parse_rounds

SHORT = ("contender", "score", "band", "success", "CPU s to goal", "confirmed")
"""Columns that fit a terminal; the leaderboard's file has them all."""


def squadbench(
    quick: Annotated[bool, typer.Option("--quick", help="2 sessions of 6 runs of 4 s, not 10 of 50 of 10 s.")] = False,
    contender: Annotated[
        list[str] | None, typer.Option("--contender", help="Who competes; may be repeated. All by default.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume/--fresh", help="Go on from the finished sessions, or remove them first.")
    ] = True,
    set_aside: Annotated[
        bool, typer.Option("--set-aside", help="Move the finished sessions to a folder beside theirs and begin anew.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Folder for sessions and leaderboard.")] = None,
    cluster: ClusterOption = None,
    cores: Annotated[int, typer.Option(min=-1, help="Local cores to use; -1 for all.")] = -1,
    rounds: Annotated[str, typer.Option(help="Rounds to search squads for, such as 1-4 or 1,4.")] = "1-4",
    theta: Annotated[list[str] | None, typer.Option("--theta", help="Objectives; may be repeated.")] = None,
    sessions: Annotated[int | None, typer.Option(min=1, help="Sessions, if not those of the size.")] = None,
    runs: Annotated[int | None, typer.Option(min=1, help="Runs of a session, if not those of the size.")] = None,
    cap: Annotated[
        float | None, typer.Option(min=0.1, max=600, help="CPU seconds of a run, if not those of the size.")
    ] = None,
    world: WorldOption = DEFAULT_WORLD,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Measure ways to search a squad against each other: success, CPU seconds, stability; a leaderboard at the end.

    Example: [bold]thetaxi squadbench --quick[/bold]

    Ours is the climbing from which a board has its first squad; the evolution around it does not race. It may be
    interrupted at any time: finished sessions are kept and the same command goes on from there.

    JSON: {"entries": [{"contender", "task", "score", "low", "high", "band", "score_legal", "score_diverse", "parts":
    {part: 0 to 1}, "validation", "confirmed", "seconds", "sessions", "runs", "configuration", "submitted"}]}.
    """
    from engine.bench.contenders import competing
    from engine.bench.leaderboard import FULL, HEADS, QUICK, Size, board_json, board_rows
    from engine.bench.run import THETAS, Bench, BenchSettings, bench_folder

    size = QUICK if quick else FULL
    if sessions or runs or cap:
        size = Size(name="own size", sessions=sessions or size.sessions, runs=runs or size.runs, cap=cap or size.cap)
    settings = BenchSettings(
        world=world,
        rounds=parse_rounds(rounds),
        thetas=tuple(theta or THETAS),
        size=size,
        seed=seed,
    )
    entered = competing(contender)
    bench = Bench(out or bench_folder(size), settings, entered, cluster, cores)
    if not resume:
        bench.clear()
    elif set_aside:
        bench.set_aside()
    say(*(f"{one.name}: {one.configuration}" for one in entered), style="dim")
    board = worked(bench.run(datetime.now(UTC).isoformat(timespec="seconds")), "SquadBench")
    if json:
        print_json(board_json(board))
        return
    shown = [HEADS.index(head) for head in SHORT]
    rows = [tuple(row[at] for at in shown) for row in board_rows([one for one in board if one.task == settings.task])]
    print_table(settings.task, SHORT, rows)
    say(f"Leaderboard and sessions are in {bench.folder}.")
