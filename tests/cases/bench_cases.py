"""Problems of SquadBench that need no signals: small standard forms in place of a round."""

from __future__ import annotations

import numpy as np
import pytest

from engine.bench.problems import Problem
from tests.cases.form_cases import a_form, all_squads, best_value


class SmallScene:
    """A scene whose form is small and known to the last squad."""

    def __init__(self, number: int) -> None:
        self.form = a_form(number)

    @property
    def problem(self) -> Problem:
        """The problem with its true optimum."""
        best = best_value(self.form, all_squads(self.form.pool))
        return Problem(world="small", round=1, theta="gain", optimum=best, bound=best, points=20.0)


def stand_in(monkeypatch: pytest.MonkeyPatch, number: int = 11) -> Problem:
    """Let sessions be held on a small form; return its problem."""
    scene = SmallScene(number)
    monkeypatch.setattr("engine.bench.sessions.scene_of", lambda *_: scene)
    monkeypatch.setattr("engine.bench.sessions.is_diverse", lambda _problem, answers: len(np.asarray(answers)) > 1)
    return scene.problem
