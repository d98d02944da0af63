"""The dial, measured: what protect does for a lead, and gain for a deficit and the top 1 %, against four fields.

Each is judged on its own goals. Squads are bred, and strengths are chosen, on training draws; every figure is from
held-out draws, the same matches for all objectives. Differences to the most points are paired, simulation by
simulation, and corrected by Holm for all that stand in the table. One round is played; what follows it enters by the
normal approximation of `chances`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.fitness.objective import DEFAULT_K, RANK
from engine.fitness.reference import CHEAPEST_BENCH
from engine.fitness.squad_view import SquadView
from engine.rank.chances import Simulation, ahead_at_the_end, later_edges, simulate, top_at_the_end
from engine.rank.field import Field, ev_aware_field, naive_field, observed_field, rivals_field
from engine.rank.field_draw import Tastes
from engine.rank.intervals import LEVEL, Difference, Estimate, estimate, holm, paired
from engine.rank.recommendation import GAIN, KAPPAS, KICKS, MOST_POINTS, PROTECT, Breeder, chosen_kappa
from engine.rules.exact import LinearValues, linear_optimum
from engine.rules.pool import pool_of
from engine.search.seeding.archetypes import SolvedSquads
from models.signals import Signals

LEADS = (10.0, 15.0, 25.0)
DEFICITS = (10.0, 25.0, 50.0)
SOME_ROUNDS = 3
USUAL = "usual strength"
MEASURED = "measured strength"
COLUMNS = (MOST_POINTS, MEASURED, USUAL, RANK)
"""What stands beside each other: the most points, the goal's own objective at two strengths, and both sides of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """How large the table's simulations are."""

    managers: int = 1_000
    training: int = 4_000  # simulations that strengths are chosen on
    held_out: int = 20_000  # simulations of the figures
    kicks: int = KICKS  # of the local search
    kappas: tuple[float, ...] = KAPPAS

    @classmethod
    def quick(cls) -> TableSettings:
        """Return the size for a look: wider intervals, a minute or so for each round."""
        usual = (-DEFAULT_K[GAIN], 0.0, DEFAULT_K[PROTECT])
        return cls(managers=300, training=2_000, held_out=4_000, kicks=1, kappas=(-0.03, *usual, 0.05))


@dataclass(frozen=True, slots=True)
class Goal:
    """What one wants of a round, and of those after it."""

    lead: float | None  # ahead of somebody of the field by so much before the round; None = the top 1 %

    def __str__(self) -> str:
        if self.lead is None:
            return "top 1 %"
        return f"hold {self.lead:g}" if self.lead >= 0 else f"erase {-self.lead:g}"

    @property
    def objective(self) -> str:
        """The objective whose goal it is."""
        return PROTECT if self.lead is not None and self.lead > 0 else GAIN

    def allows(self, kappa: float) -> bool:
        """Return whether a strength is on the side of the goal's own objective."""
        return kappa >= 0 if self.objective == PROTECT else kappa <= 0

    def outcomes(self, simulation: Simulation, squad: int, later: int, edge: float) -> np.ndarray:
        """Return (n,) how well a squad did when so many later rounds are over, 0 to 1."""
        if self.lead is None:
            return top_at_the_end(simulation, squad, later, edge)
        return ahead_at_the_end(simulation, squad, self.lead, later, edge)


GOALS = (*(Goal(lead) for lead in LEADS), *(Goal(-deficit) for deficit in DEFICITS), Goal(None))


@dataclass(frozen=True, slots=True)
class Cell:
    """One way to reach a goal, in one round, against one field, with so many rounds left."""

    round: int
    field: str
    rounds_left: int
    goal: str
    objective: str  # whose goal it is
    column: str  # which of `COLUMNS`
    chance: Estimate
    gain: Difference | None  # against the most points; None for those themselves
    p: float  # of the gain, corrected by Holm over the whole table; 1 without one
    kappa: float  # strength, below 0 on the side of gain

    @property
    def verdict(self) -> str:
        """Return "better", "worse", or nothing where the difference may be luck."""
        if self.gain is None or self.p >= 1 - LEVEL or self.gain.value == 0:
            return ""
        return "better" if self.gain.value > 0 else "worse"


