"""Clubs start from what their squads cost, and promoted ones below it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from data.worlds.library import find_world
from data.worlds.snapshot import Snapshot
from models.teams.club_priors import club_priors
from models.teams.past_matches import day_of, read_matches
from models.teams.rating_settings import RatingSettings
from models.teams.ratings import fit_ratings, team_strengths

SETTINGS = RatingSettings.league()


@pytest.fixture(scope="module")
def opening() -> Snapshot:
    return find_world("fpl2025-26").at(1)


def priors_of(snapshot: Snapshot, results: pd.DataFrame | None = None) -> pd.DataFrame:
    began = day_of(snapshot.fixtures["kickoff"].min())
    known = snapshot.results if results is None else results
    return club_priors(known, snapshot.teams, snapshot.players, began, SETTINGS)


def test_dear_squads_start_above_cheap_ones_at_both_ends(opening: Snapshot) -> None:
    priors = priors_of(opening)
    assert (priors.loc["Liverpool"] > priors.loc["Everton"]).all()
    assert priors.loc["Everton", "attack"] == pytest.approx(priors.loc["Everton", "defence"] / 0.6)


def test_promoted_and_relegated_clubs_start_lower(opening: Snapshot) -> None:
    priors, known = priors_of(opening), priors_of(opening, opening.results.iloc[:0])
    promoted = ["Leeds", "Sunderland"]
    gap = priors.loc[promoted] - known.loc[promoted]
    assert gap.to_numpy() == pytest.approx(np.tile([-0.30, -0.25], (2, 1)))
    assert priors.loc["Southampton"].to_list() == pytest.approx([-0.30, -0.25])
    assert priors.loc["Arsenal"].to_list() == pytest.approx(known.loc["Arsenal"].to_list())


def test_a_squad_that_is_not_complete_is_of_average_price(opening: Snapshot) -> None:
    few = opening.players[opening.players["team"] != "ARS"]
    assert priors_of(replace(opening, players=few)).loc["Arsenal"].to_list() == [0.0, 0.0]


def test_a_club_without_any_result_is_rated_by_its_prior(opening: Snapshot) -> None:
    priors = priors_of(opening)
    ratings = fit_ratings(opening.results, before=opening.deadline, settings=SETTINGS, priors=priors)
    strengths = team_strengths(ratings, opening.teams).ratings
    row = strengths.teams.index("SUN")
    assert strengths.matches[row] == 0
    assert (strengths.attack[row], strengths.defence[row]) == pytest.approx(tuple(priors.loc["Sunderland"]))


def test_expected_goals_outweigh_goals_and_shots_stand_in_for_them(opening: Snapshot) -> None:
    told = opening.results.tail(1).assign(home_score=4, home_expected=1.0, away_score=0)
    shots = told.assign(home_expected=np.nan, home_shots=10, home_on_target=5)
    bare = shots.assign(home_shots=pd.NA, home_on_target=pd.NA)
    scored = [read_matches(rows, day_of("2026-01-01"), SETTINGS).scored[0, 0] for rows in (told, shots, bare)]
    assert scored == pytest.approx([0.75 + 1.0, 0.75 * (0.008 + 0.99 + 0.34) + 1.0, 4.0])
