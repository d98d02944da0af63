"""Team-level beliefs of a deadline: goals of every pairing, who plays when, and what the coming matches look like."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from data.errors import ModelError
from data.rules import GameRules
from data.worlds.snapshot import Snapshot
from models.competition.rotation import rotation_risk
from models.competition.tournament import Progression, TournamentSettings, league_matches, simulate_tournament
from models.crowd.field_view import OwnershipSettings
from models.players.involvement import InvolvementSettings
from models.players.later_minutes import LaterMinutes, settled_minutes, shipped_later_minutes
from models.players.league_minutes import MinutesLogits, shipped_logits
from models.players.matchday import played_grid
from models.players.minutes import MinutesSettings
from models.teams.goals import ScoreGrid, score_grid
from models.teams.ratings import (
    RatingSettings,
    TeamStrengths,
    fit_ratings,
    fixture_rates,
    price_of_eleven,
    rate_matrix,
    scale_to_tournament,
    team_strengths,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Everything the models assume, in one value; `for_game` gives the defaults of a game."""

    ratings: RatingSettings = field(default_factory=RatingSettings)
    minutes: MinutesSettings = field(default_factory=MinutesSettings)
    minutes_logits: MinutesLogits | None = None  # of a league; None where price, crowd and starts decide
    # Of later rounds. How far a tournament's elevens change was not measured: there only who is not fit does.
    later_minutes: LaterMinutes = field(default_factory=settled_minutes)
    involvement: InvolvementSettings = field(default_factory=InvolvementSettings)
    tournament: TournamentSettings = field(default_factory=TournamentSettings)
    ownership: OwnershipSettings = field(default_factory=OwnershipSettings)
    last_group_match: float = 0.4  # least rotation risk in it: P(start) falls for everybody, most where all is settled
    third_place: float = 0.4  # rotation risk in the match for third place

    @classmethod
    def for_game(cls, rules: GameRules) -> ModelSettings:
        """Return the defaults of a tournament or of a league."""
        if rules.kind == "league":
            return cls(
                ratings=RatingSettings.league(),
                minutes_logits=shipped_logits(),
                later_minutes=shipped_later_minutes(),
                ownership=OwnershipSettings.league(),
            )
        return cls()


@dataclass(frozen=True, slots=True, eq=False)
class TeamForecast:
    """What is believed of the teams: row i of every array is team i of the snapshot."""

    strengths: TeamStrengths
    rates: np.ndarray  # (n, n, 3) expected goals of 90 minutes: team, opponent, venue
    progression: Progression
    rotation: np.ndarray  # (n,) risk that the coming match is a dead rubber
    matches: pd.DataFrame  # the coming fixtures, in order of kick-off
    match_rates: np.ndarray  # (k, 2) expected goals of 90 minutes, home and away
    ninety: ScoreGrid  # (k,) the score after 90 minutes
    grid: ScoreGrid  # (k,) the score that points are paid for, extra time included
    calendar: pd.DataFrame  # announced fixtures of later rounds, in order of kick-off
    knockouts: frozenset[str]  # stages in which a draw is played on


def forecast_teams(
    snapshot: Snapshot, rules: GameRules, settings: ModelSettings, rng: np.random.Generator
) -> TeamForecast:
    """Return the team-level beliefs."""
    matches = snapshot.coming.sort_values(["kickoff", "match_id"], ignore_index=True)
    if matches.empty:
        raise ModelError(
            f"Round {snapshot.round} of {snapshot.world} has no match yet, so nothing can be expected of its players. "
            "Choose a round whose fixtures are known, or refresh the data."
        )
    strengths = _scaled_strengths(snapshot, rules, settings)
    rates = rate_matrix(strengths)
    goals = fixture_rates(strengths, matches)
    later = snapshot.fixtures[snapshot.fixtures["round"] > snapshot.round]
    knockout = matches["stage"].isin(snapshot.bracket["stage"]).to_numpy()
    return TeamForecast(
        strengths=strengths,
        rates=rates,
        progression=_progression(snapshot, rules, settings, rng, rates),
        rotation=_rotation(snapshot, rules, settings, rates),
        matches=matches,
        match_rates=goals,
        ninety=score_grid(goals[:, 0], goals[:, 1], strengths.rho),
        grid=played_grid(goals, strengths.rho, knockout),
        calendar=later.sort_values(["kickoff", "match_id"], ignore_index=True),
        knockouts=frozenset(snapshot.bracket["stage"]),
    )


def _scaled_strengths(snapshot: Snapshot, rules: GameRules, settings: ModelSettings) -> TeamStrengths:
    """Return the strengths with prices where squads are complete, scaled to the goals this competition has seen."""
    ratings = fit_ratings(snapshot.results, before=snapshot.deadline, settings=settings.ratings)
    prices = price_of_eleven(snapshot.players, list(snapshot.teams["code"])) if rules.kind == "tournament" else None
    strengths = team_strengths(ratings, snapshot.teams, prices)
    played = snapshot.fixtures[snapshot.fixtures["home_goals_90"].notna() & snapshot.fixtures["away_goals_90"].notna()]
    if played.empty or rules.kind == "league":  # a league's own results are what its ratings rest on already
        return replace(strengths, scale=scale_to_tournament(0.0, 0.0, settings.ratings))
    seen = float(played[["home_goals_90", "away_goals_90"]].to_numpy(dtype=float).sum())
    expected = float(fixture_rates(strengths, played).sum())
    return replace(strengths, scale=scale_to_tournament(seen, expected, settings.ratings))


def _progression(
    snapshot: Snapshot, rules: GameRules, settings: ModelSettings, rng: np.random.Generator, rates: np.ndarray
) -> Progression:
    if rules.kind == "league":
        return league_matches(snapshot.fixtures, snapshot.teams, range(1, rules.rounds + 1))
    return simulate_tournament(
        snapshot.teams,
        snapshot.fixtures,
        snapshot.bracket,
        snapshot.best_thirds,
        rates,
        rng=rng,
        settings=settings.tournament,
    )


def _rotation(snapshot: Snapshot, rules: GameRules, settings: ModelSettings, rates: np.ndarray) -> np.ndarray:
    """Return the risk of rotation: a last group match may be a dead rubber, and one for third place always is."""
    if rules.kind == "league":
        return np.zeros(len(snapshot.teams))
    groups = snapshot.fixtures[~snapshot.fixtures["stage"].isin(snapshot.bracket["stage"])]
    if groups.empty or snapshot.round != groups["round"].max():
        return _rested_losers(snapshot, settings)
    risk = rotation_risk(snapshot.teams, snapshot.fixtures, snapshot.bracket, snapshot.best_thirds, rates)
    return np.asarray(np.maximum(risk["rotation_risk"].to_numpy(dtype=float), settings.last_group_match))


def _rested_losers(snapshot: Snapshot, settings: ModelSettings) -> np.ndarray:
    """Return the risk of the teams whose coming match is between losers: nobody goes on from it."""
    losers = snapshot.bracket.loc[snapshot.bracket["slot_1"].str.startswith("L"), "official_no"]
    matches = snapshot.coming[snapshot.coming["official_no"].isin(losers)]
    teams = snapshot.teams["code"].isin([*matches["home"], *matches["away"]])
    return np.where(teams, settings.third_place, 0.0)
