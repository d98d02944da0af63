"""A league to its last round: P(finish ahead of each rival), P(win the league), expected place, and what serves best.

The rounds of a plan are simulated with rivals who move on (`behaviour`). Later rounds enter by what real managers do: a
week lies so far about the league's mean, and managers differ for good by so much, of which the points so far tell a
part. Nobody is credited with an edge that his points do not show, the manager himself included; of what our plan is
forecast to gain on the others' squads only the share counts that was measured to come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from data.errors import InputError
from engine.fitness.judge import named_objective
from engine.plan.linear.chips import solve_linear
from engine.plan.moves.moves import Plan
from engine.plan.planner import NONE, Planner
from engine.rank.intervals import Difference, Estimate, estimate, paired
from engine.rank.kept_edge import lost_edge
from engine.rank.rivals import Rival, playing
from engine.season.league.behaviour import rival_paths
from engine.season.league.race import over_rounds, race
from engine.season.standing_kappa import LASTING, WEEK
from engine.season.week import QUICK

SIMULATIONS = 4_000
PATHS = 8
"""Ways in which rivals may move on: each is played an equal share of the simulations."""

LEAST_CHANCE, LEAST_PLACES = 0.005, 0.1
"""Chance to win, and places, below which a difference is none to a manager, however sure it is."""

NEUTRAL = "neutral"
OBJECTIVES = (NEUTRAL, "protect", "gain")
"""Plans that are compared: just points first."""


@dataclass(frozen=True, slots=True)
class RivalChance:
    """How likely one rival is left behind at the end."""

    name: str
    ahead: float  # points of the manager ahead of him now, negative behind
    behind: Estimate  # P(he is behind at the end)


@dataclass(frozen=True, slots=True)
class LeaguePlan:
    """What one objective's plan does for the league."""

    objective: str
    win: Estimate
    place: float  # expected final place, 1 = first
    rivals: tuple[RivalChance, ...]
    points: float  # mean simulated points over the rounds of the plan
    more_wins: Difference | None  # chance to win beside just points, in the same simulations; None for just points
    better_place: Difference | None  # places gained beside just points

    @property
    def wins_more(self) -> bool:
        """Whether it wins more often than just points do, beyond luck and by enough to matter."""
        return self.more_wins is not None and self.more_wins.low > 0 and self.more_wins.value >= LEAST_CHANCE

    @property
    def ends_higher(self) -> bool:
        """Whether it ends higher than just points do, beyond luck and by enough to matter."""
        return self.better_place is not None and self.better_place.low > 0 and self.better_place.value >= LEAST_PLACES


@dataclass(frozen=True, slots=True)
class LeagueEnd:
    """A league to its last round."""

    rounds_left: int
    planned: int  # rounds that are simulated move by move
    plans: tuple[LeaguePlan, ...]  # just points first
    left_out: tuple[str, ...]  # rivals whose squads are not wholly known

    @property
    def chosen(self) -> LeaguePlan:
        """The objective that serves best: it wins more often, or ends higher, beyond luck; else just points."""
        better = [one for one in self.plans if one.wins_more and not _worse(one.better_place)]
        better = better or [one for one in self.plans if one.ends_higher and not _worse(one.more_wins)]
        return max(better, key=lambda one: (one.win.value, -one.place), default=self.plans[0])

    @property
    def advice(self) -> str:
        """What to play for, in one sentence; that nothing differs is an answer."""
        best, plain = self.chosen, self.plans[0]
        if best is plain:
            return (
                "Just points: neither protecting nor gaining wins the league more often or ends higher beyond luck "
                f"(P(win) {plain.win}, expected place {plain.place:.1f})."
            )
        word = best.objective.capitalize()
        wins, places = best.more_wins, best.better_place
        if wins is not None and best.wins_more:
            return f"{word}: {wins.value:+.1%} to win the league ({wins.low:+.1%} to {wins.high:+.1%})."
        assert places is not None
        return f"{word}: {places.value:+.2f} places ({places.low:+.2f} to {places.high:+.2f}), P(win) no different."


def _worse(gap: Difference | None) -> bool:
    return gap is not None and gap.high < 0


