"""Edits of a plan are written into a link and read from it, and become wishes of the planner."""

from __future__ import annotations

import pytest

from data.rules import load_rules
from engine.plan.asking.wishes import ChipAt, Have, WishKind
from ui.web.choice.plan import Plan, link_of, read_link
from ui.web.plans.edits import EditKind, PlanEdit, booster_placed, edit_words, read_edit, toggled, wish_of, wishes_of

RULES = load_rules("fpl2025")
ROUNDS = range(20, 25)
BUY, HOLD = PlanEdit(EditKind.HAVE, 411, 22), PlanEdit(EditKind.KEEP, 7)
ROLL, LEAD = PlanEdit(EditKind.ROLL, round=21), PlanEdit(EditKind.CAPTAIN, 411, 22)
BARE = PlanEdit(EditKind.PLAIN, round=23)


@pytest.mark.parametrize(
    ("edit", "text"),
    [(BUY, "have-411@22"), (HOLD, "keep-7"), (ROLL, "roll@21"), (LEAD, "captain-411@22"), (BARE, "plain@23")],
)
def test_an_edit_is_read_as_it_is_written(edit: PlanEdit, text: str) -> None:
    assert str(edit) == text
    assert read_edit(text) == edit


@pytest.mark.parametrize("text", ["have-411", "keep-7@3", "roll", "sell-3@2", "roll@21;", "have-1@222", ""])
def test_what_is_no_edit_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^"):
        read_edit(text)


def test_a_link_keeps_all_edits_and_leaves_nonsense_out() -> None:
    plan = Plan(round=20, edits=(BUY, HOLD, ROLL, LEAD, BARE))
    assert read_link(link_of(plan)) == (plan, ())
    told, remarks = read_link({"round": "20", "edits": "keep-7,nonsense"})
    assert told.edits == ()
    assert "edits" in remarks[0]


def test_pressing_again_takes_an_edit_back_and_a_round_has_one_captain() -> None:
    assert toggled((BUY, HOLD), BUY) == (HOLD,)
    other = PlanEdit(EditKind.CAPTAIN, 5, 22)
    assert toggled((BUY, LEAD), other) == (BUY, other)


def test_edits_become_wishes_and_those_beyond_the_plan_wait() -> None:
    late = PlanEdit(EditKind.ROLL, round=30)
    found = wishes_of((BUY, HOLD, ROLL, LEAD, BARE, late), ("wildcard@24", "free_hit@31"), RULES, ROUNDS)
    assert found.have == (Have(411, 22),)
    assert found.keep == (7,)
    assert dict(found.most_transfers) == {21: 0}
    assert dict(found.captain) == {22: 411}
    assert found.plain == (23,)
    assert [one.round for one in found.chips] == [24]
    assert not found.no_chips
    assert wishes_of((), (), RULES, ROUNDS).no_chips
    assert wish_of(late, RULES, ROUNDS) is None
    assert [wish.kind for wish in found.parts()].count(WishKind.NO_CHIP) == 1


def test_a_booster_that_is_asked_for_in_another_round_moves_there() -> None:
    assert booster_placed(("wc@20", "fh@21"), (BARE,), "wc", 23) == (("fh@21", "wc@23"), ())
    assert booster_placed(("wc@20",), (), None, 20) == (None, ())
    assert booster_placed(("wc@20",), (), None, 20, plain=True) == (None, (PlanEdit(EditKind.PLAIN, round=20),))


def test_edits_are_told_in_words() -> None:
    told = [edit_words(edit, {411: "Semenyo"}, RULES) for edit in (BUY, HOLD, ROLL, LEAD, BARE)]
    assert told == [
        "Semenyo from Gameweek 22 on",
        "player 7 never sold",
        "No transfer in Gameweek 21",
        "Semenyo captain in Gameweek 22",
        "No booster in Gameweek 23",
    ]


def test_a_booster_key_is_the_one_of_the_half_season() -> None:
    placed = wishes_of((), ("wildcard@24",), RULES, ROUNDS).chips
    assert placed == (ChipAt(placed[0].key, 24),)
    assert RULES.boosters[placed[0].key].legal_in(24)
