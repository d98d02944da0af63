"""Commands about rank: what a squad does to a standing, and what each objective does, measured."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import asdict
from enum import StrEnum
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from data.errors import InputError
from data.worlds.library import DEFAULT_WORLD, find_world
from ui.terminal.console import print_json, print_table, print_text, say, write_file
from ui.terminal.options import (
    MEASURED_NAMES,
    ClusterOption,
    JsonOption,
    Place,
    SeedOption,
    WorldOption,
    grouped,
    parse_rounds,
    squad_at,
)
from ui.terminal.worlds.fetch import BaseUrlOption

if TYPE_CHECKING:
    from engine.desk import Desk
    from engine.rank.chances import StandingChances
    from engine.rank.field import Field
    from engine.rank.recommendation import Recommendation

LEAD, DEFICIT = 15.0, 25.0
"""What is looked at where nobody states a standing."""


class FieldName(StrEnum):
    """Whom one plays against."""

    OBSERVED = "observed"
    BEST = "best"
    EV_AWARE = "ev-aware"
    NAIVE = "naive"


@grouped
def standing(
    place: Place,
    squad: Annotated[list[Path] | None, typer.Option(help="CSV or list of 15 players; may be repeated.")] = None,
    theta: Annotated[
        list[str] | None, typer.Option(help=f"Whose squad is looked at: {MEASURED_NAMES}; may be repeated.")
    ] = None,
    lead: Annotated[float | None, typer.Option(help="Points you are ahead, to be held; negative if behind.")] = None,
    deficit: Annotated[float | None, typer.Option(min=0, help="Points you are behind, to be erased.")] = None,
    rounds_left: Annotated[
        int | None, typer.Option(min=1, max=60, help="Rounds left, this one included; by default all of the game.")
    ] = None,
    opponents: Annotated[
        FieldName,
        typer.Option("--field", help="Whom you play against: as observed, a league's best, EV-aware or naive."),
    ] = FieldName.OBSERVED,
    rival: Annotated[
        list[Path] | None, typer.Option(help="A rival's squad instead of a field; may be repeated.")
    ] = None,
    managers: Annotated[int, typer.Option(min=1, max=20_000, help="Managers of the field.")] = 1_000,
    simulations: Annotated[int, typer.Option(min=100, max=100_000, help="Rounds to simulate.")] = 2_000,
    league: Annotated[
        int | None, typer.Option(min=1, help="A mini-league by its number: to its last round, against every rival.")
    ] = None,
    entry: Annotated[int | None, typer.Option(min=1, help="Your own number in it; with --league.")] = None,
    base_url: BaseUrlOption = "",
    cluster: ClusterOption = None,
    json: JsonOption = False,
) -> None:
    """Simulate a round for squads and a whole field: P(hold a lead), P(erase a deficit), percentile, P(top 1 %).

    Example: [bold]thetaxi standing --round 1 --squad lineup.csv --lead 15[/bold]

    With --league and one --squad: P(finish ahead of each rival), P(win the league), expected place, and whether to
    protect, to gain or just to score. JSON then: {"world", "round", "league", "rounds_left", "planned", "plans":
    [{"objective", "win", "place", "rivals": [{"name", "ahead", "behind"}], "points", "more_wins", "better_place"}],
    "left_out", "chosen", "advice"}.

    A lead is on a manager of the field chosen at random, or on the rival; a negative --lead is a deficit. Later rounds
    enter by a normal approximation.

    JSON: {"world", "round", "field", "managers", "simulations", "rounds_left", "lead", "deficit", "squads": [{"name",
    "expected", "round": {"hold", "erase", "percentile", "top"}, "finish": {the same}}]}; each is {"value", "low",
    "high"}, a 95 % interval; `top` is null against a few rivals.
    """
    from engine.rank.recommendation import check_measured

    check_measured(*(theta or ()))
    if not squad and not theta:
        raise InputError("There is no squad to look at. Give --squad FILE, or --theta with an objective.")
    if league is not None:
        from ui.terminal.standing.league import league_standing

        if not squad or len(squad) > 1:
            raise InputError("A league is looked at with one squad of yours. Give it by --squad FILE.")
        asked = {"entry": entry, "base_url": base_url, "rounds_left": rounds_left}
        league_standing(place, league, squad[0], simulations=simulations, json=json, **asked)  # type: ignore[arg-type]
        return
    held, chased = _stated(lead, deficit)
    desk = place.desk()
    field = _opponents(desk, opponents, rival or [], managers)
    left = rounds_left or place.rounds_left
    told = lead if lead is not None else None if deficit is None else -deficit
    best = desk.advice(told, rounds_left=left, against=field) if told is not None and theta else None
    named = _squads(desk, squad or [], theta or [], field, best, last=left == 1)
    say(f"Simulating {simulations:,} rounds against {len(field):,} managers …", style="dim")
    found = desk.standing(
        np.stack(list(named.values())),
        lead=held,
        deficit=chased,
        rounds_left=rounds_left,
        against=field,
        simulations=simulations,
        cluster=cluster,
    )
    if json:
        print_json(
            {
                "world": place.world,
                "round": place.round_number,
                "field": field.name,
                "managers": len(field),
                "simulations": simulations,
                "rounds_left": found[0].rounds_left,
                "lead": held,
                "deficit": chased,
                "squads": [
                    {"name": name, "expected": one.expected, "round": asdict(one.round), "finish": asdict(one.finish)}
                    for name, one in zip(named, found, strict=True)
                ],
            }
        )
        return
    _print_chances(list(named), found)


def rank_table(
    rounds: Annotated[str, typer.Option(help="Rounds to play, such as 1,4.")] = "1,2,4,6",
    quick: Annotated[
        bool, typer.Option("--quick", help="Smaller simulations, wider intervals: about a minute.")
    ] = False,
    world: WorldOption = DEFAULT_WORLD,
    out: Annotated[Path | None, typer.Option(help="Write the table to this file too: Markdown, or .csv.")] = None,
    cluster: ClusterOption = None,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Measure what protect does for a lead, and gain for a deficit and the top 1 %, against four fields.

    Example: [bold]thetaxi rank-table --rounds 1 --quick[/bold]

    JSON: {"world", "cells": [{"round", "field", "rounds_left", "goal", "objective", "column", "chance": {"value",
    "low", "high"}, "gain": {"value", "low", "high", "p"}, "p", "kappa", "verdict"}], "alike": share}; `gain` is
    against the most points, `p` is corrected by Holm, `alike` is how often protect and gain choose the same.
    """
    from engine.desk import beliefs, rules_for
    from engine.rank.published_table import table_csv
    from engine.rank.rank_table import TableSettings, measured_table, play_round, table_markdown
    from models.streams import Stream, stream

    settings = TableSettings.quick() if quick else TableSettings()
    duels, opened = [], find_world(world)
    for snapshot in [opened.at(number) for number in parse_rounds(rounds)]:
        signals = beliefs(snapshot, rules_for(snapshot.rulebook), seed)
        for duel in play_round(signals, settings, stream(seed, Stream.RANK_TABLE, snapshot.round), cluster=cluster):
            left = f"{duel.rounds_left} round{'s' * (duel.rounds_left != 1)} left"
            say(f"Round {snapshot.round} against {duel.field}, {left}: done.", style="dim")
            duels.append(duel)
    cells = measured_table(duels)
    text, alike = table_markdown(cells), sum(duel.alike for duel in duels)
    text += f"\nProtect and gain choose the same squad and captain in {alike} of {len(duels)} of these parts.\n"
    if json:
        told = [asdict(cell) | {"verdict": cell.verdict} for cell in cells]
        print_json({"world": world, "cells": told, "alike": alike / len(duels)})
    else:
        print_text(text)
    if out is not None:
        write_file(out, table_csv(cells) if out.suffix == ".csv" else text, "Table")


