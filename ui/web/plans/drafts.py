"""Drafts of plans: named links that a visitor's browser keeps; opened, copied, renamed, compared. Pure.

read_drafts(text) -> drafts          what a browser kept, checked as an upload is
written(drafts) -> text
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ui.web.choice.plan import Plan, link_of, read_link

MOST_DRAFTS = 20
LONGEST_NAME = 40
LONGEST_STORE = 100_000
"""Characters that are read of what a browser kept: twenty plans with all their edits have some forty thousand."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A plan that was given a name."""

    name: str
    plan: Plan

    def fits(self, plan: Plan) -> bool:
        """Whether it is a plan of the same round for the same squad, so that the two can be held side by side."""
        mine, other = (
            (one.world, one.round, one.horizon, one.current, one.selling, one.budget, one.free, one.chips)
            for one in (self.plan, plan)
        )
        return mine == other


def read_drafts(text: str) -> tuple[Draft, ...]:
    """Return what a browser kept; whatever is no draft is left out."""
    try:
        listed = json.loads(text) if text and len(text) <= LONGEST_STORE else []
    except (ValueError, RecursionError):
        return ()
    if not isinstance(listed, list):
        return ()
    drafts = (_read(one) for one in listed[:MOST_DRAFTS])
    return tuple({draft.name: draft for draft in drafts if draft is not None}.values())


def _read(given: object) -> Draft | None:
    if not isinstance(given, dict):
        return None
    name, link = given.get("name"), given.get("link")
    if not isinstance(name, str) or not name.strip() or not isinstance(link, dict):
        return None
    known = {key: value for key, value in link.items() if isinstance(key, str) and isinstance(value, str)}
    return Draft(named(name), read_link(known)[0])


def named(text: str) -> str:
    """Return a name as it is kept: one line, not too long."""
    return " ".join(text.split())[:LONGEST_NAME]


def written(drafts: Sequence[Draft]) -> str:
    """Return drafts as a browser keeps them."""
    return json.dumps([{"name": draft.name, "link": link_of(draft.plan)} for draft in drafts], ensure_ascii=False)


def with_draft(drafts: Sequence[Draft], name: str, plan: Plan) -> tuple[Draft, ...]:
    """Return drafts with one more, the latest last; one of the same name is replaced, the oldest makes room."""
    others = [draft for draft in drafts if draft.name != named(name)]
    return (*others, Draft(named(name), plan))[-MOST_DRAFTS:]


def with_copy(drafts: Sequence[Draft], name: str) -> tuple[Draft, ...]:
    """Return drafts with a copy of one under a name of its own."""
    known = {draft.name: draft for draft in drafts}
    free = next(told for number in range(2, MOST_DRAFTS + 3) if (told := f"{name[:34]} {number}") not in known)
    return (*drafts, replace(known[name], name=free))[-MOST_DRAFTS:]


def without(drafts: Sequence[Draft], name: str) -> tuple[Draft, ...]:
    """Return drafts without one."""
    return tuple(draft for draft in drafts if draft.name != name)
