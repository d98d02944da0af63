"""θ on real people: ours takes over the squads of real managers beside a real rival, under each objective.

Before a gameweek a manager of a recorded league has his own squad, money and free transfers, and a rival next to him in
the table: above him for every second manager, who has to catch up, below him for the others, who have to hold. For each
objective one plan over the coming rounds is made with what was known, without boosters; its transfers are made as
planned, eleven and captain are chosen anew at every deadline. The rival does what he really did, boosters and hits
included. The chance that is stated beforehand comes from simulation, with a rival who behaves as managers do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from data.rules import GameRules
from data.sources.fpl.managers.account import Prices
from data.sources.fpl.managers.recorded_league import RecordedManager
from data.worlds.world import World
from engine.fitness.judge import Objective, named_objective
from engine.fitness.wishes import NO_WISHES
from engine.jobs import JobStep
from engine.lineup.lineups import best_lineups
from engine.plan.linear.chips import solve_linear
from engine.plan.moves.moves import Plan
from engine.plan.moves.state import State
from engine.plan.planner import NONE, Planner, PlanOrder, open_planner
from engine.rank.chances import entries_of
from engine.rank.field import field_view
from engine.rank.kept_edge import lost_edge
from engine.rank.recommendation import rank_objective
from engine.rank.scores import all_scores
from engine.replay.rounds import official_round
from engine.season.league.behaviour import rival_paths
from engine.season.league.race import crowd_captains, over_rounds, race
from engine.season.standing_kappa import standing_kappa
from engine.season.week import QUICK
from models.crowd.ownership import Exposure, Rivals, rivals_exposure
from models.outlook import signals_ahead
from models.signals import Signals, build_signals
from models.streams import Stream, stream

NEUTRAL, RANK, AUTO = "neutral", "rank", "auto"
PLANNED = (NEUTRAL, "protect", "gain", RANK)
OBJECTIVES = (*PLANNED, AUTO)
"""What is compared; auto plays whichever plan has the best chance beforehand, just points unless another has more."""

HIMSELF = "himself"
"""What the manager really did, beside ours."""

MARGIN = 0.01
"""Chance by which another plan has to be ahead of just points to be played by auto: the error of 2,000 simulations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentSettings:
    """What is played: gameweeks from which ours takes over, for how long, with how many managers each."""

    starts: tuple[int, ...] = (5, 8, 11, 14)
    weeks: int = 5
    managers: int = 52
    simulations: int = 2_000
    paths: int = 4
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Case:
    """One manager beside one rival: what was stated for each objective, and what came of it."""

    start: int
    manager: int
    lead: int  # points ahead of the rival, negative behind
    stated: dict[str, float]  # objective → P(ahead at the end)
    ahead: dict[str, float]  # objective → 1 ahead at the end, 0 behind, ½ level; the manager himself beside ours
    points: dict[str, int]  # objective → points over the weeks

    @property
    def holds(self) -> bool:
        """Whether he has something to hold; else to catch up."""
        return self.lead >= 0


@dataclass(frozen=True, slots=True)
class Experiment:
    """All cases, in the order of gameweek and table."""

    settings: ExperimentSettings
    cases: tuple[Case, ...]


def play_experiment(
    world: World, rules: GameRules, managers: Sequence[RecordedManager], settings: ExperimentSettings
) -> Iterator[JobStep | Experiment]:
    """Yield progress and the experiment last."""
    cases = []
    for step in _steps(world, rules, managers, settings):
        if isinstance(step, Case):
            cases.append(step)
        else:
            yield step
    yield Experiment(settings, tuple(cases))


def _steps(
    world: World, rules: GameRules, managers: Sequence[RecordedManager], settings: ExperimentSettings
) -> Iterator[JobStep | Case]:
    weeks = {start + more for start in settings.starts for more in range(settings.weeks)}
    beliefs = {}
    for done, number in enumerate(sorted(weeks)):
        rng = stream(settings.seed, Stream.COMPETITION, number)
        beliefs[number] = build_signals(world.at(number), rules, rng=rng)
        yield JobStep(done, len(weeks) + len(settings.starts) * settings.managers, rules.round_title(number))
    done = len(weeks)
    for start in settings.starts:
        group = _Group.of(world, rules, managers, settings, start, beliefs)
        for case in group.cases():
            done += 1
            yield JobStep(done, len(weeks) + len(settings.starts) * settings.managers, f"Gameweek {start}")
            yield case


@dataclass(eq=False)
class _Pair:
    """A manager beside his rival, with his plans."""

    manager: RecordedManager
    rival: RecordedManager
    lead: int
    plans: dict[str, Plan]