@dataclass(frozen=True, slots=True)
class Duel:
    """One round against one field with so many rounds left: what came of each column, for each goal."""

    round: int
    field: str
    rounds_left: int
    outcomes: dict[tuple[Goal, str], np.ndarray]  # (goal, column) → (n,)
    kappas: dict[tuple[Goal, str], float]
    alike: bool  # whether protect and gain, at their usual strengths, choose the same squad and captain


def four_fields(signals: Signals, managers: int, tastes: Tastes) -> tuple[Field, ...]:
    """Return managers as observed, EV-aware and naive ones, and a named rival who owns the template."""
    return (
        observed_field(signals, managers, tastes),
        ev_aware_field(signals, managers, tastes),
        naive_field(signals, managers, tastes),
        rivals_field(signals, template_squad(signals)[None, :]),
    )


def template_squad(signals: Signals) -> np.ndarray:
    """Return (15,) the most owned legal squad."""
    exposure = signals.exposure
    values = LinearValues(exposure.owned, CHEAPEST_BENCH * exposure.owned, exposure.captained)
    return linear_optimum(values, pool_of(signals), signals.rules.squad.lineups).squad


def measured_table(duels: list[Duel]) -> tuple[Cell, ...]:
    """Return every cell of the table, differences corrected for all of them."""
    keys = [(duel, goal, column) for duel in duels for goal, column in duel.outcomes]
    gains = [
        None if column == MOST_POINTS else paired(duel.outcomes[goal, MOST_POINTS], duel.outcomes[goal, column])
        for duel, goal, column in keys
    ]
    corrected = iter(holm(np.array([gain.p for gain in gains if gain is not None])).tolist())
    return tuple(
        Cell(
            duel.round,
            duel.field,
            duel.rounds_left,
            str(goal),
            goal.objective,
            column,
            estimate(duel.outcomes[goal, column]),
            gain,
            1.0 if gain is None else next(corrected),
            duel.kappas[goal, column],
        )
        for (duel, goal, column), gain in zip(keys, gains, strict=True)
    )


def play_round(
    signals: Signals, settings: TableSettings, rng: np.random.Generator, *, cluster: str | None = None
) -> Iterator[Duel]:
    """Yield the duels of one round, field by field; simulated here, or on the Dask cluster at an address."""
    taste_rng, *field_rngs = rng.spawn(5)
    tastes = Tastes(int(taste_rng.integers(2**31)))
    for field, own in zip(four_fields(signals, settings.managers, tastes), field_rngs, strict=True):
        yield from play(signals, field, settings, own, cluster=cluster)


def play(
    signals: Signals, field: Field, settings: TableSettings, rng: np.random.Generator, *, cluster: str | None = None
) -> Iterator[Duel]:
    """Yield what each objective does against one field: in the last round, with three left, and with all there are."""
    search_rng, training_rng, held_out_rng = rng.spawn(3)
    view, kappas, cache = SquadView(signals, exposure=field.exposure(signals)), settings.kappas, SolvedSquads()
    bred = [
        breeder.best(*map(breeder.rank, kappas))
        for breeder in (Breeder(view, search_rng, settings.kicks, carry, cache=cache) for carry in (0.0, None))
    ]
    squads = np.concatenate(bred)
    lined = view.lineups(squads)
    trained, tested = (
        simulate(signals, squads, field, n, draws, lineups=lined, cluster=cluster)
        for n, draws in ((settings.training, training_rng), (settings.held_out, held_out_rng))
    )
    rounds = signals.rules.rounds - signals.round + 1
    for left in sorted({1, min(SOME_ROUNDS, rounds), rounds}):
        first = len(kappas) * (left > 1)
        rows = dict(zip(kappas, range(first, first + len(kappas)), strict=True))
        edges = later_edges(view, lined.starters, field, left - 1)
        usual = [rows[DEFAULT_K[PROTECT]], rows[-DEFAULT_K[GAIN]]]
        alike = [(frozenset(squads[row].tolist()), int(lined.captain[row])) for row in usual]
        yield _duel(signals.round, field.name, left, (trained, tested), rows, edges, alike[0] == alike[1])


