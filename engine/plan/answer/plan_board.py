"""The plan people read: a card for every round, options that differ, the table of points, and how far it can be off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from data.rules import BoosterEffect
from engine.board.board import Man, man_of
from engine.fitness.judge import Objective
from engine.plan.advice.chips import BoosterRow
from engine.plan.answer.bound import PlanBound
from engine.plan.fitness.plan_fitness import PlanTable, ScoredPlans, score_plans
from engine.plan.fitness.rounds import PlanRounds
from engine.plan.moves.moves import Plan, RoundMoves

NAMED = 5
"""Swaps that a sentence names one by one."""

PRICES = "Prices are taken as they are now: rises and falls to come are not planned for."


@dataclass(frozen=True, slots=True)
class Swap:
    """One man out and one in, of the same position."""

    out: Man | None  # None where a first squad is built
    into: Man
    price: float  # millions it costs; below 0 where it frees money
    points: float  # expected points he brings more for as long as he is held, started or not
    note: str = ""  # a price change to come, where one is known


@dataclass(frozen=True, slots=True)
class RoundCard:
    """What to do before one round, and who plays."""

    round: int
    title: str
    moves: tuple[Swap, ...]  # of a free hit the changes of that one round
    chip: str | None  # key of the booster
    chip_title: str
    men: tuple[Man, ...]  # starters by position, then the bench in order
    hits: int
    bank: float  # millions left after the moves
    free: int | None  # free transfers before them; None = no limit
    left: int | None  # free transfers before the next round; None = no limit
    terms: Mapping[str, float]
    expected: float  # points as the game counts them, hits taken off
    returns: bool = False  # whether the squad is for this round alone
    builds: bool = False  # whether a first squad is built
    guest: Man | None = None  # who plays from outside the squad, where the booster lets one

    @property
    def eleven(self) -> tuple[Man, ...]:
        """Who starts."""
        return tuple(man for man in self.men if man.role == "starter")

    @property
    def bench(self) -> tuple[Man, ...]:
        """Who waits, in order."""
        return tuple(man for man in self.men if man.role != "starter")

    @property
    def captain(self) -> Man:
        """Who wears the armband from the deadline."""
        return next(man for man in self.men if man.armband == "C")

    @property
    def vice(self) -> Man | None:
        """Who stands behind him; None where the rules know no vice."""
        return next((man for man in self.men if man.armband == "V"), None)

    @property
    def rolls(self) -> bool:
        """Whether nothing is changed."""
        return not self.moves and self.chip is None and not self.builds


@dataclass(frozen=True, slots=True)
class PlanOption:
    """A plan to choose: a card for each round, and what it is worth."""

    plan: Plan
    cards: tuple[RoundCard, ...]
    table: PlanTable
    title: str = ""  # such as "roll" or "one move"
    apart: str = ""  # whom it has instead of whom, where its first move reads like that of the best plan
    firm: float | None = None  # share of shaken forecasts in which its first move stays best
    dissent: str = ""  # the strongest case against it
    lineage: str = ""
    notes: tuple[str, ...] = ()  # what must be decided now, what can wait

    @property
    def first_move(self) -> str:
        """The moves before the coming round in one sentence."""
        words = move_words(self.cards[0])
        return f"{words.removesuffix('.')}, {self.apart}." if self.apart else words


@dataclass(frozen=True, slots=True)
class PlanBoard:
    """Plans across what is worth considering, the recommended one first."""

    world: str
    round: int
    title: str
    objective: str
    options: tuple[PlanOption, ...]
    bound: PlanBound  # of the recommended plan
    rolling: float | None  # fitness that rolling the first transfer gives up, or gains below 0; None where it cannot be
    deadline: datetime
    flags: tuple[str, ...]
    rounds: PlanRounds = field(compare=False, repr=False)  # what it was reckoned on
    boosters: tuple[BoosterRow, ...] = ()  # what each that was free to choose adds in every round

    @property
    def recommended(self) -> PlanOption:
        """The plan that the objective puts first."""
        return self.options[0]

    @property
    def rolling_words(self) -> str:
        """What rolling the first transfer is worth, in one sentence."""
        best = self.recommended
        if self.rolling is None:
            return "Rolling is no choice before this round."
        if best.cards[0].rolls:
            return f"Roll: the best first move would be worth {abs(self.rolling):.1f} points less over the plan."
        return f"Rolling instead would cost {self.rolling:.1f} points over the plan."


def plan_options(
    rounds: PlanRounds, objective: Objective, plans: Sequence[Plan], notes: Mapping[int, str] | None = None
) -> tuple[PlanOption, ...]:
    """Return plans as options, in their order; `notes` tell of price changes to come, by player row."""
    scored = score_plans(rounds, plans, objective, sent_out=True)
    return tuple(plan_option(rounds, scored, row, notes or {}) for row in range(len(plans)))


def plan_option(rounds: PlanRounds, scored: ScoredPlans, row: int, notes: Mapping[int, str]) -> PlanOption:
    """Return one of some scored plans as an option."""
    plan, table = scored.plans[row], scored.table(row)
    cards = [_card(rounds, scored, row, column, table, notes) for column in range(len(rounds))]
    return PlanOption(plan, tuple(cards), table)


def _card(
    rounds: PlanRounds, scored: ScoredPlans, row: int, column: int, table: PlanTable, notes: Mapping[int, str]
) -> RoundCard:
    signals, lineups, move = rounds.signals[column], scored.lineups[column], scored.plans[row].moves[column]
    marks = {int(lineups.vice[row]): "V", int(lineups.captain[row]): "C"}
    men = tuple(man_of(signals, man, role, marks.get(man, "")) for man, role in lineups.places(row))
    boosters = signals.rules.boosters
    return RoundCard(
        round=move.round,
        title=signals.rules.round_title(move.round),
        moves=_swaps(rounds, scored.plans[row], column, notes),
        chip=move.chip,
        chip_title=boosters[move.chip].title if move.chip else "",
        men=men,
        hits=move.hits,
        bank=move.bank,
        free=move.free,
        left=free_after(rounds, scored.plans[row], column),
        terms=table.row(column),
        expected=table.expected[column],
        returns=move.returns,
        builds=bool(move.into) and not move.out,
        guest=_guest(rounds, move, column),
    )


def _guest(rounds: PlanRounds, move: RoundMoves, column: int) -> Man | None:
    """Return the best man outside the squad, where the round's booster lets him play."""
    signals = rounds.signals[column]
    if move.chip is None or signals.rules.boosters[move.chip].effect is not BoosterEffect.TWELFTH_MAN:
        return None
    outside = np.where(np.isin(np.arange(len(signals)), move.squad), -np.inf, signals.xev)
    return man_of(signals, int(outside.argmax()), "guest", "")


