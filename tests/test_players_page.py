"""The logic of the players page."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from data.library import world_folder
from data.world import MANIFEST, World
from tests.conftest import ROOT
from ui.players_page import matching, player_table


def a_page(**query: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in query.items():
        page.query_params[name] = value
    return page.run()


def test_the_page_opens_on_the_bundled_world_cup() -> None:
    page = a_page()
    assert not page.exception
    assert page.title[0].value == "Players"
    assert "Matchday 1 · deadline Thu 11 Jun 2026, 19:00 UTC" in page.caption[0].value


def test_a_link_opens_its_round() -> None:
    assert "Matchday 3" in a_page(round="3").caption[0].value


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
    world_cup: World, text: str, positions: list[str], teams: list[str], count: int
) -> None:
    assert len(matching(player_table(world_cup.at(1)), text, positions, teams)) == count


def test_ownership_is_shown_in_percent_from_high_to_low(world_cup: World) -> None:
    table = player_table(world_cup.at(1))
    assert table["Owned"].iloc[0] == pytest.approx(51.5)
    assert table["Owned"].is_monotonic_decreasing
