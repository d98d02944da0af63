"""Elevens, benches and armbands of a field."""

from __future__ import annotations

import numpy as np

from engine.rank.field import observed_field
from engine.rank.field_draw import Tastes
from engine.rank.field_lineups import field_lineups
from tests.cases.judged_worlds import cup_signals

MANAGERS = 400


def test_who_is_liked_most_starts_and_the_bench_is_called_in_order_of_liking() -> None:
    signals = cup_signals()
    squads = observed_field(signals, 20, Tastes(1)).squads
    liking = 1000.0 * signals.xev  # far beyond any taste
    starters, bench, *_ = field_lineups(signals, squads, liking, Tastes(1), liking)
    outfield = liking[bench[:, :3]]
    assert (np.diff(outfield, axis=1) <= 0).all()
    keepers = np.where(signals.position[squads] == 0, liking[squads], -np.inf)
    np.testing.assert_array_equal(liking[starters[:, 0]], keepers.max(axis=1))


def test_an_equal_liking_starts_everybody_now_and_then() -> None:
    signals = cup_signals()
    squads = np.tile(observed_field(signals, 1, Tastes(1)).squads, (MANAGERS, 1))
    level = np.zeros(len(signals))
    starters, *_ = field_lineups(signals, squads, level, Tastes(1), level)
    assert set(np.unique(starters)) == set(np.unique(squads))


def test_armbands_are_shared_as_known() -> None:
    signals = cup_signals()
    squads = observed_field(signals, MANAGERS, Tastes(1)).squads
    owned = np.bincount(squads.ravel(), minlength=len(signals)) / MANAGERS
    first, second = np.argsort(-np.where(signals.position == 2, owned, 0.0))[:2]
    share = np.zeros(len(signals))
    share[[first, second]] = 0.4 * owned[[first, second]]
    share[np.argsort(-owned)[5:25]] += (1 - share.sum()) / 20
    liking = np.where(signals.position == 2, 50.0, 0.0)  # so that midfielders always start
    *_, captain, vice = field_lineups(signals, squads, liking, Tastes(1), np.zeros(len(signals)), share)
    found = np.bincount(captain, minlength=len(signals)) / MANAGERS
    np.testing.assert_allclose(found[[first, second]], share[[first, second]], atol=0.05)
    assert (captain != vice).all()


def test_owners_start_a_man_as_often_as_known() -> None:
    signals = cup_signals()
    squads = observed_field(signals, MANAGERS, Tastes(1)).squads
    owners = np.bincount(squads.ravel(), minlength=len(signals))
    level, known = np.zeros(len(signals)), owners >= MANAGERS / 10
    starters, *_ = field_lineups(signals, squads, signals.xev, Tastes(2), level)
    start = np.bincount(starters.ravel(), minlength=len(signals)) / np.maximum(owners, 1)
    fitted, *_ = field_lineups(signals, squads, level, Tastes(1), level, start=start)
    found = np.bincount(fitted.ravel(), minlength=len(signals)) / np.maximum(owners, 1)
    np.testing.assert_allclose(found[known], start[known], atol=0.08)
