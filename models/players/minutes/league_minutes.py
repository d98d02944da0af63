"""Minutes in a league: nested logits on what a player did of late, who competes for his place, and what the game tells.

First whether he plays at all, then whether for an hour. Teams are filled to the men they use, and what is then said of
outfield players is bent to what came. The coefficients are fitted on whole seasons before the one forecast by
`thetaxi fit-minutes` and shipped as `league_minutes.csv`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit, logit

from data.domain import Status
from data.worlds.snapshot import Snapshot
from models.players.minutes.playing_time import (
    CERTAIN,
    OUT_FOR_NOW,
    UNAVAILABLE,
    Minutes,
    MinutesSettings,
    position_codes,
    standardised,
    start_from_market,
)
from models.players.minutes.recent import RecentMatches, fit

FEATURES = (
    "constant",
    "minutes",
    "appearances",
    "starts",
    "minutes_long",
    "appearances_long",
    "full",
    "left_out",
    "team",
    "rivals",
    "price",
    "bought",
    "doubt_75",
    "doubt_50",
    "doubt_25",
    "defender",
    "forward",
    "minutes_squared",
    "minutes_cubed",
    "minutes_long_squared",
    "appearances_long_squared",
    "sold",
    "hour",
    "appeared",
    "team_minutes",
    "defender_minutes",
    "defender_starts",
    "defender_rivals",
)
"""What the logits weigh, in the order of their coefficients."""

BEND = ("bend_constant", "bend_odds", "bend_odds_squared")
"""What bends the log odds of an outfield player to play, once teams are filled."""

KEEPER_SHARE = "share"
LOGITS = Path(__file__).with_name("league_minutes.csv")
PRIOR = 0.7  # matches that price and crowd are worth
MARKET = MinutesSettings(slots=(1.0, 4.2, 4.4, 1.4), price_pull=(0.9,) * 4, owned_pull=(0.5,) * 4, highest=0.9)
OUT = (0.991, 0.006, 0.003)
"""Minutes states of who is injured, suspended or absent: lists are sometimes wrong."""

FULL_MATCH, HOUR = 85, 60  # minutes
LEAST = 1e-4  # chance below which log odds say no more
LONG = 0.95
PLAYERS_USED = 15.2
"""Men of a team who play in a match: Premier League 2022 to 2025."""

DECAYS = {"minutes": 0.7, "appearances": 0.85, "starts": 0.5}


@dataclass(frozen=True, slots=True, eq=False)
class MinutesLogits:
    """Coefficients by FEATURES: of playing at all and, who plays, of an hour; for goalkeepers and outfield players."""

    plays: np.ndarray  # (2, features): outfield, goalkeepers
    sixty: np.ndarray  # (features,) of outfield players
    keeper_sixty: float  # share of the goalkeepers who play that play an hour
    bend: np.ndarray  # (BEND,) of what is said of outfield players once teams are filled

    def table(self) -> pd.DataFrame:
        """Return the coefficients as `league_minutes.csv` has them."""
        columns = {"outfield_plays": self.plays[0], "outfield_sixty": self.sixty, "keeper_plays": self.plays[1]}
        table = pd.DataFrame(columns, index=pd.Index(FEATURES, name="feature"))
        for name, weight in zip(BEND, self.bend, strict=True):
            table.loc[name, "outfield_plays"] = weight
        table.loc[KEEPER_SHARE, "keeper_sixty"] = self.keeper_sixty
        return table

    def state(self, features: np.ndarray, keeper: np.ndarray) -> np.ndarray:
        """(n, 3) P(absent, 1–59, 60+) of players who are not ruled out."""
        plays = expit((features * self.plays[keeper.astype(int)]).sum(axis=1))
        sixty = np.where(keeper, self.keeper_sixty, expit(features @ self.sixty))
        return np.stack([1 - plays, plays * (1 - sixty), plays * sixty], axis=1)

    def bent(self, state: np.ndarray, keeper: np.ndarray) -> np.ndarray:
        """(n, 3) the same as often as it came, from the states (n, 3) of filled teams; who plays plays as long."""
        plays = np.where(keeper, 1 - state[:, 0], expit(bend_features(state) @ self.bend))
        return _with_plays(state, plays)


@cache
def shipped_logits() -> MinutesLogits:
    """Return the coefficients that come with the project."""
    table = pd.read_csv(LOGITS, index_col="feature")
    known = table.loc[list(FEATURES)]
    plays = known[["outfield_plays", "keeper_plays"]].to_numpy(dtype=float).T
    bend = table.loc[list(BEND), "outfield_plays"].to_numpy(dtype=float)
    sixty, share = known["outfield_sixty"].to_numpy(dtype=float), float(table.loc[KEEPER_SHARE, "keeper_sixty"])
    return MinutesLogits(plays, sixty, share, bend)


def predict_league_minutes(
    snapshot: Snapshot, recent: RecentMatches, settings: MinutesSettings, logits: MinutesLogits
) -> Minutes:
    """Return the minutes of the snapshot's players in one match of the coming round."""
    players = snapshot.players
    position = position_codes(players)
    out, gone = (players["status"].isin(states).to_numpy() for states in (OUT_FOR_NOW, UNAVAILABLE))
    state = logits.state(minutes_features(snapshot, recent), position == 0)
    state = logits.bent(filled_teams(state, ~out & ~gone, players["team"]), position == 0)
    state[out], state[gone] = OUT, (1.0, 0.0, 0.0)
    seen = recent.sums(np.ones(len(recent.row)), DECAYS["minutes"])
    sixty = np.array(settings.sixty_if_started)[position]
    start = np.minimum(state[:, 2] / sixty, state[:, 1] + state[:, 2])
    long = np.array(settings.minutes_full)[position] / 90
    share = np.stack([np.zeros_like(long), np.full_like(long, settings.minutes_short / 90), long], axis=1)
    return Minutes(start, state, share, seen / (seen + PRIOR))


