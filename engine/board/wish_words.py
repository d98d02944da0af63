"""Wishes as a manager writes them, by names and files: read into ids and codes, or refused with the nearest thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from data.errors import InputError, UnknownError, did_you_mean
from data.naming.matching import PlayerNames
from data.sources.own.squads import read_names
from data.worlds.snapshot import Snapshot
from engine.board.squad_input import NO_ACCOUNT, read_account, read_squad
from engine.board.stated_wishes import StatedWishes
from engine.fitness.preferences import NO_PREFERENCES, read_preferences
from engine.fitness.wishes import TeamWish, Wishes
from models.signals import Signals


def read_wishes(stated: StatedWishes, snapshot: Snapshot, signals: Signals) -> tuple[Wishes, tuple[str, ...]]:
    """Return what the words mean in a round, and remarks about the squad he has.

    An unknown player, team or formation is an error with the nearest ones.
    """
    captain = named_players([stated.captain] if stated.captain else (), snapshot, signals)
    locks, bans = (named_players(names or (), snapshot, signals) for names in (stated.lock, stated.ban))
    for player in locks:
        if player in bans:
            name = signals.name[signals.row_of(player)]
            raise InputError(f"{name} is locked and ruled out at once. Take him off one of the lists.")
    if stated.formation and stated.formation not in signals.rules.squad.formations:
        known = ", ".join(signals.rules.squad.formations)
        raise UnknownError(f"{stated.formation!r} is no formation of this game. Known: {known}.")
    rows, remarks = ((), ()) if stated.squad is None else read_squad(stated.squad, snapshot, signals)
    account, told = (NO_ACCOUNT, ()) if stated.squad is None else read_account(stated.squad, snapshot.round)
    wishes = Wishes(
        locks=locks,
        bans=bans,
        captain=captain[0] if captain else None,
        formation=stated.formation,
        budget=account.budget if stated.budget is None else stated.budget,
        teams=tuple(_teams(stated, snapshot, signals)),
        squad=tuple(int(signals.player_id[row]) for row in rows),
        selling=account.selling,
        free_transfers=account.free_transfers if stated.free_transfers is None else stated.free_transfers,
        changes=stated.changes,
        preferences=NO_PREFERENCES if stated.preferences is None else read_preferences(stated.preferences),
    )
    return wishes, (*remarks, *told)


def named_players(names: Sequence[str], snapshot: Snapshot, signals: Signals) -> tuple[int, ...]:
    """Return the ids of players that can be picked, by names or ids as text; each must be known."""
    if not names:
        return ()
    found = read_names("\n".join(names), snapshot.players, teams=snapshot.teams, strict=True)
    return tuple(int(signals.player_id[signals.row_of(player)]) for player in found.player_ids)


def _teams(stated: StatedWishes, snapshot: Snapshot, signals: Signals) -> Iterator[TeamWish]:
    for text in stated.at_least or ():
        code, count = _team_count(text, "--at-least", snapshot, signals)
        yield TeamWish(code, least=count)
    for text in stated.at_most or ():
        code, count = _team_count(text, "--at-most", snapshot, signals)
        yield TeamWish(code, most=count)


def _team_count(text: str, option: str, snapshot: Snapshot, signals: Signals) -> tuple[str, int]:
    """Return the code of a team and how many of it are meant."""
    team, colon, count = text.rpartition(":")
    if not colon or not count.strip().isascii() or not count.strip().isdigit():
        raise InputError(f"{option} {text!r} is not a team and a number. Write it as {option} BRA:2.")
    code, codes = PlayerNames(snapshot.players, snapshot.teams).team_code(team.strip()), signals.teams.strengths.codes
    if code not in codes:
        known = [*codes, *snapshot.teams["name"].tolist()]
        raise UnknownError(f"{team.strip()!r} is no team of this round. {did_you_mean(team.strip(), known)}")
    return str(code), int(count)