def _stated(lead: float | None, deficit: float | None) -> tuple[float, float]:
    """Return the lead and the deficit to look at; a negative lead is a deficit."""
    for name, value in (("lead", lead), ("deficit", deficit)):
        if value is not None and not abs(value) < 1000:  # not "≥": NaN is refused too
            raise InputError(f"A {name} of {value:g} points makes no sense in one competition.")
    if lead is not None and lead < 0 and deficit is not None:
        raise InputError(f"--lead {lead:g} is a deficit already; leave out --deficit {deficit:g}.")
    if lead is not None and lead < 0:
        return LEAD, -lead
    return LEAD if lead is None else lead, DEFICIT if deficit is None else deficit


def _opponents(desk: Desk, kind: FieldName, rivals: list[Path], managers: int) -> Field:
    if rivals:
        from engine.rank.field import rivals_field

        squads = [squad_at(desk, path) for path in rivals]
        return rivals_field(desk.signals, np.stack(squads), name=", ".join(path.stem for path in rivals))
    say(f"Drawing {managers:,} managers …", style="dim")
    return desk.opponents(kind, managers)


def _squads(
    desk: Desk, files: list[Path], thetas: list[str], field: Field, best: Recommendation | None, *, last: bool
) -> dict[str, np.ndarray]:
    """Return the squads to look at by name: those of files, and one for each objective, as strong as measures best."""
    named: dict[str, np.ndarray] = {}
    for path in files:
        named[_free_name(path.stem, named)] = squad_at(desk, path)
    objectives = [(theta, None if best is None else best.strength_of(theta)) for theta in thetas]
    for theta, strength in objectives:
        aimed = "" if strength is None else f" with a strength of {strength:g}"
        say(f"Searching a squad for {theta}{aimed} …", style="dim")
    found = desk.squads_against(field, objectives, last) if objectives else ()
    for theta, squad in zip(thetas, found, strict=True):
        named[_free_name(theta, named)] = squad
    return named


def _free_name(name: str, taken: Container[str]) -> str:
    """Return a name nobody has yet: the second lineup is called lineup (2)."""
    names = chain([name], (f"{name} ({number})" for number in count(2)))
    return next(free for free in names if free not in taken)


def _print_chances(names: list[str], found: tuple[StandingChances, ...]) -> None:
    first = found[0]
    columns = ["chance", *names]
    against = f"the {first.against} field" if first.against in list(FieldName) else first.against
    now = "this round" if first.rounds_left > 1 else "the last round"
    later = f"After {first.rounds_left} rounds, later ones by the normal approximation"
    tables = [(f"After {now}, against {against}", [one.round for one in found])]
    if first.rounds_left > 1:
        tables.append((later, [one.finish for one in found]))
    for title, outlooks in tables:
        rows = [
            (f"hold {first.lead:g}", *(str(one.hold) for one in outlooks)),
            (f"erase {first.deficit:g}", *(str(one.erase) for one in outlooks)),
            ("percentile", *(str(one.percentile) for one in outlooks)),
            ("top 1 %", *("–" if one.top is None else str(one.top) for one in outlooks)),
        ]
        print_table(title, columns, rows)
    points = ", ".join(f"{name} {one.expected:.1f}" for name, one in zip(names, found, strict=True))
    say(f"Mean simulated points: {points}. In brackets 95 % intervals.")
