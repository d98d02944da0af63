"""The measures measure what they say, and the beliefs pass them on rounds they have not seen."""

from __future__ import annotations

from collections.abc import Iterator
from math import log, sqrt

import numpy as np
import pandas as pd
import pytest

from data.domain import POSITIONS
from data.errors import InputError
from data.rules import load_rules
from data.worlds.library import find_world
from data.worlds.world import World
from models.calibration.forecast_errors import (
    BASELINES,
    advance_brier,
    central_coverage,
    match_errors,
    point_errors,
    reliability,
)
from models.calibration.walk import (
    Walk,
    baseline_forecast,
    known_rounds,
    randomised_pit,
    walk_forward,
)
from models.players.payout import WIDTH
from models.players.points import GRID

ROUNDS = (1, 2, 3, 4, 5, 6, 7, 8)
FIRST = ROUNDS[:3]


@pytest.fixture(scope="module")
def walk() -> Walk:
    """The bundled World Cup walked forward over the rounds whose points are known."""
    *_, last = walked(ROUNDS)
    return last


@pytest.fixture(scope="module")
def begun() -> Walk:
    """The same over the first rounds, for what does not depend on how many there are."""
    *_, last = walked(FIRST)
    return last


def walked(rounds: tuple[int, ...], seed: int = 0) -> Iterator[Walk]:
    return walk_forward(find_world("wc2026"), load_rules("wc2026"), rounds, seed=seed)


def some_players(**columns: list[object]) -> pd.DataFrame:
    rows = len(next(iter(columns.values())))
    given = {"relevant": [True] * rows, "constant": [1.0] * rows, "price": [1.0] * rows, "crowd": [1.0] * rows}
    return pd.DataFrame(given | columns)


def some_matches(*rows: tuple[float, ...]) -> pd.DataFrame:
    columns = ["home_goals", "away_goals", "p_home", "p_draw", "p_away", "sheet_home", "sheet_away"]
    return pd.DataFrame(rows, columns=columns)


def rmse_of(walk: Walk, players: str = "relevant") -> pd.Series:
    errors = point_errors(walk.players)
    return errors[errors["players"] == players].set_index("forecast")["rmse"]


# The measures, by hand.


def test_the_error_is_the_root_of_the_mean_square_over_relevant_players_and_over_all() -> None:
    players = some_players(points=[0, 2, 9], model=[1.0, 2.0, 6.0], relevant=[True, True, False])
    errors = point_errors(players).set_index(["players", "forecast"])["rmse"]
    assert errors["relevant", "model"] == pytest.approx(sqrt(1 / 2))
    assert errors["all", "model"] == pytest.approx(sqrt(10 / 3))
    assert errors["relevant", "constant"] == pytest.approx(1.0)
    assert errors["all", "constant"] == pytest.approx(sqrt(66 / 3))


def test_ranks_are_compared_and_a_constant_ranks_nobody() -> None:
    players = some_players(points=[0, 1, 2, 10], model=[0.1, 0.3, 0.2, 0.9], price=[4.0, 3.0, 2.0, 1.0])
    ranks = point_errors(players).set_index(["players", "forecast"])["spearman"]
    assert ranks["relevant", "model"] == pytest.approx(1 - 6 * 2 / (4 * 15))  # two neighbours swapped
    assert ranks["relevant", "price"] == pytest.approx(-1.0)
    assert np.isnan(ranks["relevant", "constant"])


def test_match_measures_are_those_computed_by_hand() -> None:
    errors = match_errors(some_matches((2, 0, 0.5, 0.3, 0.2, 0.4, 0.2), (1, 1, 0.6, 0.3, 0.1, 0.3, 0.1)))
    assert errors["matches"] == 2
    assert errors["log_loss"] == pytest.approx(-(log(0.5) + log(0.3)) / 2)
    # Cumulated: (.5, .8) against (1, 1), and (.6, .9) against (0, 1).
    assert errors["rps"] == pytest.approx(((0.5**2 + 0.2**2) / 2 + (0.6**2 + 0.1**2) / 2) / 2)
    assert errors["clean_sheet_brier"] == pytest.approx((0.6**2 + 0.3**2 + 0.2**2 + 0.1**2) / 4)
    assert errors["clean_sheet_base"] == pytest.approx(0.25 * 0.75)


def test_an_away_win_counts_for_the_away_side() -> None:
    errors = match_errors(some_matches((0, 3, 0.1, 0.2, 0.7, 0.0, 1.0)))
    assert errors["log_loss"] == pytest.approx(-log(0.7))
    assert errors["clean_sheet_brier"] == 0.0


def test_advancing_is_measured_by_the_mean_square_and_unknown_while_it_is_open() -> None:
    assert advance_brier(pd.DataFrame({"p_advance": [0.8, 0.4], "advanced": [1.0, 0.0]})) == pytest.approx(0.10)
    assert np.isnan(advance_brier(pd.DataFrame(columns=["code", "p_advance", "advanced"])))


