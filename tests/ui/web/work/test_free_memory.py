"""Threads of the server share what memory is free."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from ui.web.work.free_memory import STORES, share_free_memory

THREADS = """
import ctypes, threading, sys
from ui.web.work.free_memory import share_free_memory
if sys.argv[1] == "shared":
    assert share_free_memory()
libc, here, leave = ctypes.CDLL(None), threading.Barrier(9), threading.Barrier(9)
libc.malloc.restype = ctypes.c_void_p
def work():
    libc.malloc(1000)
    here.wait()
    leave.wait()
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
here.wait()
libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
libc.fflush(None)
leave.wait()
"""


def stores(manner: str) -> int:
    told = subprocess.run([sys.executable, "-c", THREADS, manner], capture_output=True, text=True, check=True).stdout
    return len(ElementTree.fromstring(told).findall("heap"))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems share free memory, or have no such setting")
def test_eight_threads_have_few_stores_of_free_memory() -> None:
    assert stores("apart") > STORES
    assert stores("shared") <= STORES


def test_another_system_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not share_free_memory()
