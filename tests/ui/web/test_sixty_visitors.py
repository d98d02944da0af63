"""Sixty visitors on one server for a minute: nobody meets an error, and the server answers within a second."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from http.client import HTTPConnection
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from data.worlds.library import DEFAULT_WORLD
from tests.tools.bare_visitor import BareVisitor, visiting
from tests.tools.browser import Server, running_server

pytestmark = [pytest.mark.alone, pytest.mark.soak]

VISITORS, MINUTE = 60, 60.0
THETAS, ROUNDS = ("protect", "neutral", "gain"), (1, 2)
LOOK = (3.0, 9.0)
"""Seconds a visitor looks at a squad before he asks for another."""

PAUSE = 0.1  # seconds between two questions after the server's health
WITHIN = 1.0  # second
PITCH = 'data-testid="pitch"'
UPLOAD = "A line-up exported here, a CSV with names or ids, or the team's JSON"
HOSTILE = {
    "spaces.txt": b"a" + b" " * 190_000 + b"b",
    "marks.txt": ("e" + "\u0301" * 40_000).encode(),
    "wide.csv": b"name," + b"a," * 90_000,
    "deep.json": b'{"picks":' + b"[" * 100_000,
}
"""Within the size limit of a squad, and what stops a server whose time to parse grows with the square of a text."""


def health(address: str, seconds: float) -> list[float]:
    """Return how long each of many questions after the server's health took; run in a process of its own."""
    host, _, port = address.rpartition("/")[2].partition(":")
    until, waits = time.monotonic() + seconds, []
    while (asked := time.monotonic()) < until:
        line = HTTPConnection(host, int(port), timeout=300)
        line.request("GET", "/_stcore/health")
        assert line.getresponse().read() == b"ok"
        line.close()
        waits.append(time.monotonic() - asked)
        time.sleep(PAUSE)
    return waits


async def look(visitor: BareVisitor, until: float, rng: np.random.Generator) -> None:
    """Ask for a squad, look at it, ask for another."""
    while (now := time.monotonic()) < until:
        theta, number = str(rng.choice(THETAS)), str(rng.choice(ROUNDS))
        await visitor.open(world=DEFAULT_WORLD, round=number, theta=theta)
        await visitor.until(lambda seen: any(PITCH in html for html in seen.html))
        await asyncio.sleep(min(float(rng.uniform(*LOOK)), max(0.0, until - now)))


async def attack(visitor: BareVisitor, until: float) -> None:
    """Hand in one hostile squad after the other."""
    while time.monotonic() < until:
        for name, content in HOSTILE.items():
            await visitor.open("my-squad", world=DEFAULT_WORLD, round="1")
            await visitor.until(lambda seen: UPLOAD in seen.uploaders)
            await visitor.upload(UPLOAD, name, content)
            visitor.problems.clear()  # that it is no squad is said, as it should be


async def crowd(server: Server, visits: list[Callable[[BareVisitor, float], Awaitable[None]]]) -> list[BareVisitor]:
    """Let visitors use the server at once for a minute."""
    until, seen = time.monotonic() + MINUTE, []

    async def visit(stay: Callable[[BareVisitor, float], Awaitable[None]]) -> None:
        async with visiting(server.url) as visitor:
            seen.append(visitor)
            await stay(visitor, until)

    await asyncio.gather(*map(visit, visits))
    return seen


def visited(tmp_path: Path, attackers: int) -> tuple[list[BareVisitor], list[float], str]:
    """Return the visitors of a minute, how long the server's health took, and its log."""
    rngs = np.random.default_rng(VISITORS).spawn(VISITORS)
    visits = [lambda visitor, until, rng=rng: look(visitor, until, rng) for rng in rngs]
    with running_server(tmp_path / "home") as server, ProcessPoolExecutor(1, get_context("spawn")) as aside:
        asked = aside.submit(health, server.url, MINUTE)
        seen = asyncio.run(crowd(server, [*visits, *[attack] * attackers]))
        return seen, asked.result(), server.log.read_text(errors="replace")


@pytest.mark.parametrize("attackers", [0, 2], ids=["in peace", "while hostile squads arrive"])
def test_sixty_visitors_for_a_minute_meet_no_error_and_the_server_answers_at_once(
    tmp_path: Path, attackers: int
) -> None:
    seen, waits, log = visited(tmp_path, attackers)
    assert len(seen) == VISITORS + attackers
    assert [problem for visitor in seen for problem in visitor.problems] == []
    assert "Traceback" not in log
    assert len(waits) > 30
    assert max(waits) < WITHIN, f"{max(waits):.2f} s at most, {np.median(waits):.3f} s in the median of {len(waits)}"
