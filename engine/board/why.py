"""Why not him? The best squad with a named player against the best without that demand, term by term."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from data.errors import InputError
from engine.board.board import CLOSE, Man, Option, make_board
from engine.board.comparison import Swap, compare
from engine.board.remarks import why_unavailable
from engine.fitness.explanation import PLAIN
from engine.fitness.judge import Judge, Objective
from engine.rules.conflicts import NO_DEMANDS, Demands
from engine.search.outcome import listed
from engine.search.quick import quick_best


@dataclass(frozen=True, slots=True)
class Why:
    """What a player costs: two squads that differ by having him."""

    man: Man  # as he is used in the squad that has him
    included: bool  # he is in the best squad already, so `other` is the best one without him
    best: Option
    other: Option  # the best squad with him; without him where he is included
    swaps: tuple[Swap, ...]  # from the best squad to the other
    out: str = ""  # why he cannot play this round, in a few words; empty where he can

    @property
    def terms(self) -> Mapping[str, float]:
        """What the other squad brings more or less by term, zeros included; they sum to −cost."""
        ours, theirs = self.best.decomposition.terms, self.other.decomposition.terms
        return {name: theirs[name] - value for name, value in ours.items()}

    @property
    def cost(self) -> float:
        """Points of fitness the other squad falls short of the best."""
        return self.best.decomposition.fitness - self.other.decomposition.fitness

    @property
    def sentence(self) -> str:
        """The answer in one or two sentences."""
        price = f"{self.cost:.1f}" if self.cost >= CLOSE else "next to nothing"
        moved = [(name, points) for name, points in self.terms.items() if abs(points) >= CLOSE]
        moved.sort(key=lambda term: -abs(term[1]))
        reasons = ", ".join(f"{points:+.1f} {PLAIN.get(name, name)}" for name, points in moved)
        told = f"{price}: {reasons}" if reasons else price
        if self.included:
            return f"{self.man.short} is in the best squad already. Leaving him out costs {told}; {self._room()}."
        idle = f"{self.man.short} cannot be counted on this round ({self.out}). " if self.out else ""
        return f"{idle}{self.man.short} costs {told}; {self._room()}."

    def _room(self) -> str:
        """Return who goes and who comes, the man himself aside."""
        out = [swap.first.short for swap in self.swaps if swap.first.row != self.man.row]
        into = [swap.second.short for swap in self.swaps if swap.second.row != self.man.row]
        if self.included:
            told = f"{listed(into) or 'nobody'} {_verb(into, 'come')} in"
            return told + (f", {listed(out)} {_verb(out, 'go')} too" if out else "")
        told = f"{listed(out) or 'nobody'} {_verb(out, 'make')} room"
        return told + (f", {listed(into)} {_verb(into, 'come')} in too" if into else "")


def why(
    judge: Judge,
    objective: Objective,
    row: int,
    rng: np.random.Generator,
    *,
    demands: Demands = NO_DEMANDS,
    base: Sequence[int] | np.ndarray | None = None,
) -> Why:
    """Return what the player of a row costs a squad under the objective and the manager's other demands.

    The best squad has him or lacks him, so both are sought, by the same search and each from the other's men; the
    better one is the best. `base` is the best squad known, such as the one on the board: both searches start from it.
    """
    if row in demands.never:
        raise InputError(f"{judge.view.signals.name[row]} is ruled out. Allow him to see what he costs.")
    free = replace(demands, must=tuple(man for man in demands.must if man != row))
    known = None if base is None else np.asarray(base, dtype=np.int64)[None, :]
    with_rng, without_rng = rng.spawn(2)
    having = quick_best(judge, objective, with_rng, replace(free, must=(*free.must, row)), known)
    starts = having[None, :] if known is None else np.concatenate([having[None, :], known])
    lacking = quick_best(judge, objective, without_rng, replace(free, never=(*free.never, row)), starts)
    with_him, without = judge.sent_out(np.stack([having, lacking]), objective).fitness
    best, other = (lacking, having) if with_him < without else (having, lacking)
    return _answer(judge, objective, row, best, other)


def _answer(judge: Judge, objective: Objective, row: int, best: np.ndarray, other: np.ndarray) -> Why:
    options = make_board(judge, objective, np.stack([best, other])).options
    first, second = sorted(options, key=lambda option: set(option.rows) != set(best.tolist()))
    man = next(man for option in options for man in option.men if man.row == row)
    swaps = compare(judge, (first, objective), (second, objective)).swaps
    signals = judge.view.signals
    out = why_unavailable(signals, row) if signals.unavailable[row] else ""
    return Why(man, row in best, first, second, swaps, out)


def _verb(names: Sequence[str], verb: str) -> str:
    """Return the verb for one man or for several."""
    return verb if len(names) > 1 else f"{verb}{'es' * verb.endswith('o') or 's'}"
