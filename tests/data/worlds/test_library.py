"""Worlds are found by name or folder; a broken one does not hide the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.errors import InputError, ThetaXIError, UnknownError
from data.storage.files import HOME_VARIABLE
from data.worlds.library import (
    find_world,
    list_worlds,
    openable_worlds,
    user_worlds,
    world_folder,
    world_sources,
)
from data.worlds.manifest import MANIFEST
from data.worlds.world import World


def test_the_bundled_world_cup_and_premier_league_season_are_there() -> None:
    assert [(entry.name, entry.bundled) for entry in list_worlds()] == [("fpl2025-26", True), ("wc2026", True)]
    assert find_world("wc2026").rounds == (1, 2, 3, 4, 5, 6, 7, 8)


def test_a_world_of_the_user_is_found_and_hides_a_bundled_namesake(world_cup: World) -> None:
    world_cup.save(world_folder("mine"))
    world_cup.save(world_folder("wc2026"))
    assert [(entry.name, entry.bundled) for entry in list_worlds()] == [
        ("fpl2025-26", True),
        ("mine", False),
        ("wc2026", False),
    ]


def test_a_world_opens_from_any_folder(world_cup: World, tmp_path: Path) -> None:
    world_cup.save(tmp_path / "some" / "where")
    assert find_world(str(tmp_path / "some" / "where")).name == "wc2026"


def test_the_sources_of_a_world_are_told_without_opening_it(world_cup: World, tmp_path: Path) -> None:
    world_cup.save(tmp_path / "where")
    assert world_sources(str(tmp_path / "where")) == world_cup.sources == world_sources("wc2026")
    with pytest.raises(UnknownError, match="no world 'wc2062'"):
        world_sources("wc2062")


def test_an_unknown_world_names_the_nearest() -> None:
    with pytest.raises(UnknownError, match=r"no world 'wc2062'. Did you mean wc2026"):
        find_world("wc2062")


@pytest.mark.parametrize("name", ["../evil", "a/b", "", ".hidden", "x" * 99])
def test_a_world_name_cannot_leave_its_folder(name: str) -> None:
    with pytest.raises(InputError, match="is not a plain name"):
        world_folder(name)


def test_a_home_that_is_no_folder_hides_no_bundled_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home").write_text("")
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    assert [entry.name for entry in list_worlds()] == ["fpl2025-26", "wc2026"]


def test_a_broken_world_is_reported_beside_the_good_ones() -> None:
    broken = user_worlds() / "broken"
    broken.mkdir(parents=True)
    (broken / MANIFEST).write_text("[[[")
    worlds = {entry.name: world for entry, world in openable_worlds()}
    assert isinstance(worlds["broken"], ThetaXIError)
    assert isinstance(worlds["wc2026"], World)
