"""What each booster adds to a round: one test per effect, against the same sum done by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.rules import Booster, BoosterEffect, CaptaincyMode
from engine.board.boosters import EFFECTS, BoosterValue, booster_values, shielded_points
from engine.fitness.judge import Judge, named_objective
from engine.fitness.squad_view import SceneSettings
from models.armband.captaincy import maximum_captain
from models.players.chances import FULL
from models.signals import Signals
from tests.cases.judged_worlds import a_judge, cup_signals, league_signals, under

Worth = dict[BoosterEffect, BoosterValue]
PAY = {0: 5, 1: 5, 2: 1, 3: 0}  # a clean sheet in the World Cup, by position


def every_booster(signals: Signals) -> Signals:
    """The signals under rules that allow every effect in every round."""
    boosters = {
        str(effect): Booster(
            effect=effect,
            title=str(effect),
            rounds=(1, signals.rules.rounds),
            points=2,
            confirmed=True,
            source="a test",
        )
        for effect in BoosterEffect
    }
    return replace(signals, rules=signals.rules.model_copy(update={"boosters": boosters}))


@pytest.fixture(scope="module")
def judge() -> Judge:
    return a_judge(every_booster(cup_signals()))


@pytest.fixture(scope="module")
def squad(judge: Judge) -> np.ndarray:
    return judge.pool[-1]


def values(judge: Judge, squad: np.ndarray) -> Worth:
    found = booster_values(judge, named_objective("neutral", judge.view), squad, np.random.default_rng(0))
    return {value.effect: value for value in found}


@pytest.fixture(scope="module")
def worth(judge: Judge, squad: np.ndarray) -> Worth:
    return values(judge, squad)


def test_every_effect_a_rulebook_may_name_can_be_valued() -> None:
    assert set(EFFECTS) == set(BoosterEffect)


def test_a_bench_boost_counts_all_fifteen_once(judge: Judge, squad: np.ndarray, worth: Worth) -> None:
    everybody = judge.view.signals.xev[squad].sum()
    assert worth[BoosterEffect.BENCH_BOOST].points == pytest.approx(
        everybody - judge.view.lineups(squad[None, :]).raw_xev[0]
    )


def test_a_triple_captain_is_the_armband_once_more(judge: Judge, squad: np.ndarray, worth: Worth) -> None:
    lineups = judge.view.lineups(squad[None, :])
    assert worth[BoosterEffect.TRIPLE_CAPTAIN].points == pytest.approx(lineups.captaincy_uplift[0])
    assert str(judge.view.signals.short[lineups.captain[0]]) in worth[BoosterEffect.TRIPLE_CAPTAIN].how


def test_maximum_captain_replaces_the_armband_and_is_worth_more_where_that_is_locked(
    judge: Judge, squad: np.ndarray, worth: Worth
) -> None:
    signals = judge.view.signals
    lineups = judge.view.lineups(squad[None, :])
    best = maximum_captain(signals.armband, lineups.starters)[0]
    points = worth[BoosterEffect.MAXIMUM_CAPTAIN].points
    assert points == pytest.approx(best - lineups.captaincy_uplift[0])
    locked = a_judge(under(signals, CaptaincyMode.LOCKED))
    held = values(locked, squad)[BoosterEffect.MAXIMUM_CAPTAIN].points
    assert held is not None
    assert points is not None
    assert held >= points >= 0


def test_the_twelfth_man_is_the_best_outside_whatever_he_costs(judge: Judge, squad: np.ndarray, worth: Worth) -> None:
    signals = judge.view.signals
    outside = np.setdiff1d(np.arange(len(signals)), squad)
    assert worth[BoosterEffect.TWELFTH_MAN].points == pytest.approx(signals.xev[outside].max())
    assert str(signals.name[outside[signals.xev[outside].argmax()]]) in worth[BoosterEffect.TWELFTH_MAN].how


def test_qualification_pays_each_starter_who_plays_and_goes_on(judge: Judge, squad: np.ndarray, worth: Worth) -> None:
    signals = judge.view.signals
    progression = signals.teams.progression
    column = progression.rounds.index(signals.round)
    starters = judge.view.lineups(squad[None, :]).starters[0]
    expected = sum(2 * signals.p_play[man] * progression.advances[signals.team[man], column] for man in starters)
    assert worth[BoosterEffect.QUALIFICATION].points == pytest.approx(expected)
    assert 0 < expected <= 22


def test_a_shield_saves_the_clean_sheet_of_exactly_one_goal_conceded(
    judge: Judge, squad: np.ndarray, worth: Worth
) -> None:
    signals = judge.view.signals
    chances, extra = signals.chances, np.zeros(len(signals))
    for row, player in enumerate(chances.player):
        score = chances.grid.probability[chances.match[row]]
        one = sum(score[1, g] if chances.away[row] else score[g, 1] for g in range(len(score)))
        extra[player] += PAY[int(chances.position[row])] * chances.state[row, FULL] * one
    np.testing.assert_allclose(shielded_points(signals), extra)
    lineups = judge.view.lineups(squad[None, :])
    counted = lineups.weight[0] + (squad == lineups.captain[0])
    assert worth[BoosterEffect.CLEAN_SHEET_SHIELD].points == pytest.approx(counted @ extra[squad])
    assert extra[signals.position == 3].max() == 0


def test_without_a_squad_to_change_free_transfers_have_no_value(worth: Worth) -> None:
    for effect in (BoosterEffect.WILDCARD, BoosterEffect.FREE_HIT):
        assert worth[effect].points is None
        assert "Say which one you have" in worth[effect].how


@pytest.mark.soak
def test_a_free_hit_is_worth_less_the_more_transfers_are_free_already() -> None:
    signals = every_booster(league_signals())
    squad = a_judge(signals).pool[0]
    found = []
    for free in (0, 15):
        judge = a_judge(signals, SceneSettings(current=tuple(squad.tolist()), free_transfers=free))
        worth = values(judge, squad)
        points = worth[BoosterEffect.FREE_HIT].points
        wildcard = worth[BoosterEffect.WILDCARD].points
        assert points is not None
        assert wildcard is not None
        assert wildcard >= -1e-9
        found.append(points)
        assert f"with {free} free transfer" in worth[BoosterEffect.FREE_HIT].how
    assert found[0] > found[1] == pytest.approx(0.0, abs=1e-6)


def test_where_transfers_are_free_anyway_it_says_keep_it() -> None:
    signals = every_booster(cup_signals(1))
    squad = a_judge(signals).pool[0]
    judge = a_judge(signals, SceneSettings(current=tuple(squad.tolist())))
    assert values(judge, squad)[BoosterEffect.WILDCARD].how.endswith("keep it.")


def test_what_the_rules_bar_says_when_it_may_be_played_and_comes_last() -> None:
    judge = a_judge(cup_signals())
    found = booster_values(judge, named_objective("gain", judge.view), judge.pool[0], np.random.default_rng(0))
    assert [value.legal for value in found] == sorted((value.legal for value in found), reverse=True)
    barred = {value.key: value for value in found if not value.legal}
    assert set(barred) == {"qualification", "clean_sheet_shield"}
    assert barred["qualification"].points is None
    assert barred["qualification"].how == "It may be played from Round of 32 to Final and third place only."