def test_coverage_counts_the_central_eighty_percent_for_all_and_for_the_relevant() -> None:
    players = some_players(
        position=["GK", "GK", "GK", "DEF"], pit=[0.05, 0.1, 0.9, 0.95], relevant=[True, True, False, False]
    )
    coverage = central_coverage(players).set_index("position")
    assert list(coverage.index) == list(POSITIONS)
    assert coverage.loc["GK"].to_dict() == pytest.approx({"all": 2 / 3, "relevant": 1 / 2})
    assert coverage.loc["DEF", "all"] == 0.0
    assert np.isnan(coverage.loc["DEF", "relevant"])
    assert coverage.loc["FWD"].isna().all()


def test_reliability_compares_means_in_bins_of_equal_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.calibration.forecast_errors.BINS", 2)
    players = some_players(
        model=[4.0, 1.0, 2.0, 3.0, 99.0], points=[8, 0, 2, 4, 0], relevant=[True, True, True, True, False]
    )
    bins = reliability(players)
    assert bins["expected"].tolist() == [1.5, 3.5]
    assert bins["official"].tolist() == [1.0, 6.0]
    assert bins["rows"].tolist() == [2, 2]
    assert bins["error"].tolist() == pytest.approx([1.0, 2.0])  # standard deviation √2 and 2√2, over √2


def test_before_the_first_round_a_baseline_is_in_proportion_and_has_the_models_mean() -> None:
    now = pd.DataFrame({"paid": [4.0, 6.0, 20.0], "model": [1.0, 3.0, 7.0], "relevant": [True, True, False]})
    assert baseline_forecast(now, None, "paid").tolist() == pytest.approx([1.6, 2.4, 8.0])


def test_later_a_baseline_is_the_line_through_the_relevant_players_of_earlier_rounds() -> None:
    earlier = pd.DataFrame(
        {"paid": [4.0, 6.0, 5.0], "one": 1.0, "points": [1.0, 5.0, 90.0], "relevant": [True, True, False]}
    )
    now = pd.DataFrame({"paid": [5.0, 8.0], "one": 1.0, "model": [0.0, 0.0], "relevant": [True, True]})
    assert baseline_forecast(now, earlier, "paid").tolist() == pytest.approx([3.0, 9.0])
    assert baseline_forecast(now, earlier, "one").tolist() == [3.0, 3.0]  # no spread: the mean


def test_points_drawn_from_the_distributions_themselves_are_placed_uniformly() -> None:
    rng = np.random.default_rng(5)
    mass = rng.dirichlet(np.full(WIDTH, 0.05), 4_000)  # a few steps carry most of it, as with real points
    points = np.array([rng.choice(GRID, p=row) for row in mass])
    place = randomised_pit(mass, points, rng)
    assert np.histogram(place, bins=10, range=(0, 1))[0] == pytest.approx(400, abs=80)  # four standard deviations
    assert ((place >= 0.1) & (place <= 0.9)).mean() == pytest.approx(0.8, abs=0.025)


def test_a_certain_score_is_placed_anywhere_and_an_impossible_one_at_an_end() -> None:
    mass = np.zeros((1_000, WIDTH))
    mass[:, GRID == 2] = 1.0
    anywhere = randomised_pit(mass, np.full(1_000, 2.0), np.random.default_rng(1))
    assert anywhere.min() < 0.02
    assert anywhere.max() > 0.98
    assert set(randomised_pit(mass, np.full(1_000, 3.0), np.random.default_rng(1))) == {1.0}
    assert set(randomised_pit(mass, np.full(1_000, -99.0), np.random.default_rng(1))) == {0.0}


# The walk.


def test_rounds_with_official_points_are_known(world_cup: World) -> None:
    assert known_rounds(world_cup) == ROUNDS


