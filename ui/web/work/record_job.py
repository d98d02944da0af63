"""Our record measured beside the page: every known round of a world walked again, one world at a time.

scheduler.again(record_task(chosen))       starts it, or joins the one that runs
scheduler.state(record_task(chosen))       how far it is, and what was measured
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial

from engine.replay.record import Record, measure
from models.calibration.walk import known_rounds
from ui.web.choice.frame import Chosen
from ui.web.work.background import MEASURING, RECORDS
from ui.web.work.scheduler import Job, JobPart, Task

BREATH = 0.02  # seconds of rest after each round, so that clicks are answered meanwhile


@dataclass(frozen=True, slots=True)
class Measured:
    """What is known of a measurement."""

    done: int = 0  # rounds
    total: int = 0
    record: Record | None = None

    @property
    def words(self) -> str:
        """How far it is."""
        if self.done < self.total or not self.total:
            return f"{self.done} of {self.total} rounds are walked" if self.total else "The measurement begins …"
        return "All rounds are walked; the elevens are chosen …"

    @property
    def share(self) -> float:
        """How far it is, from 0 to 1."""
        return self.done / (self.total + 1)


def record_task(chosen: Chosen) -> Task[Measured]:
    """Return the task to measure the world of a plan."""
    key = repr((str(chosen.folder), chosen.version))
    return Task(RECORDS, key, (JobPart(MEASURING, partial(_measured, chosen)),), Measured())


def _measured(chosen: Chosen, job: Job[Measured]) -> Measured:
    total = len(known_rounds(chosen.world))
    for done, step in enumerate(measure(chosen.world, chosen.rules), start=1):
        if isinstance(step, Record):
            return Measured(total, total, step)
        if job.is_over():
            break
        job.tell(Measured(done, total))
        time.sleep(BREATH)
    return Measured()
