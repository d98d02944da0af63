"""Boosters by fixed rules: so many points are asked for, less and less towards the end of a window, then none."""

from __future__ import annotations

import pytest

from data.errors import UnknownError
from data.rules import load_rules
from engine.plan.fitness.keeping import measured_settings
from engine.season.booster_rules import FADING, BoosterChoice, named_choice, settings_by_rules, worth_playing

LEAGUE, CUP = load_rules("fpl2025"), load_rules("wc2026")
FIRST_HALF = 19


def test_a_booster_has_to_bring_less_the_nearer_its_window_ends() -> None:
    early, late = (worth_playing(LEAGUE, "bench_boost_1", last) for last in (FIRST_HALF - FADING, FIRST_HALF - 1))
    assert early == 13.0
    assert late == pytest.approx(13.0 / FADING)
    assert worth_playing(LEAGUE, "bench_boost_1", FIRST_HALF) == 0.0


@pytest.mark.parametrize(
    ("booster", "points"), [("triple_captain_1", 8.0), ("bench_boost_1", 13.0), ("free_hit_1", 14.0)]
)
def test_each_booster_has_points_of_its_own_to_bring(booster: str, points: float) -> None:
    settings = settings_by_rules(LEAGUE, [booster], range(2, 7))
    assert settings.keeping[booster] == (points,) * 5


def test_a_saved_transfer_is_worth_what_it_is_measured_to_be() -> None:
    asked = (LEAGUE, ["free_hit_1"], range(2, 7))
    assert settings_by_rules(*asked).spare == measured_settings(*asked).spare


def test_what_the_rules_do_not_know_is_kept_as_measured() -> None:
    asked = (CUP, ["maximum_captain", "twelfth_man"], range(2, 5))
    assert settings_by_rules(*asked).keeping == measured_settings(*asked).keeping


def test_who_decides_is_named_or_refused_with_what_there_is() -> None:
    assert named_choice("rules") is BoosterChoice.RULES
    with pytest.raises(UnknownError, match=r"'always'.*plan, rules, none"):
        named_choice("always")
