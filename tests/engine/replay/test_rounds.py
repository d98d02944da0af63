"""Rounds of a replay: beliefs of the deadline, facts of the round, and nothing of one in the other."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from data.errors import InputError
from data.worlds.world import World
from engine.replay.rounds import Matchday, check_rounds, official_points, official_round
from tests.cases.judged_worlds import league_signals, world_cup_signals
from tests.cases.replay_cases import league_rounds, rounds_of
from tests.cases.small_world import changed, small_league


def doubled(points: pd.DataFrame) -> pd.DataFrame:
    """Everybody's points of the second round, ten times as many."""
    points.loc[points["round"] == 2, "points"] *= 10
    return points


def test_official_points_are_those_of_the_round_and_nobody_else_played() -> None:
    signals, world = league_signals(2), small_league()
    official = official_round(world, signals)
    table = world.tables["points"]
    assert int(official.points.sum()) == int(table.loc[table["round"] == 2, "points"].sum())
    assert set(signals.player_id[official.played[0]]) == set(table.loc[table["round"] == 2, "player_id"])
    assert official_points(world, 2, np.array([-1])).tolist() == [0]


def test_who_was_paid_played_though_no_lineup_has_him() -> None:
    signals, known = league_signals(2), small_league()
    paid, unpaid = signals.player_id[official_round(known, signals).played[0]][:2].tolist()

    def nothing(points: pd.DataFrame) -> pd.DataFrame:
        points.loc[(points["player_id"] == unpaid) & (points["round"] == 2), "points"] = 0
        return points

    world = changed(known, "points", nothing)
    official = official_round(world, signals)

    def without(rows: pd.DataFrame) -> pd.DataFrame:
        return rows[~rows["player_id"].isin([paid, unpaid])]

    lost = changed(changed(world, "appearances", without), "events", without)
    again = official_round(lost, signals)
    assert set(signals.player_id[official.played[0]]) - set(signals.player_id[again.played[0]]) == {unpaid}
    only_counted = official_round(changed(world, "appearances", without), signals)
    np.testing.assert_array_equal(only_counted.played, official.played)


def test_a_forecast_knows_no_points_of_its_own_round() -> None:
    before, after = league_rounds(), rounds_of(changed(small_league(), "points", doubled))
    for name in ("price", "crowd"):
        for known, other in zip(before, after, strict=True):
            np.testing.assert_array_equal(known.matchday.forecasts[name], other.matchday.forecasts[name])
    assert (after[1].official.points == 10 * before[1].official.points).all()


def test_before_the_first_round_price_is_believed_in_proportion_for_the_eleven_dearest_of_a_team() -> None:
    matchday = league_rounds()[0].matchday
    signals, believed = matchday.signals, matchday.forecasts["price"]
    ratio = believed[believed > 0] / signals.price[believed > 0]
    assert np.ptp(ratio) < 1e-9
    for team in np.unique(signals.team):
        here = signals.team == team
        assert (believed[here] > 0).sum() == 11
        assert signals.price[here & (believed > 0)].min() >= signals.price[here & (believed == 0)].max()


def test_nobody_picks_who_is_ruled_out_or_has_no_match() -> None:
    signals = league_signals(3)
    matchday = Matchday(signals, {})
    idle = np.isin(signals.codes, ["FUL", "LIV"])
    assert idle.any()
    assert (matchday.pickable == ~idle).all()


@pytest.mark.parametrize(
    ("rounds", "sentence"),
    [
        ((1, 3), "Official points of round 3 are not known. Known rounds: 1, 2."),
        ((2, 1), "in order of play"),
        ((), "name one or more"),
    ],
)
def test_only_played_rounds_in_order_can_be_replayed(rounds: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        check_rounds(small_league(), rounds)


@pytest.mark.parametrize("number", [5, 6, 7, 8])
@pytest.mark.soak
def test_where_no_line_up_is_known_an_eleven_and_its_substitutes_played(world_cup: World, number: int) -> None:
    signals = world_cup_signals(number)
    played = official_round(world_cup, signals).played[0]
    assert not world_cup.tables["appearances"]["round"].eq(number).any()
    assert not played[np.isnat(signals.kickoff)].any()
    by_team = np.bincount(signals.team[played])
    assert by_team[by_team > 0].min() >= 11
    assert by_team.max() <= 17
