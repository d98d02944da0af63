"""A plan as one column a round: who goes and comes, the booster, the captain, points and their range, money. Pure."""

from __future__ import annotations

from html import escape

from engine.board.board import swing_around
from engine.plan.answer.plan_board import PlanOption, RoundCard, Swap
from ui.web.drawing.figures import written
from ui.web.drawing.lineup.kits import shirt_html
from ui.web.drawing.lineup.marks import opponent_short
from ui.web.drawing.rounds.plan_cards import range_html

NAMED = 3
"""Transfers that a column names one by one."""


def timeline_html(option: PlanOption, chosen: int, sign: str) -> str:
    """Return the rounds side by side; the chosen one is looked at below."""
    variance = option.table.variance
    columns = "".join(
        _column(card, swing_around(card.expected, variance[place]), card.round == chosen, sign)
        for place, card in enumerate(option.cards)
    )
    label = 'role="group" aria-label="The plan, round by round"'
    return f'<div class="xi-time" {label} data-testid="timeline">{columns}</div>'


def _column(card: RoundCard, swing: tuple[float, float], chosen: bool, sign: str) -> str:
    boosted = " xi-boosted" if card.chip else ""
    return (
        f'<button type="button" class="xi-week{boosted}" data-pick="{card.round}" data-testid="round-{card.round}" '
        f'aria-pressed="{"true" if chosen else "false"}"><strong>{escape(card.title)}</strong>'
        f'<span class="xi-moves">{_moves(card, sign)}{_chip(card)}</span>'
        f'<span class="xi-worn-by"><span class="xi-badge xi-c" aria-hidden="true">C</span>'
        f'<span class="xi-hidden">Captain </span><b>{escape(card.captain.short)}</b> '
        f"{escape(opponent_short(card.captain.opponent))}</span>"
        f"<em>{card.expected:.1f}<small> points</small></em>{range_html(card.expected, swing)}"
        f'<span class="xi-purse"><span>{_free(card)}</span><span>Bank '
        f"<b>{escape(sign)}{card.bank:.1f}m</b></span></span>"
        "</button>"
    )


def _moves(card: RoundCard, sign: str) -> str:
    if card.builds:
        return "<span>A first squad of fifteen</span>"
    if not card.moves:
        return "<span>No transfer</span>"
    told = "".join(_swap(swap, sign) for swap in card.moves[:NAMED])
    more = len(card.moves) - NAMED
    return told + (f"<span>and {more} more</span>" if more > 0 else "")


def _swap(swap: Swap, sign: str) -> str:
    gone = f"{escape(swap.out.short)} {sign}{swap.out.price:.1f}m" if swap.out else "an empty place"
    return (
        f'<span class="xi-swap"><span class="xi-worn">{shirt_html(swap.into.team, small=True)}</span>'
        f"<span>{gone}<br>→ <b>{escape(swap.into.short)}</b> {escape(sign)}{swap.into.price:.1f}m</span>"
        f'<b class="xi-plus">{written(swap.points, "{:+.1f}")}</b></span>'
    )


def _chip(card: RoundCard) -> str:
    return f'<span class="xi-chip">{escape(card.chip_title)}</span>' if card.chip else ""


def _free(card: RoundCard) -> str:
    if card.free is None:
        return "Free <b>without limit</b>"
    hits = f", {card.hits} beyond" if card.hits else ""
    return f"Free <b>{card.free}</b>, used <b>{0 if card.returns else len(card.moves)}</b>{hits}"
