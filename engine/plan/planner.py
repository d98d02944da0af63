"""The planner: from a round's beliefs and a manager's state to a board of plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from data.errors import InputError, UnknownError, did_you_mean
from data.rules import BoosterEffect, GameRules
from data.worlds.snapshot import Snapshot
from engine.fitness.judge import Objective
from engine.fitness.squad_view import SceneSettings
from engine.fitness.wishes import NO_WISHES, Wishes, rows_of
from engine.plan.advice.advised import advised_options
from engine.plan.advice.sensitivity import hit_verdict
from engine.plan.answer.bound import PlanBound
from engine.plan.answer.export import read_plan_csv
from engine.plan.answer.plan_board import PRICES, PlanBoard, PlanOption, plan_options
from engine.plan.asking.conflicts import WishedProblem
from engine.plan.asking.existence import plan_exists
from engine.plan.asking.wishes import NO_PLAN_WISHES, PlanWishes, rows_by_id
from engine.plan.fitness import score_plans
from engine.plan.keeping import measured_settings
from engine.plan.legality import breaches
from engine.plan.linear.chips import solve_linear
from engine.plan.linear.plans import plan_of, plan_value
from engine.plan.linear.problem import PlanProblem
from engine.plan.moves import Plan
from engine.plan.rounds import PlanRounds, PlanSettings, plan_rounds
from engine.plan.run import PlanProgress, PlanSearch, PlanSearchSettings, search_plans
from engine.plan.state import State
from engine.plan.values import plan_problem
from models.crowd.ownership import Exposure
from models.outlook import HORIZON, signals_ahead
from models.signals import Signals
from models.streams import Stream, stream

AUTO, NONE = "auto", "none"
NEAR = 80.0
"""Percent of the way to a price change from which it is told beside a move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOrder:
    """What is asked of a plan besides the objective."""

    horizon: int = 5
    state: State | None = None  # None = the squad of the manager's wishes, or nobody
    chips: str | Sequence[str] = AUTO  # "auto", "none", or NAME@ROUND of each that is played
    hits: bool | None = None  # whether transfers beyond the free ones may be planned; None = only where they pay
    asked: PlanWishes = NO_PLAN_WISHES  # over the rounds
    settings: PlanSettings | None = None
    search: PlanSearchSettings = field(default_factory=PlanSearchSettings)
    own: Mapping[int, pd.DataFrame] = field(default_factory=dict)  # own projections of later rounds, by round

    def __post_init__(self) -> None:
        if not 1 <= self.horizon <= HORIZON:
            raise InputError(f"A plan over {self.horizon} rounds cannot be made. Choose 1 to {HORIZON}.")


def _fewest_hits(problem: PlanProblem) -> PlanProblem:
    """Return the problem without hits, but for those that a wish takes."""
    none = problem.asking(most_hits=np.zeros_like(problem.locks.most_hits))
    return none if not problem.locks.must.any() or plan_exists(none) else problem


def state_of(wishes: Wishes, signals: Signals) -> State:
    """Return the state that a manager's wishes tell: his squad with its money, or nobody and the whole budget."""
    if not wishes.squad:
        return State.first(signals.rules, signals.round)
    return State.of_squad(
        wishes.squad, signals, selling=wishes.selling, budget=wishes.budget, free=wishes.free_transfers
    )


