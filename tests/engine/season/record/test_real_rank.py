"""Places among all managers: read off the record, with its error, and never beyond it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from data.errors import InputError
from data.worlds.library import find_world
from engine.season.record.real_rank import RankCurve


@pytest.fixture(scope="module")
def curve() -> RankCurve:
    return RankCurve.after(find_world("fpl2025-26"), 19)


@pytest.mark.parametrize(("total", "rank"), [(1_100, 840_000), (1_059, 1_950_000), (1_000, 4_150_000), (1_206, 10_000)])
def test_totals_have_the_places_they_really_had(curve: RankCurve, total: int, rank: int) -> None:
    found = curve.place(total)
    assert found.rank == pytest.approx(rank, rel=0.08)
    assert found.low <= found.rank <= found.high


def test_more_points_are_never_a_worse_place(curve: RankCurve) -> None:
    totals = np.linspace(curve.totals[0], curve.totals[-1], 400)
    assert (np.diff([curve.place(float(total)).rank for total in totals]) <= 0).all()


def test_the_total_of_a_place_has_that_place(curve: RankCurve) -> None:
    assert curve.place(curve.total_of(10_000)).rank == pytest.approx(10_000, rel=0.05)
    assert np.isnan(curve.total_of(1))


def test_beyond_the_record_the_last_place_on_it_is_told_and_no_other(curve: RankCurve) -> None:
    better, worse = curve.place(5_000), curve.place(-5)
    assert (better.beyond, worse.beyond) == ("better", "worse")
    assert better.rank < worse.rank
    assert "the last on record" in str(better)


def test_a_left_out_manager_lies_inside_the_interval_nearly_always(curve: RankCurve) -> None:
    knots = range(1, len(curve.totals) - 1)
    inside = 0
    for left_out in knots:
        rest = np.arange(len(curve.totals)) != left_out
        found = RankCurve(curve.totals[rest], curve.log_rank[rest], curve.error).place(curve.totals[left_out])
        inside += found.low <= np.exp(curve.log_rank[left_out]) <= found.high
    assert inside >= 0.9 * len(knots)


def test_a_world_without_managers_on_record_says_how_to_get_them() -> None:
    with pytest.raises(InputError, match="--managers"):
        RankCurve.after(find_world("wc2026"), 1)


@pytest.mark.facts
def test_every_manager_of_the_league_is_placed_near_where_he_was(facts: Path) -> None:
    weeks = pd.read_csv(facts / "fpl" / "field" / "league_2025-26_weeks.csv.gz")
    world = find_world("fpl2025-26")
    for number in (5, 12, 19):
        curve = RankCurve.after(world, number)
        week = weeks[weeks["event"] == number]
        ranks = [curve.place(total).rank for total in week["total_points"]]
        error = np.abs(np.log(ranks) - np.log(week["overall_rank"]))
        assert error.max() < 0.35
        assert error.mean() < 0.05
