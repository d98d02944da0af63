"""Memory tilts the seeding within bounds, silences nobody, and a spoiled file does no harm."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from engine.search.population.blocks import BLOCK_NAMES
from engine.search.seeding.memory import (
    LARGEST_FILE,
    LEAST_TILT,
    MOST_LESSONS,
    MOST_TILT,
    BlockMemory,
    Memory,
    NullMemory,
    keep_memory,
    memory_path,
    read_memory,
)

NAMES = ("template anchor", "differential hunter", "EV maximiser")
BLOCKS = len(BLOCK_NAMES)
LESSON = {"aim": "gain", "occasion": "wc2026/1", "shares": {"EV maximiser": [1.0] * BLOCKS}}


def won_by(name: str, blocks: int = BLOCKS) -> np.ndarray:
    """Return wins where one archetype gave some blocks and the first of all gave the others."""
    wins = np.zeros((len(NAMES), BLOCKS))
    wins[NAMES.index(name), :blocks] = 4.0
    wins[0, blocks:] = 4.0
    return wins


def after(rounds: int, name: str = "differential hunter") -> BlockMemory:
    memory = BlockMemory()
    for number in range(rounds):
        memory = memory.learned("gain", f"wc2026/{number}", NAMES, won_by(name))
    return memory


@pytest.mark.parametrize(
    "memory",
    [NullMemory(), NullMemory().learned("protect", "wc2026/1", NAMES, won_by("EV maximiser")), BlockMemory(), after(5)],
    ids=["no memory", "no memory learns nothing", "an empty one", "what won under gain"],
)
def test_what_was_not_learned_tilts_nothing(memory: Memory) -> None:
    assert memory.tilt("protect", NAMES).tolist() == [1.0, 1.0, 1.0]


def test_whose_blocks_win_is_seeded_more_and_the_more_the_longer() -> None:
    once, often = (after(rounds).tilt("gain", NAMES) for rounds in (1, 3))
    assert once[1] > 1.0 > once[0]
    assert often[1] > once[1]
    assert often[0] < once[0]


wins_of_a_round = st.lists(st.floats(0, 1e6), min_size=BLOCKS * len(NAMES), max_size=BLOCKS * len(NAMES))


@given(st.lists(wins_of_a_round, max_size=12))
def test_the_tilt_stays_between_half_and_twice(rounds: list[list[float]]) -> None:
    memory = BlockMemory()
    for number, wins in enumerate(rounds):
        memory = memory.learned("gain", f"wc2026/{number}", NAMES, np.array(wins).reshape(len(NAMES), BLOCKS))
    tilt = memory.tilt("gain", (*NAMES, "one nobody has met"))
    assert (tilt >= LEAST_TILT).all()
    assert (tilt <= MOST_TILT).all()


def test_a_hundred_lost_rounds_silence_nobody() -> None:
    assert after(100).tilt("gain", NAMES).tolist() == [LEAST_TILT, MOST_TILT, LEAST_TILT]


def test_a_round_searched_again_replaces_its_lesson() -> None:
    memory = after(1)
    for _ in range(20):
        memory = memory.learned("gain", "wc2026/0", NAMES, won_by("EV maximiser"))
    assert len(memory.lessons) == 1
    assert memory.tilt("gain", NAMES).tolist() == after(1, "EV maximiser").tilt("gain", NAMES).tolist()


def test_every_block_counts_alike() -> None:
    few, many = (BlockMemory().learned("gain", "a/1", NAMES, won_by("EV maximiser", blocks)) for blocks in (1, 4))
    assert few.tilt("gain", NAMES)[2] < many.tilt("gain", NAMES)[2]


def test_a_block_that_nobody_won_is_shared_evenly() -> None:
    memory = BlockMemory().learned("gain", "a/1", NAMES, np.zeros((len(NAMES), BLOCKS)))
    assert memory.tilt("gain", NAMES) == pytest.approx(np.ones(len(NAMES)), abs=1e-5)


def test_the_earliest_lessons_are_forgotten_first() -> None:
    memory = after(MOST_LESSONS + 5)
    assert len(memory.lessons) == MOST_LESSONS
    assert memory.lessons[0].occasion == "wc2026/5"


@pytest.mark.parametrize("wins", [np.ones((2, BLOCKS)), np.full((3, BLOCKS), -1.0), np.full((3, BLOCKS), np.nan)])
def test_wins_that_make_no_sense_are_refused(wins: np.ndarray) -> None:
    with pytest.raises(InputError, match="Wins are counts of 0 or more"):
        BlockMemory().learned("gain", "wc2026/1", NAMES, wins)


def test_what_is_kept_is_read_again(own_home: Path) -> None:
    keep_memory(after(3))
    assert memory_path() == own_home / "memory.json"
    assert read_memory() == after(3)
    assert [file.name for file in own_home.iterdir()] == ["memory.json"]


def test_a_full_memory_can_be_read_again(tmp_path: Path) -> None:
    names = tuple(f"archetype {number}" for number in range(7))
    memory = BlockMemory()
    for number in range(MOST_LESSONS):
        memory = memory.learned("gain", f"wc2026/{number}", names, np.ones((7, BLOCKS)))
    keep_memory(memory, tmp_path / "full.json")
    assert (tmp_path / "full.json").stat().st_size < LARGEST_FILE
    assert read_memory(tmp_path / "full.json") == memory


def test_no_file_is_an_empty_memory_without_a_note() -> None:
    assert read_memory() == BlockMemory()


def read_from(folder: Path, body: bytes) -> BlockMemory:
    (folder / "memory.json").write_bytes(body)
    return read_memory(folder / "memory.json")


def spoiled(**changes: object) -> bytes:
    return json.dumps({"version": 1, "lessons": [LESSON | changes]}).encode()


HOSTILE = {
    "empty": b"",
    "cut": spoiled()[:40],
    "a web page": b"<html>",
    "binary": b"\xff\xfe\x00",
    "a list": b"[]",
    "another version": b'{"version": 2, "lessons": []}',
    "not a number": spoiled(shares={"EV maximiser": ["much"] * BLOCKS}),
    "NaN": spoiled().replace(b"1.0", b"NaN"),
    "too much": spoiled(shares={"EV maximiser": [1e300] * BLOCKS}),
    "too few blocks": spoiled(shares={"EV maximiser": [1.0]}),
    "an unknown key": spoiled(run="rm"),
    "too many lessons": json.dumps({"version": 1, "lessons": [LESSON] * (MOST_LESSONS + 1)}).encode(),
    "nested": b"[" * 100_000,
    "huge": b" " * (LARGEST_FILE + 1),
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_spoiled_file_is_ignored_with_a_note(tmp_path: Path, body: bytes) -> None:
    memory = read_from(tmp_path, body)
    assert memory.lessons == ()
    assert memory.note.startswith("memory.json was not understood and is ignored: ")
    assert memory.tilt("gain", NAMES).tolist() == [1.0, 1.0, 1.0]


def test_the_spoiled_file_of_the_tests_is_sound_but_for_what_spoils_it(tmp_path: Path) -> None:
    assert len(read_from(tmp_path, spoiled()).lessons) == 1


def test_a_folder_in_its_place_is_ignored_with_a_note(tmp_path: Path) -> None:
    assert "ignored" in read_memory(tmp_path).note


@given(st.binary(max_size=200))
def test_no_content_makes_an_error(tmp_path_factory: pytest.TempPathFactory, body: bytes) -> None:
    assert read_from(tmp_path_factory.mktemp("memory"), body).lessons == ()
