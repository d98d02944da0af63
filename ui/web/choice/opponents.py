"""Whom a plan plays against: named rivals or one of them, and the points to them that a table told. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from data.domain import Crowd
from engine.rank.rivals import Rival
from ui.web.choice.plan import Plan
from ui.web.choice.rival_link import read_rivals_text

CROWD_WORDS = {Crowd.ALL: "all managers", Crowd.BEST: "the best 10,000"}
"""What the crowds are called in a sentence."""


def rivals_of(plan: Plan) -> tuple[Rival, ...]:
    """Return all rivals that the plan names."""
    return read_rivals_text(plan.rivals)


def aimed_at(plan: Plan) -> tuple[Rival, ...]:
    """Return whom the manager measures himself against: the one rival he chose, else all that are named."""
    rivals = rivals_of(plan)
    return rivals[plan.rival - 1 : plan.rival] or rivals if plan.rival else rivals


def known_lead(plan: Plan) -> float | None:
    """Return the points ahead as the manager told them, else as the table of his league told them for this round.

    Against several rivals it is the gap to the next above, whom he has to pass; who leads has the next below.
    """
    if plan.lead is not None or plan.counted is None or plan.counted != plan.round:
        return plan.lead
    above, below = neighbours(aimed_at(plan))
    nearest = above or below
    return float(nearest.ahead) if nearest and nearest.ahead is not None else None


def neighbours(rivals: Sequence[Rival]) -> tuple[Rival | None, Rival | None]:
    """Return the next above the manager and the next below him; who is level is above, and None is nobody."""
    placed = [(rival.ahead, rival) for rival in rivals if rival.ahead is not None]
    above = max((pair for pair in placed if pair[0] <= 0), key=lambda pair: pair[0], default=None)
    below = min((pair for pair in placed if pair[0] > 0), key=lambda pair: pair[0], default=None)
    return above and above[1], below and below[1]


def lead_words(points: float) -> str:
    """Return a lead or a deficit in words."""
    if points == 0:
        return "level"
    plural = "point" if abs(points) == 1 else "points"
    return f"{abs(points):g} {plural} {'ahead' if points > 0 else 'behind'}"


def beside_words(rival: Rival) -> str:
    """Return how the manager stands beside a rival in words: "3 points ahead of Anna"."""
    gap = rival.ahead or 0
    preposition = {1: " of", -1: "", 0: " with"}[(gap > 0) - (gap < 0)]
    return f"{lead_words(gap)}{preposition} {rival.name}"
