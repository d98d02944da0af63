"""Which work is done beside the page: its lanes, its kinds, and the one scheduler of this server."""

from __future__ import annotations

import streamlit as st

from ui.web.choice.session import is_here
from ui.web.work import kept
from ui.web.work.scheduler import JobKind, Lane, Scheduler

SKETCHING = Lane("sketching", places=2)
"""First answers of plans: each takes a fraction of a second, so all that takes seconds lets them pass."""

SEARCHING = Lane("searching", places=2, after=SKETCHING)
"""One search for each core of a small machine; others wait their turn."""

PROVING = Lane("proving", after=SEARCHING, pause=0.5)
"""A proof keeps a solver busy for seconds, and a board is worth more: one at a time, when nobody searches.

Before it begins, the board is drawn: the two would only slow each other down."""

FIELD = Lane("playing against the field")
REFRESHING = Lane("refreshing", places=2)
"""One refresh for each live source."""

BENCHING = Lane("benching")
MEASURING = Lane("measuring forecasts")

FEW_SEARCHES, FEW_VISITORS = 2, 10
"""Searches at once, and visitors who wait at once, that do not get into each other's way."""

_CAUSE = "the server's log names the cause."

SEARCHES = JobKind(
    "search", kept.SEARCHES, f"The search failed. Search again; if it fails again, {_CAUSE}", groups=kept.BELIEFS
)
PLANS = JobKind("plan", kept.PLANS, f"The plan failed. Plan again; if it fails again, {_CAUSE}", groups=kept.BELIEFS)
CHANCES = JobKind("simulation of chances", kept.CHANCES, f"The simulation of chances failed; {_CAUSE}")
ADVICE = JobKind("measurement of objectives", kept.ADVICE, f"The measurement of objectives failed; {_CAUSE}")
REFRESHES = JobKind(
    "refresh",
    kept.REFRESHES,
    f"The refresh failed for a reason of its own; the last good data is still in place. T{_CAUSE[1:]}",
)
RECORDS = JobKind("measurement of forecasts", kept.RECORDS, f"The measurement failed; {_CAUSE}")
BENCHES = JobKind("bench", kept.BENCHES, f"The bench ended early; {_CAUSE}")


@st.cache_resource
def background() -> Scheduler:
    """Return the scheduler of this server."""
    return Scheduler(is_here)


def crowding() -> float:
    """Return how much rarer to look when many wait: each look takes time from those who are waited for, and a thread
    that the server has to start before it answers anybody else."""
    searches = background().busy(SEARCHING) + background().busy(SKETCHING)
    return max(1.0, searches / FEW_SEARCHES, background().waiting() / FEW_VISITORS)
