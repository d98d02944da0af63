"""A server that is killed at any moment of use loses nothing: worlds, memory and bench are as they were."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import psutil
import pytest
from playwright.sync_api import Browser, Error, Page, expect

from data.storage.files import HOME_VARIABLE
from data.worlds.library import openable_worlds, world_folder
from data.worlds.manifest import MANIFEST
from data.worlds.world import World, open_world
from engine.bench.leaderboard import QUICK
from engine.bench.run import bench_folder, last_board
from engine.search.population.blocks import BLOCK_NAMES
from engine.search.seeding.memory import BlockMemory, keep_memory, read_memory
from tests.cases.board_cases import a_placing, put_board
from tests.cases.small_world import CUP_NAME, DOUBLE, awkward_cup, small_league
from tests.tools.browser import DRAWN, WIDE, running_server
from tests.tools.fpl_writer import to_fpl_api
from tests.tools.loopback import serving

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.soak]

KILLS = 30
LONGEST_USE = 4.0  # seconds from the last click to the kill: a refresh takes two or three
PATIENT = 180_000


def kill_at_once(process: int) -> None:
    """Kill a server, and afterwards what it had started, which it cannot do itself any more."""
    server = psutil.Process(process)
    started = server.children(recursive=True)
    for one in (server, *started):
        with suppress(psutil.NoSuchProcess):
            one.kill()


def use(tab: Page, url: str, number: int) -> None:
    """Do what a visitor does: a refresh that saves a world, and every third time a bench beside it."""
    if number % 3 == 2:
        tab.goto(f"{url}/squadbench")
        tab.get_by_role("button", name="Run the quick bench").click(timeout=PATIENT)
    tab.goto(f"{url}/data?world={CUP_NAME}")
    expect(tab.locator(DRAWN)).to_be_visible(timeout=PATIENT)
    tab.get_by_role("button", name="Refresh Fantasy Premier League").click(timeout=PATIENT)


def assert_intact(board: object, memory: BlockMemory, league: World) -> None:
    """All worlds open, and all that the visitor had is as it was."""
    broken = [(entry.name, found) for entry, found in openable_worlds() if not isinstance(found, World)]
    assert broken == []
    assert open_world(world_folder(CUP_NAME)).at(2).to_bytes() == awkward_cup().at(2).to_bytes()
    live = world_folder("fpl-live")
    if (live / MANIFEST).exists():
        assert len(open_world(live).at(DOUBLE).players) == len(league.at(DOUBLE).players)
    assert read_memory() == memory
    assert last_board() == board


@pytest.mark.timeout(3600)
def test_nothing_is_lost_however_often_the_server_is_killed(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    rng, league = np.random.default_rng(7), small_league()
    awkward_cup().save(world_folder(CUP_NAME))
    put_board(a_placing("ours", 0.95), a_placing("greedy", 0.2))
    bench_folder(QUICK).rename(bench_folder(QUICK).with_name("kept"))  # of another size than the one that is begun
    keep_memory(BlockMemory().learned("gain", "wc2026/1", ["value"], np.ones((1, len(BLOCK_NAMES)))))
    board, memory = last_board(), read_memory()
    with serving(to_fpl_api(league, DOUBLE)) as feed:
        for number in range(KILLS):
            with running_server(tmp_path, THETAXI_FPL_URL=feed.url) as server:
                tab = browser.new_page(viewport=WIDE)
                use(tab, server.url, number)
                time.sleep(float(rng.uniform(0, LONGEST_USE)))
                kill_at_once(server.process)
                with suppress(Error):
                    tab.close()
            assert_intact(board, memory, league)
        with running_server(tmp_path, THETAXI_FPL_URL=feed.url) as server:
            tab = browser.new_page(viewport=WIDE)
            tab.goto(f"{server.url}/data?world={CUP_NAME}")
            tab.get_by_role("button", name="Refresh Fantasy Premier League").click(timeout=PATIENT)
            expect(tab.get_by_role("button", name="Open Fantasy Premier League")).to_be_visible(timeout=PATIENT)
            tab.close()
    assert (world_folder("fpl-live") / MANIFEST).exists()
    assert_intact(board, memory, league)
