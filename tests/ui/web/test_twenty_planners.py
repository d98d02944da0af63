"""Twenty visitors plan at once for two minutes, each with edits of his own: no error, flat memory, short waits."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from statistics import median

import numpy as np
import psutil
import pytest

from tests.tools.bare_visitor import BareVisitor, visiting
from tests.tools.browser import Server, running_server

pytestmark = [pytest.mark.alone, pytest.mark.soak]

VISITORS, SECONDS = 20, 120.0
LOOK = (20.0, 30.0)
"""Seconds a visitor looks at a plan before he edits it."""

MEDIAN_EDIT = 4.0  # seconds until the plan with the edit is drawn
MOST_GROWTH = 0.15
SAMPLE = 2.0  # seconds between two looks at the memory
WORLD, ROUND, HORIZON = "fpl2025-26", 20, 5
THETAS = ("protect", "neutral", "gain")
TIMELINE = 'data-testid="timeline"'


def an_edit(rng: np.random.Generator) -> str:
    """Return two rounds in which nothing is changed or no booster played: few visitors ask for the same."""
    rounds = rng.choice(np.arange(ROUND, ROUND + HORIZON), 2, replace=False)
    return ",".join(f"{rng.choice(['roll', 'plain'])}@{number}" for number in sorted(rounds.tolist()))


async def plan(visitor: BareVisitor, until: float, rng: np.random.Generator, waits: list[float]) -> None:
    """Open a plan, look at it, edit it, look again."""
    theta = str(rng.choice(THETAS))
    await visitor.open("plan", world=WORLD, round=str(ROUND), theta=theta, horizon=str(HORIZON))
    await visitor.until(lambda seen: any(TIMELINE in html for html in seen.html))
    while (now := time.monotonic()) < until:
        await asyncio.sleep(min(float(rng.uniform(*LOOK)), until - now))
        asked = time.monotonic()
        await visitor.open("plan", world=WORLD, round=str(ROUND), theta=theta, horizon=str(HORIZON), edits=an_edit(rng))
        await visitor.until(lambda seen: any(TIMELINE in html for html in seen.html))
        waits.append(time.monotonic() - asked)


async def crowd(server: Server, count: int, seconds: float) -> tuple[list[BareVisitor], list[float], list[float]]:
    """Return so many visitors who planned for so long, how long each edit took, and the server's memory in MB."""
    until, waits, seen, memory = time.monotonic() + seconds, [], [], []

    async def visit(rng: np.random.Generator) -> None:
        async with visiting(server.url) as visitor:
            seen.append(visitor)
            await plan(visitor, until, rng, waits)

    async def sample() -> None:
        while time.monotonic() < until:
            memory.append(psutil.Process(server.process).memory_info().rss / 1e6)
            await asyncio.sleep(SAMPLE)

    await asyncio.gather(sample(), *map(visit, np.random.default_rng(count).spawn(count)))
    return seen, waits, memory


def test_twenty_visitors_plan_for_two_minutes_without_an_error_a_long_wait_or_a_leak(tmp_path: Path) -> None:
    with running_server(tmp_path / "home") as server:
        seen, waits, memory = asyncio.run(crowd(server, VISITORS, SECONDS))
        log = server.log.read_text(errors="replace")
    assert [problem for visitor in seen for problem in visitor.problems] == []
    assert "Traceback" not in log
    half = len(memory) // 2
    growth = max(memory[half:]) / max(memory[:half]) - 1
    told = f"{len(waits)} edits, median {median(waits):.2f} s, longest {max(waits):.2f} s; memory {growth:+.1%}"
    assert len(waits) >= VISITORS, told
    assert median(waits) < MEDIAN_EDIT, told
    assert growth < MOST_GROWTH, told
