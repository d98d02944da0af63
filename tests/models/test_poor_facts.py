"""Signals of facts that are poor: what is missing stands in and is noted, what is wrong is refused with the way out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from data.errors import ModelError, TableError, UnknownError
from data.worlds.world import World
from models.signals import build_signals
from tests.cases.small_world import (
    CLUBS,
    EMPTY,
    changed,
    player_of,
    quick_settings,
    row_in,
    small_cup,
    small_league,
    with_status,
)
from tests.cases.sound_signals import CUP, LEAGUE, STAR, assert_sound, cup_signals, league_signals, usual


def test_a_suspended_star_is_hardly_expected_to_play_and_noted() -> None:
    signals = cup_signals(with_status(small_cup(), STAR, "suspended"))
    assert_sound(signals)
    row = signals.row_of(STAR)
    assert signals.xev[row] < 0.05 * usual().xev[row]
    assert signals.typical_xev[row] > 0.9 * usual().typical_xev[row]
    assert f"Injured or suspended, so hardly expected to start: {signals.name[row]}." in signals.notes


def test_a_nation_without_history_is_refused_by_name() -> None:
    world = changed(
        small_cup(), "teams", lambda teams: teams.assign(results_name=teams["name"].replace("Team B2", "Nowhere"))
    )
    with pytest.raises(UnknownError, match="B2 is called 'Nowhere' in the results"):
        cup_signals(world)


def test_a_club_without_history_is_average_and_noted() -> None:
    world = changed(
        small_league(), "teams", lambda teams: teams.assign(results_name=teams["name"].replace("Team LIV", "New"))
    )
    signals = league_signals(1, world)
    assert_sound(signals)
    assert "No result of LIV is known: judged by what the squad costs." in signals.notes


def test_a_league_without_any_history_is_sound() -> None:
    signals = league_signals(1, changed(small_league(), "results", lambda results: results.iloc[:0]))
    assert_sound(signals)
    assert any("ARS, BHA, CHE, EVE, FUL, LIV" in note for note in signals.notes)


def test_an_empty_round_is_refused_with_the_way_out() -> None:
    with pytest.raises(ModelError, match=r"Round 5 of small league has no match yet.*Choose a round"):
        league_signals(EMPTY)


def test_ownership_that_sums_to_three_is_refused_with_the_sum() -> None:
    world = changed(small_cup(), "market", lambda market: market.assign(owned=market["owned"] / 5))
    with pytest.raises(ModelError, match=r"owned sums to 3, but managers own 15 players each"):
        cup_signals(world)


def test_ownership_in_percent_never_becomes_a_world_and_is_refused_and_named() -> None:
    with pytest.raises(TableError, match="owned"):
        changed(small_cup(), "market", lambda market: market.assign(owned=market["owned"] * 100))
    snapshot = small_cup().at(2)
    percent = replace(snapshot, players=snapshot.players.assign(owned=snapshot.players["owned"] * 100))
    with pytest.raises(ModelError, match=r"percent: divide by 100"):
        build_signals(percent, CUP, quick_settings(CUP))


def test_a_pool_smaller_than_a_squad_is_refused_by_position() -> None:
    def only_one_keeper(market: pd.DataFrame) -> pd.DataFrame:
        keepers = market["player_id"].isin(usual().player_id[usual().position == 0][1:])
        return market[~keepers]

    with pytest.raises(ModelError, match="Round 2 of small cup has 1 GK to choose from, but a squad needs 2"):
        cup_signals(changed(small_cup(), "market", only_one_keeper))


def test_players_who_left_do_not_fill_a_pool() -> None:
    snapshot = small_cup().at(2)
    gone = snapshot.players["position"].eq("FWD") & (snapshot.players["player_id"] != STAR)
    left = replace(snapshot, players=snapshot.players.assign(status=np.where(gone, "transferred", "playing")))
    with pytest.raises(ModelError, match="1 FWD to choose from, but a squad needs 3"):
        build_signals(left, CUP, quick_settings(CUP))


def test_a_player_without_a_team_mate_still_gets_finite_signals() -> None:
    snapshot = small_league().at(2)
    alone = ~snapshot.players["team"].eq("LIV") | (snapshot.players["player_id"] == player_of("LIV", "FWD", 0, CLUBS))
    players = snapshot.players[alone].reset_index(drop=True)
    signals = build_signals(replace(snapshot, players=players), LEAGUE, quick_settings(LEAGUE))
    assert_sound(signals)
    assert signals.xev[row_in(replace(snapshot, players=players), player_of("LIV", "FWD", 0, CLUBS))] > 0


def test_a_round_of_few_teams_names_those_that_play(world_cup: World) -> None:
    notes = build_signals(world_cup.at(8), CUP, quick_settings(CUP)).notes
    assert "Only ARG, ENG, FRA, ESP play in round 8: all others are expected to score 0." in notes
    assert not any(note.startswith("No match") for note in notes)
