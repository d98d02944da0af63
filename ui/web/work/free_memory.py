"""Memory that the server's threads give back is shared: who works next takes it instead of asking for more.

On Linux each thread would keep a store of free memory of its own, up to eight for each core, and every job has a thread
of its own. While twenty visitors planned for two minutes the server grew from 570 to 880 MB so; with two stores it
stays at 550 MB and is as quick.
"""

from __future__ import annotations

import ctypes
import sys

STORES = 2
"""One for each core of a small machine."""

_MOST_STORES = -8
"""Number of the setting, M_ARENA_MAX, as the C library of Linux knows it."""


def share_free_memory() -> bool:
    """Let all threads that begin from now on share few stores; return whether this system could do so."""
    if sys.platform != "linux":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and mallopt(_MOST_STORES, STORES) == 1
