"""One place to judge squads from: any objective or spec, any squad, always decomposed beside the reference pool."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from data.errors import InputError, did_you_mean
from engine.fitness.explanation import Decomposition, Yardstick, decompose
from engine.fitness.objective import MEANINGS, Dial, Theta, parse_theta
from engine.fitness.reference import POOL_SIZE, reference_pool
from engine.fitness.sent_out import preferred_lineup
from engine.fitness.squad_scoring import (
    CARRY_EARLY,
    ScoredSquads,
    carry_weight,
    score_squads,
    spec_for,
    vocabulary_of,
)
from engine.fitness.squad_view import SquadView
from engine.jobs import Shared
from engine.language.spec import SUFFIX, Spec, load_spec, read_spec, shipped_names, shipped_spec
from engine.lineup.lineups import Lineups, best_lineups, joined

YARDSTICKS_KEPT = 32
"""Objectives whose pool scores are kept: an editor makes a new one with every change."""

LINEUPS_KEPT = 256
"""Line-ups that are kept: a board has a handful, and pages ask for the same ones again."""

HIGHEST_KAPPA = 10


@dataclass(frozen=True, slots=True)
class Objective:
    """What squads are judged by: a spec and the parameters in force."""

    name: str  # "protect", "rank", or the name a spec of the user's own gives itself
    spec: Spec
    parameters: dict[str, float]
    warnings: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What tells it from every other: the text of its spec and all parameters."""
        return repr((self.spec.text, *sorted(self.parameters.items())))


@dataclass(eq=False)
class Judge:
    """Scores squads of one round; the reference pool is drawn once, its scores are kept per objective.

    Several threads may ask: pool and yardsticks are made once, when they are first needed.
    """

    view: SquadView
    rng: np.random.Generator
    pool_size: int = POOL_SIZE
    _pool: np.ndarray | None = field(default=None, repr=False)
    _yardsticks: Shared[Yardstick] = field(default_factory=lambda: Shared(YARDSTICKS_KEPT), repr=False)
    _sent_out: Shared[Lineups] = field(default_factory=lambda: Shared(LINEUPS_KEPT), repr=False, init=False)
    _drawing: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def pool(self) -> np.ndarray:
        """The reference pool, the linear optimum last."""
        with self._drawing:
            if self._pool is None:
                self._pool = reference_pool(self.view.signals, self.rng, self.pool_size, self.view.pool)
            return self._pool

    @cached_property
    def _pool_lineups(self) -> Lineups:
        """The line-ups of the reference pool, the same under every objective."""
        return self.view.lineups(self.pool)

    @cached_property
    def most_points(self) -> float:
        """Expected points of the linear optimum: its eleven, bench and armband."""
        return float(best_lineups(self.view.signals, self.pool[-1:]).expected[0])

    def score(self, squads: np.ndarray, objective: Objective) -> ScoredSquads:
        """Score squads (p, 15) of player rows in the line-ups that expect most: quick, for a search."""
        return score_squads(self.view, squads, objective.spec, objective.parameters)

    def sent_out(self, squads: np.ndarray, objective: Objective) -> ScoredSquads:
        """Score squads (p, 15) as they are shown and sent out: each in the line-up that the objective likes best."""
        lineups = joined([self._lineup(squad, objective) for squad in np.asarray(squads)])
        return score_squads(self.view, lineups.squads, objective.spec, objective.parameters, lineups)

    def _lineup(self, squad: np.ndarray, objective: Objective) -> Lineups:
        key = f"{objective.key}{squad.tolist()}"
        return self._sent_out.of(key, lambda: preferred_lineup(self.view, squad, objective.spec, objective.parameters))

    def yardstick(self, objective: Objective) -> Yardstick:
        """Return what is usual in the reference pool under an objective."""
        return self._yardsticks.of(objective.key, lambda: Yardstick.of(self._scored_pool(objective)))

    def _scored_pool(self, objective: Objective) -> ScoredSquads:
        spec, parameters = objective.spec, objective.parameters
        return score_squads(self.view, self.pool, spec, parameters, usual=self._pool_lineups)

    def decompose(self, squad: np.ndarray, objective: Objective) -> Decomposition:
        """Return the decomposition of one squad of player rows, in the line-up that the objective likes best."""
        scored = self.sent_out(np.asarray(squad)[None, :], objective)
        return decompose(scored, 0, objective.name, self.yardstick(objective), self.view.signals)


def named_objective(
    text: str | None, view: SquadView, *, k: float | None = None, w: float | None = None, c: float | None = None
) -> Objective:
    """Return the objective a user names: θ, another shipped spec such as rank, or the path of a spec of his own."""
    given = {name: value for name, value in (("k", k), ("w", w), ("c", c)) if value is not None}
    if text and text.endswith(SUFFIX):
        spec = read_spec(Path(text), vocabulary=vocabulary_of(view))
        return Objective(spec.name, spec, _carried(spec, view) | _known(spec, given))
    if text and text in shipped_names() and text not in MEANINGS:
        spec = shipped_spec(text, vocabulary=vocabulary_of(view))
        return Objective(text, spec, _carried(spec, view) | _known(spec, _as_kappa(spec, given)))
    dial = Dial(theta=_theta(text), **given)
    spec, parameters = spec_for(dial, view)
    return Objective(str(dial.theta), spec, parameters, dial.warnings)


def text_objective(text: str, file: str, view: SquadView, parameters: dict[str, float]) -> Objective:
    """Return the objective of a spec as text, such as the page's editor holds it."""
    spec = load_spec(text, file=file, vocabulary=vocabulary_of(view))
    return Objective(spec.name, spec, _carried(spec, view) | spec.known(parameters))


def _theta(text: str | None) -> Theta:
    try:
        return parse_theta(text)
    except InputError as error:
        near = did_you_mean(str(text), (*MEANINGS, *shipped_names())) if text else ""
        raise InputError(f"{error} Or give rank, or the path of a {SUFFIX} file. {near}".strip()) from None


def _as_kappa(spec: Spec, given: dict[str, float]) -> dict[str, float]:
    """Return the parameters with k called κ where that is what a spec has: of rank, negative to chase."""
    if "k" not in given or "kappa" not in spec.parameters:
        return given
    if not abs(given["k"]) <= HIGHEST_KAPPA:  # not ">": NaN is refused too
        raise InputError(f"k is {given['k']!r}; for {spec.name} it must be from -{HIGHEST_KAPPA} to {HIGHEST_KAPPA}.")
    return {"kappa" if name == "k" else name: value for name, value in given.items()}


def _known(spec: Spec, given: dict[str, float]) -> dict[str, float]:
    unknown = sorted(set(given) - set(spec.parameters))
    if unknown:
        declared = ", ".join(spec.parameters) or "none"
        raise InputError(f"{spec.file} has no parameter {unknown[0]!r}. It declares: {declared}.")
    return given


def _carried(spec: Spec, view: SquadView) -> dict[str, float]:
    """Return the carry by stage for a spec that leaves its weight `c` as shipped; a weight of its own stays."""
    if spec.parameters.get("c") != CARRY_EARLY:
        return {}
    return {"c": carry_weight(view.signals.rules, view.signals.round)}
