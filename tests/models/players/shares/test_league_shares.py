"""Shares in a league: the years before count, expected goals outweigh goals, and elite forwards stay elite."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from data.worlds.library import find_world
from data.worlds.snapshot import Snapshot
from models.calibration.fit_lines import fit_lines
from models.players.bonus import shipped_bonus
from models.players.shares.league_shares import ShareEvidence, shipped_shares
from models.players.shares.own_matches import FADING, OwnMatches
from tests.cases.facts.earlier_seasons import earlier_seasons

HAALAND, RAYA, SALAH = 223_094, 154_561, 118_748
"""Codes that players keep over the years."""


@pytest.fixture(scope="module")
def opening() -> Snapshot:
    return find_world("fpl2025-26").at(1)


@pytest.fixture(scope="module")
def middle() -> Snapshot:
    return find_world("fpl2025-26").at(19)


def row_of(snapshot: Snapshot, code: int) -> int:
    return int(np.flatnonzero(snapshot.players["code"] == code)[0])


def goal_shares(snapshot: Snapshot) -> np.ndarray:
    seen = ShareEvidence.of(snapshot)
    return seen.share("goal", shipped_shares().goal[seen.position])


def test_an_elite_forward_is_known_before_the_first_match_of_a_season(opening: Snapshot) -> None:
    shares = goal_shares(opening)
    assert 0.3 < shares[row_of(opening, HAALAND)] < 0.5
    assert shares[row_of(opening, HAALAND)] == shares.max()
    assert shares[row_of(opening, RAYA)] < 0.001


def test_without_any_record_the_prior_by_position_and_price_stands(opening: Snapshot) -> None:
    bare = replace(opening, past_matches=opening.past_matches.iloc[:0])
    seen = ShareEvidence.of(bare)
    assert not seen.team_goals.any()
    row = row_of(bare, HAALAND)
    weight, prior, price, _, _ = shipped_shares().goal[3]
    assert weight > 0
    assert goal_shares(bare)[row] == pytest.approx(prior * (bare.players["price"][row] / 6.5) ** price)


def test_more_expected_goals_make_a_larger_share(middle: Snapshot) -> None:
    row = row_of(middle, SALAH)
    events = middle.events.copy()
    his = events["player_id"] == middle.players["player_id"][row]
    events.loc[his, "expected_goals"] += 0.5
    more = goal_shares(replace(middle, events=events))
    plain = goal_shares(middle)
    assert more[row] > plain[row]
    assert np.array_equal(np.delete(more, row), np.delete(plain, row))


def test_the_first_taker_of_penalties_starts_higher_in_midfield_alone(opening: Snapshot) -> None:
    players = opening.players.assign(penalty_order=pd.array([1] * len(opening.players), dtype="Int64"))
    factor = ShareEvidence.of(replace(opening, players=players)).first[:, 0]
    assert dict(zip(players["position"], factor, strict=True)) == {"GK": 1.0, "DEF": 1.0, "MID": 1.4, "FWD": 1.0}


def test_every_match_of_this_and_earlier_seasons_is_met_with_his_teams_goals(middle: Snapshot) -> None:
    seen = OwnMatches.of(middle)
    assert (seen.team_goals > 0).mean() > 0.99
    row = row_of(middle, HAALAND)
    code = middle.past_matches
    played = ((code["code"] == HAALAND) & (code["minutes"] > 0)).sum() + len(
        middle.appearances[middle.appearances["player_id"] == middle.players["player_id"][row]]
    )
    assert (seen.row == row).sum() == played
    last = seen.faded((np.arange(len(seen.row)) == np.flatnonzero(seen.row == row)[-2]).astype(float))
    assert last[row] == pytest.approx(FADING)


@pytest.mark.facts
@pytest.mark.soak
def test_the_shipped_lines_are_refitted(facts: Path) -> None:
    worlds = earlier_seasons(facts)
    found = fit_lines(worlds)
    shipped = shipped_shares().table().to_numpy()
    assert found.shares.table().to_numpy() == pytest.approx(shipped, rel=1e-3, abs=1e-3)
    assert found.bonus == pytest.approx(shipped_bonus(), rel=1e-3, abs=1e-3)
