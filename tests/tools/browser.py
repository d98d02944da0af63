"""The real page in a real browser: one server and one Chromium per test process, a fresh context per test."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, FilePayload, Locator, Page, Playwright, expect
from playwright.sync_api import TimeoutError as TooLate

from tests.conftest import ROOT
from tests.tools.loopback import free_port

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
NO_CHROMIUM = "no Chromium on this machine: get it with `sudo apt-get install chromium`"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
DRAWN = "[data-testid=stApp][data-test-script-state=notRunning]"
"""Selects the page once its script has run and nothing of an earlier run is left."""

ROUNDS = ".st-key-round_open button"
"""Opens the list of rounds."""

SHIFTS = """window.moved = 0; new PerformanceObserver(list => {
  for (const shift of list.getEntries()) window.moved += shift.value
}).observe({type: "layout-shift", buffered: true})"""
MOST_MOVED = 0.05
"""How far parts of a page may have moved since it was opened, as `watch_shifts` adds it up."""

START_SECONDS = 180
EXPECTED = 90_000
"""Milliseconds that a page has for what a test expects of it where the test says nothing: it hangs, or it is busy."""

STOP_PATIENCE, STOP_SECONDS = 90_000, 20_000  # milliseconds
KNOWN_MISSES = ("/_stcore/health", "/_stcore/host-config")
"""Streamlit asks for these below a deep link's path first and then finds them at the root."""


@dataclass(frozen=True, slots=True)
class Server:
    """A page that is being served."""

    url: str
    process: int
    log: Path


@contextmanager
def running_page(home: Path, module: str = "streamlit", **environment: str) -> Iterator[str]:
    """Start the page on a free loopback port with its own home folder; yield its address."""
    with running_server(home, module, **environment) as server:
        yield server.url


@contextmanager
def running_server(home: Path, module: str = "streamlit", **environment: str) -> Iterator[Server]:
    """Start the page on a free loopback port with its own home folder; yield where it is and which process it is.

    `module` runs it: Streamlit itself, or another with its manners.
    """
    port = free_port()
    log = home / "server.log"
    home.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", module, "run", "app.py", "--server.port", str(port)]
    with log.open("wb") as output:
        settings = os.environ | environment | {"THETAXI_HOME": str(home)}
        server = subprocess.Popen(command, cwd=ROOT, env=settings, stdout=output, stderr=output)
        try:
            _wait_until_healthy(f"http://127.0.0.1:{port}/_stcore/health", server, log)
            yield Server(f"http://127.0.0.1:{port}", server.pid, log)
        finally:
            server.terminate()
            server.wait(timeout=60)


def launch(playwright: Playwright) -> Browser:
    """Start Debian's Chromium without any of its own network traffic; where there is none, the test is skipped."""
    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    expect.set_options(timeout=EXPECTED)
    return playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


class WatchedPage:
    """A browser page that remembers everything that must not happen."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.address = address
        self.problems: list[str] = []
        self.tab: Page = context.new_page()
        self.tab.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        self.tab.on("console", self._console)
        self.tab.on("request", self._request)
        self.tab.on("response", self._response)

    def _console(self, message: object) -> None:
        if getattr(message, "type", "") == "error" and not is_known_miss(
            getattr(message, "location", {}).get("url", "")
        ):
            self.problems.append(f"console: {getattr(message, 'text', '')}")

    def _request(self, request: object) -> None:
        url = getattr(request, "url", "")
        if not url.startswith((self.address, "data:", "blob:", "about:")):
            self.problems.append(f"request off the page's own server: {url}")

    def _response(self, response: object) -> None:
        url, status = getattr(response, "url", ""), getattr(response, "status", 0)
        if status >= 400 and not is_known_miss(url):
            self.problems.append(f"status {status}: {url}")


def is_known_miss(url: str) -> bool:
    """Return whether an address is one that Streamlit itself asks for in vain below a deep link's path."""
    path = urlsplit(url).path
    return path.endswith(KNOWN_MISSES) and path not in KNOWN_MISSES


@contextmanager
def visit(browser: Browser, address: str, **options: Any) -> Iterator[WatchedPage]:
    """Open the page in a context of its own; afterwards nothing may have happened that must not."""
    context = browser.new_context(**options)
    seen = WatchedPage(context, address)
    yield seen
    context.close()
    assert seen.problems == []


def squads(tab: Page, count: int = 1) -> list[set[int]]:
    """Return the players on each pitch, once so many are drawn."""
    pitches = tab.locator("[data-testid=pitch]:visible")
    expect(pitches).to_have_count(count, timeout=STOP_PATIENCE)
    expect(pitches.locator("li.xi-man")).to_have_count(15 * count, timeout=STOP_PATIENCE)
    return [{int(player) for player in str(one.get_attribute("data-squad")).split(",")} for one in pitches.all()]


def open_round(tab: Page, number: int) -> None:
    """Open another round by the list of all of them."""
    tab.locator(ROUNDS).click(timeout=STOP_PATIENCE)
    tab.get_by_role("radio", name=str(number), exact=True).click(timeout=STOP_PATIENCE)


def watch_shifts(tab: Page) -> None:
    """Add up from now on how far parts of the pages it opens move."""
    tab.add_init_script(SHIFTS)


def assert_settled_within(tab: Page, part: Locator, height: float) -> None:
    """Check that a part ends so far down the page at the most, and that nothing has jumped since it was opened."""
    box = part.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= height
    assert tab.evaluate("window.moved") <= MOST_MOVED


def downloaded(tab: Page, button: str, file: Path) -> str:
    """Press a button that gives a table, keep it as a file and return its text."""
    with tab.expect_download(timeout=STOP_PATIENCE) as download:
        tab.get_by_role("button", name=button).first.click(timeout=STOP_PATIENCE)
    download.value.save_as(file)
    return file.read_bytes().decode("utf-8-sig")


def upload(tab: Page, file: Path | FilePayload) -> None:
    """Give the page a file with a squad."""
    tab.get_by_role("tab", name="Upload").click(timeout=STOP_PATIENCE)
    tab.locator("input[type=file]").first.set_input_files(file)


def stopped_in_time(tab: Page, link: str, button: str, result: Locator) -> bool:
    """Open a link and stop its search; False where it came to its own end first, as one that gets no better does."""
    tab.goto(link)
    running = tab.get_by_role("button", name=button, exact=True)
    expect(running.or_(result).first).to_be_visible(timeout=STOP_PATIENCE)
    try:
        tab.get_by_text(re.compile(r"generation \d+")).wait_for(timeout=STOP_SECONDS)
        running.click(timeout=STOP_SECONDS)
    except TooLate:
        return False
    expect(result).to_be_visible(timeout=STOP_PATIENCE)
    return tab.get_by_text("this is the best it had found").is_visible()


def _wait_until_healthy(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    limit = time.monotonic() + START_SECONDS
    while time.monotonic() < limit:
        if server.poll() is not None:
            raise RuntimeError(f"The page stopped at once:\n{log.read_text(errors='replace')}")
        try:
            with urlopen(url, timeout=1) as answer:
                if answer.status == 200:
                    return
        except (URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"The page did not answer within {START_SECONDS} s:\n{log.read_text(errors='replace')}")
