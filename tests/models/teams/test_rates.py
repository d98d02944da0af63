"""Strengths of a world's teams, the rates of their matches, and the price of an eleven that tilts a match."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import ModelError, UnknownError
from models.teams.rating_settings import RatingSettings
from models.teams.ratings import (
    VENUES,
    fixture_rates,
    match_rates,
    price_of_eleven,
    rate_matrix,
    scale_to_tournament,
    team_strengths,
)
from tests.cases.six_teams import NAMES, SETTINGS, fitted, some_results, the_strengths, the_teams

# Strengths of a world


def test_strengths_follow_the_order_of_the_world() -> None:
    strengths = team_strengths(fitted(), the_teams("Foxes", "Ants"))
    assert strengths.codes == ("FOX", "ANT")
    assert strengths.ratings.attack[1] > strengths.ratings.attack[0]


def test_an_unknown_name_is_an_error_with_the_nearest_spelling() -> None:
    with pytest.raises(UnknownError, match=r"FOX is called 'Foxxes'.*Did you mean Foxes\?"):
        team_strengths(fitted(), the_teams("Ants", "Foxxes"))


def test_a_team_without_a_recent_match_is_unknown() -> None:
    old = some_results(1).assign(date=pd.Timestamp("2001-01-01"), home_team="Gnus", away_team="Hens")
    with pytest.raises(UnknownError, match="Gnus"):
        team_strengths(fitted(pd.concat([some_results(), old])), the_teams("Gnus"))


def test_a_league_takes_a_newcomer_as_average() -> None:
    ratings = fitted(settings=RatingSettings.league())
    strengths = team_strengths(ratings, the_teams("Ants", "Gnus", "Foxes"))
    rates = rate_matrix(strengths)[:, :, 0]
    assert strengths.ratings.attack[1] == 0
    assert rates[0, 2] > rates[1, 2] > 0
    assert rates[0, 1] > rates[1, 0]


def test_a_league_before_its_first_match_has_equal_teams_and_a_home_advantage() -> None:
    ratings = fitted(some_results().iloc[:0], RatingSettings.league())
    _, home, away = rate_matrix(team_strengths(ratings, the_teams(*NAMES))).T
    assert np.ptp(home) == 0
    assert (home > away).all()


# Rates


def test_the_matrix_holds_every_pairing_at_every_venue_and_home_helps_and_away_hurts() -> None:
    strengths = the_strengths(np.linspace(8, 4, len(NAMES)))
    rates = rate_matrix(strengths)
    neutral, home, away = np.moveaxis(rates, -1, 0)
    assert (home > neutral).all()
    assert (away < neutral).all()
    assert rates.shape == (len(NAMES), len(NAMES), len(VENUES))
    for venue, at_home in enumerate(VENUES):
        one = match_rates(strengths, np.array(2), np.array(4), np.array(at_home))
        assert rates[2, 4, venue] == pytest.approx(float(one), rel=1e-14)


def test_without_elo_and_price_rates_are_attack_against_defence() -> None:
    strengths = the_strengths(settings=replace(SETTINGS, elo_share=0.0))
    ratings = strengths.ratings
    log_rate = ratings.base + np.subtract.outer(ratings.attack, ratings.defence)
    rates = rate_matrix(strengths)
    assert np.log(rates[:, :, 0]) == pytest.approx(log_rate)
    assert np.log(rates[:, :, 1]) == pytest.approx(log_rate + ratings.home)
    assert np.log(rates[:, :, 2]) == pytest.approx(log_rate)


def test_half_and_half_is_the_geometric_mean_of_both_models() -> None:
    results, elo, blend = (rate_matrix(the_strengths(settings=replace(SETTINGS, elo_share=w))) for w in (0, 1, 0.5))
    assert blend == pytest.approx(np.sqrt(results * elo))


@given(st.lists(st.floats(3.5, 12), min_size=6, max_size=6))
def test_prices_tilt_a_match_but_keep_the_product_of_its_rates(prices: list[float]) -> None:
    plain, priced = rate_matrix(the_strengths()), rate_matrix(the_strengths(np.array(prices)))
    for venue, mirrored in ((0, 0), (1, 2)):
        before = plain[:, :, venue] * plain[:, :, mirrored].T
        assert priced[:, :, venue] * priced[:, :, mirrored].T == pytest.approx(before)


def test_the_tilt_of_a_price_is_half_the_model_and_half_the_price() -> None:
    prices = np.linspace(4, 8, len(NAMES))
    plain, priced = rate_matrix(the_strengths()), rate_matrix(the_strengths(prices))
    model = np.log(plain[0, 5, 1] / plain[5, 0, 2])
    expected = model / 2 + (0.668 * (prices[0] - prices[5]) + 0.25) / 2
    assert np.log(priced[0, 5, 1] / priced[5, 0, 2]) == pytest.approx(expected)


@given(st.integers(0, 5), st.floats(0.1, 3))
def test_a_dearer_team_scores_more_and_concedes_less(team: int, more: float) -> None:
    prices = np.full(len(NAMES), 6.0)
    raised = prices + more * (np.arange(len(NAMES)) == team)
    before, after = rate_matrix(the_strengths(prices)), rate_matrix(the_strengths(raised))
    others = np.arange(len(NAMES)) != team
    assert (after[team, others] > before[team, others]).all()
    assert (after[others, team] < before[others, team]).all()


def test_fixture_rates_know_who_is_really_at_home() -> None:
    strengths = the_strengths()
    fixtures = pd.DataFrame({"home": ["ANT"] * 3, "away": ["BEE"] * 3, "at_home": ["", "ANT", "BEE"]})
    rates, matrix = fixture_rates(strengths, fixtures), rate_matrix(strengths)
    assert rates[:, 0] == pytest.approx(matrix[0, 1])
    assert rates[:, 1] == pytest.approx(matrix[1, 0, [0, 2, 1]])
    assert fixture_rates(strengths, fixtures.iloc[:0]).shape == (0, 2)


def test_a_tournament_with_more_goals_scales_all_rates() -> None:
    assert scale_to_tournament(0, 0, SETTINGS) == pytest.approx(63 / 60)
    assert scale_to_tournament(140, 120, SETTINGS) == pytest.approx(203 / 180)
    strengths = the_strengths()
    assert rate_matrix(replace(strengths, scale=1.1)) == pytest.approx(1.1 * rate_matrix(strengths))


# The price of an eleven


def a_squad(team: str, *prices: float) -> pd.DataFrame:
    return pd.DataFrame({"team": team, "price": prices, "status": "playing"})


def test_only_the_eleven_dearest_count() -> None:
    players = pd.concat([a_squad("ANT", 10.0, *[5.0] * 10, *[4.0] * 15), a_squad("BEE", *[4.5] * 11)])
    assert price_of_eleven(players, ("BEE", "ANT")) == pytest.approx([4.5, 60 / 11])


def test_a_player_who_left_the_squad_does_not_count() -> None:
    players = a_squad("ANT", 10.0, *[5.0] * 11)
    players.loc[0, "status"] = "transferred"
    assert price_of_eleven(players, ["ANT"]) == pytest.approx([5.0])


def test_too_small_a_squad_is_named() -> None:
    with pytest.raises(ModelError, match="ANT has 10, BEE has 0"):
        price_of_eleven(a_squad("ANT", *[5.0] * 10), ("ANT", "BEE"))
