"""Swaps valued by their change agree with squads valued whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from engine.fitness.standard_form import form_value, roles_for
from engine.rules.legality import legal
from engine.rules.pool import TeamLimit
from engine.search.climbing.swaps import SwapMarket, SwapRows, short_market
from tests.cases.objectives.form_cases import a_form, a_start

SEEDS = st.integers(0, 10_000)


@given(SEEDS, st.booleans(), st.booleans())
def test_a_swap_of_starters_is_worth_what_the_new_squad_is_worth_more(seed: int, hit: bool, moved: bool) -> None:
    form, (squad,) = a_start(seed, players=16, hit=hit)
    starts, captain = roles_for(form, squad[None, :])
    build = SwapRows.moved if moved else SwapRows.kept
    rows = build(form, squad, starts[0], int(captain[0]))
    market = SwapMarket.of(form, None, (), 0)
    gain = market.gains(squad, rows)
    before = form_value(form, squad[None, :], starts, captain)[0]
    for row, into in zip(*np.nonzero(np.isfinite(gain)), strict=True):
        if rows.starts[row, rows.out[row]]:  # on a bench the order may change, which a single swap leaves aside
            after = squad.copy()
            after[rows.out[row]] = market.men[into]
            wearer = np.flatnonzero(rows.held[row] >= form.multiplier)
            base = rows.value[row] if moved else before
            value = form_value(form, after[None, :], rows.starts[row][None, :], wearer)[0]
            assert value - base == pytest.approx(gain[row, into], abs=1e-9)


@given(SEEDS, st.booleans())
def test_a_swap_is_open_exactly_when_the_new_squad_is_legal(seed: int, limited: bool) -> None:
    form, (squad,) = a_start(seed, players=16)
    if limited:
        team, count = form.pool.team[squad], np.bincount(form.pool.team[squad])
        held = (TeamLimit(int(team[0]), least=int(count[team[0]])), TeamLimit(int(team[1]), most=int(count[team[1]])))
        current = (*squad[:-1].tolist(), int(np.setdiff1d(np.arange(len(form)), squad)[0]))
        form = replace(form, pool=replace(form.pool, limits=held, current=current, most_changes=1))
    starts, captain = roles_for(form, squad[None, :])
    market = SwapMarket.of(form, None, (), 0)
    gain = market.gains(squad, SwapRows.kept(form, squad, starts[0], int(captain[0])))
    for column in range(len(squad)):
        after = np.repeat(squad[None, :], len(market.men), axis=0)
        after[:, column] = market.men
        new = ~np.isin(market.men, squad)
        assert np.isfinite(gain[column]).tolist() == (legal(after, form.pool) & new).tolist()


def test_who_must_stay_never_leaves_and_who_is_not_allowed_never_comes() -> None:
    form, (squad,) = a_start(3, players=16)
    starts, captain = roles_for(form, squad[None, :])
    allowed = np.arange(len(form)) % 2 == 0
    market = SwapMarket.of(form, allowed, (int(squad[1]),), 0)
    gain = market.gains(squad, SwapRows.kept(form, squad, starts[0], int(captain[0])), budget=False, caps=False)
    assert not np.isfinite(gain[1]).any()
    assert set(market.men.tolist()) == set(np.flatnonzero(allowed).tolist())
    with pytest.raises(InputError, match="one flag for each of 16 players"):
        SwapMarket.of(form, allowed[:5], (), 0)


@given(SEEDS, st.integers(1, 4))
def test_a_short_market_holds_whoever_few_beat_at_his_price(seed: int, depth: int) -> None:
    form = a_form(seed, players=40)
    pool, everyone = form.pool, np.arange(len(form))
    everybody = np.arange(len(form))
    alone = form.linear + form.starting + form.squad - form.risk * form.covariance[everybody, everybody]
    market = set(short_market(form, everyone, depth).tolist())
    for row in everyone.tolist():
        cheaper = (pool.position == pool.position[row]) & (pool.price <= pool.price[row]) & (alone > alone[row])
        if cheaper.sum() < depth:
            assert row in market
    assert short_market(form, everyone, 0).size == len(form)
