"""A field is drawn once for its world, and what was found is drawn when it is there."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from engine.jobs import Shared
from tests.ui.web.work.test_scheduler import in_the_end
from ui.web.work.background import ADVICE, CHANCES
from ui.web.work.field_job import field_task
from ui.web.work.scheduler import Scheduler

FIELD: Any = object()


def test_a_field_is_drawn_once_for_its_world_whatever_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    few: Shared[Any] = Shared(1)
    monkeypatch.setattr("ui.web.work.field_job.fields", lambda: few)
    scheduler, draws, answered = Scheduler(), list[int](), list[Any]()

    def draw() -> Any:
        draws.append(1)
        return FIELD

    asked = (("one", "cup", CHANCES), ("two", "cup", ADVICE), ("three", "league", CHANCES), ("four", "cup", CHANCES))
    for key, world, kind in asked:
        in_the_end(scheduler.job(field_task(kind, key, world, draw, answered.append)))
    assert len(draws) == 3
    assert answered == [FIELD] * 4


def a_script() -> None:
    import streamlit as st

    from data.errors import ModelError
    from ui.web.work.background import CHANCES
    from ui.web.work.field_job import draw_when_told
    from ui.web.work.scheduler import Job, Phase, Scheduler, State, Task

    job: Job[str | None] = Job(Task(CHANCES, "key", (), None), Scheduler())
    for state in (
        State(None),
        State("Found.", Phase.DONE),
        State(None, Phase.FAILED, error=ModelError("No match yet.")),
    ):
        job.now = state
        draw_when_told(lambda: job, "Playing …", st.markdown)


def test_what_was_found_is_drawn_or_why_not_or_that_it_is_worked_on() -> None:
    page = AppTest.from_function(a_script).run()
    assert not page.exception
    assert [page.caption[0].value, page.markdown[0].value, page.warning[0].value] == [
        ":material/hourglass_top: Playing …",
        "Found.",
        "No match yet.",
    ]
