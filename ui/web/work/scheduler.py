"""All work beside the page: each job once for all who ask the same, in lanes with so many places, and nobody waits.

    task = Task(KIND, key, (Step(LANE, work), …), blank)     what to do; whoever gives the same key wants the same
    job = scheduler.job(task, visitor)                       one that runs, one that has an answer, or one that starts
    job.now                                                  -> State, replaced whole: safe to read at any time

The first step makes the answer, later ones add to it, unless a task says that its answer takes more steps: those
before it make a sketch. Who asks for more steps than were done has the others done.
`work(job)` returns what is to be told; meanwhile it may `tell` how far it is and ask whether it `is_over`. It may not
call Streamlit. Whoever stops a job keeps what it had so far, and others who wait get one of their own; a job that
nobody waits for any more ends by itself, and begins anew for who comes back. A failure is a sentence.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Generic, TypeVar

from data.errors import InfeasibleError, ThetaXIError
from ui.web.work.kept import Bound

IDLE_POLL, LONGEST_WAIT = 0.05, 30.0
"""Seconds between two looks at whether others have passed, and after which one goes on all the same."""

ABSENCE = 1.0
"""Seconds a tab may be gone before its job ends: a connection that was lost for a moment comes back by itself."""

RETRY = 30.0
"""Seconds after which a failure is tried again: what was in the way may be gone."""

SERVER = ""
"""The visitor in whose name a job goes on whoever leaves: he is always there."""

Told = TypeVar("Told")


class Phase(StrEnum):
    """Where a job is."""

    WAITING = "waiting"  # for a place
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"  # on request, with the best so far, or because nobody waited for it any more
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Lane:
    """Work of one sort: how much of it runs at once, and what it lets pass first."""

    name: str
    places: int = 1
    after: Lane | None = None  # begins when nobody waits or works there
    pause: float = 0.0  # seconds before it begins


@dataclass(frozen=True, slots=True)
class JobKind:
    """What all jobs of one kind have in common."""

    name: str
    kept: Bound  # finished jobs
    unforeseen: str  # what is said of a failure that nobody foresaw
    groups: Bound | None = None  # groups whose finished jobs are kept, the latest ones


@dataclass(frozen=True, slots=True, eq=False)
class JobPart(Generic[Told]):
    """A part of a job, and the lane it is done in."""

    lane: Lane
    work: Callable[[Job[Told]], Told]


@dataclass(frozen=True, slots=True, eq=False)
class Task(Generic[Told]):
    """What to do."""

    kind: JobKind
    key: str
    steps: tuple[JobPart[Told], ...]
    blank: Told  # what is told before anything is known
    group: str = ""  # jobs of one group hold on to the same large things
    answer: int = 1  # steps that make the answer

    @property
    def id(self) -> tuple[JobKind, str]:
        """What it is known by."""
        return self.kind, self.key


@dataclass(frozen=True, slots=True, eq=False)
class State(Generic[Told]):
    """What is known of a job at one moment."""

    told: Told
    phase: Phase = Phase.WAITING
    step: int = 0  # steps that are done
    left: tuple[JobPart[Told], ...] = ()  # to be done; none once it has ended, for they hold on to much
    error: ThetaXIError | None = None
    answer: int = 1  # steps that make the answer
    since: float = field(default_factory=time.monotonic)

    @property
    def running(self) -> bool:
        """Whether more is to come."""
        return self.phase in (Phase.WAITING, Phase.RUNNING)

    @property
    def out(self) -> bool:
        """Whether the answer is out: what is still to come only adds to it."""
        return self.step >= self.answer


class Job(Generic[Told]):
    """One job, its latest state and those who wait for it."""

    def __init__(self, task: Task[Told], scheduler: Scheduler) -> None:
        self.task = replace(task, steps=())
        self.now = State(task.blank, Phase.STOPPED, answer=task.answer)
        self.visitors: set[str] = set()
        self._scheduler, self._wish, self._cut, self._seen = scheduler, threading.Event(), False, time.monotonic()

    @property
    def lane(self) -> Lane | None:
        """The lane it waits or works in."""
        left = self.now.left
        return left[0].lane if left else None

    @property
    def wish(self) -> threading.Event:
        """Set once somebody has asked to stop."""
        return self._wish

    def stop(self, visitor: str) -> None:
        """Ask for the best so far; where the answer is out, there is nothing to stop."""
        if self.now.running and not self.now.out:
            self._wish.set()
            self._scheduler.set_aside(self, visitor)

    def wanted(self) -> bool:
        """Return whether nobody asked to stop and somebody is there to see the answer, or was so a moment ago."""
        visitors = tuple(self.visitors)
        if any(visitor == SERVER or self._scheduler.here(visitor) for visitor in visitors):
            self._seen = time.monotonic()
        absent = time.monotonic() - self._seen > self._scheduler.absence
        return not self._wish.is_set() and bool(visitors) and not absent

    def is_over(self) -> bool:
        """Return whether the work may end here; once so, so for the rest of the step."""
        self._cut = self._cut or not self.wanted()
        return self._cut

    def tell(self, told: Told) -> None:
        """Say how far the work is."""
        self.now = replace(self.now, told=told)

    def rest(self, seconds: float) -> None:
        """Wait, but not for somebody who has asked to stop."""
        self._wish.wait(seconds)

    def let_pass(self) -> None:
        """Wait until those who pass first have passed, or for a while."""
        first, limit = self.lane and self.lane.after, time.monotonic() + LONGEST_WAIT
        while first and self._scheduler.busy(first) and self.wanted() and time.monotonic() < limit:
            time.sleep(IDLE_POLL)

    def answers(self, visitor: str) -> bool:
        """Return whether what is known is an answer for a visitor: another's mishap is not, nor one of long ago."""
        now = self.now
        if now.phase is Phase.FAILED and not isinstance(now.error, InfeasibleError):
            return visitor in self.visitors and time.monotonic() - now.since <= RETRY
        return now.phase is not Phase.STOPPED

    def lacks(self, task: Task[Told]) -> bool:
        """Return whether a task asks for steps beyond those that were done."""
        return self.now.phase is Phase.DONE and self.now.step < len(task.steps)

    def start(self, steps: tuple[JobPart[Told], ...]) -> None:
        """Begin, or go on with the step that was not done, in a thread of its own."""
        self.now = self._state(self._before, Phase.WAITING, self.now.step, steps[self.now.step :])
        threading.Thread(target=self._run, name=self.task.kind.name, daemon=True).start()

    def _run(self) -> None:
        """Do what is still to be done."""
        state = self.now
        try:
            while state.left:
                self.now = state = self._taken(state.left[0])
        except ThetaXIError as error:
            self._fail(copy(error).with_traceback(None))  # its frames hold on to all that was computed
        except Exception:
            logging.getLogger("thetaxi").exception("The %s failed", self.task.kind.name)
            self._fail(ThetaXIError(self.task.kind.unforeseen))

    def _taken(self, step: JobPart[Told]) -> State[Told]:
        """Return the state after a step, when there is a place for it."""
        self.rest(step.lane.pause)
        self.let_pass()
        with self._scheduler.place(step.lane):
            return self._worked(step.work)

    def _worked(self, work: Callable[[Job[Told]], Told]) -> State[Told]:
        """Return the state after the work; what was cut short since all had left is begun anew for who comes back."""
        before, step, left = self._before, self.now.step, self.now.left
        while self._wish.is_set() or self.wanted():
            self._cut, self.now = False, self._state(before, Phase.RUNNING, step, left)
            told = work(self)
            if self._wish.is_set():
                return self._state(told, Phase.STOPPED, step)
            if not self._cut:
                return self._state(told, Phase.WAITING if left[1:] else Phase.DONE, step + 1, left[1:])
        return self._state(before, Phase.STOPPED, step)

    def _state(self, told: Told, phase: Phase, step: int, left: tuple[JobPart[Told], ...] = ()) -> State[Told]:
        return State(told, phase, step, left, answer=self.task.answer)

    @property
    def _before(self) -> Told:
        return self.now.told if self.now.step else self.task.blank

    def _fail(self, error: ThetaXIError) -> None:
        """End with an error, unless the answer is out: what was to be added is then missing, and that is all."""
        now = self.now
        done = replace(now, phase=Phase.DONE, step=now.step + len(now.left), left=())
        self.now = done if now.out else State(now.told, Phase.FAILED, error=error, answer=now.answer)


