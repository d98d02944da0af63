"""Random games and random managers: rulebooks, prices, locks, bans, limits; and a plain judge of what is possible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pulp

from data.domain import POSITIONS
from data.rules import GameRules, load_rules
from engine.fitness.squad_view import SceneSettings, SquadView
from engine.rules.conflicts import Demands
from engine.rules.pool import TeamLimit
from tests.cases.judged_worlds import cup_signals
from tests.cases.objectives.form_cases import top_squad

OUTFIELD = 10
FORMATIONS = tuple(parts for parts in product(range(2, 6), range(2, 6), range(4)) if sum(parts) == OUTFIELD)
SLACK = 1e-6


@dataclass(frozen=True, slots=True)
class Case:
    """One manager in one game."""

    view: SquadView
    demands: Demands
    rng: np.random.Generator

    @property
    def allowed(self) -> np.ndarray:
        """(n,) who is not ruled out."""
        mask = np.ones(len(self.view.signals), dtype=bool)
        mask[list(self.demands.never)] = False
        return mask

    @property
    def wanted(self) -> tuple[int, ...]:
        """Everybody who has to be in, the captain held among them."""
        return replace(self.demands, captain=self.view.settings.captain).wanted

    def a_squad(self) -> np.ndarray:
        """Return any men of the right shape, legal or not."""
        return top_squad(self.view.pool, self.rng.random(len(self.view.signals)))


def a_rulebook(rng: np.random.Generator) -> GameRules:
    """Return the World Cup's rules with another shape, other formations, another cap."""
    rules = load_rules("wc2026")
    picked = [FORMATIONS[row] for row in rng.permutation(len(FORMATIONS))[: rng.integers(1, 5)]]
    most = np.array(picked).max(axis=0)
    spare = rng.multinomial(int(rng.integers(0, 3)), [1 / 3] * 3)
    counts = (int(rng.integers(1, 3)), *(int(count) for count in np.maximum(most + spare, 1)))
    squad = rules.squad.model_copy(
        update={
            "shape": dict(zip(rules.squad.shape, counts, strict=True)),
            "formations": tuple("-".join(map(str, parts)) for parts in picked),
        }
    )
    cap = int(rng.integers(2, 6))
    stages = tuple(stage.model_copy(update={"team_cap": cap}) for stage in rules.stages)
    return rules.model_copy(update={"squad": squad, "stages": stages})


def a_case(seed: int, *, easy: bool = False) -> Case:
    """Return a manager with demands of every kind; an easy one has money enough and asks for less."""
    rng = np.random.default_rng(seed)
    base = cup_signals(int(rng.integers(1, 4)))
    price = np.maximum(np.round(base.price + rng.normal(0, 1, len(base)), 1), 3.5)
    signals = replace(base, rules=a_rulebook(rng), price=price)
    shape = [signals.rules.squad.shape[position] for position in POSITIONS]  # type: ignore[index]
    cheapest = sum(np.sort(price[signals.position == place])[:count].sum() for place, count in enumerate(shape))
    rows, asked = rng.permutation(len(price)).tolist(), 2 if easy else 5
    locks, bans = int(rng.integers(0, asked)), int(rng.integers(0, 8 * asked))
    case = Case(SquadView(signals), Demands(must=tuple(rows[:locks]), never=tuple(rows[locks : locks + bans])), rng)
    settings = SceneSettings(
        budget=float(np.round(cheapest * rng.uniform(1.35 if easy else 1.0, 1.6), 1)),
        teams=_some_limits(rng, asked),
        formation=int(rng.integers(len(signals.rules.squad.formations))) if rng.random() < 0.4 else None,
        captain=rows[-1] if rng.random() < 0.3 else None,
    )
    if rng.random() < 0.4:
        own = tuple(sorted(case.a_squad().tolist()))
        settings = replace(settings, current=own, most_changes=int(rng.integers(1 if not easy else 8, 12)))
    return replace(case, view=SquadView(signals, settings))


def _some_limits(rng: np.random.Generator, asked: int) -> tuple[TeamLimit, ...]:
    teams = rng.permutation(8)[: rng.integers(0, asked)].tolist()
    least = [int(count) for count in rng.integers(0, 3, len(teams))]
    return tuple(TeamLimit(team, low, rng.choice([None, low, low + 1])) for team, low in zip(teams, least, strict=True))


def plainly_possible(case: Case) -> bool:
    """Ask a solver in the plainest words whether any squad does what the manager wants."""
    signals, settings, pool = case.view.signals, case.view.settings, case.view.pool
    problem = pulp.LpProblem("plain", pulp.LpMinimize)
    picked = [problem.add_variable(f"x{row}", cat="Binary") for row in range(len(signals))]
    problem += pulp.lpSum(picked)
    problem += pulp.lpSum(float(signals.price[row]) * picked[row] for row in range(len(signals))) <= pool.budget + SLACK
    for place, count in enumerate(pool.shape):
        problem += pulp.lpSum(picked[row] for row in np.flatnonzero(signals.position == place)) == count
    for team in range(int(signals.team.max()) + 1):
        problem += pulp.lpSum(picked[row] for row in np.flatnonzero(signals.team == team)) <= pool.team_cap
    for limit in settings.teams:
        mates = pulp.lpSum(picked[row] for row in np.flatnonzero(signals.team == limit.team))
        problem += mates >= limit.least
        if limit.most is not None:
            problem += mates <= limit.most
    for row in case.wanted:
        problem += picked[row] == 1
    for row in case.demands.never:
        problem += picked[row] == 0
    if settings.most_changes is not None:
        stay = len(pool.place_of) - settings.most_changes
        problem += pulp.lpSum(picked[row] for row in settings.current) >= stay
    found = problem.solve(pulp.COIN_CMD(path=pulp.PULP_CBC_CMD.pulp_cbc_path, msg=False))
    return found == pulp.LpStatusOptimal and captain_fits(case)


def captain_fits(case: Case) -> bool:
    """Return whether an eleven that may be sent out has a place for the captain held."""
    captain = case.view.settings.captain
    place = None if captain is None else int(case.view.signals.position[captain])
    return place is None or any(lineup[place] for lineup in case.view.formations)
