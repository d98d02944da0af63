"""The dial, measured: what each objective does for a lead, a deficit and the top 1 %, against three fields.

Squads are bred, and rank's strength is chosen, on training draws; every figure is from held-out draws, the same
matches for all objectives. Differences to the most points are paired, simulation by simulation, and corrected by Holm
for all that stand in the table. One round is played: leads and deficits are as if it were the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.fitness.objective import RANK
from engine.fitness.reference import CHEAPEST_BENCH
from engine.fitness.squad_view import SquadView
from engine.rank.chances import Simulation, simulate
from engine.rank.field import Field, ev_aware_field, naive_field, rivals_field
from engine.rank.field_draw import Tastes
from engine.rank.intervals import LEVEL, Difference, Estimate, estimate, holm, paired
from engine.rank.recommendation import KAPPAS, KICKS, MOST_POINTS, Breeder, best_kappa
from engine.rules.exact import LinearValues, linear_optimum
from engine.rules.pool import pool_of
from models.signals import Signals

LEADS = (10.0, 15.0, 25.0)
DEFICITS = (10.0, 25.0, 50.0)
OBJECTIVES = (MOST_POINTS, "protect", "gain", RANK)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """How large the table's simulations are."""

    managers: int = 1_000
    training: int = 4_000  # simulations that rank's strength is chosen on
    held_out: int = 20_000  # simulations of the figures
    kicks: int = KICKS  # of the local search
    kappas: tuple[float, ...] = KAPPAS

    @classmethod
    def quick(cls) -> TableSettings:
        """Return the size for a look: wider intervals, a minute or so."""
        return cls(managers=300, training=2_000, held_out=4_000, kicks=1, kappas=(-0.03, -0.015, 0.0, 0.015, 0.04))


@dataclass(frozen=True, slots=True)
class Goal:
    """What one objectives for in a round."""

    lead: float | None  # ahead of somebody of the field by so much before the round; None = the top 1 %

    def __str__(self) -> str:
        if self.lead is None:
            return "top 1 %"
        return f"hold {self.lead:g}" if self.lead >= 0 else f"erase {-self.lead:g}"

    def outcomes(self, simulation: Simulation, squad: int) -> np.ndarray:
        """Return (n,) how well a squad did, 0 to 1."""
        return simulation.top(squad) if self.lead is None else simulation.ahead(squad, self.lead)


GOALS = (*(Goal(lead) for lead in LEADS), *(Goal(-deficit) for deficit in DEFICITS), Goal(None))


@dataclass(frozen=True, slots=True)
class Cell:
    """One objective's chance at one goal, in one round, against one field."""

    round: int
    field: str
    goal: str
    objective: str
    chance: Estimate
    gain: Difference | None  # against the most points; None for that objective itself
    p: float  # of the gain, corrected by Holm over the whole table; 1 without one
    kappa: float | None  # of rank

    @property
    def verdict(self) -> str:
        """Return "better", "worse", or nothing where the difference may be luck."""
        if self.gain is None or self.p >= 1 - LEVEL or self.gain.value == 0:
            return ""
        return "better" if self.gain.value > 0 else "worse"


@dataclass(frozen=True, slots=True)
class Duel:
    """One round against one field: who plays, and what came of it."""

    round: int
    field: str
    goals: tuple[Goal, ...]
    outcomes: dict[tuple[str, str], np.ndarray]  # (goal, objective) → (n,)
    kappas: dict[str, float]  # goal → rank's strength


def three_fields(signals: Signals, managers: int, tastes: Tastes) -> tuple[Field, ...]:
    """Return the naive field, the EV-aware field, and a named rival who owns the template and holds his armband."""
    return (
        naive_field(signals, managers, tastes),
        ev_aware_field(signals, managers, tastes),
        rivals_field(signals, template_squad(signals)[None, :]),
    )


def template_squad(signals: Signals) -> np.ndarray:
    """Return (15,) the most owned legal squad."""
    exposure = signals.exposure
    values = LinearValues(exposure.owned, CHEAPEST_BENCH * exposure.owned, exposure.captained)
    return linear_optimum(values, pool_of(signals), signals.rules.squad.lineups).squad


