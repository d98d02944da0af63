"""Will he play, and for an hour? Probabilities of a start and of the three minutes states.

Sixty minutes is a cliff, not a ramp: appearance points, clean sheets and defensive returns hang on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from pandas.api.typing import SeriesGroupBy
from pydantic.dataclasses import dataclass as checked
from scipy.special import expit, logit

from data.domain import POSITIONS, Status
from data.worlds.snapshot import Snapshot
from models.players.summed import summed_starts
from models.settings import ByPosition, Rates, Share

ELEVEN = 11.0
CERTAIN = 1e-6  # keeps a logit finite
UNAVAILABLE = (Status.TRANSFERRED, Status.ELIMINATED)
OUT_FOR_NOW = (Status.INJURED, Status.SUSPENDED, Status.ABSENT)
RULED_OUT = (*UNAVAILABLE, *OUT_FOR_NOW)
TOLD = (0, 25, 50, 75, 100)
"""Percents in which a game tells the chance of a doubtful player."""


@checked(frozen=True, slots=True, kw_only=True)
class MinutesSettings:
    """What minutes are predicted from. Vectors are GK, DEF, MID, FWD; measured on internationals and the game."""

    slots: ByPosition = (1.0, 4.2, 3.9, 1.9)  # starters of a typical eleven
    price_pull: ByPosition = (0.5, 0.5, 0.5, 0.5)  # log odds per standard deviation of price in the position
    owned_pull: ByPosition = (1.0, 0.5, 0.5, 0.5)  # and of log ownership: the crowd knows who keeps goal
    highest: Share = 0.93  # nobody is surer than this of a start before he has played
    prior_matches: ByPosition = (0.4, 0.8, 0.8, 0.8)  # weight of price and crowd, in matches; keepers stay
    fading: Share = 0.75  # weight of a match against the one after it
    # How many times likelier who started is to have no point, one, or another number than who did not: rounds 1 to 4.
    odds_none: Rates = (0.1, 0.15, 0.03, 0.02)
    odds_one: Rates = (15.0, 1.05, 0.38, 0.4)
    odds_other: Rates = (100.0, 31.0, 14.0, 13.0)
    ruled_out: Share = 0.02  # P(start) of an injured, suspended or absent player: lists are sometimes wrong
    doubtful: Share = 0.5  # factor on the start of a doubtful player of whom no more is told
    told: tuple[Share, Share, Share, Share, Share] = (
        0.01,
        0.06,
        0.28,
        0.6,
        1.0,
    )  # and at each told chance: FPL 2022–25
    rotation: Share = 0.7  # how far a dead rubber flattens the odds of a start
    sixty_if_started: ByPosition = (0.99, 0.93, 0.85, 0.82)
    comes_on: ByPosition = (0.005, 0.21, 0.42, 0.46)  # P(comes on) of one who does not start: 4 to 5 men a team
    minutes_full: ByPosition = (90.0, 88.0, 84.0, 83.0)  # minutes of who plays 60 or more
    minutes_short: float = 28.0  # minutes of who plays fewer
    crowd_floor: Share = 0.0005  # ownership below this tells nothing apart


@dataclass(frozen=True, slots=True, eq=False)
class Minutes:
    """Beliefs about the minutes of each player in one match of the coming round."""

    start: np.ndarray  # (n,) P(starts)
    state: np.ndarray  # (n, 3) P(absent, 1–59, 60+)
    share: np.ndarray  # (n, 3) share of the 90 minutes in each state
    evidence: np.ndarray  # (n,) 0 = price and crowd alone, towards 1 = many matches seen

    @property
    def expected(self) -> np.ndarray:
        """(n,) expected share of the 90 minutes."""
        return np.asarray((self.state * self.share).sum(axis=1))


def predict_minutes(snapshot: Snapshot, rotation_risk: np.ndarray, settings: MinutesSettings) -> Minutes:
    """Return the minutes of the snapshot's players; `rotation_risk` (n,) is P(his team's match is a dead rubber)."""
    players = snapshot.players
    out = players["status"].isin(UNAVAILABLE).to_numpy()
    able = availability(players, settings)
    before = start_from_market(players, out, settings)
    start, evidence = _start_from_matches(snapshot, before, settings)
    start = _rotated(start, np.where(out, 0.0, rotation_risk), settings)
    start = _fill_elevens(np.where(out, 0.0, start * able), players["team"].to_numpy())
    return minutes_from_start(np.minimum(start, able), position_codes(players), able, evidence, settings)


def minutes_from_start(
    start: np.ndarray, position: np.ndarray, able: np.ndarray, evidence: np.ndarray, settings: MinutesSettings
) -> Minutes:
    """Return the minutes states that follow from a start probability; `able` (n,) is P(he could come on at all)."""
    sixty = np.array(settings.sixty_if_started)[position]
    on = able * np.array(settings.comes_on)[position]
    full = start * sixty
    short = start * (1 - sixty) + (1 - start) * on
    state = np.stack([1 - full - short, short, full], axis=1)
    long = np.array(settings.minutes_full)[position] / 90
    share = np.stack([np.zeros_like(long), np.full_like(long, settings.minutes_short / 90), long], axis=1)
    return Minutes(start, np.clip(state, 0.0, 1.0), share, evidence)


def start_from_market(players: pd.DataFrame, out: np.ndarray, settings: MinutesSettings) -> np.ndarray:
    """Return P(start) from price and ownership among the team-mates of a position, filled to its slots."""
    frame = players[["team", "position", "price"]].assign(
        crowd=np.log(np.maximum(players["owned"], settings.crowd_floor)), weight=0.0, fit=~out
    )
    fit = frame[frame["fit"]]
    groups = fit.groupby(["team", "position"])
    code = position_codes(fit)
    pull = np.array(settings.price_pull)[code] * standardised(groups["price"])
    weight = np.exp(pull + np.array(settings.owned_pull)[code] * standardised(groups["crowd"]))
    start = np.zeros(len(players))
    slots = dict(zip(POSITIONS, settings.slots, strict=True))
    for (_, position), rows in groups.indices.items():
        places = fit.index[rows]
        start[places] = filled(weight.to_numpy()[rows], slots[position], settings.highest)
    return start


def filled(weight: np.ndarray, total: float, highest: float) -> np.ndarray:
    """Return probabilities in proportion to the weights, none above `highest`, that sum to `total` if they can."""
    if len(weight) * highest <= total:
        return np.full(len(weight), highest)
    order = np.argsort(-weight)
    ranked = weight[order]
    left = total - highest * np.arange(len(weight))  # what remains when the first k are at the cap
    scale = left / ranked[::-1].cumsum()[::-1]
    capped = int(np.argmax(ranked * scale <= highest))
    start = np.empty(len(weight))
    start[order] = np.where(np.arange(len(weight)) < capped, highest, ranked * scale[capped])
    return start


def standardised(groups: SeriesGroupBy) -> pd.Series:
    """Return values as standard deviations from the group's mean; a group without spread gives 0."""
    spread = groups.transform("std", ddof=0)
    return ((groups.obj - groups.transform("mean")) / spread).where(spread > 0, 0.0)


