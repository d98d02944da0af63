"""Fitness of a plan under an objective: a table of rounds × terms, and lines for what the horizon does not see.

Every round is scored by the objective's own spec, without carry. The lines are what is kept: free transfers after the
horizon, boosters that are left, and the carry of the last squad beyond it. All cells and lines sum to the fitness.

One player's surprises in two rounds go together a little (`held`): variance and covariance with the field are summed
over rounds with that, half of each pair of rounds told in either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from data.errors import ModelError
from engine.fitness.judge import Objective
from engine.fitness.squad_scoring import carry_weight
from engine.language.deferred import Deferred
from engine.language.spec import SpecScore
from engine.language.vocabulary import RecordSet, Scene
from engine.lineup.lineups import Lineups
from engine.plan.fitness.known_lineups import KnownLineups
from engine.plan.fitness.rounds import PlanRounds, RoundView
from engine.plan.moves.moves import Plan

BOOSTER = "booster"
"""The term of what a round's booster adds to it under the objective."""

LINES = ("transfers_kept", "boosters_kept", "carry_beyond")
LINES_PLAIN = {
    "transfers_kept": "transfers kept",
    "boosters_kept": "boosters kept",
    "carry_beyond": "carry beyond the horizon",
}
"""What the horizon does not see."""

NOT_TOLD = "progression_carry"
"""The term that no round of a plan has: later rounds are its own."""

NOT_DISCOUNTED = "transfer_cost"
"""Hits are paid in whole points whenever they are taken."""

ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class PlanTable:
    """A plan's fitness as rounds × terms with the lines of what is kept; sums along both edges."""

    rounds: tuple[int, ...]
    terms: tuple[str, ...]  # of a round, in reading order; the booster last
    cells: tuple[tuple[float, ...], ...]  # rounds × terms, discounted
    lines: Mapping[str, float]  # LINES
    expected: tuple[float, ...]  # points of each round as the game counts them: hits and booster included
    variance: tuple[float, ...]  # of each round's points
    total: float

    def __post_init__(self) -> None:
        gap = abs(sum(self.by_round) + sum(self.lines.values()) - self.total)
        across = abs(sum(self.by_term.values()) + sum(self.lines.values()) - self.total)
        size = 1.0 + abs(self.total)
        if not max(gap, across) <= ROUNDING * size:
            raise ModelError(f"The table of a plan misses its fitness by {max(gap, across):g}.")

    @property
    def by_round(self) -> tuple[float, ...]:
        """The sum of each round's terms."""
        return tuple(sum(row) for row in self.cells)

    @property
    def by_term(self) -> dict[str, float]:
        """The sum of each term over the rounds."""
        return {term: sum(row[place] for row in self.cells) for place, term in enumerate(self.terms)}

    def row(self, column: int) -> dict[str, float]:
        """Return the terms of one round."""
        return dict(zip(self.terms, self.cells[column], strict=True))

    @property
    def points(self) -> float:
        """Expected points over the rounds, undiscounted, hits taken off."""
        return sum(self.expected)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPlans:
    """Plans with their fitness and all it is made of: row i of every array is plan i."""

    plans: tuple[Plan, ...]
    fitness: np.ndarray  # (p,)
    terms: tuple[str, ...]
    cells: np.ndarray  # (p, r, t) discounted
    lines: np.ndarray  # (p, 3) as LINES has them
    expected: np.ndarray  # (p, r) points as the game counts them, hits taken off
    variance: np.ndarray  # (p, r)
    lineups: tuple[Lineups, ...]  # of each round, row i that of plan i

    def table(self, row: int) -> PlanTable:
        """Return one plan's table."""
        return PlanTable(
            rounds=self.plans[row].rounds,
            terms=self.terms,
            cells=tuple(tuple(cell) for cell in self.cells[row].tolist()),
            lines=dict(zip(LINES, self.lines[row].tolist(), strict=True)),
            expected=tuple(self.expected[row].tolist()),
            variance=tuple(self.variance[row].tolist()),
            total=float(self.fitness[row]),
        )

    @property
    def ranking(self) -> np.ndarray:
        """Rows from best to worst."""
        return np.asarray(np.argsort(-self.fitness, kind="stable"))