def minutes_features(snapshot: Snapshot, recent: RecentMatches) -> np.ndarray:
    """(n, features) what the logits weigh."""
    players = snapshot.players
    gone = players["status"].isin(UNAVAILABLE).to_numpy()
    position = position_codes(players)
    prior = start_from_market(players, gone, MARKET)
    share, on, likely = recent.minutes / 90, recent.minutes > 0, np.minimum(1.1 * prior, 0.99)
    habit = {
        "minutes": _habit(recent, share, prior, DECAYS["minutes"]),
        "appearances": _habit(recent, on, likely, DECAYS["appearances"]),
        "starts": _habit(recent, recent.started, prior, DECAYS["starts"]),
        "minutes_long": _habit(recent, share, prior, LONG),
        "appearances_long": _habit(recent, on, likely, LONG),
    }
    team, place = (pd.factorize(key)[0] for key in (players["team"], players["team"] + players["position"]))
    last, sold = recent.last_minutes, _moves(players, "transfers_out")
    there = np.where(gone, 0.0, expit(habit["minutes"]) * _told(players))
    rivals = np.bincount(place, there)[place] - there
    matches = players["team"].map(_matches_so_far(snapshot)).fillna(0).to_numpy(dtype=float)
    price = standardised(players.groupby(["team", "position"])["price"]).to_numpy()
    bought, owners = _moves(players, "transfers_in"), 100_000 * players["owned"].to_numpy(dtype=float) + 500
    doubt = np.where(players["status"].eq(Status.DOUBTFUL), players["chance"].to_numpy(dtype=float, na_value=50.0), 100)
    columns = {
        **habit,
        "constant": np.ones(len(players)),
        "full": last >= FULL_MATCH,
        "left_out": np.where(fit(players["status"], players["chance"]), np.log1p(recent.left_out), 0.0),
        "team": np.log(0.5 + np.bincount(team, there)[team]),
        "rivals": np.log(0.2 + rivals),
        "price": price * np.exp(-matches / 3),
        "bought": np.log1p(bought / owners),
        "doubt_75": doubt == 75,
        "doubt_50": doubt == 50,
        "doubt_25": doubt <= 25,
        "defender": position == 1,
        "forward": position == 3,
        "minutes_squared": habit["minutes"] ** 2,
        "minutes_cubed": habit["minutes"] ** 3 / 10,
        "minutes_long_squared": habit["minutes_long"] ** 2,
        "appearances_long_squared": habit["appearances_long"] ** 2,
        "sold": np.log1p(sold / owners),
        "hour": last >= HOUR,
        "appeared": last > 0,
    }
    columns["team_minutes"] = columns["team"] * habit["minutes"]
    columns |= {f"defender_{name}": (position == 1) * columns[name] for name in ("minutes", "starts", "rivals")}
    return np.stack([np.asarray(columns[name], dtype=float) for name in FEATURES], axis=1)