def _start_from_matches(
    snapshot: Snapshot, before: np.ndarray, settings: MinutesSettings
) -> tuple[np.ndarray, np.ndarray]:
    """Blend the market's view with the starts in the team's earlier matches, the latest counting most.

    A match whose line-up is not on record is judged by the sum of such matches where it is told, else by points, and
    not at all where nobody of the team has any.
    """
    matches = _team_matches(snapshot, settings)
    if len(snapshot.totals):
        return _started_in_sum(snapshot, before, settings, matches)
    listed = matches["match_id"].isin(snapshot.appearances["match_id"])
    scorers = snapshot.points.merge(snapshot.players[["player_id", "team"]], on="player_id")
    paid = matches[~listed].merge(scorers[["round", "team"]].drop_duplicates(), on=["round", "team"])
    prior = np.array(settings.prior_matches)[position_codes(snapshot.players)]
    weight, started = _listed_starts(snapshot, matches[listed])
    usual = (prior * before + started) / (prior + weight)
    more, likely = _paid_starts(snapshot, paid, usual, settings)
    weight, started = weight + more, started + likely
    return (prior * before + started) / (prior + weight), weight / (prior + weight)


def _started_in_sum(
    snapshot: Snapshot, before: np.ndarray, settings: MinutesSettings, matches: pd.DataFrame
) -> tuple[np.ndarray, np.ndarray]:
    """Return the same where matches without a line-up are known by their sum."""
    listed = matches["match_id"].isin(snapshot.appearances["match_id"])
    prior = np.array(settings.prior_matches)[position_codes(snapshot.players)]
    known, summed = _listed_starts(snapshot, matches[listed]), summed_starts(snapshot, matches[~listed])
    weight, started = (one + other for one, other in zip(known, summed, strict=True))
    return (prior * before + started) / (prior + weight), weight / (prior + weight)