def league_end(
    planner: Planner,
    rivals: Sequence[Rival],
    rng: np.random.Generator,
    *,
    rounds_left: int | None = None,
    simulations: int = SIMULATIONS,
    plans: Mapping[str, Plan] | None = None,
) -> LeagueEnd:
    """Return the chances against named rivals to the last round, for each objective's plan.

    `plans` are those at hand by objective; the others are made without boosters, in a second or two.
    """
    signals = planner.rounds.signals
    known = [one for one in playing(rivals, signals[0].player_id) if one.bench]
    if not known:
        raise InputError("No rival's whole squad is known. Import a league, or name squads of fifteen.")
    left = signals[0].rules.rounds - signals[0].round + 1 if rounds_left is None else rounds_left
    if left < 1:
        raise InputError(f"{left} rounds left cannot be played; give 1 at least.")
    played = [signals[at] for at in range(min(len(signals), left))]
    named = dict(plans) if plans else league_plans(planner)
    squads = np.stack([plan.squads[: len(played)] for plan in named.values()])
    hit = played[0].rules.transfers.hit_cost
    cost = np.array([[hit * move.hits for move in plan.moves[: len(played)]] for plan in named.values()], dtype=float)
    rows = np.array([[signals[0].row_of(man) for man in (*one.starters, *one.bench)] for one in known])
    leads = np.array([float(one.ahead or 0.0) for one in known])
    draw_rng, path_rng, later_rng = rng.spawn(3)
    paths = rival_paths(played, rows, PATHS, path_rng)
    later = LaterRounds.of(leads, played[0].round - 1, left - len(played))
    gaps, points, rivals_points = [], [], []
    for rounds in race(played, squads, cost, paths, simulations, draw_rng, lean=True):
        own, others = over_rounds(rounds)
        mine, theirs = later.drawn(own.shape[1], later_rng)
        gaps.append((own + mine)[:, None, :] - (others + theirs)[None, :, :] + leads[None, :, None])
        points.append(own)
        rivals_points.append(others)
    out = tuple(one.name for one in rivals if one not in known and one.name not in {other.name for other in known})
    mine = np.concatenate(points, axis=1)
    edge = (
        mine.mean(axis=1) - np.concatenate(rivals_points, axis=1).mean()
    )  # (p,) as forecast, on a rival of the league
    kept = np.concatenate(gaps, axis=2) - lost_edge(edge)[:, None, None]
    return _told(list(named), known, kept, mine, left, len(played), out)


def league_plans(planner: Planner) -> dict[str, Plan]:
    """Return a plan without boosters for each objective, the best of the linear search."""
    quiet = replace(planner, order=replace(planner.order, chips=NONE))
    view = quiet.rounds.views[0]
    problems = {theta: quiet.problem(named_objective(theta, view)) for theta in OBJECTIVES}
    return {theta: solve_linear(problem, replace(QUICK, plans=1)).best.plan for theta, problem in problems.items()}


@dataclass(frozen=True, slots=True, eq=False)
class LaterRounds:
    """Rounds beyond the plan: what each manager makes of them beside the league's mean; the manager himself first."""

    rounds: int
    drift: np.ndarray  # (1 + m,) points a round, as far as the season so far tells
    unsure: float  # standard deviation of what it does not tell

    @classmethod
    def of(cls, leads: np.ndarray, played: int, rounds: int) -> LaterRounds:
        """Return the later rounds of who is `leads` (m,) ahead of his rivals after so many rounds."""
        totals = np.append(0.0, -leads)
        told = LASTING**2 / (LASTING**2 + WEEK**2 / played) if played else 0.0
        drift = told * (totals - totals.mean()) / max(played, 1)
        return cls(max(rounds, 0), drift, LASTING * float(np.sqrt(1.0 - told)))

    def drawn(self, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return points beside the league's mean of the manager (s,) and of his rivals (m, s)."""
        shape = (len(self.drift), count)
        lasting = self.drift[:, None] + self.unsure * rng.standard_normal(shape)
        total = self.rounds * lasting + WEEK * np.sqrt(self.rounds) * rng.standard_normal(shape)
        return total[0], total[1:]


def _told(
    names: list[str],
    rivals: Sequence[Rival],
    gaps: np.ndarray,
    points: np.ndarray,
    left: int,
    planned: int,
    left_out: tuple[str, ...],
) -> LeagueEnd:
    """Return the outcome of gaps (p, m, s) at the end; who is level with a rival shares the place with him."""
    beaten = (gaps > 0) + 0.5 * (gaps == 0)
    wins, place = beaten.min(axis=1), 1.0 + (1.0 - beaten).sum(axis=1)  # (p, s)
    plans = tuple(
        LeaguePlan(
            objective=name,
            win=estimate(wins[row]),
            place=float(place[row].mean()),
            rivals=tuple(
                RivalChance(one.name, float(one.ahead or 0.0), estimate(beaten[row, at]))
                for at, one in enumerate(rivals)
            ),
            points=float(points[row].mean()),
            more_wins=paired(wins[0], wins[row]) if row else None,
            better_place=paired(place[row], place[0]) if row else None,
        )
        for row, name in enumerate(names)
    )
    return LeagueEnd(left, planned, plans, left_out)
