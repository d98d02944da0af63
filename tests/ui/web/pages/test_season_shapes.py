"""Every shape that a season's feed takes on its way gives a useful page or a clear sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.sources.refresh import fpl_game, refresh_world
from data.worlds.library import world_folder
from data.worlds.world import World
from engine.desk import check_world
from tests.cases.league.live_worlds import payloads_of, read_league
from tests.cases.page_runs import a_page, sentences
from tests.cases.small_world import small_league
from tests.data.sources.test_refresh import NOON
from tests.tools.fpl_writer import to_fpl_api
from tests.tools.loopback import serving


def before_the_calendar() -> dict[str, bytes]:
    """The season as the game opens it: players, prices and deadlines, and no match."""
    return to_fpl_api(small_league(), 1) | {"fixtures/": b"[]"}


def early_world() -> World:
    return read_league(payloads_of(before_the_calendar())).world


def test_a_season_without_matches_is_taken_as_it_is_and_told(tmp_path: Path) -> None:
    with serving(before_the_calendar()) as server:
        report = refresh_world(fpl_game(), tmp_path / "live", now=lambda: NOON, base_url=server.url, check=check_world)
    assert report.ok, report.doubts
    assert "The game has no matches yet: until they are published nobody can be expected to score." in report.warnings


@pytest.mark.parametrize("name", ["pick", "compare", "my_squad"])
def test_pages_that_weigh_squads_say_that_there_is_no_match_yet(name: str) -> None:
    early_world().save(world_folder("early"))
    page = a_page(name, world="early")
    assert not page.exception
    assert "has no match yet, so nothing can be expected of its players" in sentences(page)


def test_players_are_listed_with_prices_and_owners_before_there_is_a_match() -> None:
    early_world().save(world_folder("early"))
    page = a_page("players", world="early")
    assert not page.exception
    assert "This round has no match yet" in sentences(page)
    (table,) = page.dataframe
    assert len(table.value) == len(small_league().at(1).players)
    assert {"Player", "Team", "Price", "Owned"} <= set(table.value.columns)