def _team_matches(snapshot: Snapshot, settings: MinutesSettings) -> pd.DataFrame:
    """Return every team's earlier matches with their faded weights: match_id, round, team, weight."""
    played = snapshot.fixtures[snapshot.fixtures["round"] < snapshot.round]
    columns = ["match_id", "round", "kickoff"]
    sides = [played[[*columns, side]].rename(columns={side: "team"}) for side in ("home", "away")]
    matches = pd.concat(sides, ignore_index=True)
    age = matches.groupby("team")["kickoff"].rank(ascending=False, method="first") - 1
    return matches.assign(weight=settings.fading**age)


def _listed_starts(snapshot: Snapshot, matches: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return per player the faded number of his team's matches, and of those he started."""
    players = snapshot.players
    weight = players["team"].map(matches.groupby("team")["weight"].sum()).fillna(0.0).to_numpy(dtype=float)
    starts = snapshot.appearances[snapshot.appearances["started"]]
    starts = starts.merge(players[["player_id", "team"]], on="player_id").merge(matches, on=["match_id", "team"])
    started = players["player_id"].map(starts.groupby("player_id")["weight"].sum()).fillna(0.0)
    return weight, started.to_numpy(dtype=float)


def _paid_starts(
    snapshot: Snapshot, matches: pd.DataFrame, usual: np.ndarray, settings: MinutesSettings
) -> tuple[np.ndarray, np.ndarray]:
    """Return the same of matches without a line-up: his points sway the odds of the start he `usual`ly had."""
    players = snapshot.players[["player_id", "team"]].assign(row=np.arange(len(usual)))
    rows = players.merge(matches, on="team").merge(snapshot.points, "left", ["player_id", "round"])
    row, points = rows["row"].to_numpy(), rows["points"].fillna(0).to_numpy(dtype=int)
    odds = np.array([settings.odds_none, settings.odds_one, settings.odds_other])
    sway = odds[np.where(np.isin(points, (0, 1)), points, 2), position_codes(snapshot.players)[row]]
    start = expit(logit(np.clip(usual, CERTAIN, 1 - CERTAIN))[row] + np.log(np.maximum(sway, CERTAIN)))
    weight = rows["weight"].to_numpy()
    return np.bincount(row, weight, len(usual)), np.bincount(row, weight * start, len(usual))


def _rotated(start: np.ndarray, risk: np.ndarray, settings: MinutesSettings) -> np.ndarray:
    """Flatten the odds where nothing is at stake; the eleven is filled again afterwards."""
    odds = logit(np.clip(start, CERTAIN, 1 - CERTAIN))
    return np.where(start > 0, expit(odds * (1 - settings.rotation * risk)), 0.0)


def _fill_elevens(start: np.ndarray, team: np.ndarray) -> np.ndarray:
    """Shift each team's log odds by one number so that eleven men are expected to start.

    A team with fewer than eleven fit men keeps what it has.
    """
    number, codes = pd.factorize(team)
    odds = logit(np.clip(start, CERTAIN, 1 - CERTAIN))
    able = start > 0
    low, high = np.full(len(codes), -12.0), np.full(len(codes), 12.0)
    for _ in range(50):
        shift = (low + high) / 2
        count = np.bincount(number, np.where(able, expit(odds + shift[number]), 0.0), minlength=len(codes))
        low, high = np.where(count < ELEVEN, shift, low), np.where(count < ELEVEN, high, shift)
    enough = np.bincount(number, able, minlength=len(codes)) > ELEVEN
    return np.where(able, expit(odds + np.where(enough, shift, 0.0)[number]), 0.0)


def availability(players: pd.DataFrame, settings: MinutesSettings) -> np.ndarray:
    """Return by status what share of his chances to play is left: who is suspended cannot come on either.

    A game that tells the chance of a doubtful player is believed as far as it was right.
    """
    status = players["status"].to_numpy()
    ruled_out = np.isin(status, list(OUT_FOR_NOW))
    gone = np.isin(status, list(UNAVAILABLE))
    chance = players["chance"].to_numpy(dtype=float, na_value=np.nan)
    doubt = np.where(np.isnan(chance), settings.doubtful, np.interp(chance, TOLD, settings.told))
    fit = np.where(status == Status.DOUBTFUL, doubt, 1.0)
    return np.where(gone, 0.0, np.where(ruled_out, settings.ruled_out, fit))


def everybody_fit(players: pd.DataFrame) -> pd.DataFrame:
    """Return the players as if every injury were healed and every ban served; who has left is gone all the same."""
    return players.assign(status=players["status"].where(players["status"].isin(UNAVAILABLE), Status.PLAYING))


def position_codes(players: pd.DataFrame) -> np.ndarray:
    """Return 0 GK, 1 DEF, 2 MID, 3 FWD for each player."""
    return np.asarray(pd.Categorical(players["position"], categories=list(POSITIONS)).codes, dtype=int)
