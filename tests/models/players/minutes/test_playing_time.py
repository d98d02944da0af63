"""Rules of the minutes: eleven men start, who is ruled out stays out, and what was seen counts more than the market."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from data.domain import POSITIONS
from data.worlds.snapshot import Snapshot
from data.worlds.world import World
from models.players.minutes.playing_time import (
    Minutes,
    MinutesSettings,
    availability,
    filled,
    minutes_from_start,
    predict_minutes,
    start_from_market,
)
from tests.cases.small_world import (
    CLUBS,
    SQUAD,
    changed,
    player_of,
    row_in,
    small_cup,
    small_league,
    with_status,
)

SETTINGS = MinutesSettings()
STAR = player_of("A1", "FWD")


def the_minutes(snapshot: Snapshot, risk: float = 0.0, settings: MinutesSettings = SETTINGS) -> Minutes:
    return predict_minutes(snapshot, np.full(len(snapshot.players), risk), settings)


def market_start(players: pd.DataFrame) -> np.ndarray:
    return start_from_market(players, np.zeros(len(players), dtype=bool), SETTINGS)


def by_team(values: np.ndarray, snapshot: Snapshot) -> pd.Series:
    return pd.Series(values).groupby(snapshot.players["team"].to_numpy()).sum()


@given(st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=12), st.floats(0.1, 6.0), st.floats(0.05, 1.0))
def test_places_are_filled_in_order_of_weight_and_nobody_passes_the_cap(
    weights: list[float], total: float, highest: float
) -> None:
    start = filled(np.array(weights), total, highest)
    assert start.max() <= highest + 1e-9
    assert start.sum() == pytest.approx(min(total, highest * len(weights)))
    order = np.argsort(weights)
    assert (np.diff(start[order]) >= -1e-9).all()


def test_every_position_of_a_team_fills_its_places_before_a_match_is_seen() -> None:
    players = small_cup().at(1).players
    start = pd.Series(market_start(players)).groupby([players["team"], players["position"]]).sum()
    due = dict(zip(POSITIONS, SETTINGS.slots, strict=True))
    for (_, position), total in start.items():
        assert total == pytest.approx(due[position])


def test_the_dearer_and_the_more_owned_are_likelier_to_start() -> None:
    snapshot = small_cup().at(1)
    rows = [row_in(snapshot, player_of("B2", "MID", place)) for place in range(SQUAD["MID"])]
    start = market_start(snapshot.players)[rows]
    assert (np.diff(start) <= 0).all()
    assert start[0] > start[-1] + 0.3


def test_team_mates_of_equal_price_and_ownership_are_equally_likely() -> None:
    players = small_cup().at(1).players.assign(price=5.0, owned=0.1)
    start = market_start(players)
    same = start[(players["team"] == "A1") & (players["position"] == "DEF")]
    np.testing.assert_allclose(same, SETTINGS.slots[1] / SQUAD["DEF"])


def test_one_who_left_the_squad_frees_his_place() -> None:
    players = small_cup().at(1).players
    gone = (players["player_id"] == player_of("A1", "GK")).to_numpy()
    start = start_from_market(players, gone, SETTINGS)
    assert start[gone] == 0
    assert start[row_in(small_cup().at(1), player_of("A1", "GK", 1))] == SETTINGS.highest


@pytest.mark.parametrize("round_number", [1, 2, 3])
@pytest.mark.parametrize("world", [small_cup(), small_league()], ids=["cup", "league"])
def test_eleven_men_of_every_team_are_expected_to_start(world: World, round_number: int) -> None:
    snapshot = world.at(round_number)
    np.testing.assert_allclose(by_team(the_minutes(snapshot).start, snapshot), 11.0, atol=1e-6)


def test_eleven_of_every_nation_start_the_world_cup(world_cup: World) -> None:
    snapshot = world_cup.at(1)
    np.testing.assert_allclose(by_team(the_minutes(snapshot).start, snapshot), 11.0, atol=1e-6)


def test_a_team_with_ten_fit_men_starts_no_eleven() -> None:
    snapshot = small_cup().at(1)
    gone = (snapshot.players["team"] == "A1") & (snapshot.players.groupby("team").cumcount() >= 10)
    short = replace(snapshot, players=snapshot.players.assign(status=np.where(gone, "transferred", "playing")))
    start = by_team(the_minutes(short).start, short)
    assert 0 < start["A1"] <= 10
    assert start["A2"] == pytest.approx(11.0)


def test_who_started_is_likelier_to_start_again() -> None:
    before, after = small_cup().at(1), small_cup().at(2)
    regular, reserve = (row_in(before, player_of("B3", "DEF", place)) for place in (3, 4))
    assert the_minutes(after).start[regular] > the_minutes(before).start[regular]
    assert the_minutes(after).start[reserve] < the_minutes(before).start[reserve]


def test_the_latest_match_counts_most() -> None:
    def starting_only(gameweek: int, player: int) -> World:
        def kept(appearances: pd.DataFrame) -> pd.DataFrame:
            return appearances[(appearances["player_id"] != player) | (appearances["round"] == gameweek)]

        return changed(small_league(), "appearances", kept)

    player = player_of("CHE", "MID", 2, CLUBS)
    lately, earlier = starting_only(2, player).at(3), starting_only(1, player).at(3)
    row = row_in(lately, player)
    assert the_minutes(lately).start[row] > the_minutes(earlier).start[row] + 0.02


def test_evidence_grows_with_the_matches_seen() -> None:
    seen = [the_minutes(small_league().at(number)).evidence for number in (1, 2, 3)]
    assert (seen[0] == 0).all()
    assert (seen[0] < seen[1]).all()
    assert (seen[1] < seen[2]).all()
    assert (seen[2] < 1).all()


def test_a_dead_rubber_rests_regulars_and_lets_reserves_play() -> None:
    snapshot = small_cup().at(2)
    usual, rested = the_minutes(snapshot), the_minutes(snapshot, risk=1.0)
    regular, reserve = (row_in(snapshot, player_of("A2", "MID", place)) for place in (0, 5))
    assert rested.start[regular] < usual.start[regular] - 0.1
    assert rested.start[reserve] > usual.start[reserve] + 0.05
    np.testing.assert_allclose(by_team(rested.start, snapshot), 11.0, atol=1e-6)


@pytest.mark.parametrize(
    ("status", "most"),
    [("suspended", SETTINGS.ruled_out), ("absent", SETTINGS.ruled_out), ("transferred", 0), ("eliminated", 0)],
)
def test_who_is_ruled_out_hardly_starts_or_comes_on_and_who_left_never(status: str, most: float) -> None:
    snapshot = with_status(small_cup(), STAR, status).at(2)
    minutes, row = the_minutes(snapshot), row_in(snapshot, STAR)
    assert 0 <= minutes.start[row] <= most
    assert (minutes.start[row] > 0) == (most > 0)
    assert 1 - minutes.state[row, 0] <= 2 * most


def test_a_doubt_costs_half_of_the_chances() -> None:
    snapshot = with_status(small_cup(), STAR, "doubtful").at(2)
    row = row_in(snapshot, STAR)
    assert the_minutes(snapshot).start[row] <= SETTINGS.doubtful
    assert the_minutes(snapshot).start[row] < the_minutes(small_cup().at(2)).start[row] - 0.2


def test_team_mates_take_the_place_of_a_suspended_star() -> None:
    usual, without = small_cup().at(2), with_status(small_cup(), STAR, "suspended").at(2)
    row = row_in(usual, player_of("A1", "FWD", 2))
    assert the_minutes(without).start[row] > the_minutes(usual).start[row]


def test_availability_follows_the_status() -> None:
    status = ["playing", "doubtful", "injured", "suspended", "absent", "transferred", "eliminated"]
    players = pd.DataFrame({"status": status, "chance": pd.array([None] * len(status), dtype="Int64")})
    assert availability(players, SETTINGS).tolist() == [1.0, 0.5, 0.02, 0.02, 0.02, 0.0, 0.0]


def test_a_told_chance_says_how_doubtful_a_player_is_and_nothing_of_the_others() -> None:
    doubts = pd.DataFrame({"status": "doubtful", "chance": pd.array([0, 25, 50, 75, 100], dtype="Int64")})
    assert availability(doubts, SETTINGS).tolist() == [0.01, 0.06, 0.28, 0.6, 1.0]
    assert availability(doubts.assign(status="playing"), SETTINGS).tolist() == [1.0] * 5
    assert availability(doubts.assign(status="suspended"), SETTINGS).tolist() == [SETTINGS.ruled_out] * 5


@given(st.floats(0, 1), st.floats(0, 1), st.sampled_from(range(4)))
def test_the_states_are_probabilities_that_sum_to_one(start: float, able: float, position: int) -> None:
    one = np.array([start]), np.array([position]), np.array([able]), np.array([0.5])
    minutes = minutes_from_start(*one, SETTINGS)
    assert minutes.state.sum() == pytest.approx(1.0, abs=1e-12)
    assert ((minutes.state >= 0) & (minutes.state <= 1)).all()
    assert 0 <= minutes.expected[0] <= 1
    assert minutes.state[0, 2] == pytest.approx(start * SETTINGS.sixty_if_started[position])


@given(st.floats(0, 0.99), st.floats(0.001, 0.01), st.sampled_from(range(4)))
def test_a_likelier_start_means_more_minutes(start: float, more: float, position: int) -> None:
    two = np.array([start, start + more])
    minutes = minutes_from_start(two, np.full(2, position), np.ones(2), np.zeros(2), SETTINGS)
    assert minutes.expected[1] > minutes.expected[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [("fading", 1.5), ("ruled_out", -0.1), ("highest", float("nan")), ("slots", (1.0, 4.0)), ("comes_on", ())],
)
def test_senseless_settings_are_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(ValidationError, match=name):
        MinutesSettings(**{name: value})  # type: ignore[arg-type]


def unlisted(world: World, points: dict[int, int] | None) -> World:
    """The world without the line-ups of round 1, and with these points in it; None = without points too."""
    empty = changed(world, "appearances", lambda rows: rows.iloc[:0])
    table = pd.DataFrame(
        {"player_id": list(points or {}), "round": 1, "points": list((points or {}).values())}, dtype="int64"
    )
    return changed(empty, "points", lambda _: table)


def test_without_line_ups_points_tell_who_started() -> None:
    men = [player_of("B3", "MID", place) for place in range(3)]
    dear, middle, cheap = (row_in(small_cup().at(2), man) for man in men)
    before = the_minutes(small_cup().at(1)).start
    start = the_minutes(unlisted(small_cup(), {men[1]: 2, men[2]: 1}).at(2)).start
    assert start[middle] > before[middle]
    assert start[middle] > start[dear] + 0.1
    assert start[cheap] < start[middle]


def test_a_regular_without_points_is_doubted_less_than_a_reserve() -> None:
    """Two of a hundred starters are paid nothing, six of ten reserves: whoever starts every week may have been both."""
    paid = {player_of("B3", "MID", 5): 3}
    start = the_minutes(unlisted(small_cup(), paid).at(2)).start
    dear, cheap = (row_in(small_cup().at(2), player_of("B3", "DEF", place)) for place in (0, 5))
    assert start[dear] > start[cheap] + 0.2


def test_a_match_of_which_neither_line_up_nor_points_are_known_tells_nothing() -> None:
    before, after = small_cup().at(1), unlisted(small_cup(), None).at(2)
    np.testing.assert_allclose(the_minutes(after).start, the_minutes(before).start)
    assert (the_minutes(after).evidence == 0).all()


def test_a_team_none_of_whom_was_paid_did_not_play() -> None:
    before, after = small_cup().at(1), unlisted(small_cup(), {player_of("A1", "MID"): 4}).at(2)
    others = (before.players["team"] != "A1").to_numpy()
    np.testing.assert_allclose(the_minutes(after).start[others], the_minutes(before).start[others])
    assert (the_minutes(after).evidence > 0).sum() == sum(SQUAD.values())


def test_line_ups_on_record_are_believed_whatever_the_points() -> None:
    listed, paid = small_cup(), changed(small_cup(), "points", lambda rows: rows.assign(points=1))
    np.testing.assert_array_equal(the_minutes(listed.at(2)).start, the_minutes(paid.at(2)).start)


@pytest.mark.parametrize("round_number", [6, 7, 8])
def test_who_was_paid_in_the_knockouts_is_expected_again(world_cup: World, round_number: int) -> None:
    snapshot = world_cup.at(round_number)
    players, start = snapshot.players, the_minutes(snapshot).start
    last = snapshot.points[snapshot.points["round"] == round_number - 1].set_index("player_id")["points"]
    playing = (players["status"] == "playing").to_numpy()
    paid = players["player_id"].map(last).fillna(0).to_numpy()
    assert start[playing & (paid > 1)].mean() > 0.7
    assert start[playing & (paid == 0)].mean() < 0.25
