"""Get ready before the first visitor comes: import what every page needs, open the competition he will most likely see.

A cold first page spent half its time on imports and on opening its competition. Who comes at once has his page's frame
drawn before anything is believed of players: both at a time would keep each other waiting. What other pages need
comes last.
"""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module

from data.errors import ThetaXIError
from ui.web.work.collector import LITTLE, uncollected

FIRST = "ui.web.pages.this_week"
LATER = ("ui.web.pages.pick", "ui.web.pages.plan", "ui.web.pages.compare")

BREATH = 2.0
"""Seconds left to whoever comes at once: a browser loads the page in one, and its frame stands half a second later."""

LULL = 1.0
"""Seconds in which the server had little to do, before it loads what other pages need: then nobody waits for it."""


def warm_up() -> threading.Thread:
    """Start getting ready beside the server, which answers meanwhile."""
    thread = threading.Thread(target=_get_ready, name="warming up", daemon=True)
    thread.start()
    return thread


def _get_ready() -> None:
    logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").setLevel(logging.ERROR)
    with uncollected():
        import_module(FIRST)
    with suppress(ThetaXIError):  # a competition that is broken is told of where it is shown
        from data.worlds.library import list_worlds
        from ui.web.choice.competition import known_nearest
        from ui.web.choice.frame import open_chosen, signals_of
        from ui.web.choice.plan import Plan

        now = datetime.now(UTC)
        entries = {entry.name: entry for entry in list_worlds()}
        chosen = open_chosen(Plan(world=known_nearest(entries, now)), now, entries)
        time.sleep(BREATH)
        signals_of(chosen)
    _wait_for_a_lull()
    for name in LATER:
        import_module(name)


def _wait_for_a_lull() -> None:
    worked = -LULL
    while time.process_time() - worked > LITTLE * LULL:
        worked = time.process_time()
        time.sleep(LULL)