def score_plans(
    rounds: PlanRounds,
    plans: Sequence[Plan],
    objective: Objective,
    *,
    sent_out: bool = False,
    known: KnownLineups | None = None,
) -> ScoredPlans:
    """Return plans scored under an objective: in the line-ups that expect most, which is quick, for a search.

    What is shown is `sent_out`: each squad in the line-up that the objective likes best in its round. Line-ups that
    are `known` are not made again.
    """
    liked, known = objective if sent_out else None, known or KnownLineups()
    looks = [_Look(rounds, plans, column, liked, known) for column in range(len(rounds))]
    swings = np.sum([look.swings() for look in looks], axis=0)
    field = np.sum([look.field for look in looks], axis=0)
    scored = [look.scored(objective, swings, field) for look in looks]
    terms = (*(term for term in scored[0].terms if term != NOT_TOLD), BOOSTER)
    cells = np.stack([_cells(one, terms) for one in scored], axis=1)
    discounted = np.array([term != NOT_DISCOUNTED for term in terms])
    cells *= np.where(discounted, rounds.discounts[:, None], 1.0)
    lines = np.stack(
        [_transfers_kept(rounds, plans), _boosters_kept(rounds, plans), _carry(rounds, plans, objective, known)]
    )
    return ScoredPlans(
        plans=tuple(plans),
        fitness=cells.sum(axis=(1, 2)) + lines.sum(axis=0),
        terms=terms,
        cells=cells,
        lines=lines.T,
        expected=np.stack([one.expected for one in scored], axis=1),
        variance=np.stack([one.variance for one in scored], axis=1),
        lineups=tuple(look.plain.lineups for look in looks),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _RoundScore:
    """One round of all plans: terms without the booster, what the booster adds, and points as the game counts them."""

    terms: Mapping[str, np.ndarray]
    booster: np.ndarray
    expected: np.ndarray
    variance: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Some plans' squads of a round under one view: with a booster, or without."""

    rows: np.ndarray  # of the plans
    scene: Scene
    lineups: Lineups
    held: np.ndarray  # (rows, 15) how often each man counts, times the spread of his points


class _Look:
    """What one round of many plans looks like: each squad is looked at once, however many plans have it."""

    def __init__(
        self, rounds: PlanRounds, plans: Sequence[Plan], column: int, liked: Objective | None, known: KnownLineups
    ) -> None:
        self.rounds, self.column, self.liked, self.known = rounds, column, liked, known
        self.moves = [plan.moves[column] for plan in plans]
        left = len(rounds.state.boosters)
        self.chips_left = [left - sum(chip is not None for chip in plan.chips[: column + 1]) for plan in plans]
        self.view = rounds.views[column]
        self.squads = np.array([move.squad for move in self.moves], dtype=np.int64)
        self.sigma = np.sqrt(self.view.signals.variance)
        self.field = self.view.field_exposure.eo * self.sigma  # (n,)
        self.plain = self._part(self.view, np.arange(len(self.moves)))
        self.boosted = [self._part(rounds.view(column, chip), rows) for chip, rows in self._playing()]
        self.held = self.plain.held.copy()  # as it really is, boosters played
        for part in self.boosted:
            self.held[part.rows] = part.held

    def _playing(self) -> list[tuple[str, np.ndarray]]:
        """Return the boosters that change what a squad of the round is worth, with the plans that play them."""
        chips = sorted({move.chip for move in self.moves if move.chip is not None})
        changing = [chip for chip in chips if self.rounds.view(self.column, chip) is not self.view]
        return [(chip, np.flatnonzero([move.chip == chip for move in self.moves])) for chip in changing]

    def _part(self, view: RoundView, rows: np.ndarray) -> _Part:
        unique, which = np.unique(self.squads[rows], axis=0, return_inverse=True)
        sent_out = None if self.liked is None else self.rounds.sent_out(view, unique, self.liked)
        bare = self.view if view.signals is self.view.signals else view
        scene, lineups = view.look(unique, sent_out, view.counted(self.known.of(bare, unique)))
        held = view.multipliers(unique, lineups) * self.sigma[unique]
        # np.unique orders squads, not their men: a plan's squads are by position and row, so columns agree.
        return _Part(rows, _taken_scene(scene, which), lineups.at(which), held[which])

    def swings(self) -> np.ndarray:
        """(p, n) how often every player counts in the round, times the spread of his points."""
        total = np.zeros((len(self.moves), len(self.sigma)))
        np.put_along_axis(total, self.squads, self.held, axis=1)
        return total

    def scored(self, objective: Objective, swings: np.ndarray, field: np.ndarray) -> _RoundScore:
        """Return the round scored; `swings` (p, n) and `field` (n,) are the sums over all rounds."""
        others = np.take_along_axis(swings, self.squads, axis=1) - self.held
        scene = self._amended(self.plain, others, field)
        plain = _evaluated(objective, scene)
        booster, seen = np.zeros(len(self.moves)), dict(scene.squad)
        for part in self.boosted:
            amended = self._amended(part, others, field)
            booster[part.rows] = _evaluated(objective, amended).total - plain.total[part.rows]
            for name in ("raw_xev", "captaincy_uplift", "variance"):
                seen[name] = seen[name].copy()
                seen[name][part.rows] = amended.squad[name]
        expected = seen["raw_xev"] + seen["captaincy_uplift"] - seen["transfer_cost"]
        return _RoundScore(plain.terms, booster, expected, seen["variance"])

    def _amended(self, part: _Part, others: np.ndarray, field: np.ndarray) -> Scene:
        """Return the scene of some plans with their own moves, and with what other rounds add to the round's swing."""
        moves = [self.moves[row] for row in part.rows]
        hits, transfers = (np.array([float(getattr(m, name)) for m in moves]) for name in ("hits", "transfers"))
        share, squad, apart = self.rounds.settings.held, dict(part.scene.squad), field - self.field
        crossed = share * (part.held * others[part.rows]).sum(axis=1)
        shared = share * (part.held * apart[self.squads[part.rows]]).sum(axis=1)
        beside = share * float(self.field @ apart)
        squad["variance"] = squad["variance"] + crossed
        squad["field_covariance"] = squad["field_covariance"] + shared
        squad["relative_variance"] = squad["relative_variance"] + crossed - 2 * shared + beside
        squad |= {"changes": transfers, "transfer_cost": self.view.signals.rules.transfers.hit_cost * hits}
        kept = np.array([self.chips_left[row] for row in part.rows], dtype=float)
        return replace(part.scene, squad=squad, plan={"hits": hits, "transfers": transfers, "chips_kept": kept})


def _evaluated(objective: Objective, scene: Scene) -> SpecScore:
    return objective.spec.evaluate(scene, objective.spec.known(objective.parameters))


def _cells(score: _RoundScore, terms: tuple[str, ...]) -> np.ndarray:
    """(p, t) the terms of a round, the booster last."""
    return np.stack([*(score.terms[term] for term in terms[:-1]), score.booster], axis=1)


def _transfers_kept(rounds: PlanRounds, plans: Sequence[Plan]) -> np.ndarray:
    """(p,) what the free transfers after the horizon are worth; nothing where there is no limit."""
    spare, no_limit = rounds.settings.spare, rounds.frame.transfers.no_limit
    counts = [rounds.spare_count(plan) for plan in plans]
    return np.array([spare[min(n, len(spare) - 1)] if spare and n != no_limit else 0.0 for n in counts])


def _boosters_kept(rounds: PlanRounds, plans: Sequence[Plan]) -> np.ndarray:
    """(p,) what boosters are worth after the horizon, less what was given up by those played within it."""
    keeping = rounds.settings.keeping
    kept = sum(keeping[key][-1] for key in rounds.state.boosters if key in keeping)
    spent = [sum(keeping[c][at] for at, c in enumerate(plan.chips) if c and c in keeping) for plan in plans]
    return np.asarray(kept - np.array(spent, dtype=float))


def _carry(rounds: PlanRounds, plans: Sequence[Plan], objective: Objective, known: KnownLineups) -> np.ndarray:
    """(p,) what the squad kept after the last round is worth beyond the horizon, by the objective's own carry."""
    if not rounds.settings.carry:
        return np.zeros(len(plans))
    last = carried_objective(rounds, objective)
    squads, which = np.unique(np.array([plan.moves[-1].kept for plan in plans]), axis=0, return_inverse=True)
    usual = known.of(rounds.views[-1], squads)
    with_carry, without = (
        _evaluated(last, view.look(squads, usual=usual)[0]).total for view in (rounds.last_view, rounds.views[-1])
    )
    return np.asarray((with_carry - without)[which] * rounds.discounts[-1])


def carried_objective(rounds: PlanRounds, objective: Objective) -> Objective:
    """Return the objective with the carry's weight of the last round, where it was that of the coming one's stage."""
    rules, (first, last) = rounds.signals[0].rules, (rounds.rounds[0], rounds.rounds[-1])
    if objective.parameters.get("c") != carry_weight(rules, first):
        return objective
    return replace(objective, parameters=objective.parameters | {"c": carry_weight(rules, last)})


def _taken_scene(scene: Scene, which: np.ndarray) -> Scene:
    """Return the scene with a row for each plan instead of one for each squad."""
    engine = {
        name: values if np.ndim(values) == 0 else np.asarray(values)[which] for name, values in scene.engine.items()
    }
    return replace(
        scene,
        squad={name: values[which] for name, values in scene.squad.items()},
        records=Deferred({kind: partial(_taken_records, scene.records, kind, which) for kind in scene.records}),
        ticks=_taken_columns(scene.ticks, which),
        engine=engine,
        plan={},
    )


def _taken_records(records: Mapping[str, RecordSet], kind: str, which: np.ndarray) -> RecordSet:
    return RecordSet(_taken_columns(records[kind].fields, which), records[kind].mask[which])


def _taken_columns(columns: Mapping[str, np.ndarray], which: np.ndarray) -> Deferred[np.ndarray]:
    return Deferred({name: partial(_taken, columns, name, which) for name in columns})


def _taken(columns: Mapping[str, np.ndarray], name: str, which: np.ndarray) -> np.ndarray:
    return np.asarray(columns[name][which])
