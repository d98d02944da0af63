"""Stated chances beside what happened: honest ones have slope 1 and intercept 0, boastful ones a smaller slope."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, logit

from engine.season.league.league_experiment import HIMSELF, OBJECTIVES, Case
from engine.season.league.stated_chances import calibration, experiment_record, outcomes

COUNT = 600


def cases(boast: float = 1.0, better: float = 0.0) -> list[Case]:
    """Return cases of sixty managers whose chances are stated with log-odds `boast` times too large."""
    rng = np.random.default_rng(4)
    found = []
    for row in range(COUNT):
        chance = float(rng.uniform(0.1, 0.9))
        stated = float(expit(boast * logit(chance)))
        luck = rng.random()
        ahead = {name: float(luck < chance) for name in (*OBJECTIVES, HIMSELF)}
        ahead["gain"] = float(luck < chance + better)
        points = dict.fromkeys(ahead, 250)
        lead = 5 if row % 3 else -5
        found.append(Case(5, row % 60, lead, dict.fromkeys(OBJECTIVES, stated), ahead, points))
    return found


def test_honest_chances_have_slope_one_and_beat_a_constant() -> None:
    found = calibration(cases(), "neutral")
    assert found.slope.holds(1.0)
    assert found.intercept.holds(0.0)
    assert found.brier < found.constant
    assert sum(part.cases for part in found.curve) == COUNT
    assert [part.stated for part in found.curve] == sorted(part.stated for part in found.curve)


def test_boastful_chances_have_a_smaller_slope() -> None:
    found = calibration(cases(boast=2.0), "neutral")
    assert found.slope.high < 1.0
    assert found.slope.value == pytest.approx(0.5, abs=0.15)


def test_an_objective_is_held_against_neutral_case_by_case() -> None:
    found = {(one.goal, one.objective): one for one in outcomes(cases(better=0.1))}
    assert found["hold", "neutral"].more is None
    more = found["hold", "gain"].more
    assert more is not None
    assert more.low > 0
    protect = found["catch up", "protect"].more
    assert protect is not None
    assert (protect.value, protect.low, protect.high) == (0.0, 0.0, 0.0)
    assert found["hold", "gain"].cases + found["catch up", "gain"].cases == COUNT


def test_the_record_says_how_many_cases_of_how_many_managers_there_are() -> None:
    told = experiment_record(cases(), "digest")
    assert (told["cases"], told["managers"], told["starts"]) == (COUNT, 60, [5])
    assert [one["objective"] for one in told["calibration"]] == list(OBJECTIVES)
