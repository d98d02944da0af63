"""Rules of an outlook: its first column is the signals, blanks and doubles count, nobody looks ahead."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from time import process_time

import numpy as np
import pandas as pd
import pytest

from data.errors import ModelError
from data.rules import load_rules
from data.worlds.library import find_world
from data.worlds.world import World
from models.outlook import Outlook, build_outlook
from models.players.minutes.later_minutes import unchanged_minutes
from models.signals import Signals, build_signals
from tests.cases.small_world import (
    BLANK,
    CLUBS,
    IDLE_CLUBS,
    bytes_of,
    changed,
    own_table,
    player_of,
    quick_settings,
    small_cup,
    small_league,
    with_status,
)

SEASON, DEADLINE = "fpl2025-26", 8
CUP, LEAGUE = load_rules("wc2026"), load_rules("fpl2024")
EXPOSURE = 12.0


def signals_of(world: World, round_number: int, **options: object) -> Signals:
    rules = load_rules(world.rulebook)
    return build_signals(world.at(round_number), rules, quick_settings(rules), **options)  # type: ignore[arg-type]


@cache
def season() -> tuple[Signals, Outlook]:
    signals = signals_of(find_world(SEASON), DEADLINE)
    return signals, build_outlook(signals)


@cache
def cup() -> tuple[Signals, Outlook]:
    signals = signals_of(small_cup(), 2)
    return signals, build_outlook(signals)


@cache
def league() -> tuple[Signals, Outlook]:
    signals = signals_of(small_league(), BLANK - 1)
    return signals, build_outlook(signals, 3)


def facts_of(outlook: Outlook) -> dict[str, list[object]]:
    return {field.name: np.asarray(getattr(outlook, field.name)).tolist() for field in fields(outlook)}


@pytest.mark.parametrize("both", [season, cup, league])
@pytest.mark.daily("cup", "league")
def test_the_first_column_is_the_signals(both: object) -> None:
    signals, outlook = both()  # type: ignore[operator]
    for name, truth in {
        "xev": signals.xev,
        "variance": signals.variance,
        "p_play": signals.p_play,
        "eo": signals.exposure.eo,
        "matches": signals.plays[:, signals.rounds.index(signals.round)],
    }.items():
        np.testing.assert_allclose(getattr(outlook, name)[:, 0], truth, rtol=0, atol=1e-12)
    assert outlook.opponents[:, 0].tolist() == signals.opponents.tolist()
    played = np.maximum((signals.clean_sheet > 0).sum(axis=1), 1)
    np.testing.assert_allclose(outlook.clean_sheet[:, 0], signals.clean_sheet.sum(axis=1) / played, atol=1e-12)


@pytest.mark.parametrize("both", [season, cup, league])
def test_columns_are_aligned_finite_and_possible(both: object) -> None:
    signals, outlook = both()  # type: ignore[operator]
    for field in fields(outlook)[2:]:
        column = getattr(outlook, field.name)
        assert column.shape == (len(signals), len(outlook.rounds)), field.name
        assert column.dtype.kind == "O" or np.isfinite(column).all(), field.name
    assert ((outlook.p_play >= 0) & (outlook.p_play <= 1) & (outlook.variance >= 0)).all()
    np.testing.assert_allclose(outlook.eo.sum(axis=0), EXPOSURE, atol=1e-9)
    idle = outlook.matches == 0
    assert not outlook.xev[idle].any()
    assert not outlook.p_play[idle].any()
    assert set(outlook.opponents[idle]) <= {"–"}


def test_a_blank_counts_nothing_and_a_double_twice() -> None:
    signals, _ = league()
    settings = quick_settings(LEAGUE)
    ahead = build_outlook(signals, 3, replace(settings, later_minutes=unchanged_minutes()))
    double = np.isin(signals.codes, IDLE_CLUBS)
    np.testing.assert_array_equal(np.unique(ahead.matches[double], axis=0), [[1, 0, 2]])
    home, away = ahead.opponents[double & (signals.codes == "LIV"), 2][0].split(", ")
    assert {home, away} == {"FUL (H)", "FUL (A)"}
    absent = 1 - signals.habits.minutes.state[double, 1:].sum(axis=1)
    np.testing.assert_allclose(ahead.p_play[double, 2], 1 - absent**2, atol=1e-12)
    assert ahead.xev[double, 2].sum() > 1.8 * ahead.xev[double, 0].sum()


def test_minutes_are_drawn_to_the_typical_the_more_the_further() -> None:
    signals, outlook = season()
    sure = (signals.status == "playing") & (signals.p_play > 0.9)
    rare = (signals.status == "playing") & (signals.p_play < 0.1) & (signals.p_play > 0)
    assert sure.sum() > 100
    assert (np.diff(outlook.p_play[sure].mean(axis=0)) < 0).all()
    assert (np.diff(outlook.p_play[rare].mean(axis=0)) > 0).all()
    assert (outlook.p_play[sure].min(axis=1) > 0.5).all()


def test_the_injured_heal_and_who_has_left_never_comes_back() -> None:
    signals, outlook = season()
    injured = signals.status == "injured"
    assert injured.sum() > 40
    assert (np.diff(outlook.p_play[injured].mean(axis=0)) > 0).all()
    assert not outlook.p_play[signals.status == "transferred"].any()


def test_a_day_of_return_in_the_news_is_believed() -> None:
    star = player_of("ARS", "FWD", teams=CLUBS)
    fixtures = small_league().tables["fixtures"]
    day = fixtures.loc[(fixtures["round"] == BLANK) & (fixtures["home"] == "ARS"), "kickoff"].iloc[0]
    passed, later = (f"Knee injury - Expected back {day + pd.Timedelta(days=days):%d %b}" for days in (0, 1))
    healed, untold, away = (_chance_of_injured(star, news) for news in (passed, "Knee injury", later))
    assert healed > untold + 0.1
    assert untold > away + 0.1


def _chance_of_injured(player: int, news: str) -> float:
    """Return P(plays in the next round) of a player who is out of this one."""

    def told(market: pd.DataFrame) -> pd.DataFrame:
        return market.assign(news=market["news"].where(market["player_id"] != player, news))

    signals = signals_of(changed(with_status(small_league(), player, "injured"), "market", told), BLANK - 1)
    return float(build_outlook(signals, 2).p_play[signals.row_of(player), 1])


def test_a_ban_is_served_after_the_round() -> None:
    star = player_of("A1", "FWD")
    banned = signals_of(with_status(small_cup(), star, "suspended"), 2)
    outlook, (_, free) = build_outlook(banned), cup()
    row = banned.row_of(star)
    assert outlook.p_play[row, 0] < 0.1
    assert outlook.p_play[row, 1] == pytest.approx(free.p_play[row, 1], abs=0.1)


def test_the_users_own_start_is_carried_on() -> None:
    reserve = player_of("ARS", "DEF", 5, CLUBS)
    given = own_table("p_start", {reserve: 0.95})
    signals = signals_of(small_league(), BLANK - 1, overrides=given)
    row = signals.row_of(reserve)
    assert build_outlook(signals, 3).p_play[row, 1] > league()[1].p_play[row, 1] + 0.2


def test_in_a_cup_points_count_as_often_as_the_team_plays() -> None:
    signals, outlook = cup()
    assert outlook.rounds == signals.rounds[1:]
    open_ = [outlook.rounds.index(number) for number in (7, 8)]
    team = signals.teams.progression.plays[signals.team][:, 1:]
    assert (outlook.p_play[:, open_] <= team[:, open_] + 1e-12).all()
    np.testing.assert_allclose(outlook.matches, team, atol=1e-12)
    assert any("%" in text for text in outlook.opponents[:, open_[0]])


def test_open_opponents_are_weighted_by_their_probability() -> None:
    """The oracle: goals against one team, and its clean sheets, meeting by meeting."""
    signals, outlook = cup()
    teams, column = signals.teams, outlook.rounds.index(7)
    meets = teams.progression.meets[..., teams.progression.column(7)]
    team = int(signals.team[0])
    against, weight = 0.0, 0.0
    for other, venue in zip(*np.nonzero(meets[team]), strict=True):
        against += meets[team, other, venue] * teams.rates[other, team, (0, 2, 1)[venue]]
        weight += meets[team, other, venue]
    assert outlook.goals_against[0, column] == pytest.approx(against / weight)
    assert weight == pytest.approx(outlook.matches[0, column])


def test_a_known_knockout_is_that_one(world_cup: World) -> None:
    fixtures = world_cup.tables["fixtures"]
    known = changed(world_cup, "fixtures", lambda frame: frame.assign(announced=frame["announced"].clip(upper=4)))
    later = signals_of(known, 4)
    sides = fixtures[fixtures["round"] == 5]
    playing = np.isin(later.codes, [*sides["home"], *sides["away"]])
    outlook = build_outlook(later, 2)
    assert not any("%" in text for text in outlook.opponents[playing, 1])
    assert (outlook.opponents[~playing, 1] == "–").all()


def test_nothing_that_happens_after_the_deadline_is_seen() -> None:
    world, (_, outlook) = find_world(SEASON), season()
    for table in ("points", "appearances", "events", "market"):
        world = changed(world, table, _poisoned)
    world = changed(world, "fixtures", _other_scores)
    assert facts_of(build_outlook(signals_of(world, DEADLINE))) == facts_of(outlook)


def _poisoned(frame: pd.DataFrame) -> pd.DataFrame:
    """Drop half of what was not known yet, and turn round the rest."""
    later = frame["round"] >= DEADLINE + (1 if "price" in frame else 0)
    rest = frame[later].iloc[::2]
    changes = {"points": 30, "minutes": 1, "started": False, "status": "injured", "owned": 0.0}
    return pd.concat([frame[~later], rest.assign(**{k: v for k, v in changes.items() if k in frame})])


def _other_scores(frame: pd.DataFrame) -> pd.DataFrame:
    later = (frame["round"] >= DEADLINE) & frame["home_goals_90"].notna()
    return frame.assign(home_goals_90=frame["home_goals_90"].where(~later, 9))


def test_same_seed_same_bytes() -> None:
    signals, outlook = cup()
    np.random.seed(99)
    again = signals_of(small_cup(), 2)
    assert bytes_of(again) == bytes_of(signals)
    assert facts_of(build_outlook(again)) == facts_of(outlook)


@pytest.mark.parametrize("horizon", [0, 9, -1])
def test_a_horizon_beyond_what_was_fitted_is_refused(horizon: int) -> None:
    with pytest.raises(ModelError, match="Choose 1 to 8"):
        build_outlook(cup()[0], horizon)


def test_the_last_round_has_nothing_after_it() -> None:
    signals, outlook = season()
    assert outlook.rounds == tuple(range(DEADLINE, DEADLINE + 8))
    assert build_outlook(signals, 1).rounds == (DEADLINE,)


@pytest.mark.alone
@pytest.mark.soak
def test_signals_and_eight_rounds_of_a_season_take_a_moment() -> None:
    world, taken = find_world(SEASON), []
    for number in (18, 19, 20):
        snapshot, begun = world.at(number), process_time()
        build_outlook(build_signals(snapshot, load_rules(world.rulebook)))
        taken.append(process_time() - begun)
    assert taken[0] < 3.0
    assert min(taken[1:]) < 1.5
