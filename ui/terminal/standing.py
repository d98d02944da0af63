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
from data.rules import CaptaincyMode, load_rules
from data.storage.files import replace_file
from data.worlds.library import DEFAULT_WORLD, find_world
from ui.terminal.console import notes, print_json, print_table, print_text
from ui.terminal.data import ClusterOption, JsonOption, RoundOption, SeedOption, WorldOption
from ui.terminal.desk import open_desk
from ui.terminal.models import ProjectionsOption, parse_rounds

if TYPE_CHECKING:
    from data.worlds.snapshot import Snapshot
    from engine.fitness.judge import Aim, Judge
    from engine.fitness.view import SquadView
    from engine.rank.field import Field
    from engine.rank.standing import Prospects, StandingChances
    from engine.rank.table import Cell

LEAD, DEFICIT = 15.0, 25.0
"""What is looked at where nobody states a standing."""


class FieldName(StrEnum):
    """Whom one plays against."""

    OBSERVED = "observed"
    EV_AWARE = "ev-aware"
    NAIVE = "naive"


def add_standing_commands(app: typer.Typer) -> None:
    """Add this file's commands to the command line."""
    app.command("standing")(standing)
    app.command("rank-table")(rank_table)


def standing(
    round_number: RoundOption,
    squad: Annotated[list[Path] | None, typer.Option(help="CSV or list of 15 players; may be repeated.")] = None,
    theta: Annotated[
        list[str] | None, typer.Option(help="An objective whose squad is looked at; may be repeated.")
    ] = None,
    lead: Annotated[float | None, typer.Option(help="Points you are ahead, to be held; negative if behind.")] = None,
    deficit: Annotated[float | None, typer.Option(min=0, help="Points you are behind, to be erased.")] = None,
    rounds_left: Annotated[
        int | None, typer.Option(min=1, max=60, help="Rounds left, this one included; by default all of the game.")
    ] = None,
    opponents: Annotated[
        FieldName, typer.Option("--field", help="Whom you play against: as observed, EV-aware or naive.")
    ] = FieldName.OBSERVED,
    rival: Annotated[
        list[Path] | None, typer.Option(help="A rival's squad instead of a field; may be repeated.")
    ] = None,
    managers: Annotated[int, typer.Option(min=1, max=20_000, help="Managers of the field.")] = 1_000,
    simulations: Annotated[int, typer.Option(min=100, max=100_000, help="Rounds to simulate.")] = 2_000,
    world: WorldOption = DEFAULT_WORLD,
    projections: ProjectionsOption = None,
    captaincy: Annotated[
        CaptaincyMode | None, typer.Option(help="When the armband may move, if not as shipped.")
    ] = None,
    cluster: ClusterOption = None,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Simulate a round for squads and a whole field: P(hold a lead), P(erase a deficit), percentile, P(top 1 %).

    Example: [bold]thetaxi standing --round 1 --squad lineup.csv --lead 15[/bold]

    A lead is on a manager of the field chosen at random, or on the rival; a negative --lead is a deficit. Later rounds
    enter by a normal approximation.

    JSON: {"world", "round", "field", "managers", "simulations", "rounds_left", "lead", "deficit", "squads": [{"name",
    "expected", "round": {"hold", "erase", "percentile", "top"}, "finish": {the same}}]}; each is {"value", "low",
    "high"}, a 95 % interval; `top` is null against a few rivals.
    """
    from engine.fitness.objective import rank_strength
    from engine.rank.standing import chances

    if not squad and not theta:
        raise InputError("There is no squad to look at. Give --squad FILE, or --theta with an objective.")
    held, chased = _stated(lead, deficit)
    judge, _, snapshot, rng = open_desk(world, round_number, captaincy, seed, projections=projections)
    field_rng, search_rng, draw_rng = rng.spawn(3)
    field = _opponents(judge, snapshot, opponents, rival or [], managers, field_rng)
    left = rounds_left or judge.view.signals.rules.rounds - round_number + 1
    told = lead if lead is not None else None if deficit is None else -deficit
    kappa = None if told is None else rank_strength(told, left)
    named = _squads(judge, snapshot, squad or [], theta or [], field, search_rng, kappa, last=left == 1)
    notes().print(f"Simulating {simulations:,} rounds against {len(field):,} managers …", style="dim", markup=False)
    found = chances(
        judge,
        np.stack(list(named.values())),
        field,
        draw_rng,
        lead=held,
        deficit=chased,
        n=simulations,
        rounds_left=rounds_left,
        cluster=cluster,
    )
    if json:
        print_json(
            {
                "world": world,
                "round": round_number,
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
    rounds: Annotated[str, typer.Option(help="Rounds to play, such as 1,4.")] = "1,4",
    quick: Annotated[
        bool, typer.Option("--quick", help="Smaller simulations, wider intervals: about a minute.")
    ] = False,
    world: WorldOption = DEFAULT_WORLD,
    out: Annotated[Path | None, typer.Option(help="Write the Markdown to this file too.")] = None,
    cluster: ClusterOption = None,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Measure what max-EV, protect, gain and rank do for a lead, a deficit and the top 1 %, against three fields.

    Example: [bold]thetaxi rank-table --quick[/bold]

    JSON: {"world", "cells": [{"round", "field", "goal", "objective", "chance": {"value", "low", "high"}, "gain":
    {"value", "low", "high", "p"}, "p", "kappa", "verdict"}]}; `gain` is against max-EV, `p` is corrected by Holm.
    """
    from engine.rank.table import TableSettings, measured_table, play_round, table_markdown
    from models.signals import build_signals

    settings = TableSettings.quick() if quick else TableSettings()
    duels, opened = [], find_world(world)
    snapshots = [opened.at(number) for number in parse_rounds(rounds)]
    for snapshot, rng in zip(snapshots, np.random.default_rng(seed).spawn(len(snapshots)), strict=True):
        model_rng, play_rng = rng.spawn(2)
        signals = build_signals(snapshot, load_rules(snapshot.rulebook), rng=model_rng)
        for duel in play_round(signals, settings, play_rng, cluster=cluster):
            notes().print(f"Round {snapshot.round} against {duel.field}: done.", style="dim", markup=False)
            duels.append(duel)
    cells = measured_table(duels)
    text = table_markdown(cells)
    if json:
        print_json({"world": world, "cells": [_cell_dict(cell) for cell in cells]})
    else:
        print_text(text)
    if out is not None:
        _write(out, text)


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


def _opponents(
    judge: Judge, snapshot: Snapshot, name: FieldName, rivals: list[Path], managers: int, rng: np.random.Generator
) -> Field:
    from engine.rank.field import ev_aware_field, naive_field, observed_field, rivals_field
    from engine.rank.field_draw import Tastes

    signals = judge.view.signals
    if rivals:
        squads = [_read(path, judge, snapshot) for path in rivals]
        return rivals_field(signals, np.stack(squads), name=", ".join(path.stem for path in rivals))
    notes().print(f"Drawing {managers:,} managers …", style="dim", markup=False)
    draw = {"observed": observed_field, "ev-aware": ev_aware_field, "naive": naive_field}[name]
    return draw(signals, managers, Tastes(int(rng.integers(2**31))))


def _squads(
    judge: Judge,
    snapshot: Snapshot,
    files: list[Path],
    aims: list[str],
    field: Field,
    rng: np.random.Generator,
    kappa: float | None,
    *,
    last: bool,
) -> dict[str, np.ndarray]:
    """Return the squads to look at by name: those of files, and one bred for each aim; rank with κ of the standing."""
    from engine.fitness.objective import RANK
    from engine.fitness.view import SquadView
    from engine.rank.recommendation import Breeder

    named: dict[str, np.ndarray] = {}
    for path in files:
        named[_free_name(path.stem, named)] = _read(path, judge, snapshot)
    view = SquadView(judge.view.signals, judge.view.settings, field.exposure(judge.view.signals))
    breeder = Breeder(view, rng)
    bred = []
    for text in aims:
        strength = kappa if text == RANK else None
        aimed = "" if strength is None else f" with κ = {strength:.3f}"
        notes().print(f"Searching a squad for {text}{aimed} …", style="dim", markup=False)
        bred.append(aim_for(text, view, strength, last=last))
    for text, squad in zip(aims, breeder.best(*bred) if bred else (), strict=True):
        named[_free_name(text, named)] = squad
    return named


def aim_for(text: str, view: SquadView, k: float | None, *, last: bool) -> Aim:
    """Return the aim a user names; in the last round no shipped objective pays for later ones."""
    from engine.fitness.judge import aim_at
    from engine.fitness.objective import MEANINGS, RANK

    return aim_at(text, view, k=k, c=0.0 if last and text in (*MEANINGS, RANK) else None)


def _free_name(name: str, taken: Container[str]) -> str:
    """Return a name nobody has yet: the second lineup is called lineup (2)."""
    names = chain([name], (f"{name} ({number})" for number in count(2)))
    return next(free for free in names if free not in taken)


def _read(path: Path, judge: Judge, snapshot: Snapshot) -> np.ndarray:
    from engine.board.squad_input import read_squad

    rows, remarks = read_squad(path, snapshot, judge.view.signals)
    for line in remarks:
        notes().print(line, style="yellow", markup=False)
    return rows


def _print_chances(names: list[str], found: tuple[StandingChances, ...]) -> None:
    first = found[0]
    columns = ["chance", *names]
    rounds = "the last round" if first.rounds_left == 1 else f"{first.rounds_left} rounds"
    for title, outlooks in (
        (f"After this round, against {first.against}", [one.round for one in found]),
        (f"After {rounds}, later ones by the normal approximation", [one.finish for one in found]),
    ):
        rows = [
            (f"hold {first.lead:g}", *(str(one.hold) for one in outlooks)),
            (f"erase {first.deficit:g}", *(str(one.erase) for one in outlooks)),
            ("percentile", *(str(one.percentile) for one in outlooks)),
            ("top 1 %", *(_top(one) for one in outlooks)),
        ]
        print_table(title, columns, rows)
    points = ", ".join(f"{name} {one.expected:.1f}" for name, one in zip(names, found, strict=True))
    notes().print(f"Mean simulated points: {points}. In brackets 95 % intervals.", markup=False)


def _top(prospects: Prospects) -> str:
    return "–" if prospects.top is None else str(prospects.top)


def _cell_dict(cell: Cell) -> dict[str, object]:
    return asdict(cell) | {"verdict": cell.verdict}


def _write(path: Path, text: str) -> None:
    try:
        replace_file(path, text.encode())
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from None
    notes().print(f"Table written to {path}.", markup=False)
