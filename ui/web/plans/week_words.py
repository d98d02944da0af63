"""What to do this week, in words: one sentence and a line for each thing, of one plan or of what three share. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from ui.web.answers.plan_tables import SAFE
from ui.web.choice.objective_choice import TITLES
from ui.web.drawing.figures import span_words, written
from ui.web.drawing.lineup.marks import opponent_short
from ui.web.drawing.lineup.shared import shared_men
from ui.web.drawing.rounds.plan_cards import AnswerRow, PlanFigures
from ui.web.plans.week import Move, Week

NAMED = 2
"""Transfers that the sentence names one by one."""

LISTED = 3
"""Transfers that have a line of their own."""

SIGNED = "{:+.1f}"


def headline(week: Week) -> str:
    """Return a plan's week in one sentence."""
    booster = f"Play {week.booster}. " if week.booster else ""
    return f"{booster}{_moves_told(week)} {armband_words(week)}"


def armband_words(week: Week) -> str:
    """Return who is captain; where the armband may move after a match, who wears it first."""
    return f"Armband first on {week.captain.short}." if week.moves_on else f"Captain {week.captain.short}."


def _moves_told(week: Week) -> str:
    if week.moves is None:
        best = sorted(week.men, key=lambda man: -man.xev)[:3]
        return f"Build around {best[0].short}, {best[1].short} and {best[2].short}."
    if not week.moves:
        return "Keep your fifteen."
    if len(week.moves) > NAMED:
        return f"Make {len(week.moves)} transfers."
    return " ".join(f"Sell {move.out} for {move.into}." for move in week.moves)


def answer_rows(week: Week) -> list[AnswerRow]:
    """Return what a plan does this week, line by line."""
    rows = [*_transfer_rows(week), _captain_row(week)]
    if week.booster:
        rows.append(AnswerRow("Booster", f"Play {week.booster} now"))
    elif week.waiting:
        rows.append(AnswerRow("Boosters", "None now", week.waiting))
    over = "" if week.points is None else f", {week.points:.1f} over {week.rounds} rounds"
    return [*rows, AnswerRow("Points", f"{week.expected:.1f} expected{over}", f"{span_words(*week.swing)}, 8 in 10")]


def _transfer_rows(week: Week) -> list[AnswerRow]:
    """Return the transfers that bring most, how many more there are, and what hits cost."""
    moves = sorted(week.moves or (), key=lambda move: -(move.now if move.held is None else move.held))
    shown = moves if len(moves) <= LISTED else moves[:NAMED]
    rows = [AnswerRow("Transfer", f"{move.out} → {move.into}", _worth(move, week)) for move in shown]
    if more := len(moves) - len(shown):
        rows.append(AnswerRow("Transfers", f"and {more} more", "marked new on the pitch"))
    if week.hits:
        rows.append(AnswerRow("Hits", "Beyond the free transfers", f"−{week.hits:.0f} points, taken off below"))
    return rows


def _worth(move: Move, week: Week) -> str:
    later = "" if move.held is None else f", {written(move.held, SIGNED)} over {week.rounds}"
    return f"{written(move.now, SIGNED)} this week{later}"


def _captain_row(week: Week) -> AnswerRow:
    captain, vice = week.captain, week.vice
    rung = week.armband.captain
    if week.moves_on and rung.keep_from is not None:
        after = next((man.short for man in week.men if man.row == rung.move_to), "the next")
        return AnswerRow("Armband", f"{captain.short} first", f"keep at {rung.keep_from}+ points, else {after}")
    worn = f"{captain.short}, vice {vice.short}" if vice else captain.short
    return AnswerRow("Captain", worn, f"{captain.xev:.1f} expected, {opponent_short(captain.opponent)}")


def firm_short(share: float | None) -> str:
    """Return how sure the first move is when forecasts are shaken, in a few words."""
    if share is None:
        return ""
    return f"{'Safe' if share >= SAFE else 'A close call'}: best in {share:.0%} of tries"


def moves_short(week: Week) -> str:
    """Return a plan's transfers in a few words."""
    if week.moves is None:
        return ""
    if not week.moves:
        return "No transfer"
    if len(week.moves) > 1:
        return f"{len(week.moves)} transfers"
    return f"{week.moves[0].out} → {week.moves[0].into}"


def figures_of(theta: str, week: Week | None, chance: str = "", *, ahead: bool = False) -> PlanFigures:
    """Return what the card of an objective tells; of one that is still searched nothing.

    `ahead` says that its next rounds are being planned.
    """
    if week is None:
        return PlanFigures(theta, TITLES[theta])
    return PlanFigures(
        theta,
        TITLES[theta],
        week.expected,
        week.swing,
        week.captain.short,
        moves_short(week),
        chance,
        over="" if week.points is None else f"Next {week.rounds}: {week.points:.1f}",
        ahead=ahead and week.points is None,
        booster=week.booster,
    )


def shared_headline(weeks: Mapping[str, Week]) -> str:
    """Return what all plans agree on, in one sentence, or that they do not."""
    first = next(iter(weeks.values()))
    captains = {week.captain.short for week in weeks.values()}
    count, size = len(shared_men(list(weeks.values()))), len(first.men)
    if count == size and len(captains) == 1:
        return f"All three plans are the same squad. {armband_words(first)}"
    if len(captains) == 1:
        return f"{armband_words(first)[:-1]}: all three plans agree, and on {count} of {size} players."
    return f"The plans differ: {count} of {size} players are in all three, the captain is not."


def shared_rows(weeks: Mapping[str, Week]) -> list[AnswerRow]:
    """Return whom each plan adds to those whom all have, and what it does that the others may not."""
    shared = {man.player_id for man in shared_men(list(weeks.values()))}
    differ = len({week.captain.player_id for week in weeks.values()}) > 1
    rows = []
    for theta, week in weeks.items():
        alone = [man.short for man in sorted(week.men, key=lambda man: -man.xev) if man.player_id not in shared]
        told = ", ".join(alone[:3]) + (f" and {len(alone) - 3} more" if len(alone) > 3 else "")
        leads = f"captain {week.captain.short}" if differ else ""
        does = f"play {week.booster}" if week.booster else moves_short(week)
        own = f"adds {told}" if told else "adds nobody"
        rows.append(AnswerRow(TITLES[theta], own, ", ".join(filter(None, (does, leads)))))
    return rows
