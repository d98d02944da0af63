"""What strangers write is read in linear time and little memory, or refused by an error of ours."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from data.errors import ThetaXIError
from data.naming.matching import PlayerNames
from data.sources.fpl.feed import read_feed
from data.sources.fpl.wire import BOOTSTRAP, FIXTURES
from tests.cases.hostile.parsers import PARSERS
from tests.cases.league.live_worlds import payloads_of, small_league
from tests.conftest import SOAKING
from tests.tools.fpl_writer import to_fpl_api

MUTANTS = 10_000 if SOAKING else 15
MOST_SECONDS = 2.0
MOST_MEGABYTES = 300.0
PEAK_RESET = Path("/proc/self/clear_refs")
LONGEST_ERROR = 3_000

SIZE = 25_000
"""Characters of the shortest hostile text; the longest, four times as long, is still below the limit of an upload."""

LINEAR, NOISE, TRIES = 8.0, 0.005, 4
"""Four times the text may take so many times as long, half-way between linear (4) and quadratic (16).

Below so many seconds nothing is told apart, and what looks slow is tried so often before it counts.
"""

PIECES = (
    *(" ", "\n", "\t", "\r", "\r\n", "\x0b", "\u2028", "\ufeff", "\u00a0"),
    *(",", ";", "|", "\t\n", " ,", "x\n", "x,y\n", "x,y;z|", "a1\n", "1\n", "1,", "|-|\n", "sep=,", "GK: a, "),
    *("(", "((c", "(c)", " (c", "(x)", "x(y) ", "Kane (", '"', '""', "'", '","', '"\n'),
    *("a", "a ", "é", "e\u0301", "\u0301", "\u0316\u0301", "\u0345\u0301", "\u0f73", "ﷺ", "ß", "🦁", "İ"),
    *("[", "[]", "[1,", "[],", "{", '{"a":', '{"a":1},', '\\"', "[[", "]", "a=[", "a.", "[a.", "[[a]]\n", "a=1\n"),
    *("=", "-", "--", "+1", "1", "1.", "1e", "0.", "9_", "%", "@a", "www.", ":", ":x:", "# ", "_", "*", "`", "\\"),
    *("a+", "a*(", "not ", "a ? a : ", "max(1,", "parameter a = 1 ", "metric a = 1 ", "fitness a { ", "/* ", "2026-"),
)


def seconds(read: Callable[[Any], object], content: object) -> float:
    """Return how long a core reads a text; only an error of ours may come of it, and a short one."""
    started, said = time.thread_time(), ""
    try:
        read(content)
    except ThetaXIError as error:
        said = str(error)
    took = time.thread_time() - started
    assert len(said) < LONGEST_ERROR
    return took


@pytest.mark.alone
@pytest.mark.soak
@pytest.mark.parametrize("name", PARSERS)
def test_a_text_four_times_as_long_takes_about_four_times_as_long(name: str) -> None:
    read = PARSERS[name].read
    seconds(read, b"x")
    slow = [f"{piece!r}: {times}" for piece in PIECES if (times := above_linear(read, piece))]
    assert not slow, f"{name}: seconds for once, twice and four times the text: {'; '.join(slow)}"


@pytest.mark.alone
@pytest.mark.soak
def test_a_calendar_four_times_as_full_takes_about_four_times_as_long() -> None:
    feed = payloads_of(to_fpl_api(small_league(), 4))
    match = feed[FIXTURES][0] | {"finished": False}
    calendars = [
        [match | {"id": 1_000 + number, "event": match["event"] if number % 2 else None} for number in range(count)]
        for count in (5_000, 10_000, 20_000)
    ]
    bare = {BOOTSTRAP: feed[BOOTSTRAP]}
    assert not slow_ones(lambda calendar: read_feed(bare | {FIXTURES: calendar}), calendars)


def above_linear(read: Callable[[bytes], object], piece: str) -> list[float]:
    """Return the seconds at three lengths of a piece repeated where the longest takes too long for it."""
    return slow_ones(read, [(piece * (times * SIZE // len(piece))).encode() for times in (1, 2, 4)])


def slow_ones(read: Callable[[Any], object], texts: Sequence[object]) -> list[float]:
    """Return the seconds at three lengths where the longest takes too long for it, however often it is tried."""
    quickest = [float("inf")] * len(texts)
    for _ in range(TRIES):
        quickest = [min(best, seconds(read, text)) for best, text in zip(quickest, texts, strict=True)]
        if quickest[-1] < LINEAR * max(quickest[0], NOISE):
            return []
    return [round(best, 3) for best in quickest]


def mutants(good: bytes, count: int, seed: str) -> Iterator[bytes]:
    """Yield spoilt copies: bytes changed, cut, doubled or moved, pieces put in, numbers blown up."""
    rng = random.Random(seed)
    for _ in range(count):
        spoilt = good
        for _ in range(rng.randint(1, 4)):
            spoilt = _spoilt(spoilt, rng)
        yield spoilt


def _spoilt(content: bytes, rng: random.Random) -> bytes:
    start = rng.randint(0, len(content))
    end = min(len(content), start + rng.choice((1, 3, 20, 200)))
    put = (
        b"",
        rng.randbytes(rng.randint(1, 8)),
        content[start:end] * rng.choice((2, 50)),
        rng.choice(PIECES).encode() * rng.choice((1, 3, 1_000)),
        rng.choice((b"-1", b"0", b"1e308", b"9" * 30, b"9" * 5_000, b"null", b"NaN", b"true", b'""', b"\xff", b"\x00")),
    )
    return content[:start] + rng.choice(put) + content[end:]


@pytest.fixture
def names_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all mutants be held against one list of players: to make it takes longer than to read a mutant."""
    lists: dict[tuple[int, int], PlayerNames] = {}

    def listed(players: pd.DataFrame, teams: pd.DataFrame) -> PlayerNames:
        key = (id(players), id(teams))
        if key not in lists:
            lists[key] = PlayerNames(players, teams)
        return lists[key]

    for reader in ("squads", "projections"):
        monkeypatch.setattr(f"data.sources.own.{reader}.PlayerNames", listed)


@pytest.mark.skipif(not PEAK_RESET.exists(), reason="only Linux tells the memory of a moment")
@pytest.mark.usefixtures("names_listed_once")
@pytest.mark.parametrize("name", PARSERS)
def test_no_mutant_brings_anything_but_an_answer_or_a_short_error_of_ours(name: str) -> None:
    read, good = PARSERS[name].read, PARSERS[name].good()
    read(good)
    for number, content in enumerate(mutants(good, MUTANTS, name)):
        PEAK_RESET.write_text("5")
        before = peak_megabytes()
        took, grown = seconds(read, content), peak_megabytes() - before
        told = f"{name}, mutant {number}: {took:.1f} s and {grown:.0f} MB for {content[:200]!r}"
        assert took < MOST_SECONDS or not SOAKING, told
        assert grown < MOST_MEGABYTES, told


def peak_megabytes() -> float:
    """Return the most memory this process has held since the mark was reset."""
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(lines["VmHWM"].removesuffix("kB")) / 1_000
