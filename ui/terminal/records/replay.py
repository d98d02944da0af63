"""Commands that look back: replay rounds that were really played, and review what a board said of one."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from data.errors import InputError
from data.worlds.library import DEFAULT_WORLD, find_world
from engine.replay.ledger import TransferMode
from ui.terminal.boards import plain
from ui.terminal.console import print_json, print_table, say, worked, write_file
from ui.terminal.options import (
    MEASURED_NAMES,
    ClusterOption,
    JsonOption,
    ModeOption,
    ObjectiveOptions,
    Place,
    SeedOption,
    WorldOption,
    grouped,
    parse_rounds,
    squad_at,
)

if TYPE_CHECKING:
    from data.worlds.world import World
    from engine.replay.review import RoundReview
    from engine.replay.walk import Replay


def replay(
    rounds: Annotated[str, typer.Option(help="Rounds that were played, such as 1-4; by default all known.")] = "",
    theta: Annotated[
        list[str] | None,
        typer.Option("--theta", help=f"{MEASURED_NAMES}; may be repeated."),
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
    from engine.desk import rules_for
    from engine.fitness.objective import parse_theta
    from engine.rank.recommendation import check_measured
    from engine.replay.policies import SIMPLE
    from engine.replay.report import check_plot, markdown, save_replay_plot
    from engine.replay.walk import ReplaySettings
    from engine.replay.walk import replay as replayed
    from models.calibration.walk import known_rounds

    check_measured(*(theta or ()))
    opened = find_world(world)
    rules = rules_for(opened.rulebook, captaincy)
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
    found = worked(replayed(opened, rules, settings, cluster=cluster, cores=cores), "Replay")
    _told(found, json)
    if plot is not None:
        save_replay_plot(found, plot)
        say(f"Drawn to {plot}.")
    if out is not None:
        write_file(out, markdown(found), "Tables")


@grouped
def review(
    asked: ObjectiveOptions,
    round_number: Annotated[
        list[int] | None, typer.Option("--round", min=1, help="A round that was played; may be repeated.")
    ] = None,
    squad: Annotated[
        list[Path] | None, typer.Option(help="CSV or list of the 15 players of that round, in the same order.")
    ] = None,
    world: WorldOption = DEFAULT_WORLD,
    captaincy: ModeOption = None,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Look back on rounds: what the board said of a squad against what happened, by term; and what keeps leading.

    Example: [bold]thetaxi review --round 1 --squad lineup.csv --theta protect[/bold]

    Without --squad the decisions of your ledger are looked back on: expected, happened, and what of it was luck, the
    field and your choice; JSON then: {"world", "decisions": [{"round", "objective", "took_advice", "expected",
    "happened", "luck", "edge", "field", "choice", "chosen_for", "chance", "leader", "gained"}], "watch"}.

    JSON: {"world", "rounds": [{"round", "title", "aim", "terms": [{"name", "said", "happened"}], "men": [{"name",
    "team", "role", "said", "happened", "played"}], "expected", "points", "deviation", "carried", "shares": {term:
    share}, "watch"}], "watch": (sentences over all rounds)}.
    """
    from engine.replay.review import watch_across

    round_number, squad = round_number or [], squad or []
    if not squad:
        from ui.terminal.records.ledger import review_ledger

        review_ledger(world, round_number, seed, json)
        return
    if len(round_number) != len(squad):
        raise InputError(f"{len(round_number)} rounds need a squad each, not {len(squad)}. Repeat --round and --squad.")
    opened = find_world(world)
    places = [Place(round_number=number, world=world, captaincy=captaincy, seed=seed) for number in round_number]
    reviews = [_reviewed(opened, *which, asked) for which in zip(places, squad, strict=True)]
    across = watch_across(reviews)
    if json:
        listed = [_review_dict(one) for one in reviews]
        print_json({"world": opened.name, "rounds": listed, "watch": list(across)})
        return
    for one in reviews:
        _print_review(one)
    say(*across)


def _told(found: Replay, json: bool) -> None:
    from engine.replay.report import GAIN_HEADS, caveats, gain_rows, replay_dict, table_heads, table_rows

    if json:
        print_json(replay_dict(found))
        return
    print_table("Official points", table_heads(found), table_rows(found))
    if gain_rows(found):
        print_table("Expected points per round, held-out simulations", GAIN_HEADS, gain_rows(found))
    say(*caveats(found), style="dim")


def _reviewed(world: World, place: Place, path: Path, asked: ObjectiveOptions) -> RoundReview:
    from engine.replay.review import review_round
    from engine.replay.rounds import check_rounds

    check_rounds(world, (place.round_number,))
    desk = place.desk()
    return review_round(world, desk.judge, asked.objective(desk), squad_at(desk, path))


def _review_dict(one: RoundReview) -> dict[str, object]:
    content = asdict(one) | {"shares": dict(one.shares), "carried": list(one.carried)}
    return content | {"aim": content.pop("objective")}


def _print_review(one: RoundReview) -> None:
    men = [(m.name, m.team, m.role, f"{m.said:.2f}", m.happened, "" if m.played else "did not play") for m in one.men]
    print_table(f"{one.title}: {one.objective}", ["player", "team", "role", "said", "happened", ""], men)
    terms = [(plain(term.name), f"{term.said:+.2f}", f"{term.happened:+.2f}") for term in one.terms]
    print_table("By term", ["term", "said", "happened"], terms)
    say(one.verdict)
    if one.carried:
        listed = ", ".join(map(str, one.carried))
        say(f"The carry holds the points of round {listed}, discounted, as far as played.")
    if one.watch:
        say(f"Watch: {one.watch}")


def fit_keeping(
    worlds: Annotated[list[Path], typer.Argument(help="Folders of seasons made by `thetaxi import-fpl`, and of cups.")],
    out: Annotated[Path | None, typer.Option(help="CSV to write the measured weeks to.")] = None,
    spare: Annotated[float, typer.Option(help="Points that the walking planner counts for a spare transfer.")] = 1.0,
    json: JsonOption = False,
) -> None:
    """Measure what is worth keeping, by replay: what boosters add week by week, and one more free transfer.

    The table that comes with the project is that of the seasons 2022-23, 2023-24 and 2025-26 to gameweek 19, and of the
    World Cup. A season takes a minute or two.

    Example: [bold]thetaxi fit-keeping seasons/2023-24 seasons/2024-25 --out keeping.csv[/bold]

    JSON: {"weeks", "transfer": [{"rounds", "value", "error"}], "boosters": [{"effect", "half", "value", "error"}]};
    a booster's value is that of a whole half of a season still to come.
    """
    from data.storage.files import write_own
    from data.worlds.world import open_world
    from engine.replay.keeping import keeping_summary, measured_weeks

    weeks = measured_weeks((open_world(folder) for folder in worlds), spare)
    if out:
        write_own(out, weeks.to_csv(index=False, lineterminator="\n").encode())
        say(f"Written to {out}.")
    found = keeping_summary(weeks)
    if json:
        print_json({"weeks": len(weeks), **found})
        return
    transfers = [(row["rounds"], f"{row['value']:.2f} ± {row['error']:.2f}") for row in found["transfer"]]
    print_table("One more free transfer", ["rounds to come", "points"], transfers)
    rows = [(row["effect"], row["half"], f"{row['value']:.1f} ± {row['error']:.1f}") for row in found["boosters"]]
    print_table("Boosters kept for a whole half", ["effect", "half", "points"], rows)
