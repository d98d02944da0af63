"""Rivals survive the way through a link whole, and what is no packed rivals is refused within its bounds."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode
from dataclasses import replace

import pytest

from engine.rank.rivals import Rival
from ui.web.choice.plan import Plan, link_of, read_link
from ui.web.choice.rival_link import LONGEST_TEXT, MOST_RIVALS, is_rivals_text, read_rivals_text, rivals_text


def a_rival(number: int, name: str = "") -> Rival:
    men = [(37 * number + 53 * place) % 797 for place in range(15)]
    chips = ("wildcard_2", "free_hit_2")[: number % 3]
    return Rival(
        name or f"Team {number} <ü>", tuple(men[:11]), men[3], tuple(men[11:]), number, 100 - 7 * number, chips
    )


def packed(value: object) -> str:
    return urlsafe_b64encode(zlib.compress(json.dumps(value).encode())).decode()


def row_of(rival: Rival) -> list[object]:
    return [rival.name, rival.starters, rival.captain, rival.bench, rival.rank, rival.ahead, rival.chips]


def test_fifty_rivals_with_points_and_chips_come_back_from_a_link_of_a_few_thousand_characters() -> None:
    rivals = tuple(a_rival(number) for number in range(MOST_RIVALS))
    plan = Plan(round=4, rivals=rivals_text(rivals), league=314, counted=4, rival=7, entry=77, chips=())
    read, remarks = read_link(link_of(plan))
    assert (read, remarks) == (plan, ())
    assert read_rivals_text(read.rivals) == rivals
    assert len(plan.rivals) < 4_000


def test_fifty_rivals_with_the_widest_names_still_fit() -> None:
    names = ["".join(chr(0x1F300 + (31 * number + 7 * place) % 700) for place in range(30)) for number in range(50)]
    text = rivals_text([a_rival(number, name) for number, name in enumerate(names)])
    assert len(text) <= LONGEST_TEXT
    assert [rival.name for rival in read_rivals_text(text)] == names


def test_captains_of_late_come_back_and_a_link_without_them_is_read_too() -> None:
    watched = replace(a_rival(1), captains=(3, 3, 900), with_crowd=2)
    assert read_rivals_text(rivals_text([watched, a_rival(2)])) == (watched, a_rival(2))
    assert read_rivals_text(packed([row_of(a_rival(1))])) == (a_rival(1),)


def test_without_rivals_there_is_nothing_in_the_link() -> None:
    assert rivals_text(()) == ""
    assert read_rivals_text("") == ()
    assert link_of(Plan()) == {}


def test_other_rivals_leave_league_choice_and_points_behind() -> None:
    plan = Plan(rivals=rivals_text([a_rival(1), a_rival(2)]), league=5, rival=2, counted=4)
    after = plan.with_changes(rivals=rivals_text([a_rival(3)]))
    assert (after.league, after.rival, after.counted) == (None, None, None)


GOOD = row_of(a_rival(1))


@pytest.mark.parametrize(
    "text",
    [
        "ba9876543210",
        "é",
        "x" * 17_000,
        packed(GOOD),
        packed([]),
        packed([GOOD] * 51),
        packed([[*GOOD[:2], 9_999, *GOOD[3:]]]),  # a captain who is not there
        packed([["Anna", [1] * 11, 1, [], None, None, None]]),
        packed([["A" * 61, *GOOD[1:]]]),
        packed([[*GOOD[:1], [1, 2], *GOOD[2:]]]),
        packed([["Anna", [-1, *range(10)], 1, [], None, None, None]]),
        packed({"a": "b" * 5_000_000}),  # small on the way, large behind it
        rivals_text([a_rival(1)])[:-9],
    ],
)
def test_what_is_no_packed_rivals_is_refused_and_left_out_of_the_link(text: str) -> None:
    assert not is_rivals_text(text)
    plan, remarks = read_link({"rivals": text})
    assert plan == Plan()
    assert len(remarks) == 1
