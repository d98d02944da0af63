"""Who is behind a team's goals: shares of goals, assists and penalties, and the rates of everything else counted.

A prior from position, price and crowd is moved by what the player did, the more the more was seen of him.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from pydantic.dataclasses import dataclass as checked

from data.worlds.snapshot import Snapshot
from models.players.minutes.playing_time import Minutes, position_codes
from models.players.scorers import ScorerMatches, decayed_goals, penalty_takers
from models.players.shares.league_shares import ShareEvidence, ShareWeights
from models.players.summed import seen_events
from models.settings import ByPosition, Positive, Rates, Share

RATES = ("tackles", "chances", "shots", "defensive", "yellow", "red", "own_goal")
RATES_PENALTY = ("penalty_won", "penalty_conceded", "penalty_saved", "penalty_missed")
EVENT_OF_RATE = {
    "tackles": "tackles",
    "shots": "shots_on_target",
    "chances": "chances_created",
    "defensive": "defensive_contributions",
    "yellow": "yellow_cards",
}
"""Rates that a player's own counts move; the others stay at their prior, since they are rare or the match's."""

PAID_WITH = {"shots": "goals", "chances": "assists"}
"""A goal is a shot on target and an assist a created chance: only what goes beyond them is a rate of its own."""


@checked(frozen=True, slots=True, kw_only=True)
class InvolvementSettings:
    """Priors by position (GK, DEF, MID, FWD) and how fast evidence moves them.

    Shares are of the team's goals per 90 minutes; counts per 90 minutes are those of international football and of
    the first rounds' official statistics, rounded.
    """

    goal_share: Rates = (0.0005, 0.032, 0.11, 0.23)
    goal_price: ByPosition = (0.0, 0.7, 1.2, 1.0)  # exponent of price over the reference price
    assist_share: Rates = (0.003, 0.05, 0.115, 0.105)
    assist_price: ByPosition = (0.0, 1.0, 0.9, 0.6)
    reference_price: Rates = (4.5, 4.3, 6.0, 6.0)
    crowd_pull: float = 0.2  # log share per standard deviation of log ownership within the position
    prior_goals: float = 12.0  # weight of the prior, in goals of the team
    half_life_days: Positive = 540.0
    expected_share: Share = 0.65  # of expected goals in the evidence, where a game publishes them; the rest is goals
    highest_goal: float = 0.75  # of one man, whatever a thin squad's arithmetic says
    highest_assist: float = 0.24
    own_goals: Share = 0.03  # goals of a team that none of its men scores
    assists_per_goal: Share = 0.85
    penalties: Share = 0.085  # share of a team's goals
    taker_trust: Share = 0.85  # how much of them the recorded takers get; the rest is anybody's
    substitutes: Positive = 1.0  # goals and assists per minute of who plays under an hour, against who plays longer
    free_kicks: Share = 0.02  # share of a player's goals
    saves_base: float = 1.0  # saves of a goalkeeper = base + slope × goals expected against him
    saves_slope: float = 1.4  # on 1,496 Premier League matches 1.00 + 1.41 λ, on 86 of the World Cup .78 + 1.40 λ
    tackles: Rates = (0.05, 1.7, 1.8, 1.0)
    chances: Rates = (0.0, 0.03, 0.03, 0.03)  # beyond assists: the game counts few others
    shots: Rates = (0.0, 0.12, 0.25, 0.65)  # on target, beyond goals
    defensive: Rates = (1.0, 8.0, 7.5, 4.0)
    yellow: Rates = (0.04, 0.15, 0.15, 0.10)
    red: Rates = (0.001, 0.008, 0.007, 0.004)
    own_goal: Rates = (0.003, 0.011, 0.003, 0.002)
    penalty_won: Rates = (0.0, 0.004, 0.012, 0.02)
    penalty_conceded: Rates = (0.012, 0.015, 0.007, 0.003)
    penalty_saved: Rates = (0.02, 0.0, 0.0, 0.0)
    penalty_missed: Rates = (0.0, 0.0, 0.003, 0.01)
    prior_matches: float = 4.0  # weight of the prior of a counted rate, in matches


@dataclass(frozen=True, slots=True, eq=False)
class Involvement:
    """Shares and rates of each player while he is on the pitch for the whole match."""

    goal: np.ndarray  # (n,) P(a goal of his team is his), 90 minutes played
    assist: np.ndarray  # (n,) P(he assists a goal of his team), 90 minutes played
    rates: dict[str, np.ndarray]  # expected counts of 90 minutes, by name; saves are added by the match


@dataclass(frozen=True, slots=True, eq=False)
class _Evidence:
    goals: np.ndarray  # (n,) faded goals, penalties left out
    team_goals: np.ndarray  # (n,) those of his whole team
    assists: np.ndarray
    assisted_goals: np.ndarray  # (n,) goals of his team in the matches whose assists are known
    penalties: np.ndarray  # (n,) share of his team's penalties


def share_goals(
    snapshot: Snapshot,
    minutes: Minutes,
    scorers: ScorerMatches,
    settings: InvolvementSettings,
    weights: ShareWeights | None = None,
) -> Involvement:
    """Return the shares and rates of the snapshot's players; `weights` are those of a league."""
    players = snapshot.players
    code = position_codes(players)
    if weights is not None:
        return _league_involvement(snapshot, minutes, settings, weights)
    team = pd.factorize(players["team"])[0]
    seen = _evidence(snapshot, scorers, settings)
    prior_goal = _prior(players, code, settings.goal_share, settings.goal_price, settings)
    prior_assist = _prior(players, code, settings.assist_share, settings.assist_price, settings)
    goal = _moved(prior_goal, seen.goals, seen.team_goals, settings)
    assist = _moved(prior_assist, seen.assists, seen.assisted_goals, settings)
    spot = settings.penalties * settings.taker_trust * seen.penalties
    left = 1 - settings.own_goals - _by_team(spot * minutes.expected, team)
    assists = np.full(len(team), settings.assists_per_goal)
    return Involvement(
        goal=np.minimum(_to_total(goal, minutes.expected, team, left) + spot, settings.highest_goal),
        assist=np.minimum(_to_total(assist, minutes.expected, team, assists), settings.highest_assist),
        rates=_rates(snapshot, code, settings),
    )


