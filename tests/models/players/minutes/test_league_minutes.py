"""Minutes in a league: what is counted, what is fitted, and how good it is on the bundled season."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from data.domain import Status
from data.worlds.library import find_world
from data.worlds.snapshot import Snapshot
from models.players.minutes.fit_minutes import fit_later_minutes, fit_minutes, logistic_fit
from models.players.minutes.later_minutes import shipped_later_minutes
from models.players.minutes.league_minutes import (
    FEATURES,
    bend_features,
    minutes_features,
    predict_league_minutes,
    shipped_logits,
)
from models.players.minutes.playing_time import Minutes, MinutesSettings, position_codes
from models.players.minutes.recent import RecentMatches
from tests.cases.facts.earlier_seasons import earlier_seasons

SEASON = "fpl2025-26"


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return find_world(SEASON).at(20)


def predicted(snapshot: Snapshot) -> Minutes:
    return predict_league_minutes(snapshot, RecentMatches.of(snapshot), MinutesSettings(), shipped_logits())


def with_state(snapshot: Snapshot, row: int, status: Status, chance: int | None) -> Snapshot:
    players = snapshot.players.copy()
    players.loc[row, "status"] = status.value
    players.loc[row, "chance"] = chance if chance is not None else pd.NA
    return replace(snapshot, players=players)


def regular(snapshot: Snapshot) -> int:
    return int(np.argmax(predicted(snapshot).state[:, 2] * (position_codes(snapshot.players) == 2)))


def matches(*rows: tuple[int, int, float, bool]) -> RecentMatches:
    """Rows of player, seasons ago, minutes, counted."""
    columns = np.array([(row, ago, minutes, counted) for row, ago, minutes, counted in rows], dtype=float).T
    return RecentMatches(
        2, columns[0].astype(int), columns[1].astype(int), columns[2], columns[2] >= 60, columns[3].astype(bool)
    )


def test_an_injured_mans_matches_do_not_count_against_him_and_a_season_fades() -> None:
    recent = matches((0, 1, 90, True), (0, 0, 90, True), (0, 0, 0, False), (1, 0, 0, True), (1, 0, 90, True))
    assert recent.weights(0.5).tolist() == [0.35 * 0.5, 1.0, 0.0, 0.5, 1.0]
    assert recent.sums(recent.minutes / 90, 0.5).tolist() == [1.175, 1.0]


def test_matches_left_out_are_counted_to_the_last_and_only_while_fit() -> None:
    dropped = matches((0, 0, 90, True), (0, 0, 0, True), (0, 0, 0, True), (1, 0, 90, True))
    assert dropped.left_out.tolist() == [2, 0]
    hurt = matches((0, 0, 90, True), (0, 0, 0, True), (0, 0, 0, False), (1, 1, 0, True))
    assert hurt.left_out.tolist() == [0, 0]
    unused = matches((0, 1, 90, True), (0, 0, 0, True), (0, 0, 0, True))
    assert unused.left_out.tolist() == [2, 0]


def test_his_last_match_counts_whether_he_was_fit_or_not() -> None:
    recent = matches((0, 1, 90, True), (0, 0, 64, True), (1, 0, 90, True), (1, 0, 0, False))
    assert recent.last_minutes.tolist() == [64, 0]
    assert matches((1, 0, 12, True)).last_minutes.tolist() == [0, 12]


def test_the_bend_moves_outfield_players_only_and_keeps_their_order_and_their_hour() -> None:
    plays = np.linspace(0.001, 0.999, 60)
    state = np.stack([1 - plays, 0.3 * plays, 0.7 * plays], axis=1)
    nobody = np.zeros(60, dtype=bool)
    bent = shipped_logits().bent(state, nobody)
    assert (np.diff(bent[:, 0]) < 0).all()
    assert bent[:, 0] == pytest.approx(state[:, 0], abs=0.04)
    assert bent.sum(axis=1) == pytest.approx(1.0)
    assert bent[:, 2] / bent[:, 1:].sum(axis=1) == pytest.approx(0.7)
    assert shipped_logits().bent(state, ~nobody) == pytest.approx(state)


def test_the_fitted_bend_undoes_what_was_said_too_boldly() -> None:
    rng, bold = np.random.default_rng(2), replace(shipped_logits(), bend=np.array([0.0, 1.0, 0.0]))
    odds = rng.normal(size=40_000)
    state = np.stack([1 - expit(2 * odds), expit(2 * odds), np.zeros(40_000)], axis=1)
    bend = logistic_fit(bend_features(state), rng.random(40_000) < expit(odds))
    tempered = replace(bold, bend=bend).bent(state, np.zeros(40_000, dtype=bool))
    assert 1 - tempered[:, 0] == pytest.approx(expit(odds), abs=0.03)
    assert bold.bent(state, np.zeros(40_000, dtype=bool)) == pytest.approx(state, abs=1e-4)


def test_who_came_off_before_the_hour_or_was_sold_is_seen_in_the_features(snapshot: Snapshot) -> None:
    row = regular(snapshot)
    sold = snapshot.players.copy()
    sold.loc[row, "transfers_out"] = 2_000_000
    plain, changed = (
        pd.DataFrame(minutes_features(state, RecentMatches.of(state)), columns=list(FEATURES))
        for state in (snapshot, replace(snapshot, players=sold))
    )
    assert changed["sold"][row] > plain["sold"][row]
    assert changed.drop(columns="sold").equals(plain.drop(columns="sold"))
    assert (plain["appeared"] >= plain["hour"]).all()
    assert (plain["hour"] >= plain["full"]).all()
    defenders = snapshot.players["position"] == "DEF"
    assert plain.loc[~defenders, ["defender_minutes", "defender_starts", "defender_rivals"]].eq(0).all(axis=None)
    assert plain["team_minutes"].to_numpy() == pytest.approx((plain["team"] * plain["minutes"]).to_numpy())


def test_states_are_chances_and_who_is_out_does_not_play(snapshot: Snapshot) -> None:
    minutes = predicted(snapshot)
    assert minutes.state.min() >= 0
    assert minutes.state.sum(axis=1) == pytest.approx(1.0)
    status = snapshot.players["status"]
    assert minutes.state[status.eq(Status.TRANSFERRED), 0] == pytest.approx(1.0)
    assert minutes.state[status.isin([Status.INJURED, Status.SUSPENDED, Status.ABSENT]), 2].max() < 0.01
    used = pd.Series(1 - minutes.state[:, 0]).groupby(snapshot.players["team"]).sum()
    assert used.between(13.5, 17).all()


def test_doubt_lowers_the_chance_to_play_by_its_degree(snapshot: Snapshot) -> None:
    row = regular(snapshot)
    chances = [
        predicted(with_state(snapshot, row, status, chance)).state[row, 2]
        for status, chance in (
            (Status.PLAYING, None),
            (Status.DOUBTFUL, 75),
            (Status.DOUBTFUL, 50),
            (Status.DOUBTFUL, 25),
            (Status.INJURED, 0),
        )
    ]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] > 0.85
    assert chances[-1] < 0.01


def test_when_a_rival_is_out_the_others_gain(snapshot: Snapshot) -> None:
    players, before = snapshot.players, predicted(snapshot).state
    row = int(np.argmax(before[:, 2] * (position_codes(players) == 0)))
    keepers = (players["team"] == players["team"][row]) & (players["position"] == "GK") & (players.index != row)
    fit = keepers & players["status"].eq(Status.PLAYING)
    after = predicted(with_state(snapshot, row, Status.INJURED, 0)).state
    assert (after[fit, 2] > before[fit, 2]).all()


def test_a_league_without_past_or_line_ups_is_judged_by_price_and_crowd(snapshot: Snapshot) -> None:
    bare = replace(
        snapshot,
        past_matches=snapshot.past_matches[:0],
        appearances=snapshot.appearances[:0],
        players=snapshot.players.assign(code=pd.NA, transfers_in=pd.NA),
    )
    minutes = predicted(bare)
    assert np.isfinite(minutes.state).all()
    assert minutes.evidence.max() == 0
    assert np.corrcoef(minutes.state[:, 2], snapshot.players["owned"])[0, 1] > 0.3


def test_the_fit_finds_the_coefficients_that_made_the_data() -> None:
    rng = np.random.default_rng(1)
    features = np.column_stack([np.ones(200_000), rng.normal(size=(200_000, 2))])
    truth = np.array([-0.5, 1.2, -0.7])
    happened = rng.random(200_000) < expit(features @ truth)
    assert logistic_fit(features, happened) == pytest.approx(truth, abs=0.03)


def test_features_do_not_look_ahead(snapshot: Snapshot) -> None:
    world = find_world(SEASON)
    early = world.at(8)
    features = minutes_features(early, RecentMatches.of(early))
    assert early.appearances["round"].max() == 7
    assert np.isfinite(features).all()


@pytest.mark.facts
@pytest.mark.soak
def test_the_shipped_coefficients_are_refitted(facts: Path) -> None:
    worlds = earlier_seasons(facts)
    found, shipped = fit_minutes(worlds).table(), shipped_logits().table()
    assert found.to_numpy() == pytest.approx(shipped.to_numpy(), abs=1e-3, nan_ok=True)
    later = fit_later_minutes(worlds, shipped_logits()).table()
    assert later.to_numpy() == pytest.approx(shipped_later_minutes().table().to_numpy(), abs=1e-3)
