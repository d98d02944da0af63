"""Boards bred beforehand: what comes with the project is what a search finds today, and nothing else is opened."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from data.worlds.library import DEFAULT_WORLD, PAST_SEASONS
from engine.board.bred_boards import BRED, boards_json, bred_before, bundled_boards
from engine.desk import Desk, open_desk
from engine.fitness.judge import text_objective
from engine.fitness.objective import MEANINGS
from engine.fitness.wishes import Wishes
from engine.search.breeding.evolution import EvolutionSettings
from engine.search.run import PickSettings

ROUNDS = {DEFAULT_WORLD: 1, PAST_SEASONS: 20}
STALE = "beliefs or the search have changed: write them anew with `make seeds`"


@pytest.fixture(autouse=True)
def worked_out_once() -> None:
    """Here searches are as long as the product's, and nothing is shared."""


@pytest.fixture(scope="module", params=ROUNDS)
def desk(request: pytest.FixtureRequest) -> Desk:
    """The front desk of a bundled world's coming round."""
    return open_desk(request.param, ROUNDS[request.param])


@pytest.fixture(scope="module")
def cup() -> Desk:
    """The front desk of the first round of the World Cup."""
    return open_desk(DEFAULT_WORLD, 1)


@pytest.mark.parametrize("theta", MEANINGS)
def test_every_board_of_the_first_page_comes_with_the_project(desk: Desk, theta: str) -> None:
    board = desk.bred_before(desk.objective(theta))
    assert board is not None, STALE
    assert (board.world, board.round, board.objective) == (desk.snapshot.world, desk.snapshot.round, theta)
    for option in board.options:
        assert sum(option.decomposition.terms.values()) == pytest.approx(option.decomposition.fitness, abs=1e-9)


@pytest.mark.daily("wc2026-protect")
@pytest.mark.parametrize("theta", MEANINGS)
def test_it_is_the_board_that_a_search_finds_byte_for_byte(desk: Desk, theta: str) -> None:
    np.random.seed(99)
    opened, searched = desk.bred_before(desk.objective(theta)), desk.pick(theta)
    assert opened == searched, STALE
    assert repr(opened) == repr(searched)


def test_a_board_of_anything_else_is_searched(cup: Desk) -> None:
    def opens(desk: Desk, theta: str = "gain", k: float | None = None, generations: int = 10) -> bool:
        return desk.bred_before(desk.objective(theta, k), generations) is not None

    best = int(cup.signals.player_id[np.argmax(cup.signals.xev)])
    dearer = replace(cup.beliefs, xev=cup.beliefs.xev + 0.1)
    assert opens(cup)
    assert not opens(cup, k=0.013)
    assert not opens(cup, generations=9)
    assert not opens(cup, theta="rank")
    assert not opens(replace(cup, seed=1))
    assert not opens(replace(cup, beliefs=dearer))
    assert not opens(replace(cup, beliefs=replace(cup.beliefs, checksum="of another world")))
    assert not opens(cup.with_wishes(Wishes(bans=(best,))))
    assert not opens(cup.with_wishes(Wishes(budget=99.0)))
    assert not opens(open_desk(DEFAULT_WORLD, 1, captaincy="locked"))
    assert not opens(open_desk(DEFAULT_WORLD, 2))


def test_a_spec_of_ones_own_is_searched_whatever_it_calls_itself(cup: Desk) -> None:
    shipped = cup.objective("gain")
    text = shipped.spec.text.replace("fitness Gain", "fitness gain")
    own = text_objective(text, "gain.fitness", cup.view, dict(shipped.parameters))
    assert cup.bred_before(replace(own, name="gain")) is None


def test_what_a_memory_taught_is_searched(cup: Desk) -> None:
    evolution = EvolutionSettings(generations=10, evaluations=200_000)

    class Taught:
        """A memory of somebody who learns."""

    def opens(settings: PickSettings) -> bool:
        return bred_before(cup.judge, cup.objective("gain"), 0, settings) is not None

    plain = PickSettings(evolution=evolution, demands=cup.demands)
    assert opens(plain)
    assert not opens(replace(plain, memory=Taught()))  # type: ignore[arg-type]


HOSTILE = {
    "nothing": b"",
    "no text": b"\xff\xfe\x00",
    "half a file": BRED.read_bytes()[:900],
    "nested": b"[" * 100_000,
    "another version": BRED.read_bytes().replace(b'"version": 1', b'"version": 2'),
    "more than asked for": BRED.read_bytes().replace(b'"version": 1', b'"version": 1, "score": 99'),
    "too large": BRED.read_bytes() + b" " * 1_000_000,
    "a number that is none": BRED.read_bytes().replace(b'"round": 1', b'"round": NaN'),
}


def changed_squads(squad: list[int], other: list[int]) -> dict[str, bytes]:
    """The file with the first board's first squad replaced, by what is wrong with the new one."""
    elsewhere = next(player for player in other[2:] if player not in squad)
    return {
        "unknown player": with_squad([999_999_999, *squad[1:]]),
        "one player too few": with_squad(squad[1:]),
        "one player twice": with_squad([*squad[:-1], squad[-2]]),
        "one goalkeeper": with_squad([*squad[1:], elsewhere]),
        "no player": with_squad([-1, *squad[1:]]),
        "a number beyond all rows": with_squad([10**30, *squad[1:]]),
    }


def with_squad(squad: list[int]) -> bytes:
    """The file with another first squad under its first board."""
    content = json.loads(BRED.read_bytes())
    content["boards"][0]["options"][0]["squad"] = squad
    return json.dumps(content).encode()


FIRST = json.loads(BRED.read_bytes())["boards"][0]
BROKEN = HOSTILE | changed_squads(*(option["squad"] for option in FIRST["options"][:2]))


@pytest.mark.parametrize("what", BROKEN)
def test_a_file_that_is_broken_or_hostile_opens_nothing(what: str, cup: Desk, tmp_path: Path) -> None:
    file = tmp_path / "boards.json"
    file.write_bytes(BROKEN[what])
    settings = PickSettings(evolution=EvolutionSettings(generations=10, evaluations=200_000), demands=cup.demands)
    assert bred_before(cup.judge, cup.objective(FIRST["objective"]), 0, settings) is not None
    assert bred_before(cup.judge, cup.objective(FIRST["objective"]), 0, settings, file) is None


def test_a_file_that_is_not_there_and_a_device_without_end_hold_no_boards(tmp_path: Path) -> None:
    assert bundled_boards(tmp_path / "boards.json") == {}
    assert bundled_boards(Path("/dev/zero")) == {}


def test_the_file_is_written_as_it_is_read() -> None:
    assert boards_json(bundled_boards().values()) == BRED.read_text(encoding="utf-8")
