"""What a manager asks for on the command line, read into the settings of a scene and demands on any squad."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from data.errors import InputError, UnknownError, did_you_mean

if TYPE_CHECKING:
    from data.rules import GameRules
    from data.worlds.snapshot import Snapshot
    from engine.fitness.view import SceneSettings
    from engine.rules.conflicts import Demands
    from engine.rules.pool import TeamLimit
    from models.signals import Signals

LockOption = Annotated[list[str] | None, typer.Option("--lock", help="A player who must be in; may be repeated.")]
BanOption = Annotated[list[str] | None, typer.Option("--ban", help="A player who must not; may be repeated.")]
FromOption = Annotated[
    Path | None, typer.Option("--from", help="The squad you have: transfers and hits are priced in.")
]
FreeOption = Annotated[int | None, typer.Option(min=0, help="Your free transfers, if not those of the stage.")]
ChangesOption = Annotated[int | None, typer.Option("--changes", min=0, help="Most changes from the squad you have.")]
BudgetOption = Annotated[float | None, typer.Option("--budget", help="Your money in millions, if not the stage's.")]
FormationOption = Annotated[str | None, typer.Option("--formation", help="The formation to hold, as 3-4-3.")]
CaptainOption = Annotated[str | None, typer.Option("--captain", help="Who wears the armband first.")]
AtLeastOption = Annotated[
    list[str] | None, typer.Option("--at-least", help="Players of a team at least, as BRA:2; may be repeated.")
]
AtMostOption = Annotated[
    list[str] | None, typer.Option("--at-most", help="Players of a team at most, as BRA:1; may be repeated.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedWishes:
    """Everything a manager may ask of his squad, as he wrote it."""

    lock: list[str] | None = None
    ban: list[str] | None = None
    squad: Path | None = None  # the one he has
    free_transfers: int | None = None
    changes: int | None = None
    budget: float | None = None
    formation: str | None = None
    captain: str | None = None
    at_least: list[str] | None = None
    at_most: list[str] | None = None

    def __post_init__(self) -> None:
        if self.budget is not None and not 0 < self.budget < float("inf"):
            raise InputError(f"A budget of {self.budget:g} buys nobody. Give millions above 0, as 98.5.")
        if self.changes is not None and self.squad is None:
            raise InputError(
                f"At most {self.changes} changes were asked for, but no squad to change. Give yours by --from."
            )
        if self.free_transfers is not None and self.squad is None:
            raise InputError(f"{self.free_transfers} free transfers change no squad. Give the one you have by --from.")


@dataclass(frozen=True, slots=True)
class ReadWishes:
    """The wishes as the search understands them."""

    settings: SceneSettings
    demands: Demands
    signals: Signals  # with prices as this manager pays them
    remarks: tuple[str, ...]  # about the squad he has


def read_wishes(stated: StatedWishes, snapshot: Snapshot, signals: Signals) -> ReadWishes:
    """Return what the words mean in a round; an unknown player, team or formation is an error with the nearest ones."""
    from engine.board.squad_input import NO_ACCOUNT, own_prices, read_account, read_squad
    from engine.fitness.view import SceneSettings
    from engine.rules.conflicts import Demands

    captain = _rows([stated.captain] if stated.captain else None, snapshot, signals)
    must, never = _rows(stated.lock, snapshot, signals), _rows(stated.ban, snapshot, signals)
    for row in must:
        if row in never:
            raise InputError(f"{signals.name[row]} is locked and ruled out at once. Take him off one of the lists.")
    rows, remarks = ((), ()) if stated.squad is None else read_squad(stated.squad, snapshot, signals)
    account, told = (NO_ACCOUNT, ()) if stated.squad is None else read_account(stated.squad, snapshot.round)
    settings = SceneSettings(
        current=tuple(int(row) for row in rows),
        free_transfers=account.free_transfers if stated.free_transfers is None else stated.free_transfers,
        budget=account.budget if stated.budget is None else stated.budget,
        most_changes=stated.changes,
        teams=tuple(_limits(stated, snapshot, signals)),
        formation=formation_of(stated.formation, signals.rules) if stated.formation else None,
        captain=captain[0] if captain else None,
    )
    demands = Demands(must=must, never=never)
    return ReadWishes(settings, demands, own_prices(signals, account), (*remarks, *told))


def formation_of(text: str, rules: GameRules) -> int:
    """Return the place of a formation in the rulebook."""
    known = rules.squad.formations
    if text not in known:
        raise UnknownError(f"{text!r} is no formation of this game. Known: {', '.join(known)}.")
    return known.index(text)


def _rows(names: list[str] | None, snapshot: Snapshot, signals: Signals) -> tuple[int, ...]:
    from data.sources.own.squads import read_names

    if not names:
        return ()
    found = read_names("\n".join(names), snapshot.players, teams=snapshot.teams, strict=True)
    return tuple(signals.row_of(player) for player in found.player_ids)


def _limits(stated: StatedWishes, snapshot: Snapshot, signals: Signals) -> Iterator[TeamLimit]:
    from engine.rules.pool import TeamLimit

    for text in stated.at_least or []:
        team, count = _team_count(text, "--at-least", snapshot, signals)
        yield TeamLimit(team, least=count)
    for text in stated.at_most or []:
        team, count = _team_count(text, "--at-most", snapshot, signals)
        yield TeamLimit(team, most=count)


def _team_count(text: str, option: str, snapshot: Snapshot, signals: Signals) -> tuple[int, int]:
    """Return the number of a team and how many of it are meant."""
    from data.naming.matching import PlayerNames

    team, colon, count = text.rpartition(":")
    if not colon or not count.strip().isascii() or not count.strip().isdigit():
        raise InputError(f"{option} {text!r} is not a team and a number. Write it as {option} BRA:2.")
    code = PlayerNames(snapshot.players, snapshot.teams).team_code(team.strip())
    codes = list(signals.teams.strengths.codes)
    if code not in codes:
        known = [*codes, *snapshot.teams["name"].tolist()]
        raise UnknownError(f"{team.strip()!r} is no team of this round. {did_you_mean(team.strip(), known)}")
    return codes.index(code), int(count)
