"""Drafts are named links: they come back as they were saved, and nothing that a browser holds can break a page."""

from __future__ import annotations

import json

import pytest

from ui.web.choice.plan import Plan
from ui.web.plans.drafts import LONGEST_NAME, MOST_DRAFTS, Draft, read_drafts, with_copy, with_draft, without, written

PLAN = Plan(world="fpl2025-26", round=20, theta="gain", horizon=3, locks=(4, 7), boosted=("wildcard@22",))


def test_a_draft_comes_back_as_it_was_saved() -> None:
    drafts = with_draft(with_draft((), "First", PLAN), " Two  words ", PLAN.with_changes(theta="protect"))
    assert read_drafts(written(drafts)) == drafts
    assert [draft.name for draft in drafts] == ["First", "Two words"]


def test_the_same_name_is_replaced_a_copy_has_its_own_and_one_can_go() -> None:
    drafts = with_draft(with_draft((), "A", PLAN), "A", PLAN.with_changes(theta="protect"))
    assert [draft.plan.theta for draft in drafts] == ["protect"]
    copied = with_copy(with_copy(drafts, "A"), "A")
    assert [draft.name for draft in copied] == ["A", "A 2", "A 3"]
    assert [draft.name for draft in without(copied, "A 2")] == ["A", "A 3"]


def test_there_are_never_more_than_fit() -> None:
    drafts: tuple[Draft, ...] = ()
    for number in range(MOST_DRAFTS + 3):
        drafts = with_draft(drafts, f"Draft {number}", PLAN)
    assert len(drafts) == MOST_DRAFTS
    assert len(with_copy(drafts, drafts[-1].name)) == MOST_DRAFTS


def test_drafts_are_held_side_by_side_only_for_the_same_squad_and_rounds() -> None:
    draft = Draft("A", PLAN)
    assert draft.fits(PLAN.with_changes(theta="protect", locks=()))
    assert not draft.fits(PLAN.with_changes(horizon=5))
    assert not draft.fits(PLAN.with_changes(round=19))


@pytest.mark.parametrize(
    "held",
    [
        "",
        "{",
        "null",
        "7",
        "{}",
        '[1, null, {}, {"name": 3}, {"name": "x", "link": []}, {"name": " ", "link": {}}]',
        "[" * 5_000,
        "x" * 200_000,
    ],
)
def test_whatever_a_browser_holds_is_no_draft_or_one_that_can_be_opened(held: str) -> None:
    assert read_drafts(held) == ()


def test_a_link_that_makes_no_sense_is_read_as_far_as_it_does() -> None:
    given = [{"name": "N" * 300, "link": {"theta": "gain", "round": "ninety", "rubbish": "1", "seed": 3}}]
    (draft,) = read_drafts(json.dumps(given))
    assert len(draft.name) == LONGEST_NAME
    assert (draft.plan.theta, draft.plan.round) == ("gain", None)
