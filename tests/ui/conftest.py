"""Commands and pages that know the same believe the same: it is worked out for the first of them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.fitness.reference import reference_pool
from engine.rules.pool import Pool
from models.signals import Signals, build_signals
from tests.cases.judged_worlds import once

REFERENCE_SQUADS = 200
"""A tenth of the product's: what a face tells of a squad does not depend on how finely it is measured."""


def few_squads(signals: Signals, rng: np.random.Generator, size: int, pool: Pool) -> np.ndarray:
    """Return a small reference pool."""
    return reference_pool(signals, rng, min(size, REFERENCE_SQUADS), pool)


@pytest.fixture(autouse=True)
def worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let desks share signals and reference squads."""
    monkeypatch.setattr("engine.desk.build_signals", once(build_signals))
    monkeypatch.setattr("engine.fitness.judge.reference_pool", once(few_squads))