def _league_involvement(
    snapshot: Snapshot, minutes: Minutes, settings: InvolvementSettings, weights: ShareWeights
) -> Involvement:
    """Return the fitted shares, filled to all goals of a team: left as they are, they cost .003 RMSE."""
    seen, team = ShareEvidence.of(snapshot), pd.factorize(snapshot.players["team"])[0]
    code = seen.position
    goals, assists = (np.full(len(team), total) for total in (1 - settings.own_goals, settings.assists_per_goal))
    goal = _to_total(seen.share("goal", weights.goal[code]), minutes.expected, team, goals)
    assist = _to_total(seen.share("assist", weights.assist[code]), minutes.expected, team, assists)
    return Involvement(
        goal=np.minimum(goal, settings.highest_goal),
        assist=np.minimum(assist, settings.highest_assist),
        rates=_rates(snapshot, code, settings),
    )


def _prior(
    players: pd.DataFrame,
    code: np.ndarray,
    share: tuple[float, ...],
    exponent: tuple[float, ...],
    settings: InvolvementSettings,
) -> np.ndarray:
    price = players["price"].to_numpy() / np.array(settings.reference_price)[code]
    crowd = np.log(np.maximum(players["owned"].to_numpy(), 0.001))
    by_position = pd.Series(crowd).groupby(code)
    spread = by_position.transform("std").fillna(0.0).to_numpy()
    odds = np.divide(
        crowd - by_position.transform("mean").to_numpy(), spread, out=np.zeros(len(code)), where=spread > 0
    )
    return np.asarray(np.array(share)[code] * price ** np.array(exponent)[code] * np.exp(settings.crowd_pull * odds))


