"""Reasons of a forecast: each figure is the difference that one belief makes, and the sentences say it."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest

from data.domain import Status
from data.rules import load_rules
from data.worlds.library import find_world
from data.worlds.snapshot import Snapshot
from models.reasons import About, Reason, player_reasons
from models.signals import Signals, build_signals

SEASON = "fpl2025-26"


@cache
def a_round(number: int, world: str = SEASON) -> tuple[Signals, Snapshot]:
    opened = find_world(world)
    snapshot = opened.at(number)
    return build_signals(snapshot, load_rules(opened.rulebook)), snapshot


def reasons_of(row: int, number: int = 12, world: str = SEASON) -> dict[About, Reason]:
    return {reason.about: reason for reason in player_reasons(*a_round(number, world), row)}


def row_named(name: str, number: int = 12, world: str = SEASON) -> int:
    return int(np.flatnonzero(a_round(number, world)[0].name == name)[0])


def test_a_star_is_explained_by_minutes_fixture_share_status_history_and_certainty() -> None:
    told = reasons_of(row_named("Haaland"))
    assert list(told) == list(About)
    assert "(played an hour in 10 of the last 10 he was fit for, all 90' in 7)" in told[About.MINUTES].text
    assert told[About.FIXTURE].text.startswith("NEW (A): ")
    assert told[About.SHARE].text.startswith("Takes penalties, ")
    assert told[About.STATUS].text == "Fit: nothing is reported against him."
    assert told[About.HISTORY].text == "9.3 points a match in 11 matches so far, 14 goals, 1 assist."
    assert "points eight times in ten (standard deviation " in told[About.CERTAINTY].text


def test_figures_are_what_the_beliefs_say() -> None:
    signals, _ = a_round(12)
    row = row_named("Haaland")
    told = reasons_of(row)
    minutes, share = told[About.MINUTES].points, told[About.SHARE].points
    assert minutes is not None
    assert -1 < minutes < 0  # nobody is surer than one who is sure
    lines = signals.points.lines
    assert share == pytest.approx(float(lines["goals"][row] + lines["assists"][row]))


def test_a_doubt_and_an_injury_cost_what_a_fit_man_would_be_worth() -> None:
    signals, _ = a_round(12)
    doubtful, injured = reasons_of(row_named("Semenyo"))[About.STATUS], reasons_of(row_named("Gabriel"))[About.STATUS]
    assert doubtful.text.startswith("Doubtful, flagged 75 % (Ankle injury - 75% chance of playing): ")
    assert doubtful.text.endswith(f" → {signals.xev[row_named('Semenyo')]:.1f} points.")
    assert doubtful.points is not None
    assert doubtful.points < 0
    assert injured.points is not None
    assert injured.points < -4
    assert injured.text.startswith("Injured (Thigh injury - Unknown return date): ")


def test_a_goalkeeper_is_explained_by_clean_sheets_and_saves() -> None:
    share = reasons_of(row_named("Raya"))[About.SHARE]
    assert share.text.startswith("A clean sheet in ")
    assert "; saves: " in share.text


@pytest.mark.soak
def test_opponents_of_a_round_average_out_over_the_players() -> None:
    signals, snapshot = a_round(12)
    likely = np.flatnonzero((signals.start > 0.9) & (signals.position == 2))[::2]
    gained = [player_reasons(signals, snapshot, int(row))[1].points or 0.0 for row in likely]
    assert max(gained) > 0.5
    assert min(gained) < -0.2
    assert np.mean(gained) == pytest.approx(0, abs=0.2)


def test_before_a_season_the_last_one_is_told_and_who_is_new_says_so() -> None:
    star, new = (reasons_of(row_named(name, 1), 1)[About.HISTORY].text for name in ("Haaland", "Ekitiké"))
    assert "points a match in 31 matches in 2024/25" in star
    assert new.startswith("He has not played yet as far as is on record")


def test_who_has_no_match_is_told_so_and_who_has_left_cannot_play() -> None:
    signals, _ = a_round(4, "wc2026")
    idle = int(np.flatnonzero(np.isnat(signals.kickoff))[0])
    assert player_reasons(*a_round(4, "wc2026"), idle) == (
        Reason(About.FIXTURE, "No match this round: 0 points.", 0.0),
    )
    gone, _ = a_round(12)
    left = int(np.flatnonzero((gone.status == Status.TRANSFERRED) & ~np.isnat(gone.kickoff))[0])
    assert reasons_of(left)[About.STATUS].text == "Transferred: he cannot play."


def test_a_figure_of_ones_own_is_named_as_such() -> None:
    opened = find_world(SEASON)
    snapshot = opened.at(12)
    player = int(snapshot.players["player_id"].iloc[row_named("Haaland")])
    own = pd.DataFrame({"p_start": [0.5]}, index=[player])
    signals = build_signals(snapshot, load_rules(opened.rulebook), overrides=own)
    told = player_reasons(signals, snapshot, row_named("Haaland"))[0].text
    assert told.startswith("50% to start")
    assert "by your own figure" in told
