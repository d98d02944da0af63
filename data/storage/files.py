"""Files that are replaced whole or not at all, and the user's own folder for what was fetched."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from platformdirs import user_data_path

from data.errors import InputError

HOME_VARIABLE = "THETAXI_HOME"
LARGEST_OWN = 5_000_000
"""Bytes of a file that a user brings: a table of every player and round has a tenth of it."""

HOUR = 3600.0  # seconds
UNFINISHED = ".part"
"""How the name of a file ends that is being written."""


def user_folder() -> Path:
    """Return the folder for fetched worlds and caches: $THETAXI_HOME, else the platform's own place."""
    chosen = os.environ.get(HOME_VARIABLE)
    return Path(chosen) if chosen else user_data_path("thetaxi", appauthor=False)


def read_bounded(path: Path, most: int) -> bytes:
    """Return what a file holds; a larger one, and what is no file but a device, a pipe or a folder, is an `OSError`.

    A device may have no end and a pipe no beginning, so neither is read.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # opening a pipe would wait for who writes to it
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        with os.fdopen(handle, "rb", closefd=False) as file:
            content = file.read(most + 1)
    finally:
        os.close(handle)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
    return content


def read_own(path: Path) -> bytes:
    """Return what a file of the user's holds, or say why it cannot be read."""
    try:
        return read_bounded(path, LARGEST_OWN)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None


def write_own(path: Path, content: bytes) -> None:
    """Write what a user takes away, whole or not at all, or say why it cannot be written."""
    try:
        replace_file(path, content)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from None


def replace_file(path: Path, content: bytes) -> None:
    """Write a file so that a reader, or a crash, sees the old content or the new, never a half.

    A link is followed; what is no file, a pipe or a terminal, is written to and not replaced. When it returns, the
    new content outlives a loss of power.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    make_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    settle_folder(path.parent)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, each known to the disk before something is put into it."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        settle_folder(folder.parent)


def settle_folder(folder: Path) -> None:
    """Wait until the disk knows which files a folder holds: without it a loss of power takes a rename back."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sweep_home() -> None:
    """Remove what killed writers left in the user's folder; nobody writes one file for as long as an hour."""
    sweep(user_folder(), older=HOUR)


def sweep(folder: Path, older: float = 0.0) -> None:
    """Remove what killed writers left unfinished in a folder and below, if it is older than so many seconds.

    Only who holds the folder alone may remove what is new: another's unfinished file looks the same.
    """
    latest = time.time() - older
    for left in folder.rglob(f".*{UNFINISHED}"):
        with suppress(OSError):  # somebody else swept it, or it is not ours to remove
            if left.lstat().st_mtime <= latest:
                left.unlink()
