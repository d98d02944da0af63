"""Wishes: everything a manager may ask of his squad, by player ids and team codes, read into a round's own terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from data.errors import InputError
from data.rules import UNLIMITED, GameRules
from engine.fitness.preferences import NO_PREFERENCES, Preferences
from engine.fitness.squad_view import SceneSettings
from engine.rules.conflicts import Demands
from engine.rules.money import SLACK
from engine.rules.pool import TeamLimit
from models.signals import Signals

MOST_OF_A_TEAM = 15
"""Players of a team that anybody could want: no game has a larger squad."""


@dataclass(frozen=True, slots=True)
class TeamWish:
    """How many players of a team a manager wants."""

    code: str
    least: int = 0
    most: int | None = None

    def __post_init__(self) -> None:
        most = MOST_OF_A_TEAM if self.most is None else self.most
        if not 0 <= self.least <= most <= MOST_OF_A_TEAM:
            raise InputError(f"From {self.least} to {self.most} players of {self.code} is no range.")

    def __str__(self) -> str:
        return f"{self.code}:{self.least}-{'' if self.most is None else self.most}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What a manager asks of his squad; it outlives a refresh. Who cannot be picked in a round is left out there."""

    locks: tuple[int, ...] = ()  # ids of players who must be in
    bans: tuple[int, ...] = ()  # who must not
    captain: int | None = None  # who wears the armband first
    formation: str | None = None
    budget: float | None = None  # millions; None = the stage's
    teams: tuple[TeamWish, ...] = ()
    squad: tuple[int, ...] = ()  # the squad he has; empty = a new one
    selling: Mapping[int, float] = field(default_factory=dict)  # millions that his men would bring, by id
    free_transfers: int | None = None  # None = those of the stage
    changes: int | None = None  # from his squad at most
    preferences: Preferences = NO_PREFERENCES

    def within(self, rules: GameRules, round_number: int) -> tuple[Wishes, tuple[str, ...]]:
        """Return the wishes as far as a round's rules let them hold, and a sentence for each that cannot."""
        stage, title = rules.stage(round_number), rules.round_title(round_number)
        held, said = self, []
        if self.budget is not None and rules.transfers.prices_fixed and self.budget > stage.budget + SLACK:
            said.append(f"{title} has a budget of {stage.budget:.1f}, so your {self.budget:.1f} is not used.")
            held = replace(held, budget=None)
        if self.free_transfers is not None and stage.free_transfers == UNLIMITED:
            said.append(f"Transfers before {title} are free without limit, so your {self.free_transfers} is not used.")
            held = replace(held, free_transfers=None)
        crowded = [team for team in self.teams if team.least > stage.team_cap]
        said += [f"{title} allows {stage.team_cap} of a team, so not {team.least} of {team.code}." for team in crowded]
        capped = (replace(team, least=min(team.least, stage.team_cap)) for team in self.teams)
        return replace(held, teams=tuple(capped)), tuple(said)

    def demands(self, signals: Signals) -> Demands:
        """Return who must and who must not be in, as player rows of a round."""
        return Demands(must=rows_of(self.locks, signals), never=rows_of(self.bans, signals))

    def settings(self, signals: Signals) -> SceneSettings:
        """Return how squads of a round are looked at under these wishes."""
        formations, codes = signals.rules.squad.formations, signals.teams.strengths.codes
        captain = rows_of(() if self.captain is None else (self.captain,), signals)
        current = rows_of(self.squad, signals)
        return SceneSettings(
            preferences=self.preferences,
            current=current,
            free_transfers=self.free_transfers,
            budget=self.budget,
            most_changes=self.changes if current else None,
            teams=tuple(
                TeamLimit(codes.index(team.code), team.least, team.most) for team in self.teams if team.code in codes
            ),
            formation=formations.index(self.formation) if self.formation in formations else None,
            captain=captain[0] if captain else None,
        )

    def priced(self, signals: Signals) -> Signals:
        """Return the signals with prices as this manager pays them: who is his costs what selling him would bring.

        So the budget of his account is exact: whoever stays costs nothing, and who goes frees his selling price.
        """
        if not self.selling:
            return signals
        pairs = zip(signals.player_id.tolist(), signals.price.tolist(), strict=True)
        return replace(signals, price=np.array([self.selling.get(player, now) for player, now in pairs]))


NO_WISHES = Wishes()


def rows_of(ids: tuple[int, ...], signals: Signals) -> tuple[int, ...]:
    """Return the rows of players by id; who cannot be picked this round is left out."""
    rows = {int(player): row for row, player in enumerate(signals.player_id)}
    return tuple(rows[player] for player in ids if player in rows)
