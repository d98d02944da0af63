"""One objective's coming week: as a board of that round alone sees it first, then as the plan of several rounds does.

week_of_board(option)                  what the one round says
week_of_plan(option, ladder, boosters) what the plan says to do before its first round, and what it brings in all
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.board.board import Man, Option, swing_around
from engine.plan.advice.chips import BoosterRow
from engine.plan.answer.plan_board import PlanOption, RoundCard
from models.armband.ladder import Ladder, best_ladder
from models.signals import Signals
from ui.web.answers.plan_tables import term_name
from ui.web.drawing.charts.waterfall import TERM_NAMES
from ui.web.drawing.figures import written

HITS = "transfer_cost"
"""The term of transfers beyond the free ones."""

WEIGHED = "weighing now or later …"


@dataclass(frozen=True, slots=True)
class Move:
    """One transfer of the week."""

    out: str
    into: str
    now: float  # points he brings more this week
    held: float | None = None  # points he brings more for as long as the plan holds him


@dataclass(frozen=True, slots=True)
class Week:
    """What to do this week under one objective, and what it brings."""

    men: tuple[Man, ...]  # starters by position, then the bench in order
    expected: float  # points of the coming round
    swing: tuple[float, float]
    terms: Mapping[str, float]  # of the round's score, as the page calls them
    armband: Ladder
    moves: tuple[Move, ...] | None = None  # None where a first squad is built
    rounds: int = 1  # that were looked at together
    points: float | None = None  # over all of them
    firm: float | None = None  # share of shaken forecasts in which the first move stays best
    hits: float = 0.0  # points that transfers beyond the free ones cost; they are taken off already
    booster: str = ""  # title of the one to play now
    waiting: str = ""  # what is best done with those that wait
    fresh: frozenset[int] = field(default_factory=frozenset)  # ids of those whom transfers bring

    @property
    def captain(self) -> Man:
        """Who wears the armband from the deadline."""
        return next(man for man in self.men if man.armband == "C")

    @property
    def vice(self) -> Man | None:
        """Who stands behind him, where the rules know one."""
        return next((man for man in self.men if man.armband == "V"), None)

    @property
    def moves_on(self) -> bool:
        """Whether the armband may move to another man after its wearer's match."""
        first = self.armband.captain
        return self.armband.setting != "locked" and first.player == self.captain.row and first.move_to is not None


def week_of_board(option: Option) -> Week:
    """Return the week as a board's option has it."""
    card, result = option.transfers, option.decomposition
    came = {move.into_row for move in card.moves} if card else set()
    return Week(
        men=option.men,
        expected=option.expected,
        swing=option.swing,
        terms={
            TERM_NAMES.get(name, name) + (" *" if name in result.provisional else ""): value
            for name, value in result.terms.items()
        },
        armband=option.armband,
        moves=None if card is None else tuple(Move(move.out, move.into, move.points) for move in card.moves),
        hits=0.0 if card is None else card.cost,
        fresh=frozenset(man.player_id for man in option.men if man.row in came),
    )


def week_of_plan(option: PlanOption, ladder: Ladder, boosters: Sequence[BoosterRow] | None = None) -> Week:
    """Return the week that a plan begins with; `boosters` are what each adds by round, None = not known yet."""
    card = option.cards[0]
    return Week(
        men=card.men,
        expected=card.expected,
        swing=swing_around(card.expected, option.table.variance[0]),
        terms={term_name(name): value for name, value in card.terms.items()},
        armband=ladder,
        moves=None if card.builds else _moves(card),
        hits=-card.terms.get(HITS, 0.0),
        rounds=len(option.cards),
        points=option.table.points,
        firm=option.firm,
        booster=card.chip_title,
        waiting=_waiting(option, boosters),
        fresh=frozenset(swap.into.player_id for swap in card.moves),
    )


def _moves(card: RoundCard) -> tuple[Move, ...]:
    return tuple(
        Move(
            swap.out.short if swap.out else "an empty place",
            swap.into.short,
            swap.into.xev - (swap.out.xev if swap.out else 0.0),
            swap.points,
        )
        for swap in card.moves
    )


def _waiting(option: PlanOption, boosters: Sequence[BoosterRow] | None) -> str:
    """Return what is best done with the boosters that are not played now, in a few words."""
    titles = [card.title for card in option.cards]
    planned = [f"{card.chip_title} in {card.title}" for card in option.cards[1:] if card.chip]
    if planned:
        return ", ".join(planned)
    if boosters is None:
        return WEIGHED
    waits = [row for row in boosters if row.played is None and row.now is not None]
    if not waits:
        return ""
    row = max(waits, key=lambda one: one.now or 0.0)
    best = "later" if row.best is None else titles[row.best]
    worth = row.keeping if row.best is None else row.points[row.best] or 0.0
    where = best if row.best is None else f"in {best}"
    return f"Keep {row.title}: worth {worth:.1f} {where}, {written(row.now, '{:.1f}')} now"


def ladder_of(signals: Signals, men: Sequence[Man]) -> Ladder:
    """Return what to do with the armband of an eleven in the coming round."""
    eleven = [man.row for man in men if man.role == "starter"]
    return best_ladder(signals.armband, eleven, signals.rules.captaincy.mode.value)
