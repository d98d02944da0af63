"""What is worth keeping is measured, falls towards the end of a window, and shares the rounds that are left."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest

from data.rules import BoosterEffect, GameRules, load_rules
from engine.plan.fitness.keeping import (
    COLUMNS,
    KeepingValues,
    booster_keeping,
    measured_settings,
    shipped_keeping,
    spare_values,
)
from engine.replay.keeping import keeping_summary, season_values
from tests.cases.facts.earlier_seasons import earlier_season


@pytest.fixture(scope="module")
def league() -> GameRules:
    return load_rules("fpl2026")


@pytest.fixture(scope="module")
def cup() -> GameRules:
    return load_rules("wc2026")


def weeks(**columns: list[float]) -> KeepingValues:
    size = len(next(iter(columns.values())))
    table = {"season": ["s"] * size, "kind": ["league"] * size, "round": list(range(25, 25 + size))} | columns
    return KeepingValues(pd.DataFrame(table).reindex(columns=COLUMNS))


def test_a_round_is_worth_its_mean_and_two_the_better_of_waiting_and_playing(league: GameRules) -> None:
    known = weeks(bench_boost=[0.0, 10.0])
    assert known.booster(BoosterEffect.BENCH_BOOST, league, [25]) == pytest.approx(5.0)
    assert known.booster(BoosterEffect.BENCH_BOOST, league, [25, 26]) == pytest.approx(7.5)
    assert known.booster(BoosterEffect.BENCH_BOOST, league, []) == 0.0


def test_a_booster_is_worth_less_the_fewer_rounds_are_left(league: GameRules) -> None:
    for key in ("triple_captain_2", "bench_boost_2", "free_hit_2", "wildcard_2"):
        values = [booster_keeping(league, (key,), last)[key] for last in (19, 25, 31, 35, 37, 38)]
        assert all(later <= earlier + 0.5 for earlier, later in pairwise(values)), key
        assert values[0] > values[-2] > values[-1] == 0.0


def test_boosters_share_the_rounds_that_are_left(league: GameRules) -> None:
    kept = booster_keeping(league, ("triple_captain_1", "bench_boost_1", "free_hit_1"), 18)
    assert sorted(value > 0 for value in kept.values()) == [False, False, True]


def test_a_booster_of_the_next_set_keeps_its_whole_window(league: GameRules) -> None:
    kept = booster_keeping(league, ("wildcard_1", "wildcard_2"), 12)
    assert kept["wildcard_2"] == booster_keeping(league, ("wildcard_2",), 19)["wildcard_2"]


def test_a_cup_s_booster_is_worth_its_best_round_left(cup: GameRules) -> None:
    table = shipped_keeping().weeks
    rounds = table[table["kind"] == "tournament"].set_index("round")["qualification"]
    for last in (3, 4, 6):
        assert booster_keeping(cup, ("qualification",), last)["qualification"] == rounds.loc[last + 1 :].max()
    assert booster_keeping(cup, ("qualification",), 8)["qualification"] == 0.0


def test_a_saved_transfer_counts_beyond_those_that_are_granted(league: GameRules, cup: GameRules) -> None:
    each = shipped_keeping().saved_transfer()
    assert spare_values(league, 10, 6) == pytest.approx([0.0, 0.0, each, 2 * each, 3 * each, 4 * each, 4 * each])
    assert set(spare_values(league, 38, 5)) == {0.0}
    assert spare_values(cup, 2, 4) == pytest.approx([0.0, 0.0, 0.0, each, each])  # one may be carried into matchday 3
    assert set(spare_values(cup, 3, 4)) == {0.0}  # all is free before the Round of 32
    assert set(spare_values(cup, 5, 8)) == {0.0}  # nothing is carried over


def test_the_shipped_values_are_sensible_and_told_with_their_errors() -> None:
    found = keeping_summary(shipped_keeping().weeks)
    one = found["transfer"][0]
    assert 1.0 < float(one["value"]) < 2.5
    assert 0.0 < float(one["error"]) < 0.5
    for row in found["boosters"]:
        assert 5.0 < float(row["value"]) < 40.0
        assert 0.0 < float(row["error"]) < 5.0


def test_the_settings_of_a_plan_have_a_value_for_every_round(league: GameRules) -> None:
    settings = measured_settings(league, ("wildcard_1", "bench_boost_1"), (10, 11, 12))
    assert {key: len(values) for key, values in settings.keeping.items()} == {"wildcard_1": 3, "bench_boost_1": 3}
    assert settings.spare[2] > settings.spare[1] == 0.0


def test_nothing_after_the_deadline_of_gameweek_20_was_looked_at() -> None:
    table = shipped_keeping().weeks
    assert table.loc[table["season"] == "fpl2025-26", "round"].max() == 19


@pytest.mark.facts
@pytest.mark.soak
def test_the_shipped_weeks_are_measured_again(facts: Path) -> None:
    again, shipped = season_values(earlier_season(facts, "2023-24"), 1.0), shipped_keeping().weeks
    shipped = shipped[shipped["season"] == "2023-24"]
    for column in ("triple_captain", "bench_boost", "free_hit", "wildcard", "transfer_1"):
        assert again[column].mean() == pytest.approx(shipped[column].mean(), rel=0.1), column
