"""The planner: from a round's beliefs and a manager's state to a board of plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from data.errors import InputError
from data.rules import BoosterEffect
from data.worlds.snapshot import Snapshot
from engine.fitness.judge import Objective
from engine.fitness.squad_view import SceneSettings
from engine.fitness.wishes import NO_WISHES, Wishes
from engine.plan.advice.changes import PlanChanges, plan_changes
from engine.plan.advice.chips import booster_rows
from engine.plan.advice.options import first_move
from engine.plan.advice.price_changes import price_notes
from engine.plan.advice.stated import StatedQuestion
from engine.plan.advice.why import PlanWhy, why_not
from engine.plan.answer.bound import PlanBound
from engine.plan.answer.export import read_plan_csv
from engine.plan.answer.plan_board import PRICES, PlanBoard, PlanOption, plan_options
from engine.plan.asking.conflicts import WishedProblem
from engine.plan.asking.wishes import NO_PLAN_WISHES, Have, PlanWishes, Wish, rows_by_id
from engine.plan.asking.words import placed_boosters
from engine.plan.choosing import chosen_options, hit_words, rolling_of
from engine.plan.fitness.keeping import measured_settings
from engine.plan.fitness.plan_fitness import score_plans
from engine.plan.fitness.rounds import PlanRounds, PlanSettings, plan_rounds
from engine.plan.fitness.values import plan_problem
from engine.plan.linear.beam.beam import BeamSettings
from engine.plan.linear.chips import solve_linear
from engine.plan.linear.plans import plan_of, plan_value
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.search import LinearSettings
from engine.plan.moves.legality import breaches
from engine.plan.moves.moves import Plan
from engine.plan.moves.state import State
from engine.plan.run import PlanProgress, PlanSearch, PlanSearchSettings, placed_bound, search_plans
from models.crowd.ownership import Exposure
from models.outlook import HORIZON, signals_ahead
from models.signals import Signals
from models.streams import Stream, stream

AUTO, NONE = "auto", "none"

SKETCHED = LinearSettings(wide=BeamSettings(width=200, rebuilt=1), proof=None, plans=1)
"""How hard a first answer is searched for: a fifth of the whole width misses .03 % at most of what that finds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOrder:
    """What is asked of a plan besides the objective."""

    horizon: int = 5
    state: State | None = None  # None = the squad of the manager's wishes, or nobody
    chips: str | Sequence[str] = AUTO  # "auto", "none", or NAME@ROUND of each that is played
    hits: bool | None = None  # whether transfers beyond the free ones may be planned; None = where they pay
    wishes: PlanWishes = NO_PLAN_WISHES
    settings: PlanSettings | None = None  # None = what is worth keeping as measured
    search: PlanSearchSettings = field(default_factory=PlanSearchSettings)
    own: Mapping[int, pd.DataFrame] = field(default_factory=dict)  # own projections of later rounds, by round

    def __post_init__(self) -> None:
        if not 1 <= self.horizon <= HORIZON:
            raise InputError(f"A plan over {self.horizon} rounds cannot be made. Choose 1 to {HORIZON}.")


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
    seed: int = 0

    def __post_init__(self) -> None:
        asked = self._all_wishes().captain
        rows = rows_by_id(self.rounds.signals[0], self.rounds.state)
        leads = {number: rows[player] for number, player in asked.items() if player in rows}
        if leads != self.rounds.captains:  # line-ups are led by who is asked for, not by the best man
            object.__setattr__(self, "rounds", replace(self.rounds, captains=leads))

    def problem(self, objective: Objective) -> PlanProblem:
        """Return the linear problem under an objective with all that is asked."""
        return self.wished(objective).met(self.asked)

    def wished(self, objective: Objective) -> WishedProblem:
        """Return the linear problem under an objective, to which wishes can be put."""
        problem = self._with_chips(plan_problem(self.rounds, objective))
        if not self.order.hits:
            problem = problem.asking(most_hits=np.zeros_like(problem.locks.most_hits))
        signals = self.rounds.signals[0]
        rows = {int(player): row for row, player in enumerate(signals.player_id)}
        return WishedProblem(problem, rows, signals.rules, signals.short.tolist())

    @property
    def asked(self) -> tuple[Wish, ...]:
        """Every wish: those of the order, and of the desk who must and must not be in, the captain, and the changes."""
        return self._all_wishes().parts()

    def _all_wishes(self) -> PlanWishes:
        wishes, known = self.order.wishes, set(self.rounds.signals[0].player_id.tolist())
        first = self.rounds.rounds[0]
        changes = {} if self.wishes.changes is None else {first: self.wishes.changes}
        captain = {} if self.wishes.captain not in known else {first: int(self.wishes.captain or 0)}
        return replace(
            wishes,
            captain=captain | dict(wishes.captain),
            have=(*wishes.have, *(Have(player) for player in self.wishes.locks if player in known)),
            never=(*wishes.never, *(player for player in self.wishes.bans if player in known)),
            most_transfers=changes | dict(wishes.most_transfers),
        )

    def _with_chips(self, problem: PlanProblem) -> PlanProblem:
        """Return the problem with boosters left to the search, to nobody, or asked for in their rounds."""
        chips = self.order.chips
        if chips == AUTO:
            return problem
        listed = [chips] if isinstance(chips, str) else chips
        rules, at_hand = self.rounds.signals[0].rules, self.rounds.state.boosters
        asked = {} if chips == NONE else dict(placed_boosters(listed, rules, at_hand, self.rounds.rounds))
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
        rows, kept, one_round = rows_by_id(self.rounds.signals[0], self.rounds.state), [], {}
        before = problem.frame.start_squad
        for column, (_, chip, ids) in enumerate(told):
            squad = np.array([_row_of(rows, player) for player in ids], dtype=np.int64)
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
        changes = wishes.changes if self.order.hits or state.free is None else min(state.free, wishes.changes or 15)
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
        settings = replace(self.order.search, hits=self.order.hits is None)
        rng, shake_rng = stream(self.seed, Stream.PLAN).spawn(2)
        for step in search_plans(self.rounds, problem, objective, rng, settings, stop=stop):
            yield self._chosen(problem, objective, step, shake_rng) if isinstance(step, PlanSearch) else step

    def sketch(self, objective: Objective, chips: Sequence[str | None]) -> PlanBoard:
        """Return one plan in a fraction of a second: the linear part's, boosters held where they were, if they may."""
        problem = self.problem(objective)
        asked = problem.locks.chip_in
        legal = {(one.key, column) for one in problem.chips for column in np.flatnonzero(one.allowed).tolist()}
        held = [
            asked[column] or (chip if (chip, column) in legal and chip not in asked else None)
            for column, chip in enumerate(chips)
        ]
        linear = solve_linear(problem.holding(held), SKETCHED)
        scored = score_plans(self.rounds, [valued.plan for valued in linear.plans], objective)
        options = plan_options(self.rounds, objective, [scored.plans[scored.ranking[0]]], self.notes)
        best = options[0]
        bound = PlanBound(plan_value(problem, best.plan), linear.bound, best.table.points, False, len(scored.plans))
        return self._board(objective, options, bound, None)

    def _chosen(
        self, problem: PlanProblem, objective: Objective, found: PlanSearch, rng: np.random.Generator
    ) -> PlanBoard:
        """Return the board of what a search found."""
        options = chosen_options(self.rounds, problem, objective, found, self.notes, rng)
        linear, best = found.linear, options[0]
        closed = linear.closed and best.plan == linear.best.plan
        same = best.plan == found.plans[0]
        placed = found.placed_bound if same else placed_bound(problem, linear, best.plan)
        value = found.value if same else plan_value(problem, best.plan)
        bound = PlanBound(value, linear.bound, best.table.points, closed, found.scored, min(placed, linear.bound))
        rows = booster_rows(problem, best.plan, linear.gains, self.rounds.signals[0].rules) if linear.gains else ()
        rolling = rolling_of(options, found.rolling)
        return replace(self._board(objective, options, bound, rolling, hit_words(found.hits)), boosters=rows)

    def why_not(self, objective: Objective, best: Plan, asked: StatedQuestion) -> PlanWhy:
        """Return what a move that the best plan does not make would cost, or what it is worth where it does."""
        problem, column = self.problem(objective), 0
        subject: int | str = asked.chip or ""
        if asked.player is not None:
            subject = rows_by_id(self.rounds.signals[0], self.rounds.state)[asked.player]
        elif asked.round is not None:
            column = problem.rounds.index(asked.round)
        settings = self.order.search.linear
        return why_not(self.rounds, problem, objective, best, asked.question, subject, column=column, settings=settings)

    def changes(self, content: bytes | str, objective: Objective, best: Plan) -> PlanChanges:
        """Return what changed from a plan that was saved as CSV, now or some rounds ago, to the best one now."""
        problem, told = self.problem(objective), {number: (chip, men) for number, chip, men in read_plan_csv(content)}
        if self.rounds.rounds[0] not in told:
            raise InputError(
                f"The saved plan covers rounds {list(told)}, not round {self.rounds.rounds[0]}. Save one of now."
            )
        at_hand = {offer.key for offer in problem.chips}
        filled, men = list[tuple[int, str | None, tuple[int, ...]]](), told[self.rounds.rounds[0]][1]
        for number in self.rounds.rounds:
            chip, men = told.get(number, (None, men))
            filled.append((number, chip if chip in at_hand else None, men))
        return plan_changes(self.rounds, problem, objective, self._plan_of(filled, problem), best)

    def of_squads(self, objective: Objective, squads: np.ndarray) -> PlanBoard:
        """Return the board of plans over one round whose squads (p, 15) were found otherwise; holding on is one too."""
        problem = self.problem(objective)
        held = () if problem.frame.first_squad else (problem.frame.start_squad,)
        plans = [plan_of(problem, (None,), np.array([squad])) for squad in (*squads, *held)]
        plans = list({plan.key(): plan for plan in plans}.values())
        scored = score_plans(self.rounds, plans, objective, sent_out=True)
        options = tuple(
            replace(option, title=str(first_move(option.plan, problem)))
            for option in plan_options(self.rounds, objective, [plans[row] for row in scored.ranking], self.notes)
        )
        linear, value = solve_linear(problem, self.order.search.linear), plan_value(problem, options[0].plan)
        bound = PlanBound(value, linear.bound, options[0].table.points, linear.closed, len(plans))
        other = [one for one in options if one.cards[0].rolls is not options[0].cards[0].rolls]
        rolling = options[0].table.total - other[0].table.total if held and other else None
        return self._board(objective, options, bound, rolling)

    def _board(
        self,
        objective: Objective,
        options: tuple[PlanOption, ...],
        bound: PlanBound,
        rolling: float | None,
        flags: tuple[str, ...] = (),
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
            flags=(*flags, *(() if signals.rules.transfers.prices_fixed else (PRICES,))),
            rounds=self.rounds,
        )


def _row_of(rows: Mapping[int, int], player: int) -> int:
    if player not in rows:
        raise InputError(f"Player {player} of the plan is not in the list of this round. Make a new plan.")
    return rows[player]


def open_planner(
    snapshot: Snapshot,
    beliefs: Signals,
    order: PlanOrder,
    wishes: Wishes,
    exposure_of: Callable[[Signals], Exposure | None],
    ahead: Sequence[Signals] | None = None,
    seed: int = 0,
) -> Planner:
    """Return the planner of a manager at a desk; `ahead` are the beliefs of the rounds where they are at hand."""
    if ahead is None:
        ahead = signals_ahead(beliefs, order.horizon, own=order.own)
    state = order.state or state_of(wishes, beliefs)
    exposures = [exposure_of(signals) for signals in ahead]
    scene = SceneSettings(preferences=wishes.preferences)
    numbers = [signals.round for signals in ahead]
    settings = order.settings or measured_settings(beliefs.rules, state.boosters, numbers)
    rounds = plan_rounds(ahead, state, settings=settings, exposures=exposures, scene=scene)
    return Planner(rounds, order, wishes, price_notes(snapshot, beliefs), seed)
