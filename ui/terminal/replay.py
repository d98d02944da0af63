"""Commands that look back: replay rounds that were really played, and review what a board said of one."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from data.errors import InputError
from data.rules import CaptaincyMode, load_rules
from data.storage.files import replace_file
from data.worlds.library import DEFAULT_WORLD, find_world
from engine.replay.ledger import TransferMode
from ui.terminal.console import notes, print_json, print_table
from ui.terminal.data import ClusterOption, JsonOption, SeedOption, WorldOption
from ui.terminal.fitness import LeverageOption, StrengthOption, ThetaOption
from ui.terminal.models import parse_rounds

if TYPE_CHECKING:
    from data.rules import GameRules
    from data.worlds.world import World
    from engine.replay.review import RoundReview
    from engine.replay.walk import Replay, ReplaySettings

ModeOption = Annotated[CaptaincyMode | None, typer.Option(help="When the armband may move, if not as shipped.")]


def add_replay_commands(app: typer.Typer) -> None:
    """Add this file's commands to the command line."""
    app.command("replay")(replay)
    app.command("review")(review)


def replay(
    rounds: Annotated[str, typer.Option(help="Rounds that were played, such as 1-4; by default all known.")] = "",
    theta: Annotated[
        list[str] | None,
        typer.Option("--theta", help="protect, neutral, gain, rank, max-EV or a .fitness file; may be repeated."),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option("--policy", help="Whom ours is held against: random, price, crowd, template; all by default."),
    ] = None,
    transfers: Annotated[TransferMode, typer.Option(help="The game's limits, or a new squad every round.")] = (
        TransferMode.REAL
    ),
    runs: Annotated[int, typer.Option(min=1, max=200, help="Runs of a policy, each with slightly other views.")] = 8,
    managers: Annotated[int, typer.Option(min=0, max=20_000, help="Managers of the simulated field.")] = 1_000,
    simulations: Annotated[int, typer.Option(min=2, max=100_000, help="Held-out simulations of each round.")] = 2_000,
    world: WorldOption = DEFAULT_WORLD,
    captaincy: ModeOption = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the replay into this .png or .svg file.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the tables as Markdown to this file too.")] = None,
    cluster: ClusterOption = None,
    cores: Annotated[int, typer.Option(min=-1, help="Local cores to use; -1 for all.")] = -1,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Walk rounds that were really played without looking ahead: ours, simple managers, a field, and the optimum.

    Example: [bold]thetaxi replay --rounds 1-4 --theta neutral --transfers real --plot replay.png[/bold]

    JSON: {"world", "rounds", "transfers", "captaincy", "runs", "policies": [{"policy", "points": (by round), "total",
    "spread", "percentile", "changes", "hits", "simulated": (by round)}], "field": {quantile: points}, "hindsight":
    {"points", "proved"}, "gains": [{"policy", "over", "gain", "held"}], "caveats"}; a gain is {"value", "low", "high",
    "p"} in expected points per round; `held` is the same where nobody's armband moves.
    """
    from engine.fitness.objective import parse_theta
    from engine.replay.policies import SIMPLE
    from engine.replay.report import check_plot, save_replay_plot
    from engine.replay.walk import ReplaySettings
    from models.calibration import known_rounds

    opened = find_world(world)
    rules = load_rules(opened.rulebook)
    rules = rules.with_captaincy(captaincy) if captaincy else rules
    settings = ReplaySettings(
        rounds=parse_rounds(rounds) if rounds else known_rounds(opened),
        policies=(*(theta or [str(parse_theta(None))]), *(policy if policy is not None else SIMPLE)),
        transfers=transfers,
        runs=runs,
        managers=managers,
        simulations=simulations,
        seed=seed,
    )
    if plot is not None:
        check_plot(plot)
    found = _replayed(opened, rules, settings, cluster, cores)
    _told(found, json)
    if plot is not None:
        save_replay_plot(found, plot)
        notes().print(f"Drawn to {plot}.", markup=False)
    if out is not None:
        _write(found, out)


def review(
    round_number: Annotated[
        list[int], typer.Option("--round", min=1, help="A round that was played; may be repeated.")
    ],
    squad: Annotated[list[Path], typer.Option(help="CSV or list of the 15 players of that round, in the same order.")],
    theta: ThetaOption = None,
    k: StrengthOption = None,
    w: LeverageOption = None,
    world: WorldOption = DEFAULT_WORLD,
    captaincy: ModeOption = None,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Look back on rounds: what the board said of a squad against what happened, by term; and what keeps leading.

    Example: [bold]thetaxi review --round 1 --squad lineup.csv --theta protect[/bold]

    JSON: {"world", "rounds": [{"round", "title", "aim", "terms": [{"name", "said", "happened"}], "men": [{"name",
    "team", "role", "said", "happened", "played"}], "expected", "points", "deviation", "carried", "shares": {term:
    share}, "watch"}], "watch": (sentences over all rounds)}.
    """
    from engine.replay.review import watch_across

    if len(round_number) != len(squad):
        raise InputError(f"{len(round_number)} rounds need a squad each, not {len(squad)}. Repeat --round and --squad.")
    opened = find_world(world)
    rules = load_rules(opened.rulebook)
    rules = rules.with_captaincy(captaincy) if captaincy else rules
    reviews = [
        _reviewed(opened, rules, number, path, (theta, k, w), seed)
        for number, path in zip(round_number, squad, strict=True)
    ]
    across = watch_across(reviews)
    if json:
        listed = [asdict(one) | {"shares": dict(one.shares), "carried": list(one.carried)} for one in reviews]
        print_json({"world": opened.name, "rounds": listed, "watch": list(across)})
        return
    for one in reviews:
        _print_review(one)
    for line in across:
        notes().print(line, markup=False)


def _replayed(world: World, rules: GameRules, settings: ReplaySettings, cluster: str | None, cores: int) -> Replay:
    from engine.jobs import JobStep
    from engine.replay.walk import replay as replayed

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=notes(), transient=True) as bar:
        task = bar.add_task("Replay", total=None)
        for step in replayed(world, rules, settings, cluster=cluster, cores=cores):
            if not isinstance(step, JobStep):
                return step
            bar.update(task, completed=step.done, total=step.total, description=step.doing)
    raise InputError("The replay ended before its last round. Start it again.")


