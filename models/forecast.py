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
from models.players.matchday import played_grid
from models.players.minutes.later_minutes import LaterMinutes, settled_minutes, shipped_later_minutes
from models.players.minutes.league_minutes import MinutesLogits, shipped_logits
from models.players.minutes.playing_time import MinutesSettings
from models.players.shares.involvement import InvolvementSettings
from models.players.shares.league_shares import ShareWeights, shipped_shares
from models.settings import Share
from models.teams.club_priors import club_priors
from models.teams.goals import ScoreGrid, score_grid
from models.teams.market import market_rates
from models.teams.past_matches import day_of
from models.teams.rating_settings import RatingSettings
from models.teams.ratings import (
    TeamStrengths,
    fit_ratings,
    fixture_rates,
    price_of_eleven,
    rate_matrix,
    scale_to_tournament,
    team_strengths,
)

ODDS_SHARE = 0.7
"""Share of bookmakers' odds in the log rates that measured best: 1X2 log-loss .002 above the market's in 2023-24, .003
below it in 2024-25, .002 above in the first half of 2025-26; our own ratings .014 above, .002 below, .013 above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Everything the models assume, in one value; `for_game` gives the defaults of a game."""

    ratings: RatingSettings = field(default_factory=RatingSettings)
    minutes: MinutesSettings = field(default_factory=MinutesSettings)
    minutes_logits: MinutesLogits | None = None  # of a league; None where price, crowd and starts decide
    # Of later rounds. How far a tournament's elevens change was not measured: there only who is not fit does.
    later_minutes: LaterMinutes = field(default_factory=settled_minutes)
    involvement: InvolvementSettings = field(default_factory=InvolvementSettings)
    shares: ShareWeights | None = None  # of a league; None where the goals of a results set are counted
    tournament: TournamentSettings = field(default_factory=TournamentSettings)
    ownership: OwnershipSettings = field(default_factory=OwnershipSettings)
    last_group_match: float = 0.4  # least rotation risk in it: P(start) falls for everybody, most where all is settled
    third_place: float = 0.4  # rotation risk in the match for third place
    # Of the bookmakers' odds in the log rates of a match, where they are known. 0 shows what our own ratings can do;
    # .7 was best on the Premier League 2023 to 2025 (`ODDS_SHARE`).
    odds_share: Share = 0.0

    @classmethod
    def for_game(cls, rules: GameRules) -> ModelSettings:
        """Return the defaults of a tournament or of a league."""
        if rules.kind == "league":
            return cls(
                ratings=RatingSettings.league(),
                minutes_logits=shipped_logits(),
                shares=shipped_shares(),
                involvement=InvolvementSettings(substitutes=1.25),
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
    priced: np.ndarray  # (k,) whether bookmakers' odds are in its rates
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
    strengths = scaled_strengths(snapshot, rules, settings)
    rates = rate_matrix(strengths)
    goals, priced = _with_odds(fixture_rates(strengths, matches), matches, strengths.rho, settings.odds_share)
    later = snapshot.fixtures[snapshot.fixtures["round"] > snapshot.round]
    knockout = matches["stage"].isin(snapshot.bracket["stage"]).to_numpy()
    return TeamForecast(
        strengths=strengths,
        rates=rates,
        progression=_progression(snapshot, rules, settings, rng, rates),
        rotation=_rotation(snapshot, rules, settings, rates),
        matches=matches,
        match_rates=goals,
        priced=priced,
        ninety=score_grid(goals[:, 0], goals[:, 1], strengths.rho),
        grid=played_grid(goals, strengths.rho, knockout),
        calendar=later.sort_values(["kickoff", "match_id"], ignore_index=True),
        knockouts=frozenset(snapshot.bracket["stage"]),
    )


def scaled_strengths(snapshot: Snapshot, rules: GameRules, settings: ModelSettings) -> TeamStrengths:
    """Return the strengths with prices where squads are complete, scaled to the goals this competition has seen."""
    league = rules.kind == "league"
    priors = _club_priors(snapshot, settings.ratings) if league else None
    ratings = fit_ratings(snapshot.results, before=snapshot.deadline, settings=settings.ratings, priors=priors)
    prices = None if league else price_of_eleven(snapshot.players, list(snapshot.teams["code"]))
    strengths = team_strengths(ratings, snapshot.teams, prices)
    played = snapshot.fixtures[snapshot.fixtures["home_goals_90"].notna() & snapshot.fixtures["away_goals_90"].notna()]
    if played.empty or league:  # a league's own results are what its ratings rest on already
        return replace(strengths, scale=scale_to_tournament(0.0, 0.0, settings.ratings))
    seen = float(played[["home_goals_90", "away_goals_90"]].to_numpy(dtype=float).sum())
    expected = float(fixture_rates(strengths, played).sum())
    return replace(strengths, scale=scale_to_tournament(seen, expected, settings.ratings))


def _with_odds(rates: np.ndarray, matches: pd.DataFrame, rho: float, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the rates (k, 2) drawn to those of the odds by their share of the logarithm, and (k,) whose were."""
    if not share:
        return rates, np.zeros(len(rates), dtype=bool)
    market = market_rates(matches, rho)
    priced = ~np.isnan(market).any(axis=1)
    return np.where(priced[:, None], rates ** (1 - share) * market**share, rates), priced


def _club_priors(snapshot: Snapshot, settings: RatingSettings) -> pd.DataFrame:
    began = day_of(snapshot.fixtures["kickoff"].min())
    return club_priors(snapshot.results, snapshot.teams, snapshot.players, began, settings)


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
