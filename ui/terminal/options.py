"""Options that several commands share, in groups: a command takes a group as one argument and `grouped` spells it out.

@grouped
def pick(place: Place, wishes: StatedWishes, objective: StatedObjective, json: JsonOption = False) -> None: …
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from data.domain import Crowd
from data.errors import InputError
from data.rules import CaptaincyMode
from data.storage.files import read_own
from data.worlds.library import DEFAULT_WORLD
from engine.board.stated_wishes import StatedWishes
from ui.terminal.console import say, warn

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from data.worlds.snapshot import Snapshot
    from engine.desk import Desk
    from engine.fitness.judge import Objective

WorldOption = Annotated[str, typer.Option("--world", help="Name of a world (see `thetaxi worlds`) or its folder.")]
RoundOption = Annotated[int, typer.Option("--round", min=1, help="The round to look at.")]
SeedOption = Annotated[int, typer.Option(min=0, help="Same seed, same answer.")]
ClusterOption = Annotated[str | None, typer.Option(help="Address of a Dask scheduler to work on.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
MEASURED_NAMES = "protect, neutral, gain, rank, max-EV or a .fitness file"
"""What may be measured, in the words of the help."""

ModeOption = Annotated[CaptaincyMode | None, typer.Option(help="When the armband may move, if not as shipped.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a question is asked: the world, the round, and what is believed of it."""

    round_number: RoundOption
    world: WorldOption = DEFAULT_WORLD
    projections: Annotated[
        Path | None, typer.Option(help="CSV of your own xev, owned, p_start …: it replaces what we believe.")
    ] = None
    captaincy: ModeOption = None
    crowd: Annotated[
        Crowd, typer.Option(help="Whose exposure counts: all managers, or the best 10,000 of a league.")
    ] = Crowd.ALL
    seed: SeedOption = 0

    @property
    def rounds_left(self) -> int:
        """Rounds of the competition that are left, this one included."""
        from data.rules import load_rules
        from data.worlds.library import find_world

        return load_rules(find_world(self.world).rulebook).rounds - self.round_number + 1

    def desk(self, stated: StatedWishes | None = None) -> Desk:
        """Open the desk under what a manager states; what is to be said of it goes to standard error."""
        from data.worlds.library import find_world
        from engine.board.wish_words import read_wishes
        from engine.desk import Desk, beliefs, rules_for

        snapshot = find_world(self.world).at(self.round_number)
        rules = rules_for(snapshot.rulebook, self.captaincy)
        say("Rating teams and players …", style="dim")
        own = own_projections(self.projections, snapshot)
        found = beliefs(snapshot, rules, self.seed, own).against(self.crowd)
        desk = Desk(snapshot, found, seed=self.seed)
        if stated is None:
            return desk
        wishes, remarks = read_wishes(stated, snapshot, desk.beliefs)
        desk = desk.with_wishes(wishes)
        warn((*remarks, *desk.refused))
        return desk


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectiveOptions:
    """What a manager wants: θ and its strengths."""

    theta: Annotated[
        str | None,
        typer.Option("--theta", help="protect, neutral or gain; or rank; or the path of a .fitness file of your own."),
    ] = None
    k: Annotated[float | None, typer.Option("--k", help="Strength of the variance term; for rank its κ.")] = None
    w: Annotated[float | None, typer.Option("--w", help="Weight of ownership leverage.")] = None

    def objective(self, desk: Desk) -> Objective:
        """Return the objective at a desk, its warnings told."""
        objective = desk.objective(self.theta, self.k, self.w)
        warn(objective.warnings)
        return objective


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedObjective(ObjectiveOptions):
    """What a manager wants, or a standing to derive it from."""

    lead: Annotated[
        float | None,
        typer.Option("--lead", help="Your points minus your rival's: what serves it best is measured, some seconds."),
    ] = None
    rounds_left: Annotated[
        int | None, typer.Option("--rounds-left", min=1, max=60, help="Rounds left, this one included; with --lead.")
    ] = None

    def __post_init__(self) -> None:
        from engine.fitness.objective import parse_theta

        if self.lead is None and self.rounds_left is not None:
            raise InputError(
                f"--rounds-left {self.rounds_left} belongs to a standing. Give your lead by --lead, or leave it out."
            )
        if self.lead is None and not self.theta:
            parse_theta(None)

    def objective(self, desk: Desk) -> Objective:
        """Return the objective as stated, or what measures best for the standing, with the measurement told."""
        if self.lead is None or self.k is not None:
            return ObjectiveOptions.objective(self, desk)
        say(f"Measuring what serves a lead of {self.lead:g} best …", style="dim")
        found = desk.advice(self.lead, rounds_left=self.rounds_left)
        theta = self.theta or found.choice
        k = found.strength_of(theta)
        strength = "" if k is None else f" with k = {k:g}"
        say(f"{found.reason} So this is for {theta}{strength}; state --theta and --k to override it.")
        return ObjectiveOptions(theta=theta, k=k, w=self.w).objective(desk)


