"""A squad's weakest links: for each man the one replacement that helps most, judged by the exact fitness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from data.errors import InfeasibleError
from engine.fitness.judge import Judge, Objective
from engine.fitness.squad_scoring import ScoredSquads
from engine.rules.conflicts import NO_DEMANDS, Demands
from engine.rules.legality import broken_rules
from engine.rules.neighbours import Neighbours, neighbours

SHOWN = 5
"""Links shown unless told otherwise."""

LOOKED_AT = 2
"""Men looked at in the line-up that the objective likes best, for each link shown."""


@dataclass(frozen=True, slots=True)
class Link:
    """A man of the squad and the best single replacement for him."""

    out: int  # player row
    into: int  # player row
    out_name: str
    into_name: str
    gain: float  # points of fitness, hits included; below 0 where nobody does better
    terms: Mapping[str, float]  # the gain by term, zeros included
    price: float  # millions it costs, below 0 where it saves

    @property
    def sentence(self) -> str:
        """The link in one sentence."""
        paid = f"{abs(self.price):.1f} {'more' if self.price > 0 else 'less'}" if self.price else "the same price"
        return f"{self.out_name} → {self.into_name}: {self.gain:+.1f} for {paid}."


def weak_links(
    judge: Judge,
    objective: Objective,
    squad: Sequence[int] | np.ndarray,
    *,
    demands: Demands = NO_DEMANDS,
    count: int = SHOWN,
) -> tuple[Link, ...]:
    """Return the men whose best replacement gains most, the largest gain first; at most `count` of them.

    A replacement is a man of the same position whom money, caps and the manager's own limits allow; who must be there
    stays, who must not be does not come. Hits are part of the gain where the view starts from a squad.
    """
    rows, view = np.asarray(squad, dtype=np.int64), judge.view
    before = judge.sent_out(rows[None, :], objective)
    if before.disqualified[0]:
        reasons = "; ".join(broken_rules(rows, view.pool, view.signals.teams.strengths.codes))
        raise InfeasibleError(f"This squad breaks a rule: {reasons}. Make it legal first, or raise the budget.")
    men = np.flatnonzero(view.available(demands).allowed(len(view.signals)))
    near = neighbours(rows, view.wished, men, stay=demands.must)
    if not len(near):
        return ()
    best = _most_promising(judge.score(near.squads, objective), near, count * LOOKED_AT)
    scored = judge.sent_out(near.squads[best], objective)
    order = sorted(range(len(best)), key=lambda place: (-scored.fitness[place], near.out[best[place]]))
    return tuple(_link(judge, before, scored, place, near, best[place]) for place in order[:count])


def _most_promising(scored: ScoredSquads, near: Neighbours, count: int) -> list[int]:
    """Return the best replacement of each man in the line-ups that expect most, those of the highest fitness first."""
    best = [_best_for(int(man), near, scored) for man in np.unique(near.out)]
    best.sort(key=lambda swap: (-scored.fitness[swap], near.out[swap]))
    return best[:count]


def _best_for(man: int, near: Neighbours, scored: ScoredSquads) -> int:
    """Return the neighbour of the highest fitness among those that a man leaves."""
    swaps = np.flatnonzero(near.out == man)
    return int(swaps[scored.fitness[swaps].argmax()])


def _link(judge: Judge, before: ScoredSquads, scored: ScoredSquads, place: int, near: Neighbours, swap: int) -> Link:
    signals, out, into = judge.view.signals, int(near.out[swap]), int(near.into[swap])
    return Link(
        out=out,
        into=into,
        out_name=str(signals.short[out]),
        into_name=str(signals.short[into]),
        gain=float(scored.fitness[place] - before.fitness[0]),
        terms={name: float(values[place] - before.terms[name][0]) for name, values in scored.terms.items()},
        price=round(float(signals.price[into] - signals.price[out]), 1),
    )
