"""Rules of the team forecast: one set of rates behind matches, progression and rotation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from data.errors import ModelError, UnknownError
from data.rules import GameRules, load_rules
from data.worlds.library import find_world
from data.worlds.world import World
from models.forecast import ODDS_SHARE, ModelSettings, TeamForecast, forecast_teams
from models.teams.goals import score_grid
from models.teams.market import market_rates
from models.teams.rating_settings import RatingSettings
from tests.cases.chances_cases import mean_goals
from tests.cases.small_world import BLANK, DOUBLE, EMPTY, IDLE_CLUBS, changed, quick_settings, small_cup, small_league

CUP, LEAGUE = load_rules("wc2026"), load_rules("fpl2024")


def the_forecast(
    world: World, round_number: int, rules: GameRules, settings: ModelSettings | None = None, seed: int = 1
) -> TeamForecast:
    snapshot, settings = world.at(round_number), settings or quick_settings(rules)
    return forecast_teams(snapshot, rules, settings, np.random.default_rng(seed))


def test_a_league_is_rated_as_clubs_and_a_tournament_as_nations() -> None:
    assert ModelSettings.for_game(LEAGUE).ratings == RatingSettings.league()
    assert ModelSettings.for_game(CUP) == ModelSettings()


def test_the_matches_stand_in_order_of_kickoff_with_their_rates_and_are_paid_for_ninety_minutes() -> None:
    forecast = the_forecast(small_cup(), 1, CUP)
    assert forecast.matches["kickoff"].is_monotonic_increasing
    assert forecast.match_rates.shape == (4, 2)
    assert len(forecast.ninety.probability) == 4
    np.testing.assert_allclose(mean_goals(forecast.ninety), forecast.match_rates[:, 0], rtol=1e-2)
    np.testing.assert_array_equal(forecast.grid.probability, forecast.ninety.probability)
    assert (forecast.rates[0, 1:, 0] > forecast.rates[1:, 0, 0]).all()  # the stronger team expects more goals


def test_match_rates_agree_with_the_matrix_of_all_pairings() -> None:
    forecast = the_forecast(small_cup(), 2, CUP)
    number = {code: row for row, code in enumerate(forecast.strengths.codes)}
    for match, (home_goals, away_goals) in zip(forecast.matches.itertuples(), forecast.match_rates, strict=True):
        home, away = number[match.home], number[match.away]
        venue = 1 if match.at_home == match.home else 0
        assert home_goals == pytest.approx(forecast.rates[home, away, venue])
        assert away_goals == pytest.approx(forecast.rates[away, home, 2 if venue else 0])


def test_points_of_a_knockout_are_paid_for_extra_time_too(world_cup: World) -> None:
    forecast = the_forecast(world_cup, 4, CUP)
    assert (forecast.grid.clean_sheet("home") < forecast.ninety.clean_sheet("home")).all()
    again = score_grid(forecast.match_rates[:, 0], forecast.match_rates[:, 1], forecast.strengths.rho)
    np.testing.assert_array_equal(forecast.ninety.probability, again.probability)


def test_many_goals_so_far_raise_all_rates_of_a_tournament() -> None:
    def goals(count: int) -> World:
        def scored(fixtures: pd.DataFrame) -> pd.DataFrame:
            fixtures.loc[fixtures["round"] == 1, ["home_goals_90", "away_goals_90"]] = count
            return fixtures

        return changed(small_cup(), "fixtures", scored)

    few, many = (the_forecast(goals(count), 2, CUP) for count in (0, 5))
    assert few.strengths.scale < 1 < many.strengths.scale
    assert (many.match_rates > few.match_rates).all()


def test_a_league_keeps_the_scale_of_its_ratings() -> None:
    forecast = the_forecast(small_league(), 3, LEAGUE)
    assert forecast.strengths.scale == 1.0
    assert forecast.strengths.price is None


def test_nobody_rests_before_the_last_group_match_and_everybody_may_a_little_in_it() -> None:
    for earlier in (1, 2):
        assert (the_forecast(small_cup(), earlier, CUP).rotation == 0).all()
    settings = quick_settings(CUP)
    rotation = the_forecast(small_cup(), 3, CUP, settings).rotation
    assert (rotation >= settings.last_group_match).all()
    assert (rotation <= 1).all()


def test_who_is_through_rests_more(world_cup: World) -> None:
    rotation = the_forecast(world_cup, 3, CUP).rotation
    assert rotation.max() > 0.9
    assert np.count_nonzero(rotation > 0.9) < len(rotation) / 2


def test_a_league_has_no_dead_rubber_and_counts_its_matches() -> None:
    forecast = the_forecast(small_league(), BLANK, LEAGUE)
    assert (forecast.rotation == 0).all()
    rows = [forecast.progression.codes.index(code) for code in IDLE_CLUBS]
    blank, double = (forecast.progression.column(number) for number in (BLANK, DOUBLE))
    assert (forecast.progression.plays[rows, blank] == 0).all()
    assert (forecast.progression.plays[rows, double] == 2).all()
    assert (np.delete(forecast.progression.plays[:, double], rows) == 1).all()


def test_a_round_without_a_match_is_refused_with_the_way_out() -> None:
    with pytest.raises(ModelError, match=r"Round 5 of small league has no match yet.*Choose a round"):
        the_forecast(small_league(), EMPTY, LEAGUE)


def without_history(world: World, team: str) -> World:
    def kept(results: pd.DataFrame) -> pd.DataFrame:
        return results[(results["home_team"] != f"Team {team}") & (results["away_team"] != f"Team {team}")]

    return changed(world, "results", kept)


def test_a_nation_without_history_is_refused_by_name() -> None:
    with pytest.raises(UnknownError, match=r"A3 is called 'Team A3' in the results.*Correct its results_name"):
        the_forecast(without_history(small_cup(), "A3"), 1, CUP)


def test_a_club_without_history_is_promoted_and_starts_below_the_others() -> None:
    ratings = the_forecast(without_history(small_league(), "LIV"), 1, LEAGUE).strengths.ratings
    row = ratings.teams.index("LIV")
    assert ratings.matches[row] == 0
    assert ratings.attack[row] < -0.25
    assert ratings.defence[row] < -0.2


def test_the_same_seed_gives_the_same_progression_and_rates_do_not_depend_on_it() -> None:
    one, same, other = (the_forecast(small_cup(), 1, CUP, seed=seed) for seed in (1, 1, 2))
    assert one.progression.plays.tobytes() == same.progression.plays.tobytes()
    assert one.progression.plays.tobytes() != other.progression.plays.tobytes()
    assert one.rates.tobytes() == other.rates.tobytes()


def test_prices_tilt_the_nations_forecast() -> None:
    def dearer(market: pd.DataFrame) -> pd.DataFrame:
        market.loc[market["team"] == "B4", "price"] += 3.0
        return market

    usual, rich = (the_forecast(world, 1, CUP) for world in (small_cup(), changed(small_cup(), "market", dearer)))
    row = usual.strengths.codes.index("B4")
    assert (rich.rates[row, :row, 0] > usual.rates[row, :row, 0]).all()


def test_more_simulations_keep_the_probabilities() -> None:
    settings = quick_settings(CUP)
    many = replace(settings, tournament=replace(settings.tournament, simulations=20_000))
    few, sure = (the_forecast(small_cup(), 1, CUP, chosen).progression for chosen in (settings, many))
    assert np.abs(few.plays - sure.plays).max() < 0.12


def test_only_the_match_for_third_place_rests_men_in_the_knockouts(world_cup: World) -> None:
    assert not the_forecast(world_cup, 7, CUP).rotation.any()
    forecast = the_forecast(world_cup, 8, CUP)
    risk = dict(zip(forecast.strengths.codes, forecast.rotation, strict=True))
    assert {code for code, share in risk.items() if share} == {"FRA", "ENG"}


def test_odds_move_a_match_only_where_they_are_asked_for_and_known() -> None:
    season = find_world("fpl2025-26")
    own = the_forecast(season, 12, LEAGUE, ModelSettings.for_game(LEAGUE))
    settings = replace(ModelSettings.for_game(LEAGUE), odds_share=ODDS_SHARE)
    mixed = the_forecast(season, 12, LEAGUE, settings)
    market = market_rates(mixed.matches, mixed.strengths.rho)
    assert not own.priced.any()
    assert mixed.priced.all()
    np.testing.assert_allclose(np.log(mixed.match_rates), 0.3 * np.log(own.match_rates) + 0.7 * np.log(market))
    unpriced = changed(season, "fixtures", lambda fixtures: fixtures.assign(home_odds=np.nan))
    same = the_forecast(unpriced, 12, LEAGUE, settings)
    np.testing.assert_array_equal(same.match_rates, own.match_rates)
    assert not same.priced.any()
