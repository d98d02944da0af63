"""The last states of a world are kept, and each can be gone back to."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from data.errors import TableError, UnknownError
from data.worlds.generations import KEPT
from data.worlds.library import BUNDLED
from data.worlds.manifest import MANIFEST, SOURCES, manifest_text
from data.worlds.restoring import restore_world, states_before
from data.worlds.world import World, open_world
from tests.tools.disk_faults import league, save_league


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A world that was saved more often than is kept."""
    for number in range(6):
        save_league(number, tmp_path / "league")
    return tmp_path / "league"


def titles(folder: Path) -> list[str]:
    return [open_world(folder).title, *(state.title for state in states_before(folder))]


def test_the_last_states_are_kept_and_share_their_tables(folder: Path) -> None:
    assert titles(folder) == ["League 5", "League 4", "League 3", "League 2"]
    assert len(states_before(folder)) == KEPT
    assert len(list(folder.glob("market-*.parquet"))) == 1 + KEPT
    assert len(list(folder.glob("events-*.parquet"))) == 1


def test_the_same_world_saved_twice_is_one_state(folder: Path) -> None:
    before = titles(folder)
    save_league(5, folder)
    assert titles(folder) == before


def test_going_back_brings_every_fact_back_and_going_back_again_undoes_it(folder: Path) -> None:
    found = restore_world(folder)
    assert found.at(4).to_bytes() == league(4).at(4).to_bytes()
    assert (found.sources, (folder / SOURCES).read_text()) == ("Number 4\n", "Number 4\n")
    assert titles(folder) == ["League 4", "League 5", "League 3", "League 2"]
    assert restore_world(folder).title == "League 5"
    assert titles(folder) == ["League 5", "League 4", "League 3", "League 2"]


def test_a_state_is_chosen_by_its_number(folder: Path) -> None:
    numbers = {state.title: state.number for state in states_before(folder)}
    assert restore_world(folder, numbers["League 2"]).title == "League 2"
    with pytest.raises(UnknownError, match=r"no earlier state 99\. There is: 6, 5, 4"):
        restore_world(folder, 99)


def test_a_damaged_world_is_left_for_the_latest_state_that_opens(folder: Path) -> None:
    (folder / MANIFEST).write_text("[[[")
    with pytest.raises(TableError):
        open_world(folder)
    assert restore_world(folder).title == "League 4"
    assert "League 5" not in titles(folder)


def test_a_lost_manifest_is_brought_back(folder: Path) -> None:
    (folder / MANIFEST).unlink()
    assert restore_world(folder).title == "League 4"


def test_where_there_is_nothing_to_go_back_to_a_sentence_says_so(tmp_path: Path) -> None:
    save_league(1, tmp_path / "league")
    with pytest.raises(UnknownError, match=r"no earlier state that can be opened\. Fetch or import it again"):
        restore_world(tmp_path / "league")
    with pytest.raises(UnknownError, match="no world 'nowhere' of your own"):
        restore_world(tmp_path / "nowhere")


def test_a_world_of_the_first_format_keeps_its_sources(tmp_path: Path, world_cup: World) -> None:
    folder = tmp_path / "cup"
    shutil.copytree(BUNDLED / "wc2026", folder)
    assert "format" not in manifest_text(folder)
    save_league(1, folder)
    assert open_world(folder).sources == "Number 1\n"
    found = restore_world(folder)
    assert (found.title, found.sources) == (world_cup.title, world_cup.sources)
    assert found.at(3).to_bytes() == world_cup.at(3).to_bytes()
