"""The front desk: from world, round, wishes and seed to signals, judge, board, comparison and standing.

The page, the command line and a Python user all ask here; nobody else builds signals, judges or generators.

    desk = open_desk("wc2026", 1, seed=1)
    board = desk.pick("protect")
    desk.compare("protect", "gain"), desk.standing(board, lead=15), desk.score(board.recommended.rows, "gain")
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from data.domain import Crowd
from data.errors import InputError
from data.rules import CaptaincyMode, GameRules, load_rules
from data.worlds.library import find_world
from data.worlds.snapshot import Snapshot
from data.worlds.world import World
from engine.board.board import Board, Option
from engine.board.claim import claim_of
from engine.board.comparison import Comparison, compare
from engine.board.picking import pick
from engine.fitness.explanation import Decomposition
from engine.fitness.judge import Judge, Objective, named_objective
from engine.fitness.objective import RANK
from engine.fitness.squad_view import SquadView, refuse_impossible
from engine.fitness.wishes import NO_WISHES, Wishes
from engine.jobs import last_of, work_on_one_core
from engine.lineup.lineups import joined
from engine.rules.conflicts import Demands
from engine.search.breeding.evolution import EvolutionSettings, Progress
from engine.search.run import PickSettings
from engine.search.seeding.archetypes import SolvedSquads
from engine.search.seeding.memory import Memory, NullMemory
from models.crowd.ownership import Exposure
from models.signals import Signals, build_signals
from models.streams import Stream, stream

if TYPE_CHECKING:  # simulated rounds: who only picks a squad does not wait for them
    from engine.board.boosters import BoosterValue
    from engine.board.bred_boards import BredBoard
    from engine.board.why import Why
    from engine.plan.answer.comparison import PlanComparison
    from engine.plan.answer.hint import PlanHint
    from engine.plan.answer.plan_board import PlanBoard, PlanOption
    from engine.plan.fitness.rounds import PlanRounds
    from engine.plan.planner import Planner, PlanOrder
    from engine.plan.run import PlanProgress
    from engine.plan.standing import PlanStanding
    from engine.rank.chances import StandingChances
    from engine.rank.field import Field
    from engine.rank.intervals import Estimate
    from engine.rank.recommendation import Recommendation
    from engine.rank.rivals import Rival
    from engine.replay.walk import Replay
    from engine.season.league.league_end import LeagueEnd

GENERATIONS = 10
"""Generations of a board: the best squad is found by then and the options differ; about a second."""

EVALUATIONS = 200_000
"""Squads a search may score: out of the way of the generations that are asked for."""


def open_desk(
    world: str | World,
    round_number: int,
    *,
    wishes: Wishes = NO_WISHES,
    captaincy: CaptaincyMode | str | None = None,
    projections: pd.DataFrame | None = None,
    crowd: Crowd | str = Crowd.ALL,
    seed: int = 0,
) -> Desk:
    """Return the desk of a round: `world` is a name, a folder or an open world; `captaincy` None as the rules have it.

    `projections` are the manager's own figures, indexed by player id. `crowd` is whom he plays against: "all" managers,
    or the "best" of a league. Wishes that cannot hold together are an error that names them.
    """
    snapshot = (find_world(world) if isinstance(world, str) else world).at(round_number)
    rules = rules_for(snapshot.rulebook, captaincy)
    found = beliefs(snapshot, rules, seed, projections).against(Crowd(crowd))
    return Desk(snapshot, found, seed=seed).with_wishes(wishes)


def rules_for(rulebook: str, captaincy: CaptaincyMode | str | None = None) -> GameRules:
    """Return the rules of a game, with the armband moving as stated where it is."""
    rules = load_rules(rulebook)
    return rules.with_captaincy(CaptaincyMode(captaincy)) if captaincy else rules


def beliefs(snapshot: Snapshot, rules: GameRules, seed: int, projections: pd.DataFrame | None = None) -> Signals:
    """Return what is believed of a round at its deadline."""
    work_on_one_core()
    return build_signals(snapshot, rules, rng=stream(seed, Stream.COMPETITION), overrides=projections)


def check_world(world: World) -> Signals:
    """Return what is believed of a world's coming round; where nothing can be, the error says what it lacks."""
    return beliefs(world.at(world.rounds[-1]), rules_for(world.rulebook), seed=0)