@dataclass(eq=False)
class _Group:
    """All cases that begin with one gameweek: they share what was believed and what happened."""

    world: World
    settings: ExperimentSettings
    start: int
    ahead: list[Signals]
    later: list[Signals]  # as believed at each deadline
    pairs: list[_Pair]

    @classmethod
    def of(
        cls,
        world: World,
        rules: GameRules,
        managers: Sequence[RecordedManager],
        settings: ExperimentSettings,
        start: int,
        beliefs: dict[int, Signals],
    ) -> _Group:
        now = beliefs[start]
        group = cls(
            world,
            settings,
            start,
            list(signals_ahead(now, settings.weeks)),
            [beliefs[start + more] for more in range(settings.weeks)],
            [],
        )
        prices, here = Prices.of(world.at(start)), set(now.player_id.tolist())
        known = [one for one in managers if one.first < start - 1 and set(one.squads[start - 1]) <= here]
        table = sorted(known, key=lambda one: (-one.total(start), one.number))
        for place in np.unique(np.linspace(0, len(table) - 1, settings.managers).round().astype(int)).tolist():
            one, other = table[place], table[_beside(place, len(table))]
            state = State.of_account(one.account(start, prices, rules))
            lead = one.total(start) - other.total(start)
            group.pairs.append(_Pair(one, other, lead, group.plans(state, lead, other.squads[start - 1])))
        return group

    def plans(self, state: State, lead: int, rival: Sequence[int]) -> dict[str, Plan]:
        """Return the plan of each objective for a manager's state beside a rival's squad."""
        order = PlanOrder(horizon=self.settings.weeks, state=state, chips=NONE, hits=False)
        snapshot = self.world.at(self.start)
        exposed = partial(_exposure, rival)
        planner = open_planner(snapshot, self.ahead[0], order, NO_WISHES, exposed, ahead=self.ahead)
        return {name: _best(planner, _objective(planner, name, lead, self.settings.weeks)) for name in PLANNED}

    def cases(self) -> Iterator[Case]:
        """Yield the cases of the gameweek."""
        stated, rng = self._stated(), range(self.start, self.start + self.settings.weeks)
        for pair, chances in zip(self.pairs, stated, strict=True):
            points = {name: self._scored(plan) for name, plan in pair.plans.items()}
            best = max(chances, key=lambda name: chances[name])
            auto = best if chances[best] >= chances[NEUTRAL] + MARGIN else NEUTRAL
            points |= {AUTO: points[auto], HIMSELF: pair.manager.gained(rng)}
            chances = chances | {AUTO: chances[auto]}
            final = {name: got + pair.lead - pair.rival.gained(rng) for name, got in points.items()}
            ahead = {name: 0.5 if gap == 0 else float(gap > 0) for name, gap in final.items()}
            yield Case(self.start, pair.manager.number, pair.lead, chances, ahead, points)

    def _stated(self) -> list[dict[str, float]]:
        """Return the chance to be ahead at the end, for each pair and objective, all in the same matches."""
        draws, moves = stream(self.settings.seed, Stream.CHANCES, self.start).spawn(2)
        signals, rivals = self.ahead[0], [pair.rival for pair in self.pairs]
        rows = np.array([[signals.row_of(man) for man in one.squads[self.start - 1]] for one in rivals])
        paths = rival_paths(self.ahead, rows, self.settings.paths, moves)
        plans = [plan for pair in self.pairs for plan in pair.plans.values()]
        squads = np.stack([plan.squads for plan in plans])
        gaps = []
        for rounds in race(self.ahead, squads, np.zeros(squads.shape[:2]), paths, self.settings.simulations, draws):
            own, others = over_rounds(rounds)
            mine = own.reshape(len(self.pairs), len(PLANNED), -1)
            gaps.append(mine - others[:, None])
        gap = np.concatenate(gaps, axis=2)  # (pair, plan, s)
        gap = (
            gap
            - lost_edge(gap.mean(axis=2, keepdims=True))
            + np.array([pair.lead for pair in self.pairs])[:, None, None]
        )
        chances = ((gap > 0) + 0.5 * (gap == 0)).mean(axis=2)
        return [dict(zip(PLANNED, row.tolist(), strict=True)) for row in chances]

    def _scored(self, plan: Plan) -> int:
        """Return the official points of a plan's squads, lined up anew at every deadline; a hit never happens."""
        total, ids = 0, self.ahead[0].player_id
        for move, signals in zip(plan.moves, self.later, strict=True):
            squad = _present(ids[list(move.squad)], signals, self.ahead[0])
            lineups = best_lineups(signals, squad[None, :])
            entries, official = entries_of(signals, lineups), official_round(self.world, signals)
            total += int(all_scores(entries, official, signals.rules, signals.position)[0, 0])
        return total


def _beside(place: int, count: int) -> int:
    """Return whom a manager of the table is held against: every second the next above, the others the next below."""
    return place - 1 if place % 2 or place == count - 1 else place + 1


def _present(ids: np.ndarray, signals: Signals, before: Signals) -> np.ndarray:
    """Return the rows of men by their ids; who has left is stood for by somebody of his position who does not play."""
    row = {int(man): at for at, man in enumerate(signals.player_id)}
    found = [row.get(int(man)) for man in ids]
    idle = np.argsort(signals.xev, kind="stable")
    for place, at in enumerate(found):
        if at is None:
            code = before.position[before.row_of(int(ids[place]))]
            found[place] = next(int(one) for one in idle if signals.position[one] == code and int(one) not in found)
    return np.array(found, dtype=np.int64)


def _exposure(squad: Sequence[int], signals: Signals) -> Exposure:
    """Return what a rival is exposed to who lines his squad up by forecast and captains the crowd's choice."""
    rows = np.array([[signals.row_of(man) for man in squad]])
    lineups = best_lineups(signals, rows)
    captain = crowd_captains(signals, lineups)
    return rivals_exposure(Rivals(lineups.starters, captain, lineups.bench), field_view(signals))


def _objective(planner: Planner, name: str, lead: int, weeks: int) -> Objective:
    view = planner.rounds.views[0]
    return rank_objective(view, standing_kappa(lead, weeks), None) if name == RANK else named_objective(name, view)


def _best(planner: Planner, objective: Objective) -> Plan:
    return solve_linear(planner.problem(objective), replace(QUICK, plans=1)).best.plan
