"""A child that is killed at its n-th call that changes a file: every write, sync, rename, truncation and unlink.

The parent traces the child's system calls, so also those are seen that a library makes behind Python's back.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
from collections.abc import Callable

_TRACE_ME, _PEEK_USER, _NEXT_CALL, _SET_OPTIONS = 0, 3, 24, 0x4200
_MARK_CALLS = 1  # stops at system calls carry a bit of their own
_NUMBER = 15 * 8  # offset of the call's number among the registers of x86-64
_CHANGING = {1, 18, 20, 74, 75, 76, 77, 82, 87, 263, 264, 316}
"""write, pwrite64, writev, fsync, fdatasync, truncate, ftruncate, rename, unlink, unlinkat, renameat, renameat2"""

can_trace = platform.system() == "Linux" and platform.machine() == "x86_64"


def killed_at(call: int, work: Callable[[], None]) -> bool:
    """Run `work` in a child, kill it as it enters its changing call of that number, return whether it came to that."""
    pid = os.fork()
    if pid == 0:
        _run_traced(work)
    return _watch(pid, call)


def _run_traced(work: Callable[[], None]) -> None:
    """Be traced, do the work and end without any of the parent's cleaning up."""
    status = 1
    try:
        _ptrace(_TRACE_ME, 0, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        work()
        status = 0
    finally:
        os._exit(status)


def _watch(pid: int, call: int) -> bool:
    os.waitpid(pid, 0)
    _ptrace(_SET_OPTIONS, pid, _MARK_CALLS)
    seen, entering = 0, True
    while True:
        _ptrace(_NEXT_CALL, pid, 0)
        _, status = os.waitpid(pid, 0)
        if os.WIFEXITED(status):
            assert os.WEXITSTATUS(status) == 0, "the work failed"
            return False
        if os.WIFSIGNALED(status):
            return True
        if os.WSTOPSIG(status) != signal.SIGTRAP | 0x80:
            continue
        if entering and _ptrace(_PEEK_USER, pid, 0, _NUMBER) in _CHANGING:
            if seen == call:
                os.kill(pid, signal.SIGKILL)
            seen += 1
        entering = not entering


def _ptrace(request: int, pid: int, data: int, address: int = 0) -> int:
    trace = ctypes.CDLL(None, use_errno=True).ptrace
    trace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    trace.restype = ctypes.c_long
    return int(trace(request, pid, address, data))
