"""The World Cup from stage to stage: limits, boosters and horizons follow the round, and one squad walks through it."""

from __future__ import annotations

import numpy as np
import pytest

from data.rules import BoosterEffect
from engine.board.boosters import BoosterValue
from engine.desk import Desk
from engine.fitness.squad_view import SquadView
from engine.fitness.wishes import Wishes
from engine.rank.recommendation import measured_objective
from models.players.minutes.playing_time import UNAVAILABLE
from models.signals import Signals
from tests.cases.judged_worlds import world_cup_signals

ANY = np.inf
LIMITS = {  # round: budget, players of a team at most, free transfers
    1: (100.0, 3, ANY),
    2: (100.0, 3, 2),
    3: (100.0, 3, 2),
    4: (105.0, 3, ANY),
    5: (105.0, 4, 4),
    6: (105.0, 5, 4),
    7: (105.0, 6, 5),
    8: (105.0, 8, 6),
}
KNOCKOUT = (4, 5, 6, 7, 8)
LAST = 8
OF_ONES_OWN = {BoosterEffect.QUALIFICATION, BoosterEffect.CLEAN_SHEET_SHIELD, BoosterEffect.MAXIMUM_CAPTAIN}
"""Boosters that only the men of the squad can bring something by."""

SEMI_FINALISTS = {"FRA", "ESP", "ENG", "ARG"}


def a_desk(signals: Signals, squad: tuple[int, ...] = ()) -> Desk:
    """The desk of a round for who has these players; what it is asked here needs no snapshot."""
    return Desk(None, signals, seed=1).with_wishes(Wishes(squad=squad))  # type: ignore[arg-type]


def valued(desk: Desk, squad: np.ndarray) -> dict[BoosterEffect, BoosterValue]:
    return {value.effect: value for value in desk.boosters(desk.objective("neutral"), squad)}


def out_of_it(signals: Signals) -> np.ndarray:
    return np.isin(signals.status, list(UNAVAILABLE)) | np.isnat(signals.kickoff)


@pytest.mark.parametrize("number", LIMITS)
def test_budget_cap_and_free_transfers_are_those_of_the_stage(number: int) -> None:
    view = SquadView(world_cup_signals(number))
    assert (view.pool.budget, view.pool.team_cap, view.free_transfers) == LIMITS[number]


@pytest.mark.parametrize("number", KNOCKOUT)
def test_whose_team_is_out_has_no_match_now_or_later(number: int) -> None:
    signals = world_cup_signals(number)
    gone = signals.status == "eliminated"
    later = [signals.rounds.index(one) for one in range(number, LAST + 1)]
    assert gone.any()
    assert not signals.xev[gone].any()
    assert not signals.plays[np.ix_(gone, later)].any()
    assert not SquadView(signals).carry[gone].any()
    assert (np.isnat(signals.kickoff) == ~signals.plays[:, later[0]].astype(bool)).all()


def test_who_loses_a_semi_final_still_plays_in_the_last_round_and_nothing_is_carried_beyond_it() -> None:
    semi, final = world_cup_signals(7), world_cup_signals(8)
    view = SquadView(semi)
    assert view.later_rounds == (LAST,)
    plays = semi.plays[:, semi.rounds.index(LAST)]
    assert set(semi.codes[plays > 0]) == SEMI_FINALISTS
    assert (plays[plays > 0] == 1).all()
    assert SquadView(final).later_rounds == ()
    assert SquadView(final).carry.shape == (len(final), 0)


def test_before_the_final_only_a_finalist_can_go_on_and_the_match_for_third_place_comes_first() -> None:
    signals = world_cup_signals(8)
    progression = signals.teams.progression
    champion = dict(zip(progression.codes, progression.advances[:, progression.column(LAST)], strict=True))
    assert champion["ESP"] + champion["ARG"] == pytest.approx(1.0)
    assert sum(champion.values()) == pytest.approx(1.0)
    third, final = (np.isin(signals.codes, pair) for pair in (["FRA", "ENG"], ["ESP", "ARG"]))
    assert signals.kickoff[third].max() < signals.kickoff[final].min()
    assert set(signals.slot[third]) == {0}
    assert set(signals.slot[final]) == {1}


