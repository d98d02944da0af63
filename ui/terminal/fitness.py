"""Commands about the objective: read and check fitness specs, and score any squad under θ."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from data.errors import InputError
from data.rules import CaptaincyMode, load_rules
from data.worlds.library import DEFAULT_WORLD, find_world
from ui.terminal.console import notes, print_json, print_table, print_text
from ui.terminal.data import JsonOption, RoundOption, SeedOption, WorldOption
from ui.terminal.models import ProjectionsOption, own_projections
from ui.terminal.wishes import BudgetOption

ThetaOption = Annotated[
    str | None,
    typer.Option("--theta", help="protect, neutral or gain; or rank; or the path of a .fitness file of your own."),
]
StrengthOption = Annotated[float | None, typer.Option("--k", help="Strength of the variance term; for rank its κ.")]
LeadOption = Annotated[
    float | None,
    typer.Option("--lead", help="Your points minus your rival's: θ and k, or rank's κ, are derived from it."),
]
RoundsLeftOption = Annotated[
    int | None, typer.Option("--rounds-left", min=1, max=60, help="Rounds left, this one included; with --lead.")
]
LeverageOption = Annotated[float | None, typer.Option("--w", help="Weight of ownership leverage.")]


def add_fitness_commands(app: typer.Typer) -> None:
    """Add this file's commands to the command line."""
    group = typer.Typer(help="Read and check the specs that squads are scored by.", no_args_is_help=True)
    group.command("show")(show)
    group.command("check")(check)
    app.add_typer(group, name="fitness")
    app.command("score")(score)


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
    from engine.fitness.form_terms import beyond_form
    from engine.fitness.judge import aim_at
    from engine.fitness.view import SquadView
    from models.signals import build_signals

    if file.suffix != ".fitness":
        raise InputError(f"{file} does not end in .fitness, so it is not taken for a spec.")
    snapshot = find_world(world).at(round_number)
    view = SquadView(build_signals(snapshot, load_rules(snapshot.rulebook)))
    aim = aim_at(str(file), view)
    terms, beyond = list(aim.spec.terms), beyond_form(view, aim)
    if json:
        content = {"file": str(file), "name": aim.name, "parameters": dict(aim.spec.parameters), "terms": terms}
        print_json(content | {"not_climbed": list(beyond)})
        return
    search = f"Bred only, because of {', '.join(beyond)}" if beyond else "Climbed and bounded like the shipped specs"
    rows = [(name, f"{value:g}") for name, value in aim.spec.parameters.items()]
    print_table(f"{aim.name}: no error", ["parameter", "default"], rows, f"Terms: {', '.join(terms)}. {search}.")