def _write(found: Replay, out: Path) -> None:
    from engine.replay.report import markdown

    try:
        replace_file(out, markdown(found).encode())
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}.") from None
    notes().print(f"Tables written to {out}.", markup=False)


def _told(found: Replay, json: bool) -> None:
    from engine.replay.report import GAIN_HEADS, caveats, gain_rows, replay_dict, table_heads, table_rows

    if json:
        print_json(replay_dict(found))
        return
    print_table("Official points", table_heads(found), table_rows(found))
    if gain_rows(found):
        print_table("Expected points per round, held-out simulations", GAIN_HEADS, gain_rows(found))
    for line in caveats(found):
        notes().print(line, style="dim", markup=False)


def _reviewed(
    world: World,
    rules: GameRules,
    number: int,
    path: Path,
    objective: tuple[str | None, float | None, float | None],
    seed: int,
) -> RoundReview:
    from engine.board.squad_input import read_squad
    from engine.fitness.judge import Judge, aim_at
    from engine.fitness.view import SquadView
    from engine.replay.review import review_round
    from engine.replay.rounds import check_rounds
    from models.signals import build_signals

    check_rounds(world, (number,))
    theta, k, w = objective
    snapshot = world.at(number)
    model_rng, pool_rng = np.random.default_rng(seed).spawn(2)
    signals = build_signals(snapshot, rules, rng=model_rng)
    view = SquadView(signals)
    rows, remarks = read_squad(path, snapshot, signals)
    for line in remarks:
        notes().print(line, style="yellow", markup=False)
    return review_round(world, Judge(view, pool_rng), aim_at(theta, view, k=k, w=w), rows)


def _print_review(one: RoundReview) -> None:
    men = [(m.name, m.team, m.role, f"{m.said:.2f}", m.happened, "" if m.played else "did not play") for m in one.men]
    print_table(f"{one.title}: {one.aim}", ["player", "team", "role", "said", "happened", ""], men)
    terms = [(term.name, f"{term.said:+.2f}", f"{term.happened:+.2f}") for term in one.terms]
    print_table("By term", ["term", "said", "happened"], terms)
    notes().print(one.verdict, markup=False)
    if one.carried:
        listed = ", ".join(map(str, one.carried))
        notes().print(f"The carry holds the points of round {listed}, discounted, as far as played.", markup=False)
    if one.watch:
        notes().print(f"Watch: {one.watch}", markup=False)
