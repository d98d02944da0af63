"""How hard a team's matches are, for its attack and for its defence, and where a last group match means nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from data.errors import ModelError
from models.competition.bracket import STAGE_ROUND, read_bracket
from models.competition.groups import (
    AT_HOME,
    AWAY,
    NEUTRAL,
    GroupStage,
    checked_rates,
    paired_numbers,
    place_bounds,
    read_group_stage,
    team_numbers,
    venue_of,
)
from models.competition.tournament import Progression
from models.teams.goals import score_grid

EASIEST, HARDEST = 1, 5
NO_MATCH = 0.0
"""Difficulty of a round in which a team has no match: below the scale, never a missing number."""

OUTCOMES = 3
"""Home win, draw, away win."""
MOST_GROUP_MATCHES = 10
"""Matches of a group whose outcomes are enumerated: a group of five has 59,049, a group of six 14 million."""

_SEEN_BY_OPPONENT = [NEUTRAL, AWAY, AT_HOME]


@dataclass(frozen=True, slots=True, kw_only=True)
class DifficultySettings:
    """Where the classes of difficulty end, and what counts as a mismatch."""

    quantiles: tuple[float, ...] = (0.2, 0.4, 0.6, 0.8)
    """Bounds of the five classes among the expected goals of all pairings of the competition on neutral ground."""
    mismatch_ratio: float = 3.0
    """Expected goals of the favourite over those of the other side; true of ten of the 72 group matches of 2026."""

    def __post_init__(self) -> None:
        inside = all(0 < quantile < 1 for quantile in self.quantiles)
        if len(self.quantiles) != HARDEST - EASIEST or list(self.quantiles) != sorted(self.quantiles) or not inside:
            raise ModelError(
                f"quantiles are {self.quantiles}; give {HARDEST - EASIEST} rising numbers between 0 and 1."
            )
        if self.mismatch_ratio < 1:
            raise ModelError(f"mismatch_ratio is {self.mismatch_ratio}; a favourite expects at least as many goals: 1.")


@dataclass(frozen=True, slots=True, eq=False)
class Difficulty:
    """Difficulty from 1 to 5 per team and round; a mean over the possible opponents where they are not known."""

    codes: tuple[str, ...]  # (n,)
    rounds: tuple[int, ...]  # (r,)
    attack: np.ndarray  # (n, r) 1 = many goals to expect, 5 = few; NO_MATCH without a match
    defence: np.ndarray  # (n, r) 1 = few goals against to expect, 5 = many
    goals_for: np.ndarray  # (n, r) expected goals in a match, given that it is played
    goals_against: np.ndarray  # (n, r)

    @property
    def attack_swing(self) -> np.ndarray:
        """(n, r − 1) change from each round to the next; negative = gets easier, 0 unless both are played."""
        return _swing(self.attack)

    @property
    def defence_swing(self) -> np.ndarray:
        """(n, r − 1) change from each round to the next; negative = gets easier, 0 unless both are played."""
        return _swing(self.defence)


def fixture_difficulty(
    progression: Progression, rates: np.ndarray, settings: DifficultySettings | None = None
) -> Difficulty:
    """Class every pairing by its expected goals, then average over whom a team meets, and where, in each round.

    The scale is one for all teams: a weak side's attack has hard matches only, which is what a squad wants to know.
    """
    scored = checked_rates(rates, len(progression.codes))
    conceded = scored.swapaxes(0, 1)[..., _SEEN_BY_OPPONENT]
    bounds = _class_bounds(scored, settings or DifficultySettings())
    columns = (
        HARDEST - np.searchsorted(bounds, scored, side="right"),
        EASIEST + np.searchsorted(bounds, conceded, side="right"),
        scored,
        conceded,
    )
    means = (_mean_over_meetings(progression.meetings, column) for column in columns)
    return Difficulty(progression.codes, progression.rounds, *means)


def mismatches(
    teams: pd.DataFrame, fixtures: pd.DataFrame, rates: np.ndarray, settings: DifficultySettings | None = None
) -> pd.DataFrame:
    """Return the fixtures with a clear favourite, the clearest first: who, against whom, and by what ratio of goals."""
    settings = settings or DifficultySettings()
    numbers = team_numbers(teams)
    pairs, at_home = paired_numbers(fixtures, numbers)
    expected = checked_rates(rates, len(teams))[pairs, pairs[:, ::-1], venue_of(pairs, at_home)]
    order = np.argsort(-expected, axis=1)
    goals = np.take_along_axis(expected, order, axis=1)
    names = teams["code"].to_numpy()[np.take_along_axis(pairs, order, axis=1)]
    table = pd.DataFrame(
        {
            "match_id": fixtures["match_id"].to_numpy(),
            "round": fixtures["round"].to_numpy(),
            "favourite": names[:, 0],
            "underdog": names[:, 1],
            "goals_for": goals[:, 0],
            "goals_against": goals[:, 1],
            "ratio": goals[:, 0] / goals[:, 1],
        }
    )
    clear = table[table["ratio"] >= settings.mismatch_ratio]
    return clear.sort_values(["ratio", "match_id"], ascending=[False, True], ignore_index=True)


def rotation_risk(
    teams: pd.DataFrame,
    fixtures: pd.DataFrame,
    bracket: pd.DataFrame,
    best_thirds: pd.DataFrame,
    rates: np.ndarray,
    stage_round: Mapping[str, int] = STAGE_ROUND,
) -> pd.DataFrame:
    """Return per team how likely its last group match is a dead rubber: its fate is settled before.

    Columns: code, clinched_top (first for sure), qualified (through for sure, clinched_top included), eliminated,
    rotation_risk = qualified + eliminated. Exact over every win, draw and loss of the group. A tie that only goals
    could decide counts as open, and so does third place where best thirds go through: both make the risk smaller,
    never larger, than the truth.
    """
    stage = read_group_stage(teams, fixtures, set(bracket["stage"]), stage_round)
    tree = read_bracket(bracket, best_thirds, stage.letters)
    expected = stage.rates(checked_rates(rates, len(teams)))
    chances = _outcome_chances(stage, expected)
    alive = tree.direct_places + bool(tree.best_thirds)
    settled = np.empty((len(teams), 3))
    for group in stage.members:
        matches = np.flatnonzero(np.isin(stage.pairs[:, 0], group))
        settled[group] = _settled(stage, matches, chances, group, tree.direct_places, alive)
    table = pd.DataFrame(settled, columns=["clinched_top", "qualified", "eliminated"])
    table.insert(0, "code", teams["code"].to_numpy())
    return table.assign(rotation_risk=table["qualified"] + table["eliminated"])


def _class_bounds(rates: np.ndarray, settings: DifficultySettings) -> np.ndarray:
    different = ~np.eye(len(rates), dtype=bool)
    return np.asarray(np.quantile(rates[different, NEUTRAL], settings.quantiles))


def _mean_over_meetings(meetings: np.ndarray, column: np.ndarray) -> np.ndarray:
    """(n, r) mean of an (n, n, 3) column over a team's matches; NO_MATCH where it has none."""
    known = np.where(np.isfinite(column), column, 0.0)  # a team never meets itself, whatever its rate says
    weight = meetings.sum(axis=(2, 3), dtype=float)
    total = np.einsum("trov,tov->tr", meetings, known, dtype=float)
    return np.asarray(np.divide(total, weight, out=np.full_like(weight, NO_MATCH), where=weight > 0))


