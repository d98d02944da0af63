"""Where the command `thetaxi` begins: it loads the command line, and an interrupt meanwhile ends it at once.

Loading takes about a second, in which there is nothing to clean up; an interrupt inside a library's own loading would
come out as that library's traceback.
"""

from __future__ import annotations

import os
import signal

INTERRUPTED = 130


def main() -> None:
    """Run the command line."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is not signal.SIG_IGN:  # as for a job in the background
        signal.signal(signal.SIGINT, _leave)
    from ui.terminal.main import main as run

    signal.signal(signal.SIGINT, usual)
    run()


def _leave(*_: object) -> None:
    os.write(2, b"Interrupted.\n")
    os._exit(INTERRUPTED)
