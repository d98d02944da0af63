"""Rules of involvement: a team's goals are shared out whole, and what a player did moves his share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from data.worlds.snapshot import Snapshot
from data.worlds.world import World
from models.players.minutes.playing_time import Minutes, MinutesSettings, predict_minutes
from models.players.scorers import match_scorers
from models.players.shares.involvement import Involvement, InvolvementSettings, share_goals
from tests.cases.small_world import CLUBS, player_of, row_in, small_cup, small_league

SETTINGS = InvolvementSettings()


def usual_minutes(snapshot: Snapshot) -> Minutes:
    return predict_minutes(snapshot, np.zeros(len(snapshot.players)), MinutesSettings())


def the_shares(
    snapshot: Snapshot, settings: InvolvementSettings = SETTINGS, minutes: Minutes | None = None
) -> Involvement:
    scorers = match_scorers(snapshot.goals, snapshot.players, snapshot.teams)
    return share_goals(snapshot, minutes or usual_minutes(snapshot), scorers, settings)


def given_out(share: np.ndarray, snapshot: Snapshot) -> pd.Series:
    """The share of each team's goals that its men are expected to have."""
    expected = share * usual_minutes(snapshot).expected
    return pd.Series(expected).groupby(snapshot.players["team"].to_numpy()).sum()


def with_event(snapshot: Snapshot, player: int, **counts: float) -> Snapshot:
    """The snapshot with other counts in all the matches of one player."""
    events = snapshot.events.copy()
    events.loc[events["player_id"] == player, list(counts)] = list(counts.values())
    return replace(snapshot, events=events)


def with_goals(snapshot: Snapshot, player: int, count: int, days: int = 60, penalty: bool = False) -> Snapshot:
    """The snapshot with more goals of a player in his team's past."""
    his = snapshot.players.iloc[row_in(snapshot, player)]
    goal = {
        "date": pd.Timestamp(snapshot.deadline).tz_localize(None).normalize() - pd.Timedelta(days=days),
        "home_team": f"Team {his['team']}",
        "away_team": "Team A2",
        "team": f"Team {his['team']}",
        "scorer": his["name"],
        "minute": 10.0,
        "own_goal": False,
        "penalty": penalty,
    }
    more = pd.DataFrame([goal] * count).astype(snapshot.goals.dtypes)
    return replace(snapshot, goals=pd.concat([snapshot.goals, more], ignore_index=True))


@pytest.mark.parametrize("snapshot", [small_cup().at(1), small_league().at(3)], ids=["cup", "league"])
def test_all_goals_but_own_goals_are_shared_out(snapshot: Snapshot) -> None:
    shares = the_shares(snapshot)
    assert shares.goal.max() < SETTINGS.highest_goal
    np.testing.assert_allclose(given_out(shares.goal, snapshot), 1 - SETTINGS.own_goals)


def test_assists_are_shared_out_up_to_the_cap_of_one_man() -> None:
    snapshot = small_cup().at(2)
    free = the_shares(snapshot, replace(SETTINGS, highest_assist=1.0))
    np.testing.assert_allclose(given_out(free.assist, snapshot), SETTINGS.assists_per_goal)
    assert the_shares(snapshot).assist.max() <= SETTINGS.highest_assist


def test_the_world_cups_shares_are_probabilities_that_leave_room(world_cup: World) -> None:
    snapshot = world_cup.at(4)
    shares = the_shares(snapshot)
    assert (shares.goal >= 0).all()
    assert (shares.goal + shares.assist <= 1).all()
    assert (given_out(shares.goal, snapshot) <= 1 - SETTINGS.own_goals + 1e-9).all()


def test_a_share_grows_from_the_keeper_to_the_forward_and_with_the_price() -> None:
    snapshot = small_cup().at(1)
    shares = the_shares(snapshot)
    rows = [row_in(snapshot, player_of("B4", position, 1)) for position in ("GK", "DEF", "MID", "FWD")]
    assert (np.diff(shares.goal[rows]) > 0).all()
    dear, cheap = (row_in(snapshot, player_of("B4", "MID", place)) for place in (1, 4))
    assert shares.goal[dear] > shares.goal[cheap]
    assert shares.assist[dear] > shares.assist[cheap]


