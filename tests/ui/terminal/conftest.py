"""The two small worlds, saved once and found by name in the home of every test of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.fitness.reference import linear_squad, pool_of
from tests.cases.judged_worlds import cup_signals
from tests.cases.small_world import small_cup, small_league


@pytest.fixture(scope="session")
def saved_worlds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the small cup and the small league."""
    folder = tmp_path_factory.mktemp("worlds")
    small_cup().save(folder / "cup")
    small_league().save(folder / "league")
    return folder


@pytest.fixture
def worlds_at_hand(own_home: Path, saved_worlds: Path) -> None:
    """`--world cup` and `--world league` are known."""
    (own_home / "worlds").mkdir(parents=True)
    for world in saved_worlds.iterdir():
        (own_home / "worlds" / world.name).symlink_to(world)


@pytest.fixture(scope="session")
def squad(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A manager's squad of the small cup, one id a line."""
    signals = cup_signals(1)
    file = tmp_path_factory.mktemp("squads") / "mine.csv"
    rows = linear_squad(signals, pool_of(signals))
    file.write_text("\n".join(map(str, signals.player_id[rows])), encoding="utf-8")
    return file
