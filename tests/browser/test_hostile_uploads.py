"""While one visitor uploads what takes longest to read, the server goes on answering everybody else."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.cases.small_world import CUP_NAME, awkward_cup
from tests.tools.browser import DRAWN, running_server

pytestmark = [pytest.mark.once, pytest.mark.browser]

PATIENT = 120_000
LONGEST_WAIT = 1.0  # seconds
SQUADS = {
    "blanks": (" " * 200_000, "The list is empty"),
    "marks": ("a" + "\u0316\u0301" * 49_000, "a cell of"),
    "marks in cells": (("a" + "\u0316\u0301" * 240 + "\n") * 200, "fits no player"),
    "names": (",".join(f"n{number}" for number in range(28_000)), "cells; 500 is the limit"),
    "unknown names": ("\n".join(f"Nobody Number {number}" for number in range(1_000)), "more like these"),
    "brackets": ("[" * 200_000, "nested too deeply"),
    "numbers": (f"[{','.join(map(str, range(1, 33_000)))}]", "more like these"),
}
"""What is said of a file is never what was said of the one before, which may still stand there."""
TABLES = {
    "columns": ("a," * 990_000, "cells; 500 is the limit"),
    "rows": ("name,xev\n" + "".join(f"Nobody {number},1\n" for number in range(20_000)), "0 of 20000 rows"),
    "marks": ("name,xev\n" + ("a" + "\u0316\u0301" * 240 + ",1\n") * 1_900, "0 of 1900 rows"),
}


def a_file(content: str) -> FilePayload:
    return {"name": "own.csv", "mimeType": "text/csv", "buffer": content.encode()}


@contextmanager
def health_watched(url: str) -> Iterator[list[float]]:
    """Ask for the server's health again and again; what is yielded fills with the seconds of each answer."""
    waits: list[float] = []
    enough = threading.Event()

    def ask() -> None:
        over = False
        while not over:  # once more after the end, so that a page which answers at once is asked too
            over = enough.wait(0.05)
            started = time.monotonic()
            with urlopen(f"{url}/_stcore/health", timeout=120) as answer:
                assert answer.status == 200
            waits.append(time.monotonic() - started)

    watching = threading.Thread(target=ask)
    watching.start()
    yield waits
    enough.set()
    watching.join()


def read_in_time(tab: Page, url: str, files: Mapping[str, tuple[str, str]]) -> None:
    """Upload files, wait until the page has said what it thinks of each, and ask for the server's health meanwhile."""
    for name, (content, said) in files.items():
        with health_watched(url) as waits:
            tab.locator("input[type=file]").first.set_input_files(a_file(content))
            expect(tab.get_by_test_id("stMain")).to_contain_text(said, timeout=PATIENT)
            tab.locator(DRAWN).wait_for(timeout=PATIENT)
        assert max(waits) < LONGEST_WAIT, f"{name}: health answered after {max(waits):.1f} s"


@pytest.mark.alone
@pytest.mark.soak
def test_health_answers_within_a_second_while_hostile_files_are_read(browser: Browser, tmp_path: Path) -> None:
    awkward_cup().save(tmp_path / "home" / "worlds" / CUP_NAME)
    with running_server(tmp_path / "home") as server:
        for world in (CUP_NAME, "wc2026"):
            tab = browser.new_page()
            tab.goto(f"{server.url}/my-squad?world={world}&round=1")
            expect(tab.get_by_role("heading", name="Your players")).to_be_visible(timeout=PATIENT)
            tab.get_by_role("tab", name="Upload").click()
            read_in_time(tab, server.url, SQUADS)
            tab.close()
        tab = browser.new_page()
        tab.goto(f"{server.url}/data?world=wc2026&round=1")
        expect(tab.get_by_text("Upload a table")).to_be_attached(timeout=PATIENT)
        read_in_time(tab, server.url, TABLES)