class Scheduler:
    """All jobs of this server."""

    def __init__(self, here: Callable[[str], bool] = bool, *, absence: float = ABSENCE) -> None:
        self.here, self.absence = here, absence
        self._jobs: OrderedDict[tuple[JobKind, str, str | None], Job[Any]] = OrderedDict()  # by key and who stopped it
        self._places: dict[Lane, threading.Semaphore] = {}
        self._lock = threading.RLock()

    def job(self, task: Task[Told], visitor: str = SERVER) -> Job[Told]:
        """Return the job of a task: one that runs, one that has an answer, or one that starts now."""
        with self._lock:
            if (*task.id, visitor) in self._jobs:
                return self._jobs[*task.id, visitor]
            job = self._jobs.setdefault((*task.id, None), Job(task, self))
            known = job.answers(visitor) and not job.lacks(task)
            job.visitors.add(visitor)
            if not known:
                job.start(task.steps)
            self._jobs.move_to_end((*task.id, None))
            self._forget_old(task.kind)
            return job

    def state(self, task: Task[Told], visitor: str = SERVER) -> State[Told]:
        """Return what is known of a task, which nobody is asked to do."""
        with self._lock:
            job = self._jobs.get((*task.id, visitor)) or self._jobs.get((*task.id, None)) or Job(task, self)
            return job.now

    def stop(self, task: Task[Told], visitor: str = SERVER) -> None:
        """Stop the job of a task, if there is one."""
        with self._lock:
            job = self._jobs.get((*task.id, None))
            if job is not None:
                job.stop(visitor)

    def again(self, task: Task[Told], visitor: str = SERVER) -> Job[Told]:
        """Forget what is known of a task and do it anew; a job whose answer is still to come goes on."""
        with self._lock:
            self.forget(task, visitor)
            return self.job(task, visitor)

    def forget(self, task: Task[Told], visitor: str = SERVER) -> None:
        """Forget what is known of a task: who asks next has it done anew, unless its answer is still to come."""
        with self._lock:
            self._jobs.pop((*task.id, visitor), None)
            job = self._jobs.get((*task.id, None))
            if job is not None and (job.now.out or not job.now.running):
                job.visitors.discard(visitor)
                del self._jobs[*task.id, None]

    def attend(self, visitor: str, kind: JobKind, keys: Iterable[str]) -> None:
        """Leave every job of a kind but these; one that nobody waits for ends."""
        wanted = set(keys)
        with self._lock:
            for (sort, key, _), job in self._jobs.items():
                if sort == kind and key not in wanted:
                    job.visitors.discard(visitor)

    def set_aside(self, job: Job[Any], visitor: str) -> None:
        """Keep a job for who stopped it; others who ask for the same get one of their own."""
        with self._lock:
            if self._jobs.get((*job.task.id, None)) is job:
                del self._jobs[*job.task.id, None]
            self._jobs[*job.task.id, visitor] = job

    def busy(self, lane: Lane) -> int:
        """Return how many jobs wait or work in a lane."""
        with self._lock:
            return sum(job.lane == lane for job in self._jobs.values())

    def waiting(self) -> int:
        """Return how many visitors wait for something that is being done."""
        with self._lock:
            return len({visitor for job in self._jobs.values() if job.now.running for visitor in job.visitors})

    def place(self, lane: Lane) -> threading.Semaphore:
        """Return the places of a lane, one of which a step takes while it works."""
        with self._lock:
            return self._places.setdefault(lane, threading.Semaphore(lane.places))

    def _forget_old(self, kind: JobKind) -> None:
        jobs = {which: job for which, job in self._jobs.items() if which[0] == kind}
        finished = [which for which, job in jobs.items() if not job.now.running]
        groups = list(dict.fromkeys(job.task.group for job in reversed(jobs.values())))
        forgotten = set(groups[(kind.groups or kind.kept).most :])
        old = [which for which in finished if jobs[which].task.group in forgotten]
        for which in {*old, *finished[: max(0, len(jobs) - kind.kept.most)]}:
            del self._jobs[which]