def standing(snapshot: Snapshot, recent: RecentMatches) -> np.ndarray:
    """(n, STANDING) what tells of a player's place in far rounds: what market and crowd say, and the long record."""
    players = snapshot.players
    prior = start_from_market(players, players["status"].isin(UNAVAILABLE).to_numpy(), MARKET)
    owned = np.log(np.maximum(players["owned"].to_numpy(dtype=float), MARKET.crowd_floor))
    columns = (
        _log_odds(prior),
        owned,
        _habit(recent, recent.minutes / 90, prior, LONG),
        _habit(recent, recent.minutes > 0, np.minimum(1.1 * prior, 0.99), LONG),
    )
    return np.stack(columns, axis=1)


def filled_teams(state: np.ndarray, fit: np.ndarray, team: pd.Series) -> np.ndarray:
    """Move each team's odds half of the way to the men it uses in a match: who is left gains when others miss."""
    number = pd.factorize(team)[0]
    odds = logit(np.clip(1 - state[:, 0], CERTAIN, 1 - CERTAIN))
    low, high = (np.full(number.max() + 1, end) for end in (-4.0, 4.0))
    for _ in range(30):
        shift = (low + high) / 2
        few = np.bincount(number, np.where(fit, expit(odds + shift[number]), 0.0)) < PLAYERS_USED
        low, high = np.where(few, shift, low), np.where(few, high, shift)
    return _with_plays(state, expit(odds + shift[number] / 2))


def bend_features(state: np.ndarray) -> np.ndarray:
    """(n, BEND) what the bend weighs: log odds to play and their square."""
    odds = logit(np.clip(1 - state[:, 0], LEAST, 1 - LEAST))
    return np.stack([np.ones_like(odds), odds, odds**2], axis=1)


def _with_plays(state: np.ndarray, plays: np.ndarray) -> np.ndarray:
    """Return the states (n, 3) with other chances to play (n,), who plays for as long as before."""
    share = state[:, 1:] / np.maximum(state[:, 1:].sum(axis=1, keepdims=True), CERTAIN)
    return np.concatenate([1 - plays[:, None], plays[:, None] * share], axis=1)


def _habit(recent: RecentMatches, figure: np.ndarray, prior: np.ndarray, decay: float) -> np.ndarray:
    """(n,) log odds of a share over his matches, drawn to what price and crowd say."""
    weight = recent.sums(np.ones(len(recent.row)), decay)
    share = (recent.sums(figure, decay) + PRIOR * prior) / (weight + PRIOR)
    return _log_odds(share)


def _log_odds(share: np.ndarray) -> np.ndarray:
    return np.asarray(np.log((share + 0.03) / (1.03 - share)))


def _moves(players: pd.DataFrame, name: str) -> np.ndarray:
    """(n,) managers who bought or sold him since the last deadline."""
    return np.asarray(players[name].to_numpy(dtype=float, na_value=0.0))


def _told(players: pd.DataFrame) -> np.ndarray:
    """(n,) chance to play by what the game tells: 1 who is fit, 0 who is ruled out."""
    told = players["chance"].to_numpy(dtype=float, na_value=50.0) / 100
    chance = np.where(players["status"].eq(Status.DOUBTFUL), told, 1.0)
    return np.where(players["status"].isin(OUT_FOR_NOW), 0.0, chance)


def _matches_so_far(snapshot: Snapshot) -> pd.Series:
    played = snapshot.fixtures[snapshot.fixtures["round"] < snapshot.round]
    return pd.concat([played["home"], played["away"]]).value_counts()
