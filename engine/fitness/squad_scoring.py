"""The number the search selects on: squads scored under a spec, never without the terms they are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from data.rules import GameRules
from engine.fitness.objective import Dial
from engine.fitness.rule_terms import last_round_before_rebuild, rebuilt
from engine.fitness.squad_view import SquadView
from engine.language.spec import Spec, shipped_spec
from engine.language.vocabulary import Vocabulary
from engine.lineup.lineups import Lineups

CARRY_EARLY = 0.10
CARRY_KNOCKOUT = 0.35
"""Weight of the carry while a squad is kept: small in the groups, high in the early knock-outs, 0 before a rebuild."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSquads:
    """Squads with their fitness and its terms: row i of every array is squad i."""

    squads: np.ndarray  # (p, 15)
    fitness: np.ndarray  # (p,) the sum of the terms; exactly 0 where disqualified
    terms: Mapping[str, np.ndarray]  # (p,) each, signed, in reading order
    disqualified: np.ndarray  # (p,) such a row is never ranked
    figures: Mapping[str, np.ndarray]  # (p,) what is not a term: variance, price, changes, relative_variance, …
    lineups: Lineups
    parameters: Mapping[str, float]

    def __len__(self) -> int:
        return len(self.squads)

    @property
    def ranking(self) -> np.ndarray:
        """Rows from best to worst; disqualified ones are left out."""
        rows = np.flatnonzero(~self.disqualified)
        return np.asarray(rows[np.argsort(-self.fitness[rows], kind="stable")])


def spec_for(dial: Dial, view: SquadView) -> tuple[Spec, dict[str, float]]:
    """Return the shipped spec of θ and its parameters: those of the objective, and the carry by stage."""
    spec = shipped_spec(str(dial.theta), vocabulary=vocabulary_of(view))
    carry = carry_weight(view.signals.rules, view.signals.round) if dial.c is None else dial.c
    return spec, {"k": dial.strength, "w": dial.leverage, "c": carry}


def vocabulary_of(view: SquadView) -> Vocabulary:
    """Return the names a spec may use: those of any squad's scene."""
    return Vocabulary.of(view.look(view.typical[None, :])[0])


def score_squads(
    view: SquadView,
    squads: np.ndarray,
    spec: Spec,
    parameters: Mapping[str, float],
    lineups: Lineups | None = None,
    usual: Lineups | None = None,
) -> ScoredSquads:
    """Score squads (p, 15) of player rows under a spec, in the line-ups that expect most unless others are given.

    `usual` are those that expect most, for whoever has them at hand.
    """
    scene, lineups = view.look(squads, lineups, usual)
    known = spec.known(parameters)
    score = spec.evaluate(scene, known)
    return ScoredSquads(
        squads=squads,
        fitness=score.total,
        terms=score.terms,
        disqualified=score.disqualified,
        figures=scene.squad,
        lineups=lineups,
        parameters=dict(spec.parameters) | known,
    )


def carry_weight(rules: GameRules, round_number: int) -> float:
    """Return the weight of the progression carry in a round: 0 where the squad is rebuilt for free next, or it ends."""
    if last_round_before_rebuild(rules, round_number) == round_number:
        return 0.0
    if rules.kind == "league":
        return CARRY_EARLY
    return CARRY_KNOCKOUT if rebuilt(rules, round_number) else CARRY_EARLY
