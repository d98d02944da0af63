"""Where a last group match means nothing: the risk that a team rests its men."""

from __future__ import annotations

import numpy as np
import pandas as pd

from data.errors import ModelError
from models.competition.bracket import read_bracket
from models.competition.groups import GroupStage, checked_rates, place_bounds, read_group_stage
from models.teams.goals import score_grid

OUTCOMES = 3
"""Home win, draw, away win."""
MOST_GROUP_MATCHES = 10
"""Matches of a group whose outcomes are enumerated: a group of five has 59,049, a group of six 14 million."""


def rotation_risk(
    teams: pd.DataFrame, fixtures: pd.DataFrame, bracket: pd.DataFrame, best_thirds: pd.DataFrame, rates: np.ndarray
) -> pd.DataFrame:
    """Return per team how likely its last group match is a dead rubber: its fate is settled before.

    Columns: code, clinched_top (first for sure), qualified (through for sure, clinched_top included), eliminated,
    rotation_risk = qualified + eliminated. Exact over every win, draw and loss of the group. A tie that only goals
    could decide counts as open, and so does third place where best thirds go through: both make the risk smaller,
    never larger, than the truth.
    """
    stage = read_group_stage(teams, fixtures, set(bracket["stage"]))
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
