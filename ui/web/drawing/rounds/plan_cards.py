"""The answer of the week and the plans to choose from, as cards: one loud, the others equal until one is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from ui.web.drawing.figures import span_words

PENDING = "…"
LOOKING_AHEAD = "Looking ahead …"
"""What is said until the rounds to come are planned."""

WIDEST = 110.0
"""Points at the right end of a range's track: nearly all rounds of a squad lie below."""


@dataclass(frozen=True, slots=True)
class PlanFigures:
    """What a card tells of one plan; the figures are None until they are known."""

    theta: str
    title: str
    expected: float | None = None
    swing: tuple[float, float] | None = None
    captain: str = PENDING
    moves: str = ""  # such as "Enzo → Semenyo"
    chance: str = ""  # such as "Keeps the lead 74 %"
    over: str = ""  # such as "Next 5: 289.9", once the rounds to come are planned
    ahead: bool = False  # whether they are being planned
    booster: str = ""  # the one that is played now


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One line of the answer: what it is about, what to do, and what that brings."""

    about: str
    told: str
    worth: str = ""


def answer_html(before: str, headline: str, rows: Sequence[AnswerRow], firm: str = "") -> str:
    """Return the answer of the week: one sentence, then a line for each thing to do."""
    lines = "".join(
        f"<div><dt>{escape(row.about)}</dt><dd>{escape(row.told)}</dd><dd>{escape(row.worth)}</dd></div>"
        for row in rows
    )
    return (
        f'<section class="xi-answer" data-testid="answer" aria-label="What to do this week">'
        f"<p><span>{escape(before)}</span><span>{escape(firm)}</span></p>"
        f"<h2>{escape(headline)}</h2><dl>{lines}</dl></section>"
    )


def cards_html(plans: Sequence[PlanFigures], chosen: str | None, best: str | None) -> str:
    """Return the plans side by side: `chosen` is the one looked at, `best` what measures best for a standing."""
    cards = "".join(_card(plan, plan.theta == chosen, plan.theta == best) for plan in plans)
    return f'<div class="xi-plans" role="group" aria-label="Three plans to choose from">{cards}</div>'


def _card(plan: PlanFigures, chosen: bool, best: bool) -> str:
    state = "waiting" if plan.expected is None else "ready"
    mark = '<span class="xi-best">Best for you</span>' if best else ""
    expected = PENDING if plan.expected is None else f"{plan.expected:.1f}"
    lines = (
        plan.over or (LOOKING_AHEAD if plan.ahead else ""),
        plan.chance,
        plan.moves,
        plan.booster and f"Play {plan.booster}",
    )
    told = "".join(f"<span>{escape(line)}</span>" for line in lines if line)
    return (
        f'<button type="button" class="xi-plan" data-pick="{plan.theta}" data-testid="plan-{plan.theta}" '
        f'data-state="{state}" data-planned="{"yes" if plan.over else "no"}" '
        f'aria-pressed="{"true" if chosen else "false"}">{mark}'
        f'<strong class="xi-{plan.theta}">{escape(plan.title)}</strong><em>{expected}<small> points</small></em>'
        f"{range_html(plan.expected, plan.swing)}{told}<span>Captain <b>{escape(plan.captain)}</b></span></button>"
    )


def range_html(expected: float | None, swing: tuple[float, float] | None) -> str:
    """Return expected points inside their range, drawn and told."""
    if expected is None or swing is None:
        return f'<span class="xi-track"></span><span>8 in 10: {PENDING}</span>'
    low, high, mid = (f"{min(max(value, 0.0), WIDEST) / WIDEST:.1%}" for value in (*swing, expected))
    return (
        f'<span class="xi-track" style="--from:{low};--to:{high};--at:{mid}"><i></i></span>'
        f"<span>8 in 10: {span_words(*swing)}</span>"
    )
