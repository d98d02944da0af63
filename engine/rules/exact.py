"""What a solver proves: the optimum of the linear part of the fitness, by PuLP."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from data.errors import SolverError
from engine.rules.conflict_words import conflict_error
from engine.rules.conflicts import Demands
from engine.rules.pool import Pool
from engine.rules.pool_rows import Row, add_rows, pool_rows
from engine.rules.solver import SolverProgram, Variable, taken

SECONDS = 30.0

Lineups = Sequence[tuple[int, int, int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class LinearValues:
    """What each player adds by role, in points: row i of every array is player i."""

    start: np.ndarray  # (n,)
    bench: np.ndarray  # (n,)
    captain: np.ndarray  # (n,) on top of starting


@dataclass(frozen=True, slots=True, eq=False)
class RoleVariables:
    """Who is picked, starts and leads in one squad of a program: item i of every list is player `men[i]`."""

    men: np.ndarray  # (m,) player rows
    chosen: list[Variable]
    starts: list[Variable]
    leads: list[Variable]

    @classmethod
    def of(
        cls, program: SolverProgram, pool: Pool, men: np.ndarray, rows: Iterable[Row], lineups: Lineups, mark: str = ""
    ) -> RoleVariables:
        """Add a squad of some men to a program: rows on who is picked, and an eleven in one of the formations.

        How many may lead is left to the caller; `mark` tells the squads of a program apart.
        """
        chosen, starts, leads = (program.flags(f"{letter}{mark}_{man}" for man in men) for letter in "xsc")
        form = program.flags(f"f{mark}_{number}" for number in range(len(lineups)))
        add_rows(program, dict(zip(men.tolist(), chosen, strict=True)), rows)
        program.add([(one, 1.0) for one in form], 1, 1)
        for man, start, lead in zip(chosen, starts, leads, strict=True):
            program.add([(start, 1.0), (man, -1.0)], high=0)
            program.add([(lead, 1.0), (start, -1.0)], high=0)
        for place in range(len(pool.shape)):
            needed = [(one, -float(lineup[place])) for one, lineup in zip(form, lineups, strict=True)]
            here = [(starts[i], 1.0) for i in np.flatnonzero(pool.position[men] == place)]
            program.add([*here, *needed], 0, 0)
        return cls(men, chosen, starts, leads)

    def one_leads(self, program: SolverProgram, among: np.ndarray | None = None) -> None:
        """Let exactly one of all men lead, or one at most of some of them, by their places."""
        leads = self.leads if among is None else [self.leads[i] for i in among]
        program.add([(lead, 1.0) for lead in leads], 1 if among is None else 0, 1)

    def worth(self, values: LinearValues) -> Iterator[tuple[Variable, float]]:
        """Yield the terms of what the squad is worth."""
        roles = (self.chosen, values.bench), (self.starts, values.start - values.bench), (self.leads, values.captain)
        for variables, worths in roles:
            yield from zip(variables, worths[self.men].tolist(), strict=True)

    def value(self, values: LinearValues) -> float:
        """Return what the solved squad is worth."""
        picked, eleven, captains = (self.men[taken(one)] for one in (self.chosen, self.starts, self.leads))
        bench = np.setdiff1d(picked, eleven)
        return float(values.start[eleven].sum() + values.bench[bench].sum() + values.captain[captains].sum())

    def squad(self, pool: Pool) -> np.ndarray:
        """Return the solved squad by position."""
        return pool.by_position(self.men[taken(self.chosen)])


@dataclass(frozen=True, slots=True, eq=False)
class LinearOptimum:
    """The best squad of a linear objective, with its proof."""

    squad: np.ndarray  # (size,) player rows, by position
    starters: np.ndarray  # (11,)
    captain: int
    value: float
    proved: bool  # False when the time ran out first


def linear_optimum(values: LinearValues, pool: Pool, lineups: Lineups, *, seconds: float = SECONDS) -> LinearOptimum:
    """Return the squad, eleven and captain that maximise a linear value under the rows of the pool and formations.

    When `seconds` end first, it is the best squad found so far, not proved; when none was found, a `SolverError`.
    """
    program = SolverProgram()
    roles = RoleVariables.of(program, pool, np.arange(len(pool.price)), pool_rows(pool), lineups)
    roles.one_leads(program)
    program.maximise(roles.worth(values))
    answer = program.solve(seconds)
    if answer.impossible:
        raise conflict_error(pool, Demands())
    if not answer.found:
        raise SolverError(f"The solver found no squad in {seconds:g} seconds. Give it more.")
    eleven, captain = pool.by_position(taken(roles.starts)), int(taken(roles.leads)[0])
    return LinearOptimum(roles.squad(pool), eleven, captain, roles.value(values), answer.proved)
