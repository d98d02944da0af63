"""Worlds that many tests of the engine look at."""

from __future__ import annotations

import pytest

from engine.fitness.judge import Judge
from engine.fitness.squad_view import SquadView
from models.signals import Signals
from tests.cases.brief_searches import search_briefly
from tests.cases.judged_worlds import a_judge, cup_signals, share_beliefs, world_cup_signals


@pytest.fixture(scope="session")
def signals() -> Signals:
    """What is believed before the first matchday of the bundled World Cup."""
    return world_cup_signals()


@pytest.fixture(scope="session")
def judge(signals: Signals) -> Judge:
    """The judge of the bundled World Cup's first matchday."""
    return a_judge(signals, pool_size=200)


@pytest.fixture(scope="session")
def view(judge: Judge) -> SquadView:
    """The bundled World Cup's first matchday as squads are seen in it."""
    return judge.view


@pytest.fixture(scope="session")
def beliefs() -> Signals:
    """What is believed before the first matchday of the small cup."""
    return cup_signals(1)


@pytest.fixture(autouse=True)
def worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let desks, replays and seasons share signals and reference squads."""
    share_beliefs(monkeypatch)
    search_briefly(monkeypatch)