def _swing(difficulty: np.ndarray) -> np.ndarray:
    both = (difficulty[:, 1:] != NO_MATCH) & (difficulty[:, :-1] != NO_MATCH)
    return np.where(both, np.diff(difficulty, axis=1), 0.0)


def _outcome_chances(stage: GroupStage, expected: np.ndarray) -> np.ndarray:
    """(m, 3) P(home win, draw, away win); certain where the match has been played."""
    chances = np.array(score_grid(expected[:, 0], expected[:, 1]).outcome())
    lead = np.sign(stage.goals[:, 0] - stage.goals[:, 1])
    chances[stage.played] = np.eye(OUTCOMES)[1 - lead[stage.played]]
    return chances


def _settled(
    stage: GroupStage, matches: np.ndarray, chances: np.ndarray, group: np.ndarray, direct: int, alive: int
) -> np.ndarray:
    """(t, 3) P(first, through, out for sure before the last round) of one group's teams."""
    if len(matches) > MOST_GROUP_MATCHES:
        raise ModelError(f"A group of {len(group)} has too many outcomes to enumerate; at most {MOST_GROUP_MATCHES}.")
    matches = matches[np.argsort(stage.rounds[matches], kind="stable")]
    earlier = int((stage.rounds[matches] < stage.rounds[matches].max()).sum())
    best, worst = place_bounds(_outcome_tables(np.searchsorted(group, stage.pairs[matches]), len(group)))
    by_history = (len(group), OUTCOMES**earlier, -1)
    sure = (worst == 0, worst < direct, best >= alive)
    always = np.stack([case.reshape(by_history).all(axis=2) for case in sure], axis=2)
    return np.asarray(np.einsum("tpc,p->tc", always, _pattern_chances(chances[matches[:earlier]])))


def _outcome_tables(seats: np.ndarray, size: int) -> np.ndarray:
    """(t, t, 3^m) tables of all outcomes of (m, 2) matches; a win is written 1–0. The last match varies fastest."""
    outcomes = np.indices((OUTCOMES,) * len(seats)).reshape(len(seats), -1)
    tables = np.zeros((size, size, outcomes.shape[1]), dtype=np.int16)
    home, away = seats.T
    tables[home, away] = outcomes == 0
    tables[away, home] = outcomes == OUTCOMES - 1
    return tables


def _pattern_chances(chances: np.ndarray) -> np.ndarray:
    """(3^m,) probability of every combination of outcomes of independent (m, 3) matches, the last fastest."""
    patterns = np.ones(1)
    for match in chances:
        patterns = np.outer(patterns, match).ravel()
    return patterns