@dataclass(frozen=True, eq=False)
class Desk:
    """One round under a manager's wishes: every question about squads is answered here, the same way for everybody."""

    snapshot: Snapshot
    beliefs: Signals  # at the prices of the game; `signals` has those this manager pays
    wishes: Wishes = NO_WISHES
    seed: int = 0
    rivals: tuple[Rival, ...] = ()  # whom he plays against by name; empty = the crowd of the beliefs
    solved: SolvedSquads = field(default_factory=SolvedSquads, repr=False)  # what one board solves serves the next
    shared: Judge | None = field(default=None, repr=False)  # made for the same wishes, locks and bans aside

    @cached_property
    def judge(self) -> Judge:
        """What squads are scored by, under all wishes."""
        if self.shared is not None:
            return self.shared
        signals = self.wishes.priced(self.beliefs)
        view = SquadView(signals, self._held[0].settings(signals), self._exposure(signals))
        return Judge(view, stream(self.seed, Stream.REFERENCE))

    @cached_property
    def _held(self) -> tuple[Wishes, tuple[str, ...]]:
        return self.wishes.within(self.beliefs.rules, self.beliefs.round)

    @property
    def refused(self) -> tuple[str, ...]:
        """A sentence for each wish that the rules of the round do not let hold; it is left aside."""
        return self._held[1]

    @cached_property
    def demands(self) -> Demands:
        """Who must and who must not be in a squad, as player rows; nobody buys who cannot play."""
        return self.view.available(self.wishes.demands(self.beliefs))

    @property
    def view(self) -> SquadView:
        """How squads are looked at."""
        return self.judge.view

    @property
    def signals(self) -> Signals:
        """All beliefs about the round, at the prices this manager pays."""
        return self.judge.view.signals

    def with_wishes(self, wishes: Wishes) -> Desk:
        """Return the same round under other wishes; where they cannot hold together, an error names them."""
        desk = replace(self, wishes=wishes, shared=None)
        refuse_impossible(desk.view, desk.demands)
        return desk

    def objective(self, theta: str | None, k: float | None = None, w: float | None = None) -> Objective:
        """Return the objective a user names: θ, rank or the path of a spec of his own; none is an error that asks."""
        return named_objective(theta, self.view, k=k, w=None if theta == RANK else w)  # rank weighs no ownership

    def search(
        self,
        objective: Objective,
        *,
        generations: int = GENERATIONS,
        seconds: float = np.inf,
        memory: Memory | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Iterator[Progress | Board]:
        """Yield progress after every generation and the board last; after a stop request it is that of the best so far.

        Unless `seconds` end it first, the same seed gives the same board, byte for byte.
        """
        settings = self._settings(generations, seconds, memory)
        return pick(self.judge, objective, stream(self.seed, Stream.SEARCH), settings, cache=self.solved, stop=stop)

    def bred_before(self, objective: Objective, generations: int = GENERATIONS) -> Board | None:
        """Return the board that a search would find where it comes with the project, without what else was bred."""
        from engine.board.bred_boards import bred_before

        return bred_before(self.judge, objective, self.seed, self._settings(generations))

    def to_be_kept(self, board: Board, objective: Objective, generations: int = GENERATIONS) -> BredBoard:
        """Return what is to be kept of a board that was bred just now, for `bred_before`."""
        from engine.board.bred_boards import to_be_kept

        return to_be_kept(board, self.judge, objective, self.seed, self._settings(generations))

    def _settings(self, generations: int, seconds: float = np.inf, memory: Memory | None = None) -> PickSettings:
        if generations < 1:
            raise InputError(f"{generations} generations breed nothing; ask for 1 or more.")
        evolution = EvolutionSettings(generations=generations, evaluations=EVALUATIONS, seconds=seconds)
        return PickSettings(evolution=evolution, demands=self.demands, memory=memory or NullMemory())

    def pick(
        self,
        theta: str | None,
        *,
        k: float | None = None,
        w: float | None = None,
        generations: int = GENERATIONS,
        prove: bool = False,
    ) -> Board:
        """Return the board of an objective: two to four options, one recommended, every score decomposed."""
        objective = self.objective(theta, k, w)
        board = last_of(self.search(objective, generations=generations), Board)
        return self.proved(board, objective) if prove else board

    def proved(self, board: Board, objective: Objective) -> Board:
        """Return the board with what can be proved about its recommended option; takes some seconds."""
        return replace(board, proof=claim_of(self.judge, objective, board.recommended, self.demands))

    def score(self, squad: Sequence[int] | np.ndarray, theta: str | None, **strengths: float | None) -> Decomposition:
        """Return the fitness of any squad of player rows and every term it is made of; `strengths` are k and w."""
        return self.judge.decompose(np.asarray(squad), self.objective(theta, **strengths))

    def compare(self, first: str = "protect", second: str = "gain", *, generations: int = GENERATIONS) -> Comparison:
        """Return two plans side by side: what they share, what each swap costs, each squad under both objectives."""
        objectives = self.objective(first), self.objective(second)
        refuse_same(objectives)
        boards = [self.pick(theta, generations=generations) for theta in (first, second)]
        return compare(self.judge, (boards[0].recommended, objectives[0]), (boards[1].recommended, objectives[1]))

    def planner(self, order: PlanOrder | None = None) -> Planner:
        """Return who plans the coming rounds from the manager's squad, or from the state that is ordered."""
        from engine.plan.planner import PlanOrder, open_planner

        return open_planner(
            self.snapshot, self.beliefs, order or PlanOrder(), self._held[0], self._exposure, seed=self.seed
        )

    def planning(
        self, objective: Objective, order: PlanOrder | None = None, stop: Callable[[], bool] = lambda: False
    ) -> Iterator[PlanProgress | PlanBoard]:
        """Yield progress and the board of plans last; after a stop request it is that of the best so far."""
        return self.planned_by(self.planner(order), objective, stop)

    def planned_by(
        self, planner: Planner, objective: Objective, stop: Callable[[], bool] = lambda: False
    ) -> Iterator[PlanProgress | PlanBoard]:
        """Yield as `planning` does what a planner finds who is at hand."""
        if planner.order.horizon > 1:
            yield from planner.search(objective, stop)
            return
        settled = self.with_wishes(planner.as_wishes())
        board = last_of(settled.search(objective, stop=stop), Board)
        yield planner.of_squads(objective, np.array([option.rows for option in board.options]))

    def plan(
        self, theta: str | None, horizon: int = 5, *, k: float | None = None, w: float | None = None, **asked: Any
    ) -> PlanBoard:
        """Return plans over the next rounds: transfers, boosters, line-ups; `asked` are the fields of a `PlanOrder`."""
        from engine.plan.answer.plan_board import PlanBoard
        from engine.plan.planner import PlanOrder

        order = PlanOrder(horizon=horizon, **asked)
        return last_of(self.planning(self.objective(theta, k, w), order), PlanBoard)

    def plan_hint(self, board: Board, objective: Objective, horizon: int = 5) -> PlanHint | None:
        """Return what a plan without boosters says to a board's recommended squad; None without a squad one has."""
        from engine.plan.answer.hint import plan_hint
        from engine.plan.answer.plan_board import PlanBoard
        from engine.plan.planner import NONE, PlanOrder

        if not self.wishes.squad or self.beliefs.round == self.beliefs.rules.rounds:
            return None
        order = PlanOrder(horizon=horizon, chips=NONE)
        alone = self.planner(replace(order, horizon=1)).of_squads(objective, np.array([board.recommended.rows]))
        ahead = last_of(self.planning(objective, order), PlanBoard)
        mine = next(one for one in alone.options if set(one.plan.moves[0].squad) == set(board.recommended.rows))
        return plan_hint(ahead, mine.table)

    def compare_plans(
        self, first: str = "protect", second: str = "gain", horizon: int = 5, **asked: Any
    ) -> PlanComparison:
        """Return two plans side by side: where they part, week by week, each under both objectives."""
        from engine.plan.answer.comparison import compare_plans

        objectives = self.objective(first), self.objective(second)
        refuse_same(objectives)
        boards = [self.plan(theta, horizon, **asked) for theta in (first, second)]
        left, right = ((board.recommended, one) for board, one in zip(boards, objectives, strict=True))
        return compare_plans(boards[0].rounds, left, right)

    def plan_standing(
        self,
        lead: float,
        order: PlanOrder | None = None,
        *,
        rounds_left: int | None = None,
        against: Field | None = None,
        simulations: int | None = None,
    ) -> PlanStanding:
        """Return the strength of rank whose plan measures best for a lead; a deficit is negative."""
        from engine.plan.standing import SIMULATIONS, plan_standing

        rng, field = stream(self.seed, Stream.ADVICE), against or self.opponents()
        asked = simulations or SIMULATIONS
        return plan_standing(self.planner(order), lead, field, rng, rounds_left=rounds_left, n=asked)

    def league_end(
        self, order: PlanOrder | None = None, *, rounds_left: int | None = None, simulations: int | None = None
    ) -> LeagueEnd:
        """Return P(finish ahead of each named rival), P(win the league) and what serves best, to the last round."""
        from engine.season.league.league_end import SIMULATIONS, league_end

        rng, n = stream(self.seed, Stream.CHANCES), simulations or SIMULATIONS
        return league_end(self.planner(order), self.rivals, rng, rounds_left=rounds_left, simulations=n)

    def plan_chances(
        self, plans: Sequence[PlanOption], rounds: PlanRounds, lead: float = 0.0, against: Field | None = None
    ) -> tuple[tuple[Estimate, ...], ...]:
        """Return for each plan the chance to be ahead of one of a field after each of its rounds."""
        from engine.season.league.plan_chances import plan_chances

        ahead, rng = rounds.signals, stream(self.seed, Stream.CHANCES)
        return plan_chances(ahead, [one.plan for one in plans], lead, against or self.opponents(), rng)

    def why(self, objective: Objective, row: int, base: Sequence[int] | None = None) -> Why:
        """Return what a player costs: the best squad with him against the best without; `base` is one to start from."""
        from engine.board.why import why

        rng = stream(self.seed, Stream.QUESTIONS)
        return why(self.judge, objective, row, rng, demands=self.demands, base=base)

    def best_squad(self, objective: Objective) -> np.ndarray:
        """Return (15,) the best squad that about a second buys."""
        from engine.search.quick import quick_best

        return quick_best(self.judge, objective, stream(self.seed, Stream.QUESTIONS), self.demands)

    def boosters(self, objective: Objective, squad: Sequence[int] | np.ndarray) -> tuple[BoosterValue, ...]:
        """Return what each booster would add to this round for a squad of player rows."""
        from engine.board.boosters import booster_values

        return booster_values(self.judge, objective, squad, stream(self.seed, Stream.QUESTIONS), self.demands)

    def opponents(self, kind: str = "observed", managers: int | None = None) -> Field:
        """Return whom the manager plays against: his rivals where they are named, else a field that is drawn.

        `kind` is "observed" (managers who own what the crowd does), "best" (of a league), "ev-aware" or "naive".
        """
        from engine.rank.rivals import MANAGERS, opponents

        return opponents(self.signals, self.rivals, self.seed, kind, managers or MANAGERS)

    def squads_against(self, against: Field, asked: Sequence[tuple[str, float | None]], last: bool) -> np.ndarray:
        """Return (a, 15) a squad for each objective and strength against a field; `last` where no round comes after."""
        from engine.rank.recommendation import Breeder, measured_objective

        view = SquadView(self.signals, self.view.settings, against.exposure(self.signals))
        objectives = [measured_objective(theta, view, k, later=not last) for theta, k in asked]
        return Breeder(view, stream(self.seed, Stream.ADVICE), demands=self.demands).best(*objectives)

    def standing(
        self,
        squads: Board | Sequence[Option] | Sequence[Sequence[int]] | np.ndarray,
        *,
        lead: float = 15.0,
        deficit: float = 25.0,
        rounds_left: int | None = None,
        against: Field | None = None,
        simulations: int | None = None,
        cluster: str | None = None,
    ) -> tuple[StandingChances, ...]:
        """Return the chances to hold a lead and to erase a deficit: of options as shown, or squads of player rows."""
        from engine.rank.chances import SIMULATIONS, chances

        shown = squads.options if isinstance(squads, Board) else squads
        options = [one for one in shown if isinstance(one, Option)]
        rows = [option.rows for option in options] or shown
        lineups = [option.lineup for option in options if option.lineup is not None]
        return chances(
            self.judge,
            np.array(rows),
            against or self.opponents(),
            stream(self.seed, Stream.CHANCES),
            lead=lead,
            deficit=deficit,
            n=simulations or SIMULATIONS,
            rounds_left=rounds_left,
            lineups=joined(lineups) if lineups and len(lineups) == len(rows) else None,
            cluster=cluster,
        )

    def advice(
        self,
        lead: float,
        *,
        rounds_left: int | None = None,
        against: Field | None = None,
    ) -> Recommendation:
        """Return which objective measures best for a lead, and at which strength; a deficit is negative."""
        from engine.rank.recommendation import recommend

        rng = stream(self.seed, Stream.ADVICE)
        field, asked = against or self.opponents(), self.demands
        return recommend(self.judge, lead, field, rng, rounds_left=rounds_left, demands=asked, cache=self.solved)

    def _exposure(self, signals: Signals) -> Exposure | None:
        """Return what named rivals are exposed to; None for the crowd of the beliefs."""
        if not self.rivals:
            return None
        from engine.rank.rivals import rival_exposure

        return rival_exposure(self.rivals, signals)


def replay_rounds(
    world: str | World,
    rounds: Sequence[int],
    thetas: Sequence[str],
    *,
    captaincy: CaptaincyMode | str | None = None,
    **settings: Any,
) -> Replay:
    """Return rounds that were played, picked again for each objective with what was known."""
    from engine.replay.walk import Replay, ReplaySettings, replay

    opened = find_world(world) if isinstance(world, str) else world
    asked = ReplaySettings(rounds=tuple(rounds), policies=tuple(thetas), **settings)
    return last_of(replay(opened, rules_for(opened.rulebook, captaincy), asked), Replay)


def refuse_same(objectives: Sequence[Objective]) -> None:
    """Refuse to compare two objectives that ask for the same."""
    first, second = objectives
    if (first.spec.text, first.parameters) == (second.spec.text, second.parameters):
        raise InputError(f"{first.name} and {second.name} ask for the same. Name two objectives that differ.")