@dataclass(frozen=True, slots=True, eq=False)
class Planner:
    """Plans of one manager from one round on."""

    rounds: PlanRounds
    order: PlanOrder
    wishes: Wishes = NO_WISHES
    notes: Mapping[int, str] = field(default_factory=dict)  # price changes to come, by player row

    def problem(self, objective: Objective) -> PlanProblem:
        """Return the linear problem under an objective with all that is asked."""
        problem = plan_problem(self.rounds, objective)
        locks = problem.locks
        must, never = locks.must.copy(), locks.never.copy()
        must[list(rows_of(self.wishes.locks, self.rounds.signals[0]))] = True
        never[list(rows_of(self.wishes.bans, self.rounds.signals[0]))] = True
        never &= ~must
        changes: dict[str, object] = {"must": must, "never": never}
        if self.wishes.changes is not None:
            most = locks.most_transfers.copy()
            most[0] = min(int(most[0]), self.wishes.changes)
            changes["most_transfers"] = most
        return self._with_hits(self._wished(self._with_chips(problem).asking(**changes)))

    def _wished(self, problem: PlanProblem) -> PlanProblem:
        """Return the problem with the wishes over rounds; an error names those that conflict."""
        signals, state = self.rounds.signals[0], self.rounds.state
        wished = WishedProblem(problem, rows_by_id(signals, state), signals.rules, tuple(signals.short))
        return wished.met(self.order.asked.parts())

    def _with_hits(self, problem: PlanProblem) -> PlanProblem:
        """Return the problem with hits as they are asked for; unless stated, only where they pay."""
        hits, frame = self.order.hits, problem.frame
        if hits is None and not frame.first_squad and frame.transfers.first != frame.transfers.no_limit:
            rng = stream(0, Stream.SHAKEN, self.rounds.rounds[0], 1)
            hits = hit_verdict(problem, self.order.search.linear, rng).pays
        return problem if hits else _fewest_hits(problem)

    def _with_chips(self, problem: PlanProblem) -> PlanProblem:
        """Return the problem with boosters left to the search, to nobody, or asked for in their rounds."""
        chips = self.order.chips
        if chips == AUTO:
            return problem
        asked = {} if chips == NONE else dict(_placed(self.rounds, chips))
        offers = [
            replace(one, allowed=one.allowed & np.array([asked.get(number) == one.key for number in problem.rounds]))
            for one in problem.chips
        ]
        placed = tuple(asked.get(number) for number in problem.rounds)
        return replace(problem, chips=tuple(offers)).asking(chip_in=placed)

    def read(self, content: bytes | str, objective: Objective) -> PlanOption:
        """Return a plan that was taken away as CSV, scored anew; one that breaks a rule is refused by name."""
        told = read_plan_csv(content)
        numbers = tuple(number for number, _, _ in told)
        if numbers != self.rounds.rounds:
            raise InputError(f"The file plans rounds {list(numbers)}, this plan covers {list(self.rounds.rounds)}.")
        plan = self._plan_of(told, plan_problem(self.rounds, objective))
        broken = breaches(plan, self.rounds.state, self.rounds.signals[0])
        if broken:
            raise InputError(f"The plan of the file breaks a rule now. {broken[0]}")
        return plan_options(self.rounds, objective, [plan], self.notes)[0]

    def _plan_of(self, told: Sequence[tuple[int, str | None, tuple[int, ...]]], problem: PlanProblem) -> Plan:
        """Return the plan of squads that are told by ids; after a free hit the squad before it comes back."""
        signals, kept, one_round = self.rounds.signals[0], [], {}
        before = problem.frame.start_squad
        for column, (_, chip, ids) in enumerate(told):
            squad = np.array([signals.row_of(player) for player in ids], dtype=np.int64)
            if chip is not None and problem.chip(chip).effect is BoosterEffect.FREE_HIT:
                one_round[column] = squad
                squad = before
            kept.append(squad)
            before = squad
        return plan_of(problem, [chip for _, chip, _ in told], np.array(kept), one_round)

    def as_wishes(self) -> Wishes:
        """Return the state as wishes of the coming round, for a board of it alone."""
        state, wishes = self.rounds.state, self.wishes
        if not state.squad:
            return replace(wishes, squad=(), selling={}, free_transfers=None)
        changes = (
            wishes.changes if self.order.hits is True or state.free is None else min(state.free, wishes.changes or 15)
        )
        return replace(
            wishes,
            squad=state.squad,
            selling=state.selling,
            budget=state.wealth,
            free_transfers=state.free,
            changes=changes,
        )

    def search(
        self, objective: Objective, stop: Callable[[], bool] = lambda: False
    ) -> Iterator[PlanProgress | PlanBoard]:
        """Yield progress and the board of plans last."""
        problem = self.problem(objective)
        for step in search_plans(self.rounds, problem, objective, self.order.search, stop=stop):
            yield self.board(problem, objective, step) if isinstance(step, PlanSearch) else step

    def board(self, problem: PlanProblem, objective: Objective, found: PlanSearch) -> PlanBoard:
        """Return the board of what a search found."""
        search = self.order.search.linear
        advised = advised_options(self.rounds, problem, objective, found.plans, search, self.notes)
        options = tuple(replace(one, lineage=found.lineage.get(one.plan.key(), "")) for one in advised)
        linear, best = found.linear, options[0]
        placed = linear.placed_bound if best.plan.chips == linear.best.plan.chips else np.inf
        value = plan_value(problem, best.plan)
        bound = PlanBound(value, linear.bound, best.table.points, linear.closed, found.scored, placed)
        return self._board(objective, options, bound, self._rolling(problem, objective, options))

    def of_squads(self, objective: Objective, squads: np.ndarray) -> PlanBoard:
        """Return the board of plans over one round whose squads (p, 15) were found otherwise, as by a board of it."""
        problem = self.problem(objective)
        nothing = (None,) * len(self.rounds)
        plans = [plan_of(problem, nothing, np.array([squad])) for squad in squads]
        ranking = score_plans(self.rounds, plans, objective).ranking
        options = plan_options(self.rounds, objective, [plans[row] for row in ranking], self.notes)
        linear, value = solve_linear(problem, self.order.search.linear), plan_value(problem, options[0].plan)
        bound = PlanBound(value, linear.bound, options[0].table.points, linear.closed, len(plans))
        return self._board(objective, options, bound, self._rolling(problem, objective, options))

    def _board(
        self, objective: Objective, options: tuple[PlanOption, ...], bound: PlanBound, rolling: float | None
    ) -> PlanBoard:
        signals = self.rounds.signals[0]
        return PlanBoard(
            world=signals.world,
            round=signals.round,
            title=signals.rules.round_title(signals.round),
            objective=objective.name,
            options=options,
            bound=bound,
            rolling=rolling,
            deadline=signals.deadline,
            flags=() if signals.rules.transfers.prices_fixed else (PRICES,),
            rounds=self.rounds,
        )

    def _rolling(self, problem: PlanProblem, objective: Objective, options: tuple[PlanOption, ...]) -> float | None:
        """Return what no first move gives up against the best plan, or gains over the best with one."""
        frame = problem.frame
        if frame.first_squad or frame.transfers.first == frame.transfers.no_limit:
            return None
        best = options[0]
        roll = next((one for one in options if one.cards[0].rolls), None)
        if best.cards[0].rolls:
            moved = next((one for one in options if not one.cards[0].rolls), None)
            return None if moved is None else best.table.total - moved.table.total
        if roll is not None:
            return best.table.total - roll.table.total
        return best.table.total - self._rolled(problem, objective, best.plan)

    def _rolled(self, problem: PlanProblem, objective: Objective, plan: Plan) -> float:
        """Return the fitness of the best plan that leaves the squad alone now, and plays a plan's later boosters."""
        most = problem.locks.most_transfers.copy()
        most[0] = 0
        later = (None, *plan.chips[1:])
        chips = tuple(
            replace(one, allowed=one.allowed & np.array([chip == one.key for chip in later])) for one in problem.chips
        )
        quiet = replace(problem, chips=chips).asking(most_transfers=most, chip_in=later)
        steps = search_plans(self.rounds, quiet, objective, replace(self.order.search, options=1))
        found = [step for step in steps if isinstance(step, PlanSearch)]
        return found[-1].fitness[0]


