"""What to do this week, in words: one sentence and a line for each thing, of one plan or of what three share. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from engine.board.board import Option
from ui.web.choice.objective_choice import TITLES
from ui.web.drawing.figures import written
from ui.web.drawing.lineup.shared import shared_men
from ui.web.drawing.rounds.plan_cards import AnswerRow, PlanFigures

NAMED = 2
"""Transfers that the sentence names one by one."""

SIGNED = "{:+.1f}"


def headline(option: Option) -> str:
    """Return a plan's week in one sentence."""
    return f"{_moves_told(option)} Captain {option.captain.short}."


def _moves_told(option: Option) -> str:
    card = option.transfers
    if card is None:
        best = sorted((man for man in option.men if man.armband != "C"), key=lambda man: -man.xev)
        return f"Build around {option.captain.short}, {best[0].short} and {best[1].short}."
    if not card.moves:
        return "Keep your fifteen."
    if len(card.moves) > NAMED:
        return f"Make {len(card.moves)} transfers."
    return " ".join(f"Sell {move.out} for {move.into}." for move in card.moves)


def answer_rows(option: Option) -> list[AnswerRow]:
    """Return what a plan does this week, line by line."""
    rows = [
        AnswerRow("Transfer", f"{move.out} → {move.into}", f"{written(move.points, SIGNED)} this week")
        for move in (option.transfers.moves if option.transfers else ())[:3]
    ]
    captain, vice = option.captain, next((man for man in option.men if man.armband == "V"), None)
    worn = f"{captain.short}, vice {vice.short}" if vice else captain.short
    low, high = option.swing
    return [
        *rows,
        AnswerRow("Captain", worn, f"{captain.xev:.1f} expected, {captain.opponent}"),
        AnswerRow("Points", f"{option.expected:.1f} expected", f"{low:.0f} to {high:.0f}, 8 in 10"),
    ]


def moves_short(option: Option) -> str:
    """Return a plan's transfers in a few words."""
    if option.transfers is None:
        return ""
    moves = option.transfers.moves
    if not moves:
        return "No transfer"
    return f"{moves[0].out} → {moves[0].into}" + (f" and {len(moves) - 1} more" if len(moves) > 1 else "")


def figures_of(theta: str, option: Option | None, chance: str = "") -> PlanFigures:
    """Return what the card of an objective tells; of one that is still searched nothing."""
    if option is None:
        return PlanFigures(theta, TITLES[theta])
    moves = moves_short(option)
    return PlanFigures(theta, TITLES[theta], option.expected, option.swing, option.captain.short, moves, chance)


def shared_headline(options: Mapping[str, Option]) -> str:
    """Return what all plans agree on, in one sentence, or that they do not."""
    captains = {option.captain.short for option in options.values()}
    count, size = len(shared_men(list(options.values()))), len(next(iter(options.values())).men)
    if count == size and len(captains) == 1:
        return f"All three plans are the same squad. Captain {captains.pop()}."
    if len(captains) == 1:
        return f"Captain {captains.pop()}: all three plans agree, and on {count} of {size} players."
    return f"The plans differ: {count} of {size} players are in all three, the captain is not."


def shared_rows(options: Mapping[str, Option]) -> list[AnswerRow]:
    """Return where plans agree and where they part, line by line."""
    shared = {man.player_id for man in shared_men(list(options.values()))}
    rows = []
    for theta, option in options.items():
        alone = [man.short for man in sorted(option.men, key=lambda man: -man.xev) if man.player_id not in shared]
        told = ", ".join(alone[:3]) + (f" and {len(alone) - 3} more" if len(alone) > 3 else "")
        rows.append(AnswerRow(TITLES[theta], told or "nobody of its own", f"captain {option.captain.short}"))
    return rows
