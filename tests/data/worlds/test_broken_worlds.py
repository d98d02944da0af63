"""A world that is broken in any way is named as broken, at once, and takes nothing else down."""

from __future__ import annotations

import resource
from pathlib import Path

import pandas as pd
import pytest

from data.errors import ThetaXIError
from data.schema import FIXTURES
from data.worlds.library import list_worlds, openable_worlds, usable_world, user_worlds
from data.worlds.world import World, open_world
from tests.cases.hostile.broken_worlds import BROKEN, broken_world, with_table
from tests.tools.disk_faults import league, save_league

LARGEST_GROWTH = 300_000  # kilobytes


@pytest.mark.parametrize("damage", BROKEN)
def test_a_broken_world_is_refused_with_the_reason(tmp_path: Path, damage: str) -> None:
    broken_world(tmp_path / "league", damage)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ThetaXIError) as refusal:
        usable_world(tmp_path / "league")
    assert BROKEN[damage][1] in str(refusal.value)
    assert len(str(refusal.value)) < 600
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < LARGEST_GROWTH


@pytest.mark.soak
def test_all_of_them_are_listed_beside_the_good_ones_in_one_go() -> None:
    save_league(1, user_worlds() / "good")
    for number, damage in enumerate(BROKEN):
        broken_world(user_worlds() / f"broken{number}", damage)
    (user_worlds() / "notes").mkdir()
    (user_worlds() / "notes.txt").write_text("mine")
    (user_worlds() / "loop").symlink_to("loop")
    found = {entry.name: world for entry, world in openable_worlds()}
    assert {name for name, world in found.items() if isinstance(world, World)} == {"good", "wc2026", "fpl2025-26"}
    assert len(found) == len(BROKEN) + 3 == len(list_worlds())


def test_a_column_that_came_later_and_may_be_empty_is_empty_in_an_older_world(tmp_path: Path) -> None:
    save_league(1, tmp_path / "league")
    assert FIXTURES.column("city").empty
    with_table("fixtures", lambda frame: frame.drop(columns=["city", "home_pens"]))(tmp_path / "league")
    fixtures = open_world(tmp_path / "league").tables["fixtures"]
    pd.testing.assert_frame_equal(fixtures, league(1).tables["fixtures"])