def open_planner(
    snapshot: Snapshot,
    beliefs: Signals,
    order: PlanOrder,
    wishes: Wishes,
    exposure_of: Callable[[Signals], Exposure | None],
    ahead: Sequence[Signals] | None = None,
) -> Planner:
    """Return the planner of a manager at a desk; `ahead` are the beliefs of the rounds where they are at hand."""
    if ahead is None:
        ahead = signals_ahead(beliefs, order.horizon, own=order.own)
    state = order.state or state_of(wishes, beliefs)
    exposures = [exposure_of(signals) for signals in ahead]
    scene = SceneSettings(preferences=wishes.preferences)
    last = min(beliefs.round + order.horizon - 1, beliefs.rules.rounds)
    settings = order.settings or measured_settings(beliefs.rules, state.boosters, range(beliefs.round, last + 1))
    rounds = plan_rounds(ahead, state, settings=settings, exposures=exposures, scene=scene)
    return Planner(rounds, order, wishes, price_notes(snapshot, beliefs))


def price_notes(snapshot: Snapshot, signals: Signals) -> dict[int, str]:
    """Return price changes to come that the game tells, by player row."""
    if "price_change" not in snapshot.players:
        return {}
    change = dict(zip(snapshot.players["player_id"], snapshot.players["price_change"], strict=True))
    notes = {}
    for row, player in enumerate(signals.player_id.tolist()):
        way = change.get(player)
        if way is not None and not pd.isna(way) and abs(way) >= NEAR:
            notes[row] = _change_words(float(way))
    return notes


def _change_words(way: float) -> str:
    kind, advice = ("rise", "buy now or pay 0.1 more") if way > 0 else ("fall", "waiting may save 0.1")
    when = "tonight" if abs(way) >= 100 else f"soon ({abs(way):.0f}% of the way)"
    return f"his price is to {kind} {when}: {advice}"


def _placed(rounds: PlanRounds, chips: str | Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the round and the key of every booster that is asked for as NAME@ROUND."""
    rules: GameRules = rounds.signals[0].rules
    for text in [chips] if isinstance(chips, str) else chips:
        name, at, number = text.partition("@")
        if not at or not (number.isascii() and number.isdecimal()) or len(number) > 3:
            raise InputError(
                f"{text!r} names no booster and round. Write auto, none, or NAME@ROUND such as wildcard@9."
            )
        key = _key_of(name, rules, rounds.state, int(number))
        if int(number) not in rounds.rounds:
            listed = f"{rounds.rounds[0]} to {rounds.rounds[-1]}"
            raise InputError(f"{text!r} is outside the plan, which covers rounds {listed}.")
        yield int(number), key


def _key_of(name: str, rules: GameRules, state: State, number: int) -> str:
    """Return the booster that a name means: its key, or the one of several sets that may be played in the round."""
    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    keys = [key for key in state.boosters if key == plain or str(rules.boosters[key].effect) == plain]
    legal = [key for key in keys if rules.boosters[key].legal_in(number)]
    if not keys:
        known = sorted({str(booster.effect) for booster in rules.boosters.values()})
        raise UnknownError(f"There is no booster {name!r} left. {did_you_mean(plain, known)}")
    if not legal:
        raise InputError(f"{rules.boosters[keys[0]].title} cannot be played in {rules.round_title(number)}.")
    return legal[0]
