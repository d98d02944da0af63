"""Watches every socket of a Python process and its children: whom it calls, and which names it looks up."""

from __future__ import annotations

import os
from ipaddress import ip_address
from pathlib import Path

HOOK = """
import os, sys
_log = os.open({log!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
_calls = {{"socket.connect": 1, "socket.sendto": 1, "socket.sendmsg": 1}}
_names = {{"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}}
def _watch(event, arguments):
    if event in _calls and isinstance(arguments[1], tuple):
        os.write(_log, (str(arguments[1][0]) + "\\n").encode())
    elif event in _names and arguments[0]:
        os.write(_log, (str(arguments[0]) + "\\n").encode())
sys.addaudithook(_watch)
"""
"""Python imports it at its start from a folder of its path; sockets of the file system have no address to tell."""


class SocketWatch:
    """A file in which every process started with its environment notes whom it calls."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._log = folder / "called.txt"
        self._folder = folder
        (folder / "sitecustomize.py").write_text(HOOK.format(log=str(self._log)))

    @property
    def environment(self) -> dict[str, str]:
        """What a watched process has to be started with."""
        before = os.environ.get("PYTHONPATH")
        return {"PYTHONPATH": os.pathsep.join(filter(None, (str(self._folder), before)))}

    @property
    def called(self) -> list[str]:
        """All hosts that were called or looked up."""
        return self._log.read_text().split() if self._log.exists() else []

    @property
    def abroad(self) -> list[str]:
        """Those that are not this machine itself."""
        return [host for host in self.called if not _is_here(host)]


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
