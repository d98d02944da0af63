"""The logic of the players page."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from data.library import world_folder
from data.rules import load_rules
from data.world import MANIFEST, World
from models.signals import Signals, build_signals
from tests.conftest import ROOT
from ui.frame import Chosen
from ui.players_page import matching, player_table, player_terms


def a_page(**query: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for name, value in query.items():
        page.query_params[name] = value
    return page.run()


@pytest.fixture(scope="module")
def signals(world_cup: World) -> Signals:
    return build_signals(world_cup.at(1), load_rules("wc2026"))


@pytest.fixture(scope="module")
def table(world_cup: World, signals: Signals) -> pd.DataFrame:
    chosen = Chosen(ROOT, "", world_cup, load_rules("wc2026"), world_cup.at(1))
    return player_table(signals, chosen)


def test_the_page_opens_on_the_bundled_world_cup() -> None:
    page = a_page()
    assert not page.exception
    assert page.title[0].value == "Players"
    assert "Matchday 1 · deadline Thu 11 Jun 2026, 19:00 UTC" in page.caption[0].value


def test_a_link_opens_its_round() -> None:
    assert "Matchday 3" in a_page(round="3").caption[0].value


def test_opening_a_player_shows_his_expectation_and_range() -> None:
    page = a_page()
    page.selectbox(key="opened").set_value("Harry Kane").run()
    assert page.subheader[0].value.startswith("Harry Kane: ")
    assert "eight times in ten" in page.subheader[0].value


def test_a_broken_world_is_a_sentence_not_a_traceback() -> None:
    broken = world_folder("aaa")
    broken.mkdir(parents=True)
    (broken / MANIFEST).write_text("[[[")
    page = a_page(world="aaa")
    assert not page.exception
    assert "Import the world again" in page.error[0].value


@pytest.mark.parametrize(
    ("text", "positions", "teams", "count"),
    [
        ("", [], [], 1482),
        ("ødegaard", [], [], 1),
        ("odegaard", ["GK"], [], 0),
        ("", ["GK"], ["Spain"], 3),
        ("(", [], [], 1482),
    ],
)
def test_filters_narrow_the_table(
    table: pd.DataFrame, text: str, positions: list[str], teams: list[str], count: int
) -> None:
    assert len(matching(table, text, positions, teams)) == count


def test_the_table_runs_from_the_most_to_the_least_expected_points(table: pd.DataFrame, signals: Signals) -> None:
    assert table["xEV"].is_monotonic_decreasing
    best = table.iloc[0]
    assert signals.name[best["row"]] == best["Player"]
    assert not ((table["Kind"] == "Template") & (table["EO"] < 5)).any()


def test_a_players_terms_sum_to_his_expectation_and_have_plain_names(signals: Signals) -> None:
    terms = player_terms(signals, 0)
    assert sum(terms.values()) == pytest.approx(signals.xev[0])
    assert not any("_" in name for name in terms)
