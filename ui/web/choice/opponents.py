"""Whom a plan plays against: named rivals or one of them, and the points to them that a table told. Pure."""

from __future__ import annotations

from statistics import median

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

    Against several rivals it is the median: the chances are those against one of them drawn at random.
    """
    if plan.lead is not None or plan.counted is None or plan.counted != plan.round:
        return plan.lead
    gaps = [rival.ahead for rival in aimed_at(plan) if rival.ahead is not None]
    return float(median(gaps)) if gaps else None


def lead_words(points: float) -> str:
    """Return a lead or a deficit in words."""
    if points == 0:
        return "level"
    plural = "point" if abs(points) == 1 else "points"
    return f"{abs(points):g} {plural} {'ahead' if points > 0 else 'behind'}"