def free_after(rounds: PlanRounds, plan: Plan, column: int) -> int | None:
    """Return the free transfers after a round's moves; None where there is no limit, 0 after the last round."""
    if column + 1 < len(plan.moves):
        return plan.moves[column + 1].free
    count = rounds.spare_count(plan)
    return rounds.frame.transfers.free(count)


def _swaps(rounds: PlanRounds, plan: Plan, column: int, notes: Mapping[int, str]) -> tuple[Swap, ...]:
    """Return who comes for whom; of a whole first squad nothing is told but the squad itself."""
    move = plan.moves[column]
    pairs = zip(move.out, move.into, strict=False)
    return tuple(_swap(rounds, out, into, _held_for(plan, into, column), notes) for out, into in pairs)


def _held_for(plan: Plan, man: int, column: int) -> range:
    """Return the columns of the rounds for which a man stays who comes in one of them."""
    end = column + 1
    while not plan.moves[column].returns and end < len(plan.moves) and man in plan.moves[end].kept:
        end += 1
    return range(column, end)


def _swap(rounds: PlanRounds, out: int, into: int, stay: range, notes: Mapping[int, str]) -> Swap:
    frame, signals = rounds.frame, rounds.signals[stay.start]
    points = sum(float(rounds.signals[at].xev[into] - rounds.signals[at].xev[out]) for at in stay)
    sold = frame.selling[out] if frame.owned[out] else frame.price[out]
    return Swap(
        out=man_of(signals, out, "out", ""),
        into=man_of(signals, into, "in", ""),
        price=round(float(frame.price[into] - sold), 1) + 0.0,  # no "-0.0"
        points=points,
        note="; ".join(f"{signals.short[man]}: {notes[man]}" for man in (out, into) if man in notes),
    )


def move_words(card: RoundCard) -> str:
    """Return a round's moves in one sentence."""
    guest = f" with {card.guest.short}" if card.guest else ""
    chip = f"Play {card.chip_title}{guest}" if card.chip else ""
    if card.returns:
        return f"{chip}: a squad for this round alone."
    if card.builds:
        return f"{f'{chip}; ' if chip else ''}a first squad around {card.captain.short}."
    if len(card.moves) > NAMED:
        return f"{f'{chip}; ' if chip else ''}{len(card.moves)} new men, {card.moves[0].into.short} among them."
    if not card.moves:
        return f"{chip}; no transfer." if chip else "Roll: no transfer."
    swaps = ", ".join(f"{swap.out.short if swap.out else 'nobody'} → {swap.into.short}" for swap in card.moves)
    hits = f", {card.hits} beyond the free ones" if card.hits else ""
    return f"{f'{chip}; ' if chip else ''}{swaps}{hits}."
