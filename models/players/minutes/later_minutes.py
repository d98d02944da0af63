"""Minutes of later rounds: what is believed of the coming one, drawn to the typical, and the injured heal.

Whether he plays and, who plays, whether for an hour: the log odds of the coming round times a slope, plus a constant by
how fit he is today, plus what market, crowd and his long record say of his place. All of it is fitted on whole seasons
by `thetaxi fit-later-minutes` and shipped as `later_minutes.csv`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit, logit

from data.domain import Status
from models.players.minutes.playing_time import OUT_FOR_NOW, Minutes
from models.players.shares.involvement import Involvement

KINDS = ("fit", "doubt_75", "doubt_50", "doubt_25", "injured", "healed", "served", "away")
"""How a player stands, seen from a later match: fit today; doubtful by the chance that is told; out without a date;
injured with a date of return that has passed by then; suspended or absent until a day that has; out beyond that day."""

FIT, DOUBT_75, DOUBT_50, DOUBT_25, INJURED, HEALED, SERVED, AWAY = range(len(KINDS))
STAGES = ("plays", "sixty")
STANDING = ("market", "owned", "minutes_long", "appearances_long")
"""What tells of a player's place in far rounds: log odds that market and crowd give him, log of ownership, log odds of
his minutes and appearances over a long time."""

LATER = Path(__file__).with_name("later_minutes.csv")
LEAST = 1e-4  # chance below which log odds say no more
DAY = r"(?:back|until) (\d{1,2} [A-Z][a-z]{2})"
"""How the game words the day of a return: "Expected back 28 Aug", "Suspended until 4 Oct"."""

LONG_PAST = np.timedelta64(120, "D")
"""A day without a year that lies further back than this is meant to come."""


@dataclass(frozen=True, slots=True, eq=False)
class Absences:
    """What the game tells of who is not fit: row i of every array is player i."""

    status: np.ndarray  # (n,)
    chance: np.ndarray  # (n,) percent that a doubtful player plays; 50 where it is not told
    told: np.ndarray  # (n,) whether there are any news of him
    back: np.ndarray  # (n,) datetime64 of the day of his return; NaT where it is not told

    @classmethod
    def of(cls, players: pd.DataFrame, deadline: datetime) -> Absences:
        """Return what is told of the players at a deadline."""
        return cls(
            status=players["status"].to_numpy(dtype=str),
            chance=players["chance"].to_numpy(dtype=float, na_value=50.0),
            told=players["news"].ne("").to_numpy(),
            back=return_days(players["news"], deadline),
        )

    def take(self, rows: np.ndarray) -> Absences:
        """Return those of the players in these rows."""
        return Absences(self.status[rows], self.chance[rows], self.told[rows], self.back[rows])

    def kinds(self, day: np.ndarray) -> np.ndarray:
        """(n,) column of KINDS of each player on the day (n,) of his match; NaT where the day is not known."""
        doubt = np.select([self.chance >= 75, self.chance <= 25], [DOUBT_75, DOUBT_25], DOUBT_50)
        injured, dated = self.status == Status.INJURED, ~np.isnat(self.back) & ~np.isnat(day)
        untold = np.where(injured | self.told, INJURED, SERVED)  # a ban of which no more is said is for one match
        out = np.where(dated, np.where(self.back <= day, np.where(injured, HEALED, SERVED), AWAY), untold)
        return np.where(np.isin(self.status, OUT_FOR_NOW), out, np.where(self.status == Status.DOUBTFUL, doubt, FIT))


@dataclass(frozen=True, slots=True, eq=False)
class Habits:
    """What is believed of each player whatever the match: later rounds are built from it."""

    minutes: Minutes  # of the coming round
    usual: Minutes  # were everybody fit and nobody rested
    shares: Involvement
    absences: Absences
    standing: np.ndarray  # (n, STANDING), 0 where it is not known what it tells


@dataclass(frozen=True, slots=True, eq=False)
class LaterMinutes:
    """Coefficients by rounds ahead: the first row is of the round after the coming one, the last of all beyond."""

    slope: np.ndarray  # (rounds, stages)
    constant: np.ndarray  # (rounds, stages, kinds)
    place: np.ndarray  # (rounds, stages, STANDING)

    def state(
        self, minutes: np.ndarray, keeper: np.ndarray, kind: np.ndarray, standing: np.ndarray, ahead: int
    ) -> np.ndarray:
        """(n, 3) P(absent, 1–59, 60+) so many rounds after the coming one, from the states (n, 3) of that.

        A goalkeeper who plays does so for as long as ever.
        """
        row = min(ahead, len(self.slope)) - 1
        odds = self.slope[row] * state_odds(minutes) + self.constant[row][:, kind].T + standing @ self.place[row].T
        plays, sixty = expit(odds).T
        sixty = np.where(keeper, share_of_hour(minutes), sixty)
        return np.stack([1 - plays, plays * (1 - sixty), plays * sixty], axis=1)

    def table(self) -> pd.DataFrame:
        """Return the coefficients as `later_minutes.csv` has them."""
        ahead = pd.Index(np.arange(1, len(self.slope) + 1), name="ahead")
        columns = {f"{stage}_slope": self.slope[:, number] for number, stage in enumerate(STAGES)}
        for number, stage in enumerate(STAGES):
            columns |= {f"{stage}_{name}": self.constant[:, number, column] for column, name in enumerate(KINDS)}
            columns |= {f"{stage}_{name}": self.place[:, number, column] for column, name in enumerate(STANDING)}
        return pd.DataFrame(columns, index=ahead)


@cache
def shipped_later_minutes() -> LaterMinutes:
    """Return the coefficients that come with the project."""
    table = pd.read_csv(LATER, index_col="ahead")
    slope = table[[f"{stage}_slope" for stage in STAGES]].to_numpy(dtype=float)
    constant, place = (
        np.stack([table[[f"{stage}_{name}" for name in names]].to_numpy(dtype=float) for stage in STAGES], axis=1)
        for names in (KINDS, STANDING)
    )
    return LaterMinutes(slope, constant, place)


@cache
def settled_minutes() -> LaterMinutes:
    """Return them without any drawing to the typical: only who is not fit today changes."""
    later = shipped_later_minutes()
    constant = later.constant - later.constant[:, :, [FIT]]
    return LaterMinutes(np.ones_like(later.slope), constant, np.zeros_like(later.place))


def unchanged_minutes() -> LaterMinutes:
    """Return minutes that stay for ever what they are in the coming round."""
    slope, none = np.ones((1, len(STAGES))), np.zeros((1, len(STAGES), len(KINDS)))
    return LaterMinutes(slope, none, np.zeros((1, len(STAGES), len(STANDING))))


def state_odds(state: np.ndarray) -> np.ndarray:
    """(n, stages) log odds of playing and, who plays, of an hour."""
    chance = np.stack([1 - state[:, 0], share_of_hour(state)], axis=1)
    return np.asarray(logit(np.clip(chance, LEAST, 1 - LEAST)))


def share_of_hour(state: np.ndarray) -> np.ndarray:
    """(n,) P(an hour | plays)."""
    return np.asarray(state[:, 2] / np.maximum(state[:, 1:].sum(axis=1), LEAST**2))


def return_days(news: pd.Series, deadline: datetime) -> np.ndarray:
    """(n,) datetime64 of the day of return that the news tell, NaT where they tell none."""
    today = np.datetime64(pd.Timestamp(deadline).tz_convert(None).date(), "D")
    year = today.astype("datetime64[Y]").astype(int) + 1970
    said = news.str.extract(DAY)[0]
    here, next_year = (
        pd.to_datetime(said + f" {number}", format="%d %b %Y", errors="coerce").to_numpy().astype("datetime64[D]")
        for number in (year, year + 1)
    )
    return np.asarray(np.where(here < today - LONG_PAST, next_year, here))
