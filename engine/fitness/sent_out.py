"""How an objective sends a squad out: eleven, bench order and armband climbed on the whole fitness.

A search values squads in the line-ups that expect most, which is quick. For the few that are shown this goes on from
there: of all line-ups one exchange away, in every order of the bench and under every captain, the one with the highest
fitness is taken, until none is higher. So no man of the bench would raise it in a starter's place.

Simulated on the objectives' own goals a captain who is held was better so in 6 of 6 cases, another eleven in 4
and worse in 6 of 18, the first wearer of an armband that moves in 2 and worse in 4 of 8: it is what the objective says,
not more points.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.fitness.squad_view import SquadView
from engine.language.spec import Spec
from engine.lineup.lineups import Lineups
from engine.lineup.nearby import Nearby, nearby_lineups
from models.armband.table import ROUNDING

NEVER_SENT = 1e9
"""Points below all others at which a line-up stands that a gate of the spec shuts out."""

STEPS = 60
"""Exchanges at most: the longest climb seen took six."""


def preferred_lineup(view: SquadView, squad: np.ndarray, spec: Spec, parameters: Mapping[str, float]) -> Lineups:
    """Return the line-up of one squad (15,) that a spec likes best, climbed from the one that expects most."""
    usual, known = view.lineups(np.asarray(squad)[None, :]), spec.known(parameters)
    lineup = usual
    for _ in range(STEPS):
        near = nearby_lineups(view.signals, lineup, view.settings.formation, view.settings.captain)
        counted = view.counted(near.lineups)
        likewise = usual.at(np.zeros(len(counted), dtype=np.int64))
        score = spec.evaluate(view.look(counted.squads, counted, likewise)[0], known)
        if score.disqualified.all():  # a squad that breaks a rule has no better line-up
            break
        best = _best(near, np.where(score.disqualified, -NEVER_SENT, score.total) - near.loss)
        if best == near.own:
            break
        lineup = counted.at([best])
    return lineup


def _best(near: Nearby, value: np.ndarray) -> int:
    """Return the row of the highest value: of those that tie the surest men, and of those the line-up as it is."""
    tied = np.flatnonzero(value >= value.max() - ROUNDING)
    surest = tied[near.surer[tied] >= near.surer[tied].max() - ROUNDING]
    return near.own if near.own in surest else int(surest[0])