def _duel(
    number: int,
    field: str,
    left: int,
    simulations: tuple[Simulation, Simulation],
    rows: dict[float, int],
    edges: np.ndarray,
    alike: bool,
) -> Duel:
    """Return one duel: strengths are chosen on the first simulation and measured on the second."""
    trained, tested = simulations
    outcomes, kappas = {}, {}
    for goal in GOALS if tested.crowd.has_top else GOALS[:-1]:
        seen = {k: goal.outcomes(trained, row, left - 1, float(edges[row])) for k, row in rows.items()}
        usual = DEFAULT_K[PROTECT] if goal.objective == PROTECT else -DEFAULT_K[GAIN]
        chosen = {
            MOST_POINTS: 0.0,
            MEASURED: chosen_kappa({kappa: ends for kappa, ends in seen.items() if goal.allows(kappa)}),
            USUAL: usual,
            RANK: chosen_kappa(seen),
        }
        for column, kappa in chosen.items():
            row = rows[kappa]
            kappas[goal, column] = kappa
            outcomes[goal, column] = goal.outcomes(tested, row, left - 1, float(edges[row]))
    return Duel(number, field, left, outcomes, kappas, alike)


def table_markdown(cells: tuple[Cell, ...]) -> str:
    """Return the table as Markdown: a part for each round, field and rounds left, marked where it is not luck."""
    parts = dict.fromkeys((cell.round, cell.field, cell.rounds_left) for cell in cells)
    texts = [
        _part(part, [cell for cell in cells if (cell.round, cell.field, cell.rounds_left) == part]) for part in parts
    ]
    legend = (
        f"Chances with {LEVEL:.0%} intervals; against the most points: ▲ better, ▼ worse (paired differences, "
        f"Holm-corrected over {sum(cell.gain is not None for cell in cells)} of them); κ is the strength, below 0 on "
        "the side of gain."
    )
    return "\n\n".join([_summary(cells), *texts, legend]) + "\n"


def tally(cells: tuple[Cell, ...]) -> list[dict[str, str | int]]:
    """Return how often each objective is better and worse than the most points on its own goals, a row each."""
    rows: list[dict[str, str | int]] = []
    for objective in (PROTECT, GAIN):
        for column in (MEASURED, USUAL, RANK):
            own = [cell.verdict for cell in cells if (cell.objective, cell.column) == (objective, column)]
            told = "either side (rank)" if column == RANK else column
            counts = {"better": own.count("better"), "no difference": own.count(""), "worse": own.count("worse")}
            rows.append({"its goals": objective, "strength": told, **counts})
    return rows


def _summary(cells: tuple[Cell, ...]) -> str:
    rows = tally(cells)
    heads = " | ".join(rows[0])
    lines = [f"| {heads} |", "| --- |" + " --- |" * (len(rows[0]) - 1)]
    return "\n".join([*lines, *(f"| {' | '.join(map(str, row.values()))} |" for row in rows)])


def _part(part: tuple[int, str, int], cells: list[Cell]) -> str:
    number, field, left = part
    against = field if "rival" in field else f"{field} field"
    lines = [f"### Round {number}, {against}, {left} round{'s' * (left != 1)} left", ""]
    lines += ["| goal | " + " | ".join(COLUMNS) + " |", "| --- |" + " --- |" * len(COLUMNS)]
    for goal in dict.fromkeys(cell.goal for cell in cells):
        row = {cell.column: cell for cell in cells if cell.goal == goal}
        told = " | ".join(_shown(row[column]) for column in COLUMNS)
        lines.append(f"| {row[MOST_POINTS].objective}: {goal} | {told} |")
    return "\n".join(lines)


def _shown(cell: Cell) -> str:
    if cell.gain is None:
        return str(cell.chance)
    mark = {"better": " ▲", "worse": " ▼", "": ""}[cell.verdict]
    gain = cell.gain
    return f"{cell.chance.value:.1%}, {gain.value:+.1%} ({gain.low:+.1%} to {gain.high:+.1%}){mark}, κ {cell.kappa:g}"
