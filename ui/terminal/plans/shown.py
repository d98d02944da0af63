"""A plan as it is printed: moves, line-ups, every point, boosters now or later, options, and what is said besides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.terminal.boards import plain
from ui.terminal.console import print_json, print_table, say

if TYPE_CHECKING:
    from engine.plan.advice.chips import BoosterRow
    from engine.plan.advice.prices import WishPrice
    from engine.plan.advice.stated import StatedQuestion
    from engine.plan.advice.why import PlanWhy
    from engine.plan.answer.comparison import PlanComparison
    from engine.plan.answer.plan_board import PlanBoard, PlanOption, RoundCard


@dataclass(frozen=True, slots=True)
class PlanRemarks:
    """What is said of a plan besides the plan: prices of wishes, answers, and what changed since it was saved."""

    prices: tuple[WishPrice, ...]
    why: list[tuple[StatedQuestion, PlanWhy]]
    changes: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return it in sentences."""
        return [
            *(f"Your wish, {one.words}, costs {one.cost:.1f} points over the plan." for one in self.prices),
            *(answer.sentence(asked.words) for asked, answer in self.why),
            *self.changes,
        ]

    def as_dict(self) -> dict[str, object]:
        """Return it as plain values."""
        return {
            "wishes": [{"wish": one.words, "cost": one.cost} for one in self.prices],
            "why": [
                {"asked": asked.words, "cost": why.cost, "said": why.sentence(asked.words), "terms": dict(why.terms)}
                for asked, why in self.why
            ],
            "changes": list(self.changes),
        }


def print_plan(board: PlanBoard) -> None:
    """Print the recommended plan round by round, its table, the other options and the bound."""
    best = board.recommended
    print_table(f"{board.title}: {board.objective}, {_rounds(len(best.cards))}", MOVE_HEADS, _move_rows(best))
    print_table("Who plays", ["round", "captain", "eleven", "bench"], [_lineup_row(card) for card in best.cards])
    print_table("Every point, round by round", *_points_table(best))
    rows = [_option_row(option, best) for option in board.options]
    print_table("What to do first", ["", "before the coming round", "points", "fitness", "firm"], rows)
    if board.boosters:
        heads = ["booster", *(str(number) for number in best.plan.rounds), "kept"]
        print_table("What each booster adds, now or later", heads, [_booster_row(row) for row in board.boosters])
    say(
        *([f"Against it: {best.dissent}"] if best.dissent else []),
        *best.notes,
        board.rolling_words,
        str(board.bound),
        *board.flags,
    )


def _option_row(option: PlanOption, best: PlanOption) -> tuple[str, ...]:
    firm = "–" if option.firm is None else f"{option.firm:.0%}"
    gap = option.table.total - best.table.total
    return option.title, option.first_move, f"{option.table.points:.1f}", f"{gap:+.1f}", firm


def _booster_row(row: BoosterRow) -> tuple[str, ...]:
    """Return what a booster adds in each round; the round in which the plan plays it is marked."""
    cells = [
        "–" if points is None else f"{points:+.1f}{' *' * (column == row.played)}"
        for column, points in enumerate(row.points)
    ]
    return row.title, *cells, f"{row.keeping:+.1f}{' *' * (row.played is None)}"


MOVE_HEADS = ["round", "out", "in", "price", "points", "booster", "hits", "bank", "free"]


def _rounds(count: int) -> str:
    return f"{count} round{'s' * (count != 1)}"


def _move_rows(option: PlanOption) -> list[tuple[str, ...]]:
    """Return a row for each transfer; a round without one has a row too."""
    rows: list[tuple[str, ...]] = []
    for card in option.cards:
        free = "all" if card.free is None else str(card.free)
        guest = f": {card.guest.short}" if card.guest else ""
        tail = (f"{card.chip_title}{guest}", str(card.hits or ""), f"{card.bank:.1f}", free)
        empty = ("", "", "", "")
        if not card.moves:
            said = "a first squad" if card.builds else "" if card.chip else "roll"
            rows.append((card.title, said, "", "", "", *tail))
        for place, swap in enumerate(card.moves):
            note = f" ({swap.note})" if swap.note else ""
            out = f"{swap.out.short} {swap.out.price:.1f}" if swap.out else ""
            into = f"{swap.into.short} {swap.into.price:.1f}{note}"
            head = card.title if place == 0 else ""
            rows.append((head, out, into, f"{swap.price:+.1f}", f"{swap.points:+.1f}", *(empty if place else tail)))
    return rows


def _lineup_row(card: RoundCard) -> tuple[str, ...]:
    vice = f" (vice {card.vice.short})" if card.vice else ""
    return (
        card.title,
        f"{card.captain.short}{vice}",
        ", ".join(man.short for man in card.eleven),
        ", ".join(man.short for man in card.bench),
    )


def _points_table(option: PlanOption) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return heads and rows: a column for each round, a row for each term that counts anywhere, and what is kept."""
    from engine.plan.fitness.plan_fitness import LINES_PLAIN

    table, cards = option.table, option.cards
    rows = []
    for term, total in table.by_term.items():
        cells = [card.terms[term] for card in cards]
        if any(abs(cell) >= 0.005 for cell in cells):
            rows.append((plain(term), *(f"{cell:+.1f}" for cell in cells), f"{total:+.1f}"))
    blank = ("",) * len(cards)
    rows += [(LINES_PLAIN[name], *blank, f"{value:+.1f}") for name, value in table.lines.items() if abs(value) >= 0.005]
    rows.append(("fitness", *(f"{value:.1f}" for value in table.by_round), f"{table.total:.1f}"))
    rows.append(("points expected", *(f"{value:.1f}" for value in table.expected), f"{table.points:.1f}"))
    return ["term", *(str(card.round) for card in cards), "all"], rows


def show_plans_apart(found: PlanComparison, world: str, number: int, as_json: bool) -> None:
    """Show two plans over rounds: week by week, and each under both objectives."""
    from engine.plan.answer.comparison import comparison_dict

    if as_json:
        print_json({"world": world, "round": number, **comparison_dict(found)})
        return
    first, second = found.names
    rows = [
        (
            week.title,
            week.first_moves,
            week.second_moves,
            " / ".join(dict.fromkeys(week.captains)),
            f"{week.expected[0] - week.expected[1]:+.1f}",
        )
        for week in found.weeks
    ]
    print_table(found.summary(), ["round", first, second, "captains", "points"], rows)
    crossed = [(plan, *(f"{table.total:.1f}" for table in under.values())) for plan, under in found.crossed.items()]
    print_table("The same plans under both objectives", ["plan", *found.names], crossed)