def score(
    squad: Annotated[Path, typer.Option(help="CSV or list of your 15 players: names, or ids; a team column helps.")],
    round_number: RoundOption,
    theta: ThetaOption = None,
    k: StrengthOption = None,
    w: LeverageOption = None,
    lead: LeadOption = None,
    rounds_left: RoundsLeftOption = None,
    world: WorldOption = DEFAULT_WORLD,
    projections: ProjectionsOption = None,
    captaincy: Annotated[
        CaptaincyMode | None, typer.Option(help="When the armband may move, if not as shipped.")
    ] = None,
    preferences: Annotated[Path | None, typer.Option(help="A preferences.toml with small soft bonuses.")] = None,
    budget: BudgetOption = None,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Score any squad under an objective: the fitness and every term it is made of.

    Example: [bold]thetaxi score --round 1 --theta gain --squad squad.csv[/bold]

    JSON: {"world", "round", "squad": [{"player_id", "name", "role"}], "fitness", "decomposition": {term: points},
    "variance", "variance_band", "objective": {"spec", parameter: value}, "disqualified", "provisional": (terms),
    "substitution_watch", "reasons": (the rules it breaks), "notes": (texts)}; the decomposition sums to the fitness.
    """
    from engine.board.squad_input import own_prices, read_account, read_squad, roles
    from engine.fitness.judge import Judge, aim_at
    from engine.fitness.preferences import NO_PREFERENCES, read_preferences
    from engine.fitness.view import SceneSettings, SquadView
    from engine.rules.legality import broken_rules
    from models.signals import build_signals

    snapshot = find_world(world).at(round_number)
    rules = load_rules(snapshot.rulebook)
    theta, k = stated_objective(theta, k, lead, rounds_left, rules.rounds - round_number + 1)
    rules = rules.with_captaincy(captaincy) if captaincy else rules
    model_rng, pool_rng = np.random.default_rng(seed).spawn(2)
    signals = build_signals(snapshot, rules, rng=model_rng, overrides=own_projections(projections, snapshot))
    wishes = read_preferences(preferences) if preferences else NO_PREFERENCES
    rows, read = read_squad(squad, snapshot, signals)
    account, told = read_account(squad, round_number)
    money = account.budget if budget is None else budget
    view = SquadView(own_prices(signals, account), SceneSettings(preferences=wishes, budget=money))
    aim = aim_at(theta, view, k=k, w=w)
    remarks = (*read, *told)
    for line in (*remarks, *aim.warnings):
        notes().print(line, style="yellow", markup=False)
    judge = Judge(view, pool_rng)
    result = judge.decompose(rows, aim)
    reasons = broken_rules(rows, view.pool, signals.teams.strengths.codes)
    listed = roles(signals, rows)
    if json:
        content: dict[str, object] = {"world": signals.world, "round": signals.round, "squad": listed}
        print_json(
            content | result.to_dict() | {"reasons": list(reasons), "notes": [*remarks, *aim.warnings, *signals.notes]}
        )
        return
    players = [(p["name"], p["team"], p["position"], p["role"], f"{p['xev']:.2f}") for p in listed]
    print_table(f"{rules.round_title(round_number)}: {aim.name}", ["player", "team", "pos", "role", "xEV"], players)
    terms = [(name, f"{value:+.2f}{'*' if name in result.provisional else ''}") for name, value in result.terms.items()]
    print_table("Fitness", ["term", "points"], [*terms, ("fitness", f"{result.fitness:.2f}")])
    notes().print(f"Variance {result.variance:.0f}, {result.band} beside 2,000 reference squads.", markup=False)
    if reasons:
        notes().print(f"Disqualified: {'; '.join(reasons)}.", style="red", markup=False)
    for line in (result.watch, "* rests on a rule that is not confirmed." if result.provisional else ""):
        if line:
            notes().print(line, markup=False)


def stated_objective(
    theta: str | None, k: float | None, lead: float | None, rounds_left: int | None, rounds: int
) -> tuple[str, float | None]:
    """Return θ and k: as stated, or derived from a standing with the working shown; neither is an error that asks.

    `rounds` are left in the competition where the standing does not say. Rank takes its strength from a standing.
    """
    from engine.fitness.objective import RANK, objective_from_standing, parse_theta, rank_strength

    if lead is None and rounds_left is not None:
        raise InputError(
            f"--rounds-left {rounds_left} belongs to a standing. Give your lead by --lead, or leave it out."
        )
    if theta == RANK and lead is not None and k is None:
        kappa = rank_strength(lead, rounds_left or rounds)
        notes().print(f"For a lead of {lead:g} rank is aimed at with κ = {kappa:.3f}.", markup=False)
        return theta, kappa
    if theta and lead is not None:
        raise InputError(f"θ is stated as {theta}, so nothing is derived from --lead {lead:g}. Leave out one of them.")
    if theta:
        return theta, k
    if lead is None:
        return str(parse_theta(theta)), k
    derived = objective_from_standing(lead, rounds_left or rounds)
    notes().print(f"{derived.working} State --theta and --k to override it.", markup=False)
    return str(derived.objective.theta), derived.objective.k if k is None else k
