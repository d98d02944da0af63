"""The worlds at hand: those bundled with the project and those in the user's own folder."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from data.errors import InputError, ThetaXIError, UnknownError, did_you_mean
from data.storage.files import user_folder
from data.worlds.world import MANIFEST, World, open_world

BUNDLED = Path(__file__).parent
DEFAULT_WORLD = "wc2026"
PAST_SEASONS = "fpl2025-26"
"""The bundled world that knows what players and clubs of the Premier League did before the season being played."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class WorldEntry:
    """A world that can be opened by name."""

    name: str
    folder: Path
    bundled: bool


def user_worlds() -> Path:
    """Return the folder of the worlds the user fetched or imported."""
    return user_folder() / "worlds"


def world_folder(name: str) -> Path:
    """Return where the user's world of this name is kept; the name must be plain."""
    if not _NAME.fullmatch(name):
        raise InputError(f"{name!r} is not a plain name for a world: use letters, digits, - and _.")
    return user_worlds() / name


def list_worlds() -> tuple[WorldEntry, ...]:
    """Return every world at hand; the user's own hides a bundled one of the same name."""
    found: dict[str, WorldEntry] = {}
    for root, bundled in ((BUNDLED, True), (user_worlds(), False)):
        for folder in _world_folders(root):
            found[folder.name] = WorldEntry(folder.name, folder, bundled)
    return tuple(found[name] for name in sorted(found))


def find_world(name_or_folder: str) -> World:
    """Open a world by its name, or from a folder when a path is given."""
    folder = Path(name_or_folder)
    if not _NAME.fullmatch(name_or_folder) or (folder / MANIFEST).is_file():
        return open_world(folder)
    entries = {entry.name: entry for entry in list_worlds()}
    if name_or_folder not in entries:
        hint = did_you_mean(name_or_folder, entries)
        raise UnknownError(f"There is no world {name_or_folder!r}. {hint} Or give the folder of a world.")
    return open_world(entries[name_or_folder].folder)


def openable_worlds() -> Iterator[tuple[WorldEntry, World | ThetaXIError]]:
    """Yield every world at hand with its content, or with the error that keeps it from opening."""
    for entry in list_worlds():
        try:
            yield entry, open_world(entry.folder)
        except ThetaXIError as error:
            yield entry, error


def _world_folders(root: Path) -> list[Path]:
    """Return the worlds in a folder; one that cannot be looked into holds none."""
    try:
        return sorted(folder for folder in root.iterdir() if (folder / MANIFEST).is_file()) if root.is_dir() else []
    except OSError as error:
        logging.getLogger("thetaxi").warning("%s cannot be read: %s", root, error.strerror)
        return []
