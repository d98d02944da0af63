"""Players and clubs over the rounds to come: sums of points, what sorts them, and attack apart from defence."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from models.outlook import Outlook, build_outlook
from models.signals import Signals
from tests.cases.board_cases import EVIL_NAMES
from tests.cases.judged_worlds import league_signals
from tests.cases.small_world import BLANK, quick_settings
from ui.web.drawing.rounds.horizon_table import horizon_html
from ui.web.drawing.rounds.ticker import TickerRow, ticker_html
from ui.web.plans.horizon import MOST_SHOWN, ORDERS, HorizonRow, club_rows, goal_step, player_rows

ROUNDS = 3


@pytest.fixture(scope="module")
def signals() -> Signals:
    return league_signals(BLANK - 1)


@pytest.fixture(scope="module")
def outlook(signals: Signals) -> Outlook:
    return build_outlook(signals, ROUNDS, quick_settings(signals.rules))


def rows_by(outlook: Outlook, signals: Signals, by: str, rounds: int = ROUNDS) -> list[HorizonRow]:
    told = pd.DataFrame({"player_id": signals.player_id, "price_change": np.linspace(-100, 100, len(signals))})
    return player_rows(outlook, signals, pd.DataFrame({"row": np.arange(len(signals))}), told, rounds, by)


def test_points_are_the_sum_over_the_rounds_that_are_asked_for(outlook: Outlook, signals: Signals) -> None:
    for rounds in (1, ROUNDS):
        best = rows_by(outlook, signals, "Points", rounds)[0]
        assert best.points == pytest.approx(outlook.xev[:, :rounds].sum(axis=1).max())
        assert len(best.ticker.fixtures) == rounds


@pytest.mark.parametrize("by", ORDERS)
def test_every_order_puts_the_highest_first(outlook: Outlook, signals: Signals, by: str) -> None:
    rows = rows_by(outlook, signals, by)
    figures = {"Points": "points", "Per million": "value", "EO": "eo", "Price change": "change"}
    values = [getattr(row, figures[by]) for row in rows]
    assert values == sorted(values, reverse=True)
    assert len(rows) <= MOST_SHOWN


def test_clubs_stand_once_for_attack_and_once_for_defence_the_easiest_first(outlook: Outlook, signals: Signals) -> None:
    attack, defence = (club_rows(outlook, signals, {}, attack=side) for side in (True, False))
    assert {row.team for row in attack} == {row.team for row in defence} == set(map(str, signals.codes))
    for rows, falling in ((attack, True), (defence, False)):
        means = [float(row.note) for row in rows]
        assert means == sorted(means, reverse=falling)
    blank = [step for row in attack for opponent, step in row.fixtures if opponent == "–"]
    assert blank
    assert set(blank) == {0}
    assert ticker_html(["A", "B", "C"], attack, "x").count("no match") == len(blank)


def test_many_goals_are_easy_for_an_attack_and_hard_for_a_defence() -> None:
    assert [goal_step(goals, attack=True) for goals in (2.5, 1.6, 1.3, 1.0, 0.5)] == [1, 2, 3, 4, 5]
    assert [goal_step(goals, attack=False) for goals in (2.5, 1.6, 1.3, 1.0, 0.5)] == [5, 4, 3, 2, 1]


def test_a_name_is_a_button_and_never_markup() -> None:
    rows = [HorizonRow(7, TickerRow(name, "ARS", (("CHE (H)", 4),)), 20.0, 2.0, 30.0, None) for name in EVIL_NAMES]
    html = horizon_html(["GW1"], rows, "Players", "£")
    assert re.findall(r'data-pick="(\d+)"', html) == ["7"] * len(rows)
    assert "<script" not in html
    assert "<img" not in html
    assert "Per £m" in html
