"""Commands about the objective: read and check fitness specs, and score any squad under θ."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from data.errors import InputError
from data.worlds.library import DEFAULT_WORLD
from ui.terminal.boards import plain
from ui.terminal.console import print_json, print_table, print_text, say, warn
from ui.terminal.options import WISH_OPTIONS, JsonOption, Place, StatedObjective, WorldOption, grouped


def show(
    name: Annotated[str, typer.Argument(help="A shipped spec: protect, neutral, gain or rank.")],
    json: JsonOption = False,
) -> None:
    """Print a shipped spec, to read or to start your own from.

    Example: [bold]thetaxi fitness show protect > mine.fitness[/bold]

    JSON: {"name", "text"}.
    """
    from engine.language.spec import shipped_text

    text = shipped_text(name)
    if json:
        print_json({"name": name, "text": text})
    else:
        print_text(text)


def check(
    file: Annotated[Path, typer.Argument(help="A spec file of your own, ending in .fitness.")],
    round_number: Annotated[int, typer.Option("--round", min=1, help="Round whose names it is checked against.")] = 1,
    world: WorldOption = DEFAULT_WORLD,
    json: JsonOption = False,
) -> None:
    """Check a spec file: syntax, names and numbers, with line and column.

    Example: [bold]thetaxi fitness check mine.fitness[/bold]

    JSON: {"file", "name", "parameters": {name: default}, "terms": (names), "not_climbed": (what keeps the spec from
    being climbed and bounded like the shipped ones; nothing where it is)}.
    """
    from engine.fitness.standard_form_terms import beyond_form

    if file.suffix != ".fitness":
        raise InputError(f"{file} does not end in .fitness, so it is not taken for a spec.")
    desk = Place(round_number=round_number, world=world).desk()
    objective = desk.objective(str(file))
    terms, beyond = list(objective.spec.terms), beyond_form(desk.view, objective)
    if json:
        content = {
            "file": str(file),
            "name": objective.name,
            "parameters": dict(objective.spec.parameters),
            "terms": terms,
        }
        print_json(content | {"not_climbed": list(beyond)})
        return
    search = (
        f"Squads are searched without local search and proof, because of {', '.join(beyond)}"
        if beyond
        else "Searched and proved like the shipped specs"
    )
    rows = [(name, f"{value:g}") for name, value in objective.spec.parameters.items()]
    print_table(f"{objective.name}: no error", ["parameter", "default"], rows, f"Terms: {', '.join(terms)}. {search}.")


@grouped
def score(
    squad: Annotated[Path, typer.Option(help="CSV or list of your 15 players: names, or ids; a team column helps.")],
    place: Place,
    asked: StatedObjective,
    preferences: Annotated[Path | None, WISH_OPTIONS["preferences"]] = None,
    budget: Annotated[float | None, WISH_OPTIONS["budget"]] = None,
    json: JsonOption = False,
) -> None:
    """Score any squad under an objective: the fitness and every term it is made of.

    Example: [bold]thetaxi score --round 1 --theta gain --squad squad.csv[/bold]

    JSON: {"world", "round", "squad": [{"player_id", "name", "role"}], "fitness", "decomposition": {term: points},
    "variance", "variance_band", "objective": {"spec", parameter: value}, "disqualified", "provisional": (terms),
    "substitution_watch", "reasons": (the rules it breaks), "notes": (texts)}; the decomposition sums to the fitness.
    """
    from engine.board.squad_input import read_account, read_squad, roles
    from engine.fitness.preferences import NO_PREFERENCES, read_preferences
    from engine.fitness.wishes import Wishes
    from engine.rules.legality import broken_rules

    desk = place.desk()
    rows, read = read_squad(squad, desk.snapshot, desk.beliefs)
    account, told = read_account(squad, place.round_number)
    desk = desk.with_wishes(
        Wishes(
            budget=account.budget if budget is None else budget,
            selling=account.selling,
            preferences=read_preferences(preferences) if preferences else NO_PREFERENCES,
        )
    )
    objective, remarks = asked.objective(desk), (*read, *told)
    warn(remarks)
    signals, result = desk.signals, desk.judge.decompose(rows, objective)
    reasons = broken_rules(rows, desk.view.pool, signals.teams.strengths.codes)
    listed = roles(signals, rows, desk.judge.sent_out(rows[None, :], objective).lineups)
    if json:
        content: dict[str, object] = {"world": signals.world, "round": signals.round, "squad": listed}
        print_json(
            content
            | result.to_dict()
            | {"reasons": list(reasons), "notes": [*remarks, *objective.warnings, *signals.notes]}
        )
        return
    players = [(p["name"], p["team"], p["position"], p["role"], f"{p['xev']:.2f}") for p in listed]
    print_table(
        f"{signals.rules.round_title(signals.round)}: {objective.name}",
        ["player", "team", "pos", "role", "xEV"],
        players,
    )
    terms = [
        (plain(name), f"{value:+.2f}{'*' if name in result.provisional else ''}")
        for name, value in result.terms.items()
    ]
    print_table("Fitness", ["term", "points"], [*terms, ("fitness", f"{result.fitness:.2f}")])
    say(f"Swing: {result.band} beside 2,000 reference squads (variance {result.variance:.0f}).")
    if reasons:
        say(f"Disqualified: {'; '.join(reasons)}.", style="red")
    say(*filter(None, (result.watch, "* rests on a rule that is not confirmed." if result.provisional else "")))