WISH_OPTIONS = {
    "lock": typer.Option("--lock", help="A player who must be in; may be repeated."),
    "ban": typer.Option("--ban", help="A player who must not; may be repeated."),
    "squad": typer.Option("--from", help="The squad you have: transfers and hits are priced in."),
    "free_transfers": typer.Option(min=0, help="Your free transfers, if not those of the stage."),
    "changes": typer.Option("--changes", min=0, help="Most changes from the squad you have."),
    "budget": typer.Option("--budget", help="Your money in millions, if not the stage's."),
    "formation": typer.Option("--formation", help="The formation to hold, as 3-4-3."),
    "captain": typer.Option("--captain", help="Who wears the armband first."),
    "at_least": typer.Option("--at-least", help="Players of a team at least, as BRA:2; may be repeated."),
    "at_most": typer.Option("--at-most", help="Players of a team at most, as BRA:1; may be repeated."),
    "preferences": typer.Option("--preferences", help="A preferences.toml with small soft bonuses."),
}
"""How each of a manager's wishes is called on the command line."""


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command whose arguments that are groups of options are spelled out, one option per field."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, type] = {
        name: kind for name, kind in hints.items() if isinstance(kind, type) and is_dataclass(kind)
    }

    @wraps(command)
    def spelled_out(**given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{entry.name: given.pop(entry.name) for entry in fields(kind)})
        command(**given)

    listed: list[Parameter] = []
    for name, one in signature(command).parameters.items():
        alone = [one.replace(annotation=hints[name], kind=Parameter.KEYWORD_ONLY)]
        listed += _options(groups[name]) if name in groups else alone
    listed.sort(key=lambda one: one.default is not Parameter.empty)
    spelled_out.__signature__ = Signature(listed)  # type: ignore[attr-defined]
    spelled_out.__annotations__ = {one.name: one.annotation for one in listed}
    del spelled_out.__wrapped__
    return spelled_out


def _options(kind: type) -> list[Parameter]:
    hints: dict[str, Any] = get_type_hints(kind, include_extras=True)
    hints |= {name: Annotated[hints[name], wish] for name, wish in WISH_OPTIONS.items() if name in hints}
    return [
        Parameter(
            entry.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if entry.default is MISSING else entry.default,
            annotation=hints[entry.name],
        )
        for entry in fields(kind)
    ]


def own_projections(path: Path | None, snapshot: Snapshot) -> pd.DataFrame | None:
    """Return the user's own figures by player, None without a file; what was not understood goes to standard error."""
    from data.sources.own.projections import read_projections

    if path is None:
        return None
    own = read_projections(read_own(path), snapshot.players, teams=snapshot.teams, round_number=snapshot.round)
    warn(own.report.lines())
    if "xmins" in own.frame:
        warn(["Your xMins are not used; give p_start to say who starts."])
    return own.frame


def squad_at(desk: Desk, path: Path) -> np.ndarray:
    """Return the player rows of a squad's file; what was not understood goes to standard error."""
    from engine.board.squad_input import read_squad

    rows, remarks = read_squad(path, desk.snapshot, desk.signals)
    warn(remarks)
    return rows


def parse_rounds(text: str) -> tuple[int, ...]:
    """Return the rounds a text such as 1-4 or 2,3 means."""
    chosen: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        numbers = [first, last] if dash else [first]
        written = all(number.isascii() and number.isdecimal() and len(number) <= 3 for number in numbers)
        span = range(int(numbers[0]), int(numbers[-1]) + 1) if written else ()
        if not span:
            raise typer.BadParameter(f"{text!r} does not name rounds; write 1-4 or 2,3.")
        chosen |= set(span)
    return tuple(sorted(chosen))
