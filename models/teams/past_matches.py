"""Past matches as columns: teams as numbers, weights by age, goals as they were and as ratings explain them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import pandas as pd

from data.errors import ModelError
from models.teams.rating_settings import RatingSettings

FRIENDLY = "Friendly"
DAYS_PER_YEAR = 365.25

GOALS_BY_SHOT = {"constant": 0.008, "on_target": 0.198, "off_target": 0.068}
"""Expected goals of a side by its shots, where they are not on record: Premier League 2022 to 2025, r = .75."""


@dataclass(frozen=True, slots=True, eq=False)
class PastMatches:
    """Past matches in playing order, teams as numbers."""

    teams: tuple[str, ...]
    home: np.ndarray  # (m,)
    away: np.ndarray  # (m,)
    goals: np.ndarray  # (m, 2) home, away
    scored: np.ndarray  # (m, 2) goals up to the cap, mixed with expected goals: what attack and defence explain
    hosted: np.ndarray  # (m,) true where the home side is really at home
    weight: np.ndarray  # (m,) 0 for matches too old to count

    def recent(self) -> PastMatches:
        """Return only the matches that carry weight, all teams kept."""
        kept = self.weight > 0
        columns = (self.home, self.away, self.goals, self.scored, self.hosted, self.weight)
        return PastMatches(self.teams, *(column[kept] for column in columns))


def day_of(moment: date | str) -> pd.Timestamp:
    """Return the day of a moment, in UTC where it knows its offset."""
    stamp = pd.Timestamp(moment)
    return (stamp if stamp.tzinfo is None else stamp.tz_convert(None)).normalize()


def read_matches(
    results: pd.DataFrame, before: pd.Timestamp, settings: RatingSettings, named: Sequence[str] = ()
) -> PastMatches:
    """Return the results before a day in playing order; `named` teams are numbered even if they have none."""
    past = results[results["date"] < before]
    sides = pd.concat([past["home_team"], past["away_team"], pd.Series(list(named), dtype=past["home_team"].dtype)])
    codes, teams = pd.factorize(sides, sort=True)
    home, away = codes[: len(past)], codes[len(past) : 2 * len(past)]
    goals = past[["home_score", "away_score"]].to_numpy(dtype=float)
    if not (goals >= 0).all():
        raise ModelError("The results hold a missing or negative score. Leave out matches that were not played.")
    age = (before - past["date"]).dt.days.to_numpy(dtype=float)
    order = np.lexsort((away, home, -age))  # a fixed order, so that shuffled results give the same Elo
    hosted = ~past["neutral"].to_numpy(dtype=bool) if "neutral" in past else np.ones(len(past), dtype=bool)
    weight = np.where(age <= settings.years * DAYS_PER_YEAR, 0.5 ** (age / settings.half_life_days), 0.0)
    if "tournament" in past:
        weight = weight * np.where(past["tournament"] == FRIENDLY, settings.friendly_weight, 1.0)
    columns = (home, away, goals, _scored(past, goals, settings), hosted, weight)
    return PastMatches(tuple(str(team) for team in teams), *(column[order] for column in columns))


def _scored(past: pd.DataFrame, goals: np.ndarray, settings: RatingSettings) -> np.ndarray:
    """(m, 2) goals up to the cap, mixed with expected goals where these or the shots are on record."""
    counted = np.asarray(np.minimum(goals, settings.goal_cap))
    if not settings.expected_share:
        return counted
    expected = np.stack([expected_goals(past, side) for side in ("home", "away")], axis=1)
    mixed = settings.expected_share * expected + (1 - settings.expected_share) * counted
    return np.asarray(np.where(np.isnan(expected), counted, mixed))


def expected_goals(past: pd.DataFrame, side: str) -> np.ndarray:
    """(m,) expected goals of a side, from its shots where they are not told; NaN where neither is."""
    told, shots, on_target = (
        past.get(f"{side}_{name}", pd.Series(np.nan, past.index)).to_numpy(dtype=float, na_value=np.nan)
        for name in ("expected", "shots", "on_target")
    )
    by_shots = GOALS_BY_SHOT["constant"] + GOALS_BY_SHOT["on_target"] * on_target
    by_shots += GOALS_BY_SHOT["off_target"] * (shots - on_target)
    return np.asarray(np.where(np.isnan(told), by_shots, told))