def _moved(prior: np.ndarray, own: np.ndarray, team: np.ndarray, settings: InvolvementSettings) -> np.ndarray:
    return np.asarray((settings.prior_goals * prior + own) / (settings.prior_goals + team))


def _by_team(values: np.ndarray, team: np.ndarray) -> np.ndarray:
    return np.asarray(np.bincount(team, values)[team])


def _to_total(share: np.ndarray, minutes: np.ndarray, team: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Scale shares so that, over the minutes expected of the team's men, they give the team's total."""
    given = _by_team(share * minutes, team)
    return np.asarray(share * np.divide(total, given, out=np.zeros_like(share), where=given > 0))


def _evidence(snapshot: Snapshot, scorers: ScorerMatches, settings: InvolvementSettings) -> _Evidence:
    """Collect goals from the results set, where there is one, else from the game's own events."""
    players = snapshot.players
    events = _faded_events(snapshot, settings)
    assists, assisted = _summed(events, "assists", players), _team_summed(events, "goals", players)
    if scorers.goals.empty:
        own, team = _summed(events, "scored", players), _team_summed(events, "scored", players)
        return _Evidence(own, team, assists, assisted, np.zeros(len(players)))
    past = decayed_goals(scorers, snapshot.deadline, settings.half_life_days)
    takers = penalty_takers(scorers, snapshot.deadline, settings.half_life_days)
    return _Evidence(
        goals=_aligned(past.players, players["player_id"]),
        team_goals=_aligned(past.teams, players["team"]),
        assists=assists,
        assisted_goals=assisted,
        penalties=_aligned(takers["share"], players["player_id"]),
    )


def _faded_events(snapshot: Snapshot, settings: InvolvementSettings) -> pd.DataFrame:
    """Return the events with their weight by age, and `scored`: goals, or the mix with expected goals."""
    events = seen_events(snapshot)
    age = (pd.Timestamp(snapshot.deadline) - events["kickoff"]).dt.total_seconds() / 86_400
    fading = 0.5 ** (age / settings.half_life_days)
    known = events["expected_goals"].notna()

    def mixed(counted: str, expected: str) -> pd.Series:
        share = settings.expected_share
        return events[counted].where(~known, share * events[expected].fillna(0.0) + (1 - share) * events[counted])

    return events.assign(
        weight=fading,
        scored=mixed("goals", "expected_goals") * fading,
        assists=mixed("assists", "expected_assists") * fading,
        goals=events["goals"] * fading,
    )


def _summed(events: pd.DataFrame, column: str, players: pd.DataFrame) -> np.ndarray:
    return _aligned(events.groupby("player_id")[column].sum(), players["player_id"])


def _team_summed(events: pd.DataFrame, column: str, players: pd.DataFrame) -> np.ndarray:
    team = events["player_id"].map(players.set_index("player_id")["team"])
    return _aligned(events.groupby(team)[column].sum(), players["team"])


def _aligned(values: pd.Series, keys: pd.Series) -> np.ndarray:
    return np.asarray(keys.map(values).fillna(0.0), dtype=float)


def _rates(snapshot: Snapshot, code: np.ndarray, settings: InvolvementSettings) -> dict[str, np.ndarray]:
    """Return expected counts of 90 minutes; a player's own counts move those that come often enough to tell."""
    rates = {name: np.array(getattr(settings, name))[code] for name in (*RATES, *RATES_PENALTY)}
    events = seen_events(snapshot)
    matches = _summed(events.assign(full=events["minutes"] / 90), "full", snapshot.players)
    for name, event in EVENT_OF_RATE.items():
        if not events[event].any():
            continue  # the game does not count it
        beyond = events[event] - (events[PAID_WITH[name]] if name in PAID_WITH else 0)
        seen = _summed(events.assign(seen=beyond.clip(lower=0)), "seen", snapshot.players)
        rates[name] = (settings.prior_matches * rates[name] + seen) / (settings.prior_matches + matches)
    return rates
