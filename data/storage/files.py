"""Files that are replaced whole or not at all, and the user's own folder for what was fetched."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path
from stat import S_ISREG

from platformdirs import user_data_path

from data.errors import InputError

HOME_VARIABLE = "THETAXI_HOME"
LARGEST_OWN = 5_000_000
"""Bytes of a file that a user brings: a table of every player and round has a tenth of it."""


def user_folder() -> Path:
    """Return the folder for fetched worlds and caches: $THETAXI_HOME, else the platform's own place."""
    chosen = os.environ.get(HOME_VARIABLE)
    return Path(chosen) if chosen else user_data_path("thetaxi", appauthor=False)


def read_bounded(path: Path, most: int) -> bytes:
    """Return what a file holds; a larger one, and what is no file but a device, a pipe or a folder, is an `OSError`.

    A device may have no end and a pipe no beginning, so neither is opened.
    """
    if not S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    with path.open("rb") as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes")
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

    A link is followed; what is no file, a pipe or a terminal, is written to and not replaced.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
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