def test_goals_of_his_country_raise_a_share_and_an_old_one_less_than_a_new_one() -> None:
    snapshot, player = small_cup().at(1), player_of("A3", "MID", 2)
    pasts = [snapshot, *(with_goals(snapshot, player, count) for count in (1, 2, 5, 12))]
    shares = [the_shares(past).goal for past in pasts]
    his = [share[row_in(snapshot, player)] for share in shares]
    assert his == sorted(set(his))
    for share in shares:
        np.testing.assert_allclose(given_out(share, snapshot), 1 - SETTINGS.own_goals)

    new, old = (the_shares(with_goals(snapshot, player, 4, days=days)).goal for days in (30, 1500))
    assert new[row_in(snapshot, player)] > old[row_in(snapshot, player)]


def test_the_penalty_taker_gets_the_penalties() -> None:
    snapshot = with_goals(small_cup().at(1), player_of("A3", "DEF"), 3, penalty=True)
    row = row_in(snapshot, player_of("A3", "DEF"))
    trusted, unknown = (the_shares(snapshot, replace(SETTINGS, taker_trust=trust)).goal[row] for trust in (1.0, 0.0))
    assert trusted > unknown + 0.03


def test_a_league_without_a_scorers_list_reads_the_games_own_events_expected_goals_before_goals() -> None:
    snapshot, player = small_league().at(3), player_of("CHE", "MID", 1, CLUBS)
    row = row_in(snapshot, player)
    assert snapshot.goals.empty
    more = the_shares(with_event(snapshot, player, goals=2, expected_goals=1.5))
    assert more.goal[row] > the_shares(snapshot).goal[row]
    helped = the_shares(with_event(snapshot, player, assists=2, expected_assists=1.5))
    assert helped.assist[row] > the_shares(snapshot).assist[row]

    lucky = the_shares(with_event(snapshot, player, goals=1, expected_goals=0.1)).goal[row]
    unlucky = the_shares(with_event(snapshot, player, goals=0, expected_goals=1.0)).goal[row]
    assert unlucky > lucky


def test_counts_without_expected_goals_are_taken_as_they_are() -> None:
    snapshot, player = small_league().at(3), player_of("CHE", "MID", 1, CLUBS)
    bare = replace(snapshot, events=snapshot.events.assign(expected_goals=np.nan, expected_assists=np.nan))
    shares = the_shares(with_event(bare, player, goals=2))
    assert np.isfinite(shares.goal).all()
    assert np.isfinite(shares.assist).all()
    assert shares.goal[row_in(bare, player)] > the_shares(bare).goal[row_in(bare, player)]


def test_a_players_own_counts_move_his_rates() -> None:
    snapshot, player = small_cup().at(2), player_of("A1", "MID", 1)
    hard = the_shares(with_event(snapshot, player, tackles=8)).rates
    due = (SETTINGS.prior_matches * SETTINGS.tackles[2] + 8) / (SETTINGS.prior_matches + 1)
    assert hard["tackles"][row_in(snapshot, player)] == pytest.approx(due)


def test_shots_that_became_goals_are_not_counted_twice() -> None:
    snapshot, player = small_cup().at(2), player_of("A1", "FWD", 1)
    row = row_in(snapshot, player)
    only_goals = the_shares(with_event(snapshot, player, shots_on_target=2, goals=2)).rates["shots"][row]
    misses = the_shares(with_event(snapshot, player, shots_on_target=2, goals=0)).rates["shots"][row]
    assert misses > only_goals


def test_an_event_the_game_does_not_count_keeps_its_prior() -> None:
    snapshot = small_cup().at(2)
    assert not snapshot.events["defensive_contributions"].any()
    keeper = row_in(snapshot, player_of("A1", "GK"))
    assert the_shares(snapshot).rates["defensive"][keeper] == SETTINGS.defensive[0]


def test_a_team_of_which_nobody_can_play_gets_no_share_and_no_nan() -> None:
    snapshot = small_cup().at(1)
    gone = np.where(snapshot.players["team"] == "A1", "transferred", "playing")
    snapshot = replace(snapshot, players=snapshot.players.assign(status=gone))
    shares = the_shares(snapshot)
    assert (shares.goal[gone == "transferred"] <= SETTINGS.penalties).all()
    assert np.isfinite(shares.goal).all()
    assert np.isfinite(shares.assist).all()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("goal_share", (0.1, 0.1)),
        ("yellow", (0.1, 0.1, 0.1, -0.1)),
        ("penalty_saved", ()),
        ("penalties", 1.5),
        ("taker_trust", -0.1),
    ],
)
def test_senseless_settings_are_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(ValidationError, match=name):
        InvolvementSettings(**{name: value})  # type: ignore[arg-type]
