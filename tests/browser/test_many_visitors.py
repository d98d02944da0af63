"""Many people on one server at once: everybody keeps his own squads, nobody waits long, memory stays flat."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import numpy as np
import psutil
import pytest
from playwright.async_api import ConsoleMessage, Page, Response, async_playwright, expect

from data.rules import load_rules
from data.worlds.library import DEFAULT_WORLD, find_world
from data.worlds.world import World
from tests.cases.small_world import CUP_NAME, awkward_cup
from tests.tools.browser import CHROMIUM, DRAWN, FLAGS, NO_CHROMIUM, Server, is_known_miss, running_server

pytestmark = [pytest.mark.once, pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM)]

FEW, FEW_SECONDS = 4, 10.0
MANY, MANY_SECONDS = 20, 120.0
THETAS = ("Protect", "Neutral", "Gain")
ROUNDS = (1, 2)
LOOK = (3.0, 9.0)
"""Seconds a visitor looks at a squad before he switches again."""

OBJECTIVE_SHARE = 0.8
"""Of his switches so many change the objective, the others the round."""

PATIENT = 240_000
RULEBOOK = "wc2026"
SMALL = {"width": 1000, "height": 700}
LEAST_PRICE = 5.0  # above the men who fill a bench, so that nobody has the wished man by chance
MEDIAN_SWITCH = 3.0  # seconds
MOST_GROWTH = 0.15
SAMPLE = 2.0  # seconds between two looks at the memory


@dataclass(slots=True)
class Visitor:
    """One person: whom he wishes, what he chose, and what he saw."""

    number: int
    wished: int | None  # the player he must have; None for somebody who looks at what everybody sees
    tab: Page
    theta: str
    round: int
    squads: dict[tuple[str, int], str] = field(default_factory=dict)  # what he was shown
    waits: list[float] = field(default_factory=list)  # seconds of each switch
    problems: list[str] = field(default_factory=list)

    @property
    def _locks(self) -> str:
        return "" if self.wished is None else f"&locks={self.wished}"

    @property
    def seen(self) -> list[set[int]]:
        """The squads he was shown, as ids."""
        return [{int(player) for player in shown.split(",")} for shown in self.squads.values()]

    def watch(self) -> None:
        """Remember everything that must not happen in his tab."""
        self.tab.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        self.tab.on("console", lambda line: self.problems.append(f"console: {line.text}") if wrong(line) else None)
        self.tab.on(
            "response", lambda answer: self.problems.append(f"{answer.status}: {answer.url}") if bad(answer) else None
        )

    async def arrive(self, address: str, world: str) -> None:
        """Open his link and wait for his squad."""
        choice = f"world={world}&round={self.round}&theta={self.theta.lower()}{self._locks}"
        await self.tab.goto(f"{address}/pick?{choice}", timeout=PATIENT)
        await self._see()

    async def stay(self, until: float, rng: np.random.Generator) -> None:
        """Look, switch, look again, until the time is over."""
        while (now := time.monotonic()) < until:
            await asyncio.sleep(min(float(rng.uniform(*LOOK)), until - now))
            before = time.monotonic()
            await self._switch(rng)
            await self._see()
            self.waits.append(time.monotonic() - before)

    async def _switch(self, rng: np.random.Generator) -> None:
        if rng.random() < OBJECTIVE_SHARE:
            self.theta = str(rng.choice([theta for theta in THETAS if theta != self.theta]))
            await self.tab.get_by_role("radio", name=self.theta, exact=True).click(timeout=PATIENT)
            return
        self.round = next(number for number in ROUNDS if number != self.round)
        await self.tab.locator(".st-key-round_open button").click(timeout=PATIENT)
        await self.tab.get_by_role("radio", name=str(self.round), exact=True).click(timeout=PATIENT)

    async def _see(self) -> None:
        """Wait for the squad he asked for and remember it.

        The address follows first; until the page is drawn to its end, what was shown before may still stand there.
        """
        link = re.compile(rf"round={self.round}&theta={self.theta.lower()}{self._locks}$")
        await expect(self.tab).to_have_url(link, timeout=PATIENT)
        await expect(self.tab.locator(DRAWN)).to_be_visible(timeout=PATIENT)
        title = f"{load_rules(RULEBOOK).round_title(self.round)}, {self.theta.lower()}"
        place = self.tab.locator(f"[data-testid=pitch][aria-label*='{title}']:visible")
        await expect(place.locator("li.xi-man")).to_have_count(15, timeout=PATIENT)
        shown = str(await place.get_attribute("data-squad"))
        known = self.squads.setdefault((self.theta, self.round), shown)
        if shown != known:
            self.problems.append(f"{self.theta} in round {self.round} was {known} and is {shown}")


def wrong(line: ConsoleMessage) -> bool:
    return line.type == "error" and not is_known_miss(line.location["url"])


def bad(answer: Response) -> bool:
    return answer.status >= 400 and not is_known_miss(answer.url)


def wished_men(world: World, count: int) -> list[int]:
    """Return one man of each of so many teams whom a search would hardly take by itself: dear, and owned by few."""
    first, second = (world.at(number).players for number in ROUNDS)
    dear = first[(first["price"] >= LEAST_PRICE) & first["player_id"].isin(second["player_id"])]
    return dear.sort_values(["owned", "player_id"]).groupby("team").head(1)["player_id"].head(count).tolist()


@dataclass(frozen=True, slots=True)
class Crowd:
    """How a visit of many went."""

    visitors: tuple[Visitor, ...]
    memory: tuple[float, ...]  # MB of the server, sampled from the moment all had arrived
    log: str

    @property
    def waits(self) -> list[float]:
        return [wait for visitor in self.visitors for wait in visitor.waits]

    @property
    def growth(self) -> float:
        """By what share the memory grew in the second half of the time."""
        half = len(self.memory) // 2
        return max(self.memory[half:]) / max(self.memory[:half]) - 1


async def crowd(server: Server, name: str, count: int, seconds: float, *, wishing: bool = True) -> Crowd:
    """Let so many people use one server at once for so long after all have arrived; each wishes somebody, or nobody."""
    wished: list[int | None] = [None] * count
    if wishing:
        wished = [*wished_men(awkward_cup() if name == CUP_NAME else find_world(name), count)]
    generators = np.random.default_rng(count).spawn(count)
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        visitors = []
        for number, man in enumerate(wished):
            tab = await (await chromium.new_context(viewport=SMALL)).new_page()  # type: ignore[arg-type]
            visitors.append(Visitor(number, man, tab, THETAS[number % len(THETAS)], ROUNDS[number // 3 % len(ROUNDS)]))
        for visitor in visitors:
            visitor.watch()
        await asyncio.gather(*(visitor.arrive(server.url, name) for visitor in visitors))
        until = time.monotonic() + seconds
        stays = (visitor.stay(until, rng) for visitor, rng in zip(visitors, generators, strict=True))
        memory, *_ = await asyncio.gather(sampled(server.process, until), *stays)
        await chromium.close()
    return Crowd(tuple(visitors), tuple(memory), server.log.read_text(errors="replace"))


async def sampled(process: int, until: float) -> list[float]:
    """Return the resident memory of a process in MB, looked at again and again."""
    seen = []
    while time.monotonic() < until:
        seen.append(psutil.Process(process).memory_info().rss / 1e6)
        await asyncio.sleep(SAMPLE)
    return seen


def kept_apart(seen: Crowd) -> None:
    """Assert that nothing went wrong, that everybody saw what he asked for, and always the same for the same."""
    assert [problem for visitor in seen.visitors for problem in visitor.problems] == []
    assert "Traceback" not in seen.log
    assert all(visitor.waits for visitor in seen.visitors)
    for visitor in seen.visitors:
        assert visitor.wished is None or all(visitor.wished in squad for squad in visitor.seen)


@pytest.mark.soak
def test_a_few_visitors_at_once_keep_their_own_squads(tmp_path: Path) -> None:
    awkward_cup().save(tmp_path / "home" / "worlds" / CUP_NAME)
    with running_server(tmp_path / "home") as server:
        kept_apart(asyncio.run(crowd(server, CUP_NAME, FEW, FEW_SECONDS)))


def told_of(seen: Crowd) -> str:
    """Return the visit in figures."""
    return (
        f"{len(seen.waits)} switches, median {median(seen.waits):.2f} s; memory {seen.memory[0]:.0f} MB, then "
        f"{max(seen.memory):.0f} MB at most, {seen.growth:+.1%} in the second half"
    )


@pytest.mark.alone
@pytest.mark.soak
def test_twenty_visitors_for_two_minutes_wait_little_and_the_memory_stays_flat(tmp_path: Path) -> None:
    with running_server(tmp_path / "home") as server:
        seen = asyncio.run(crowd(server, DEFAULT_WORLD, MANY, MANY_SECONDS, wishing=False))
    kept_apart(seen)
    assert len({(key, squad) for visitor in seen.visitors for key, squad in visitor.squads.items()}) <= len(THETAS) * 2
    assert seen.growth < MOST_GROWTH, told_of(seen)
    assert median(seen.waits) < MEDIAN_SWITCH, told_of(seen)


@pytest.mark.alone
@pytest.mark.soak
def test_twenty_visitors_with_wishes_of_their_own_keep_their_own_squads_however_long_it_takes(tmp_path: Path) -> None:
    # No two boards are the same here, so every first switch waits for a search of a second behind those of others.
    with running_server(tmp_path / "home") as server:
        seen = asyncio.run(crowd(server, DEFAULT_WORLD, MANY, MANY_SECONDS))
    kept_apart(seen)
    wished = {visitor.wished for visitor in seen.visitors}
    assert all(wished & squad == {visitor.wished} for visitor in seen.visitors for squad in visitor.seen)
    assert seen.growth < MOST_GROWTH, told_of(seen)
