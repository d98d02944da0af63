"""The World Cup feed's payloads after their checks: each list by itself, and the lists against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from data.errors import PayloadError
from data.sources.fifa.wire import (
    COMPLETE,
    PLAYERS,
    ROUNDS,
    SQUADS,
    WirePlayer,
    WirePlayerRound,
    WireRound,
    WireSquad,
    stats_name,
)
from data.sources.wire import readable, refuse_faulty, refuse_shares, refuse_twice, validated_list


@dataclass(frozen=True)
class FifaFeed:
    """The payloads after their checks, each entry as its model."""

    players: list[WirePlayer]
    squads: list[WireSquad]
    rounds: list[WireRound]
    stats: Mapping[int, list[WirePlayerRound]]  # by player id, for those that were fetched
    spoilt: tuple[str, ...] = ()  # why those of some players were left out

    @property
    def coming(self) -> int:
        """The first round that is not complete; the last one when all are."""
        return next((entry.id for entry in self.rounds if entry.status != COMPLETE), self.rounds[-1].id)

    @cached_property
    def codes(self) -> dict[int, str]:
        """Squad id → team code."""
        return {squad.id: squad.abbr.upper() for squad in self.squads}


def read_feed(payloads: Mapping[str, object]) -> FifaFeed:
    """Check every payload by itself and against the others."""
    players = validated_list(WirePlayer, payloads.get(PLAYERS), PLAYERS)
    squads = validated_list(WireSquad, payloads.get(SQUADS), SQUADS)
    rounds = validated_list(WireRound, payloads.get(ROUNDS), ROUNDS)
    refuse_faulty(players, PLAYERS)
    refuse_faulty(squads, SQUADS)
    refuse_faulty(rounds, ROUNDS)
    refuse_twice((squad.abbr.upper() for squad in squads), SQUADS, "abbr")
    refuse_twice((match.id for entry in rounds for match in entry.matches), ROUNDS, "match id")
    refuse_shares((player.percent_selected for player in players), PLAYERS)
    _refuse_stray_players(players, {squad.id for squad in squads})
    stats, spoilt = readable({p.id: partial(_stats, payloads, p) for p in players if stats_name(p.id) in payloads})
    return FifaFeed(players, squads, sorted(rounds, key=lambda entry: entry.id), stats, spoilt)


def _stats(payloads: Mapping[str, object], player: WirePlayer) -> list[WirePlayerRound]:
    name = stats_name(player.id)
    rows = validated_list(WirePlayerRound, payloads[name], name)
    refuse_twice((row.round for row in rows), name, "roundId")
    return rows


def _refuse_stray_players(players: Sequence[WirePlayer], squads: set[int]) -> None:
    for player in players:
        if player.squad_id not in squads:
            raise PayloadError(
                f"{PLAYERS}, player {player.id}, 'squadId': there is no squad {player.squad_id} in {SQUADS}. "
                "The two lists may be from different moments; try again."
            )