def measured_table(duels: list[Duel]) -> tuple[Cell, ...]:
    """Return every cell of the table, differences corrected for all of them."""
    keys = [(duel, goal, name) for duel in duels for goal in duel.goals for name in OBJECTIVES]
    gains = [
        None if name == MOST_POINTS else paired(duel.outcomes[str(goal), MOST_POINTS], duel.outcomes[str(goal), name])
        for duel, goal, name in keys
    ]
    corrected = iter(holm(np.array([gain.p for gain in gains if gain is not None])).tolist())
    return tuple(
        Cell(
            duel.round,
            duel.field,
            str(goal),
            name,
            estimate(duel.outcomes[str(goal), name]),
            gain,
            1.0 if gain is None else next(corrected),
            duel.kappas[str(goal)] if name == RANK else None,
        )
        for (duel, goal, name), gain in zip(keys, gains, strict=True)
    )


def play_round(
    signals: Signals, settings: TableSettings, rng: np.random.Generator, *, cluster: str | None = None
) -> Iterator[Duel]:
    """Yield the duels of one round, field by field; simulated here, or on the Dask cluster at an address."""
    taste_rng, *field_rngs = rng.spawn(4)
    tastes = Tastes(int(taste_rng.integers(2**31)))
    for field, own in zip(three_fields(signals, settings.managers, tastes), field_rngs, strict=True):
        yield play(signals, field, settings, own, cluster=cluster)


def play(
    signals: Signals, field: Field, settings: TableSettings, rng: np.random.Generator, *, cluster: str | None = None
) -> Duel:
    """Return what each objective does against one field."""
    search_rng, training_rng, held_out_rng = rng.spawn(3)
    breeder = Breeder(SquadView(signals, exposure=field.exposure(signals)), search_rng, settings.kicks)
    objectives = [*map(breeder.rank, settings.kappas), *map(breeder.objective, ("protect", "gain"))]
    *bred, protect, gain = breeder.best(*objectives)
    ranked = dict(zip(settings.kappas, bred, strict=True))
    named = {MOST_POINTS: ranked[0.0], "protect": protect, "gain": gain}
    shown = np.stack(list(ranked.values()))
    trained = simulate(signals, shown, field, settings.training, training_rng, cluster=cluster)
    goals = GOALS if trained.crowd.has_top else GOALS[:-1]
    kappas = {
        str(goal): best_kappa({kappa: goal.outcomes(trained, row) for row, kappa in enumerate(ranked)})
        for goal in goals
    }
    squads = np.stack([*named.values(), *ranked.values()])
    tested = simulate(signals, squads, field, settings.held_out, held_out_rng, cluster=cluster)
    rows = {name: row for row, name in enumerate(named)}
    outcomes = {(str(goal), name): goal.outcomes(tested, row) for goal in goals for name, row in rows.items()}
    places = {kappa: len(named) + row for row, kappa in enumerate(ranked)}
    outcomes |= {(str(goal), RANK): goal.outcomes(tested, places[kappas[str(goal)]]) for goal in goals}
    return Duel(signals.round, field.name, goals, outcomes, kappas)


def table_markdown(cells: tuple[Cell, ...]) -> str:
    """Return the table as Markdown: a part for each round and field, marked where a difference is not luck."""
    parts = dict.fromkeys((cell.round, cell.field) for cell in cells)
    texts = [
        _part(number, field, [c for c in cells if (c.round, c.field) == (number, field)]) for number, field in parts
    ]
    legend = (
        f"Chances with {LEVEL:.0%} intervals; against max-EV: ▲ better, ▼ worse (paired differences, Holm-corrected "
        f"over {sum(cell.gain is not None for cell in cells)} of them); κ is rank's strength."
    )
    return "\n\n".join([*texts, legend]) + "\n"


def _part(number: int, field: str, cells: list[Cell]) -> str:
    lines = [f"### Round {number}, {field} field" if "rival" not in field else f"### Round {number}, {field}", ""]
    lines += ["| goal | " + " | ".join(OBJECTIVES) + " |", "| --- |" + " --- |" * len(OBJECTIVES)]
    for goal in dict.fromkeys(cell.goal for cell in cells):
        row = {cell.objective: _shown(cell) for cell in cells if cell.goal == goal}
        lines.append(f"| {goal} | " + " | ".join(row[name] for name in OBJECTIVES) + " |")
    return "\n".join(lines)


def _shown(cell: Cell) -> str:
    if cell.gain is None:
        return str(cell.chance)
    mark = {"better": " ▲", "worse": " ▼", "": ""}[cell.verdict]
    strength = "" if cell.kappa is None else f", κ {cell.kappa:g}"
    gain = cell.gain
    return f"{cell.chance.value:.1%}, {gain.value:+.1%} ({gain.low:+.1%} to {gain.high:+.1%}){mark}{strength}"
