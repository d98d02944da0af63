"""Ratings come from earlier results alone, home counts only at home, and prices tilt a match without adding goals."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from data.errors import ModelError, UnknownError
from data.worlds.world import World
from models.teams.goals import score_grid
from models.teams.rating_settings import RatingSettings
from models.teams.ratings import (
    VENUES,
    Ratings,
    TeamStrengths,
    fit_ratings,
    fixture_rates,
    match_rates,
    price_of_eleven,
    rate_matrix,
    scale_to_tournament,
    team_strengths,
)

SETTINGS = RatingSettings()
NAMES = ("Ants", "Bees", "Cats", "Dogs", "Elks", "Foxes")
BEFORE = "2026-06-11"


def some_results(n: int = 400, seed: int = 1, home: float = 0.3, neutral_share: float = 0.3) -> pd.DataFrame:
    """Results of six teams, Ants the best and Foxes the worst at both ends, with a true home advantage."""
    rng = np.random.default_rng(seed)
    strength = np.linspace(0.6, -0.6, len(NAMES))
    first = rng.integers(0, len(NAMES), n)
    second = (first + rng.integers(1, len(NAMES), n)) % len(NAMES)
    neutral = rng.random(n) < neutral_share
    edge = strength[first] - strength[second]
    return pd.DataFrame(
        {
            "date": pd.Timestamp(BEFORE) - pd.to_timedelta(rng.integers(1, 1500, n), unit="D"),
            "home_team": np.array(NAMES)[first],
            "away_team": np.array(NAMES)[second],
            "home_score": rng.poisson(np.exp(0.2 + edge + home * ~neutral)),
            "away_score": rng.poisson(np.exp(0.2 - edge)),
            "tournament": np.where(rng.random(n) < 0.3, "Friendly", "Cup"),
            "neutral": neutral,
        }
    )


@cache
def usual(settings: RatingSettings) -> Ratings:
    return fit_ratings(some_results(), before=BEFORE, settings=settings)


def fitted(results: pd.DataFrame | None = None, settings: RatingSettings = SETTINGS) -> Ratings:
    return usual(settings) if results is None else fit_ratings(results, before=BEFORE, settings=settings)


def the_teams(*names: str) -> pd.DataFrame:
    return pd.DataFrame({"code": [name[:3].upper() for name in names], "results_name": names})


def the_strengths(prices: np.ndarray | None = None, settings: RatingSettings = SETTINGS) -> TeamStrengths:
    return team_strengths(fitted(settings=settings), the_teams(*NAMES), prices)


def same(one: Ratings, other: Ratings) -> bool:
    columns = ("attack", "defence", "elo", "matches")
    numbers = ("base", "home", "rho", "elo_level")
    return all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in columns) and all(
        getattr(one, name) == getattr(other, name) for name in numbers
    )


# The fit


def test_better_teams_get_better_ratings() -> None:
    ratings = fitted()
    assert ratings.teams == NAMES
    for column in (ratings.attack, ratings.defence, ratings.elo):
        assert list(np.argsort(-column)[[0, -1]]) == [0, len(NAMES) - 1]


def test_the_fit_finds_the_true_parameters() -> None:
    ratings = fitted(some_results(8000), replace(SETTINGS, half_life_days=1e6, friendly_weight=1.0, ridge=0.1))
    assert ratings.home == pytest.approx(0.3, abs=0.04)
    assert ratings.attack - ratings.attack.mean() == pytest.approx(np.linspace(0.6, -0.6, 6), abs=0.06)
    assert ratings.defence - ratings.defence.mean() == pytest.approx(np.linspace(0.6, -0.6, 6), abs=0.06)
    assert ratings.rho == pytest.approx(0, abs=0.03)


def test_the_fit_stands_where_goals_expected_and_scored_balance() -> None:
    results, settings = some_results(), replace(SETTINGS, half_life_days=1e9, friendly_weight=1.0)
    ratings = fitted(results, settings)
    number = {name: row for row, name in enumerate(ratings.teams)}
    home, away = results["home_team"].map(number).to_numpy(), results["away_team"].map(number).to_numpy()
    rate_home = np.exp(ratings.base + ratings.attack[home] - ratings.defence[away] + ratings.home * ~results["neutral"])
    rate_away = np.exp(ratings.base + ratings.attack[away] - ratings.defence[home])
    surplus = np.zeros(len(NAMES))
    np.add.at(surplus, home, np.minimum(results["home_score"], settings.goal_cap) - rate_home)
    np.add.at(surplus, away, np.minimum(results["away_score"], settings.goal_cap) - rate_away)
    assert surplus == pytest.approx(settings.ridge * ratings.attack, abs=1e-3)


@given(st.integers(0, 2**32 - 1))
def test_nothing_on_or_after_the_day_is_used(seed: int) -> None:
    later = some_results(50, seed).assign(date=pd.Timestamp(BEFORE), home_score=9)
    far = later.assign(date=pd.Timestamp("2030-01-01"), home_team="Gnus")
    assert same(fitted(), fitted(pd.concat([later, some_results(), far], ignore_index=True)))


@pytest.mark.parametrize(
    "before",
    [
        date(2026, 6, 11),
        datetime(2026, 6, 11, 19, 30),
        datetime(2026, 6, 11, 19, 30, tzinfo=UTC),
        pd.Timestamp(BEFORE, tz="UTC"),
    ],
)
def test_any_moment_of_the_day_means_the_day(before: date) -> None:
    assert same(fit_ratings(some_results(), before=before, settings=SETTINGS), fitted())


@given(st.integers(0, 2**32 - 1))
def test_the_order_of_the_rows_does_not_matter(seed: int) -> None:
    results = some_results()
    one_a_day = results.drop_duplicates(["date", "home_team", "away_team"])
    assert same(fitted(one_a_day), fitted(one_a_day.sample(frac=1, random_state=seed)))


def test_neutral_ground_says_nothing_about_home() -> None:
    assert fitted(some_results(neutral_share=1.0)).home == pytest.approx(SETTINGS.home_start)


def test_results_without_a_neutral_column_are_home_matches() -> None:
    results = some_results(neutral_share=0.0)
    assert same(fitted(results), fitted(results.drop(columns="neutral")))


def test_friendlies_count_less() -> None:
    results = some_results().assign(tournament="Cup")
    lost = results["home_team"].eq("Ants") & results["away_score"].gt(results["home_score"])
    as_friendlies = results.assign(tournament=np.where(lost, "Friendly", "Cup"))
    assert fitted(as_friendlies).attack[0] > fitted(results).attack[0]
    assert same(fitted(results), fitted(results.drop(columns="tournament")))


def test_a_recent_result_weighs_more_than_an_old_one() -> None:
    win = pd.DataFrame({"home_team": ["Ants"], "away_team": ["Bees"], "home_score": [6], "away_score": [0]})
    days = (win.assign(date=pd.Timestamp(day), neutral=True) for day in ("2019-01-01", "2026-06-01"))
    old, new = (fitted(pd.concat([some_results(), of_day.assign(tournament="Cup")])).attack[0] for of_day in days)
    assert new > old + 0.01


def test_elo_is_played_in_order_of_date() -> None:
    won_then_lost = pd.DataFrame(
        {
            "date": pd.to_datetime(["2026-05-02", "2026-05-01"]),
            "home_team": ["Bees", "Ants"],
            "away_team": ["Ants", "Bees"],
            "home_score": [1, 1],
            "away_score": [0, 0],
            "neutral": True,
        }
    )
    assert fitted(won_then_lost).elo[0] < SETTINGS.elo.start
    assert fitted(won_then_lost.assign(date=won_then_lost["date"].to_numpy()[::-1])).elo[0] > SETTINGS.elo.start


def test_results_older_than_the_window_leave_attack_and_defence_alone() -> None:
    old = some_results(100, seed=5).assign(date=pd.Timestamp("2010-01-01"))
    with_old = fitted(pd.concat([some_results(), old]))
    assert with_old.attack.tobytes() == fitted().attack.tobytes()
    assert with_old.elo.tobytes() != fitted().elo.tobytes()


def test_a_rout_counts_as_the_cap() -> None:
    rout = some_results().assign(home_score=lambda frame: frame["home_score"] * 20)
    capped = rout.assign(home_score=rout["home_score"].clip(upper=SETTINGS.goal_cap))
    assert fitted(rout).attack == pytest.approx(fitted(capped).attack, abs=1e-12)


def test_a_larger_ridge_pulls_everybody_closer() -> None:
    spread = [np.ptp(fitted(settings=replace(SETTINGS, ridge=ridge)).attack) for ridge in (1.0, 12.0, 100.0)]
    assert spread == sorted(spread, reverse=True)


def test_many_goalless_and_one_all_draws_pull_rho_down() -> None:
    draws = some_results(200, seed=8).assign(home_score=lambda frame: np.arange(len(frame)) % 2)
    draws["away_score"] = draws["home_score"]
    assert fitted(pd.concat([some_results(), draws])).rho < fitted().rho


def test_no_results_give_the_starting_values() -> None:
    ratings = fitted(some_results().iloc[:0])
    assert ratings.teams == ()
    assert (ratings.base, ratings.home) == (SETTINGS.base_start, SETTINGS.home_start)
    assert ratings.rho == pytest.approx(SETTINGS.rho_start, abs=1e-4)
    assert ratings.elo_level == pytest.approx(SETTINGS.elo.level)


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(1, 5), st.integers(0, 60), st.integers(0, 60), st.integers(1, 4000)),
        max_size=12,
    )
)
def test_any_handful_of_results_gives_finite_ratings(rows: list[tuple[int, int, int, int, int]]) -> None:
    first, gap, home, away, age = np.array(rows, dtype=int).reshape(-1, 5).T
    results = pd.DataFrame(
        {
            "date": pd.Timestamp(BEFORE) - pd.to_timedelta(age, unit="D"),
            "home_team": np.array(NAMES)[first],
            "away_team": np.array(NAMES)[(first + gap) % len(NAMES)],
            "home_score": home,
            "away_score": away,
        }
    )
    settings = replace(SETTINGS, newcomers=True)
    rates = rate_matrix(team_strengths(fitted(results, settings), the_teams(*NAMES)))
    assert np.isfinite(rates).all()
    assert (rates > 0).all()


@pytest.mark.parametrize("score", [-1, np.nan])
def test_a_bad_score_is_refused(score: float) -> None:
    results = some_results(10).astype({"home_score": float})
    results.loc[3, "home_score"] = score
    with pytest.raises(ModelError, match="missing or negative score"):
        fitted(results)


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


# Settings


@pytest.mark.parametrize(
    ("name", "value"),
    [("half_life_days", 0), ("ridge", -1), ("years", float("nan")), ("elo_share", 1.2), ("price_share", -0.1)],
)
def test_senseless_settings_are_refused_by_name(name: str, value: float) -> None:
    with pytest.raises(ValidationError, match=name):
        RatingSettings(**{name: value})  # type: ignore[arg-type]


# The real World Cup, walked forward


def test_the_world_cup_is_forecast_as_well_as_measured(world_cup: World) -> None:
    played = world_cup.tables["fixtures"].dropna(subset="home_goals_90")
    rounds, goals_seen, rate_seen = [], 0.0, 0.0
    for number, matches in played.groupby("round"):
        known = world_cup.at(int(str(number)))
        prices = price_of_eleven(known.players, list(known.teams["code"]))
        ratings = fit_ratings(known.results, before=known.deadline, settings=SETTINGS)
        strengths = team_strengths(ratings, known.teams, prices)
        scaled = replace(strengths, scale=scale_to_tournament(goals_seen, rate_seen, SETTINGS))
        goals = matches[["home_goals_90", "away_goals_90"]].to_numpy(dtype=float)
        rounds.append((fixture_rates(scaled, matches), np.full(len(matches), strengths.rho), goals))
        goals_seen, rate_seen = goals_seen + goals.sum(), rate_seen + fixture_rates(strengths, matches).sum()
    rates, rho, goals = (np.concatenate(column) for column in zip(*rounds, strict=True))
    grid = score_grid(rates[:, 0], rates[:, 1], rho)
    chance, outcome = grid.outcome(), (1 - np.sign(goals[:, 0] - goals[:, 1])).astype(int)
    passed = chance.cumsum(axis=1) - (np.arange(3) >= outcome[:, None])
    clean = np.stack([grid.clean_sheet("home"), grid.clean_sheet("away")], axis=1)
    # Measured .852, .149, .169 and .84 over rounds 1–4; the bars leave room for rounds still to come.
    assert -np.log(chance[np.arange(len(chance)), outcome]).mean() <= 0.90
    assert (passed[:, :2] ** 2).sum(axis=1).mean() / 2 <= 0.168
    assert ((clean - (goals[:, ::-1] == 0)) ** 2).mean() <= 0.176
    assert 0.7 <= ((goals - rates) ** 2 / rates).mean() <= 1.3


@pytest.mark.facts
def test_all_internationals_give_the_levels_of_international_football(facts: Path) -> None:
    results = pd.read_csv(facts / "internationals" / "results.csv.gz", parse_dates=["date"])
    ratings = fit_ratings(results, before="2026-06-11", settings=SETTINGS)
    assert ratings.base == pytest.approx(0.17, abs=0.02)
    assert ratings.home == pytest.approx(0.25, abs=0.02)
    assert ratings.rho == pytest.approx(-0.04, abs=0.02)
