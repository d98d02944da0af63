"""Must, never and own chances: what a visitor sets on single players."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.rules import load_rules
from models.signals import Signals, build_signals
from tests.cases.small_world import awkward_cup, own_table, quick_settings, squad_ids
from ui.web.choice.players_editor import marked, own_words, regime_words, with_start, without_starts

TICK = st.tuples(st.integers(1, 6), st.sampled_from(["Must", "Never"]), st.booleans())


@pytest.fixture(scope="module")
def signals() -> Signals:
    rules = load_rules("wc2026")
    own = own_table("p_start", {100: 0.4}).assign(xev=[7.0])
    return build_signals(awkward_cup().at(1), rules, quick_settings(rules), overrides=own)


@given(st.lists(TICK, max_size=30))
def test_nobody_is_ever_on_both_lists_and_the_last_tick_counts(ticks: list[tuple[int, str, bool]]) -> None:
    locks: tuple[int, ...] = ()
    bans: tuple[int, ...] = ()
    for player_id, column, ticked in ticks:
        locks, bans = marked(locks, bans, player_id, column, ticked)
        assert not set(locks) & set(bans)
        assert (player_id in (locks if column == "Must" else bans)) is ticked
        assert len(set(locks)) == len(locks)


def test_an_own_chance_joins_the_own_table_and_leaves_it_again() -> None:
    first = with_start(None, 7, 0.8)
    assert first is not None
    assert first.loc[7, "p_start"] == 0.8
    both = with_start(own_table("xev", {5: 4.2}), 7, 0.5)
    assert both is not None
    assert both.loc[5, "xev"] == 4.2
    assert np.isnan(both.loc[7, "xev"])
    back = with_start(both, 7, None)
    assert back is not None
    pd.testing.assert_frame_equal(back, own_table("xev", {5: 4.2}), check_names=False)
    assert with_start(first, 7, None) is None


def test_all_own_chances_can_be_left_to_the_model_at_once() -> None:
    both = with_start(own_table("xev", {5: 4.2}), 7, 0.5)
    rest = without_starts(both)
    assert rest is not None
    assert list(rest.columns) == ["xev"]
    assert list(rest.index) == [5]
    assert without_starts(with_start(None, 7, 0.5)) is None
    assert without_starts(None) is None


def test_figures_of_ones_own_are_named(signals: Signals) -> None:
    words = own_words(signals)
    assert words[signals.row_of(100)] == "xEV, start"
    assert set(words) == {"", "xEV, start"}


def test_regimes_need_a_squad_and_name_what_each_player_is_to_it(signals: Signals) -> None:
    assert set(regime_words(signals, (), signals.exposure)) == {""}
    rows = [signals.row_of(number) for number in squad_ids(awkward_cup())]
    words = regime_words(signals, rows, signals.exposure)
    held = np.isin(np.arange(len(signals)), rows)
    assert set(words[~held & signals.exposure.template]) == {"Missing"}
    assert set(words[held]) <= {"", "Hold", "Difference"}