@pytest.mark.parametrize("number", LIMITS)
def test_boosters_open_and_close_with_the_stages(number: int) -> None:
    boosters = world_cup_signals(number).rules.boosters.values()
    legal = {booster.effect for booster in boosters if booster.legal_in(number)}
    always = {BoosterEffect.TWELFTH_MAN, BoosterEffect.MAXIMUM_CAPTAIN}
    knockout = {BoosterEffect.QUALIFICATION, BoosterEffect.CLEAN_SHEET_SHIELD} if number in KNOCKOUT else set()
    assert legal == always | knockout | ({BoosterEffect.WILDCARD} if number not in (1, 4) else set())


def test_one_squad_walks_through_the_knockouts_within_the_limits_of_every_round() -> None:
    """From the groups' last round on: a free rebuild, then transfers that are counted and paid for."""
    squad: tuple[int, ...] = ()
    for number in (3, *KNOCKOUT):
        signals = world_cup_signals(number)
        budget, cap, free = LIMITS[number]
        desk = a_desk(signals, squad)
        objective = desk.objective("neutral")
        rows = desk.best_squad(objective)
        score = desk.judge.score(rows[None, :], objective)
        assert signals.price[rows].sum() <= budget + 1e-9
        assert np.bincount(signals.team[rows]).max() <= cap
        ids = tuple(int(player) for player in signals.player_id[rows])
        changes = len(set(ids) - set(squad)) if squad else 0
        assert score.figures["transfer_cost"][0] == 3 * max(changes - free, 0)
        assert not out_of_it(signals)[score.lineups.starters[0]].any()
        assert not out_of_it(signals)[score.lineups.captain[0]]
        assert (desk.view.carry[rows].sum() > 0) == (number not in (3, LAST))
        squad = ids


def test_boosters_in_the_last_round_count_the_champion_alone_and_a_wildcard_against_six_transfers() -> None:
    signals = world_cup_signals(8)
    desk = a_desk(signals)
    rows = desk.best_squad(measured_objective("gain", desk.view, later=False))
    worth = valued(a_desk(signals, tuple(signals.player_id[rows].tolist())), rows)
    starters = desk.view.lineups(rows[None, :]).starters[0]
    finalists = starters[np.isin(signals.codes[starters], ["ESP", "ARG"])]
    qualification = worth[BoosterEffect.QUALIFICATION].points
    assert qualification is not None
    assert 0 <= qualification <= 2 * len(finalists)
    assert worth[BoosterEffect.CLEAN_SHEET_SHIELD].points
    assert worth[BoosterEffect.WILDCARD].points == pytest.approx(0.0, abs=1e-6)
    assert "6 free transfers" in worth[BoosterEffect.WILDCARD].how


def test_a_squad_of_which_nobody_is_left_scores_nothing_and_buys_whoever_plays() -> None:
    signals = world_cup_signals(8)
    gone = np.flatnonzero(signals.status == "eliminated")
    cheap = gone[np.argsort(signals.price[gone], kind="stable")]
    shape = enumerate(SquadView(signals).pool.shape)
    rows = np.concatenate([cheap[signals.position[cheap] == place][:count] for place, count in shape])
    desk = a_desk(signals, tuple(signals.player_id[rows].tolist()))
    kept = desk.judge.score(rows[None, :], desk.objective("neutral"))
    assert kept.lineups.expected[0] == 0
    assert not any(value.points for effect, value in valued(desk, rows).items() if effect in OF_ONES_OWN)
    bought = np.setdiff1d(desk.best_squad(desk.objective("neutral")), rows)
    assert len(bought) >= 6
    assert not out_of_it(signals)[bought].any()