@pytest.mark.parametrize(
    ("rounds", "message"),
    [
        ((9,), "round 9 are not known. Known rounds: 1, 2, 3, 4, 5, 6, 7, 8"),
        ((1, 11, 9), "round 9 are not known"),
        ((), "No round to walk over was given. Known rounds: 1, 2, 3, 4"),
    ],
)
def test_unknown_rounds_are_refused(rounds: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        next(walked(rounds))


@pytest.mark.soak
def test_a_walk_goes_forward_whatever_the_order_asked_for() -> None:
    assert set(next(walked((4, 3))).players["round"]) == {3}


@pytest.mark.soak
def test_a_walk_repeats_itself_and_asks_nothing_of_groups_that_are_over() -> None:
    once = next(walked((4,), seed=3))
    np.random.seed(99)
    again = next(walked((4,), seed=3))
    pd.testing.assert_frame_equal(once.players, again.players, check_exact=True)
    assert once.advance.empty


def test_who_could_have_played_counts_with_zero_points(begun: Walk, world_cup: World) -> None:
    official = world_cup.tables["points"]
    scored = begun.players.merge(official, on=["player_id", "round"], how="left", suffixes=("", "_official"))
    assert (scored["points"] == scored["points_official"].fillna(0)).all()
    assert 0.3 < scored["points_official"].isna().mean() < 0.6
    for number in FIRST:
        snapshot = world_cup.at(number)
        able = snapshot.players[~snapshot.players["status"].isin(["transferred", "eliminated"])]
        playing = able[able["team"].isin(pd.concat([snapshot.coming["home"], snapshot.coming["away"]]))]
        walked = begun.players.loc[begun.players["round"] == number, "player_id"]
        assert sorted(walked) == sorted(playing["player_id"])


def test_relevant_is_who_is_owned_or_among_the_eleven_dearest(begun: Walk) -> None:
    players = begun.players
    assert players.loc[players["owned"] > 0.01, "relevant"].all()
    few = players[players["owned"] <= 0.01]
    assert (players.groupby(["round", "team"])["relevant"].sum() >= 11).all()
    for (number, team), relevant in few[few["relevant"]].groupby(["round", "team"]):
        mates = players[(players["round"] == number) & (players["team"] == team)]
        assert relevant["paid"].min() >= mates["paid"].nlargest(11).min()


def test_baselines_of_the_walk_never_look_ahead(begun: Walk) -> None:
    by_round = dict(list(begun.players.groupby("round")))
    first = by_round[1]
    for name, column in BASELINES.items():
        relevant = first[first["relevant"]]
        assert relevant[name].mean() == pytest.approx(relevant["model"].mean())
        proportion = first[name].mean() / first[column].mean()
        assert first[name].to_numpy() == pytest.approx(first[column].to_numpy() * proportion)
    past = begun.players[(begun.players["round"] < 3) & begun.players["relevant"]]
    slope, intercept = np.polyfit(past["paid"], past["points"], 1)
    assert by_round[3]["price"].to_numpy() == pytest.approx(intercept + slope * by_round[3]["paid"].to_numpy())
    assert by_round[3]["constant"].to_numpy() == pytest.approx(past["points"].mean())


# The bars.


@pytest.mark.soak
def test_expected_points_beat_the_simple_forecasts_and_rank_the_players(walk: Walk) -> None:
    rmse = rmse_of(walk)
    assert rmse["model"] <= 3.07
    assert rmse["model"] <= rmse["constant"] - 0.30
    assert rmse["model"] <= rmse["crowd"] - 0.08
    assert rmse["model"] < rmse["price"]
    assert rmse_of(walk, "all")["model"] == rmse_of(walk, "all").min()

    errors = point_errors(walk.players).set_index(["players", "forecast"])
    assert errors.loc[("relevant", "model"), "spearman"] >= 0.48
    assert errors.loc[("relevant", "model"), "rows"] > 2_000


@pytest.mark.soak
def test_who_plays_is_foreseen_where_no_line_up_is_known(walk: Walk) -> None:
    """After the Round of 32 only points tell who played: their order is foreseen better than in the rounds before."""
    late = point_errors(walk.players[walk.players["round"] > 5]).set_index(["players", "forecast"])
    assert late.loc[("relevant", "model"), "spearman"] >= 0.52
    assert late.loc[("relevant", "model"), "rmse"] <= late.loc[("relevant", "constant"), "rmse"] - 0.20


@pytest.mark.soak
def test_scores_of_matches_are_forecast_well(walk: Walk) -> None:
    errors = match_errors(walk.matches)
    assert errors["matches"] == 24 * 3 + 16 + 8 + 4 + 2 + 2
    assert errors["log_loss"] <= 0.92
    assert errors["clean_sheet_brier"] <= errors["clean_sheet_base"] - 0.012


@pytest.mark.soak
def test_who_leaves_the_groups_is_foreseen(walk: Walk) -> None:
    assert walk.advance["advanced"].sum() == 32
    assert walk.advance["p_advance"].sum() == pytest.approx(32)
    assert advance_brier(walk.advance) < 0.20


@pytest.mark.soak
def test_four_of_five_points_fall_into_the_central_eighty_percent(walk: Walk) -> None:
    coverage = central_coverage(walk.players)
    assert coverage["all"].between(0.75, 0.87).all()


@pytest.mark.soak
def test_what_is_expected_is_what_comes(walk: Walk) -> None:
    bins = reliability(walk.players)
    assert (bins["official"] - bins["expected"]).abs().mean() < 0.35
    assert bins["expected"].is_monotonic_increasing
    assert bins["rows"].sum() == walk.players["relevant"].sum()
