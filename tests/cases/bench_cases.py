"""Problems of SquadBench that need no signals: small standard forms in place of a round."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from engine.bench.problems import Problem
from tests.cases.objectives.form_cases import a_form, all_squads, best_value

FORM = a_form(11)


def stand_in(monkeypatch: pytest.MonkeyPatch) -> Problem:
    """Let sessions be held on a small form that is known to the last squad; return its problem."""
    monkeypatch.setattr("engine.bench.problems.arena_of", lambda *_: SimpleNamespace(form=FORM))
    monkeypatch.setattr("engine.bench.sessions.is_diverse", lambda _problem, answers: len(np.asarray(answers)) > 1)
    best = best_value(FORM, all_squads(FORM.pool))
    return Problem(world="small", round=1, theta="gain", optimum=best, bound=best, points=20.0)
