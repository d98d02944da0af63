"""Rules of the crowd's faults: piling on beyond the points, and reacting too late."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from models.crowd.faults import crowd_flags, points_above_replacement, price_line
from models.crowd.field_view import FieldView, OwnershipSettings
from models.crowd.ownership import field_exposure
from tests.cases.field_cases import LINEUPS, POSITION, SEEDS, SHAPE, a_view, with_row

PLAYERS = len(POSITION)
EVERYONE = np.ones(PLAYERS, dtype=bool)
STAR = PLAYERS - 1  # a forward
TEAMS = np.array([f"T{row % 20:02d}" for row in range(PLAYERS)])
NAMES = np.array([f"Player {row}" for row in range(PLAYERS)])


def flags(view: FieldView, team: np.ndarray = TEAMS) -> tuple[str, ...]:
    return crowd_flags(field_exposure(view, SHAPE, LINEUPS), view, team, NAMES, OwnershipSettings())


def subjects(found: tuple[str, ...]) -> list[str]:
    return [flag.partition(":")[0] for flag in found]


def forwards(star: float) -> np.ndarray:
    """Return shares in which the last forward has this much and the other eleven the rest of three places."""
    return with_row(np.where(POSITION == 3, (3 - star) / 11, 0.25), STAR, star)


def priced_by_points() -> FieldView:
    """Build a field in which every price buys exactly what it should."""
    price = 4.0 + np.arange(PLAYERS) % 7
    return a_view(price=price, xev=price - 2.0)


def test_the_price_line_passes_through_a_fair_market_and_a_position_without_starters_is_measured_by_itself() -> None:
    view = priced_by_points()
    assert price_line(view, EVERYONE) == pytest.approx(view.xev)
    assert price_line(view, POSITION != 0)[POSITION == 0].tolist() == view.xev[POSITION == 0].tolist()


def test_equal_prices_buy_the_mean_of_the_position() -> None:
    line = price_line(a_view(xev=with_row(np.full(PLAYERS, 4.0), STAR, 16.0)), EVERYONE)
    assert line[STAR] == pytest.approx(5.0)
    assert line[0] == pytest.approx(4.0)


def test_replacement_is_the_median_likely_starter() -> None:
    worth = points_above_replacement(a_view(xev=np.where(np.arange(PLAYERS) == STAR, 9.0, 4.0)), EVERYONE)
    assert worth.tolist() == [0.0] * STAR + [5.0]


def test_a_fair_market_evenly_owned_and_a_round_without_likely_starters_are_silent() -> None:
    assert flags(a_view()) == ()
    assert flags(a_view(p_start=np.full(PLAYERS, 0.2))) == ()


def test_a_team_owned_beyond_its_points_is_named() -> None:
    team = np.where(np.arange(PLAYERS) % 5 == 0, "ESP", TEAMS)
    (flag,) = flags(a_view(xev=with_row(np.full(PLAYERS, 4.0), STAR, 9.0)), team=team)
    assert flag.startswith("ESP: 1")
    assert flag.endswith("but 0% of the points above replacement.")


def test_a_team_with_the_points_is_not_crowded() -> None:
    team = np.where(np.arange(PLAYERS) % 5 == 0, "ESP", TEAMS)
    assert flags(a_view(xev=np.where(team == "ESP", 5.0, 4.0)), team=team) == ()


def test_a_popular_player_below_his_price_is_named() -> None:
    view = replace(priced_by_points(), owned=forwards(0.8))
    (flag,) = flags(replace(view, xev=with_row(view.xev, STAR, view.xev[STAR] - 2.0)), team=NAMES)
    assert flag.startswith(NAMES[STAR])
    assert "points fewer than his price buys" in flag


def test_a_bargain_the_field_leaves_alone_is_named_unless_he_will_not_start() -> None:
    view = a_view(owned=forwards(0.01), xev=with_row(np.full(PLAYERS, 4.0), STAR, 7.0))
    (flag,) = flags(view)
    assert flag.startswith(NAMES[STAR])
    assert "7.0 expected points, 2.8 more than his price buys" in flag
    assert flags(replace(view, p_start=with_row(view.p_start, STAR, 0.4))) == ()


def test_the_most_crowded_stands_first() -> None:
    xev = with_row(np.full(PLAYERS, 4.0), STAR, 9.0)
    team = np.where(np.arange(PLAYERS) % 5 == 0, "ESP", np.where(np.arange(PLAYERS) % 10 == 1, "FRA", TEAMS))
    assert subjects(flags(a_view(xev=xev), team=team)) == ["ESP", "FRA"]


def test_the_player_who_costs_the_field_most_stands_first() -> None:
    fair = priced_by_points()
    lacking = np.where(np.isin(np.arange(PLAYERS), [STAR, STAR - 1]), [1.5] * STAR + [3.0], 0.0)
    owned = with_row(with_row(np.where(POSITION == 3, 0.14, 0.25), STAR, 0.8), STAR - 1, 0.8)
    found = flags(replace(fair, owned=owned, xev=fair.xev - lacking), team=NAMES)
    assert subjects(found) == [NAMES[STAR], NAMES[STAR - 1]]


@given(seed=SEEDS)
def test_every_flag_names_a_team_or_player_of_the_pool(seed: int) -> None:
    rng = np.random.default_rng(seed)
    owned = np.clip(0.25 * rng.choice([0.1, 1.0, 1.9], PLAYERS), 0, 1)
    owned *= (np.array(SHAPE) / np.bincount(POSITION, owned))[POSITION]
    view = a_view(owned=np.minimum(owned, 1), xev=rng.gamma(4, 1, PLAYERS), price=rng.uniform(4, 11, PLAYERS))
    found = flags(view)
    assert set(subjects(found)) <= {*TEAMS.tolist(), *NAMES.tolist()}
    assert all("nan" not in flag for flag in found)
