"""How far from the optimum an answer can be, proved by a solver in the standard form of the fitness."""

from __future__ import annotations

import numpy as np

from data.rules import STARTERS, CaptaincyMode
from engine.board.board import Claim, Option, Verdict
from engine.fitness.judge import Judge, Objective
from engine.fitness.standard_form import StandardForm, form_value, standard_form
from engine.proof.bound import Proof, gap_share, prove, settled_value
from engine.proof.ladder_bound import prove_ladder
from engine.rules.conflicts import Demands

SECONDS = 5.0


def claim_of(
    judge: Judge, objective: Objective, option: Option, demands: Demands | None = None, seconds: float = SECONDS
) -> Claim:
    """Return what can be claimed of an option, always of the standard form.

    The standard form holds the captain, or bounds his ladder, and fixes the bench's chances, so a claim names it. The
    exact fitness of good squads is often some tenths higher: where a sure man stands behind a risky one, the form does
    not see it. Then a squad may score more than any is worth in the form.
    """
    found = proof_of_option(judge, objective, option, demands, seconds)
    if found is None:
        return Claim(Verdict.NO_BOUND)
    if found.proved:
        return Claim(Verdict.OPTIMAL, held=_is_held(judge))
    if option.decomposition.fitness >= found.bound:
        return Claim(Verdict.NO_LESS, held=_is_held(judge))
    return Claim(Verdict.WITHIN, gap_share(found, option.expected), _is_held(judge), found.gap)


def proof_of_option(
    judge: Judge, objective: Objective, option: Option, demands: Demands | None = None, seconds: float = SECONDS
) -> Proof | None:
    """Return what is proved of an option in the standard form of the fitness; None for a spec that has none."""
    asked = demands or Demands()
    form = standard_form(judge.view, objective)
    if form is None:
        return None
    squad = judge.view.pool.by_position(np.array(option.rows, dtype=np.int64))
    allowed = asked.allowed(len(form))
    kept = np.array(asked.wanted, dtype=np.int64) if asked.wanted else None
    if _is_held(judge):
        return prove(form, settled_value(form, squad), squad, seconds=seconds, allowed=allowed, kept=kept)
    eleven = np.array(option.rows[:STARTERS], dtype=np.int64)
    return prove_ladder(
        form,
        judge.view.signals.armband,
        _climbed(judge, form, squad, option),
        eleven,
        seconds=seconds,
        allowed=allowed,
        kept=kept,
    )


def _is_held(judge: Judge) -> bool:
    return judge.view.signals.rules.captaincy.mode is CaptaincyMode.LOCKED


def _climbed(judge: Judge, form: StandardForm, squad: np.ndarray, option: Option) -> float:
    """Return the form's value of a squad as it is played, its true ladder in place of a captain held."""
    lead, eleven = option.captain.row, option.rows[:STARTERS]
    starts, column = np.isin(squad, eleven)[None, :], np.flatnonzero(squad == lead)
    held = float(form_value(form, squad[None, :], starts, column)[0])
    ladder = form.uplift * (judge.view.signals.rules.captaincy.multiplier - 1) * option.armband.value
    return held - float(form.captain[lead]) + ladder + float(form.leading[lead])
