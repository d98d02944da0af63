"""Commands and pages that know the same believe the same: it is worked out for the first of them."""

from __future__ import annotations

import pytest

from models.signals import build_signals
from tests.cases.judged_worlds import few_squads, once


@pytest.fixture(autouse=True)
def worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let desks share signals and reference squads."""
    monkeypatch.setattr("engine.desk.build_signals", once(build_signals))
    monkeypatch.setattr("engine.fitness.judge.reference_pool", once(few_squads))
