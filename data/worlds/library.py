"""The worlds at hand: those bundled with the project and those in the user's own folder."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from data.errors import InputError, ThetaXIError, UnknownError, did_you_mean
from data.rules import load_rules
from data.storage.files import user_folder
from data.worlds.generations import earlier_states
from data.worlds.manifest import MANIFEST, manifest_text, parse_manifest, sources_of
from data.worlds.world import World, open_world

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


def own_folder(name_or_folder: str) -> Path:
    """Return the folder of a world of the user's by its name, or the folder itself when a path is given."""
    return world_folder(name_or_folder) if _NAME.fullmatch(name_or_folder) else Path(name_or_folder)


def list_worlds() -> tuple[WorldEntry, ...]:
    """Return every world at hand; the user's own hides a bundled one of the same name."""
    found: dict[str, WorldEntry] = {}
    for root, bundled in ((BUNDLED, True), (user_worlds(), False)):
        for folder in _world_folders(root):
            found[folder.name] = WorldEntry(folder.name, folder, bundled)
    return tuple(found[name] for name in sorted(found))


def find_world(name_or_folder: str) -> World:
    """Open a world by its name, or from a folder when a path is given."""
    return open_world(_found_folder(name_or_folder))


def world_sources(name_or_folder: str) -> str:
    """Return where the facts of a world come from, without opening its tables."""
    folder = _found_folder(name_or_folder)
    return sources_of(folder, parse_manifest(manifest_text(folder), folder))


def _found_folder(name_or_folder: str) -> Path:
    folder = Path(name_or_folder)
    if not _NAME.fullmatch(name_or_folder) or (folder / MANIFEST).is_file():
        return folder
    entries = {entry.name: entry for entry in list_worlds()}
    if name_or_folder not in entries:
        hint = did_you_mean(name_or_folder, entries)
        raise UnknownError(f"There is no world {name_or_folder!r}. {hint} Or give the folder of a world.")
    return entries[name_or_folder].folder


def openable_worlds() -> Iterator[tuple[WorldEntry, World | ThetaXIError]]:
    """Yield every world at hand with its content, or with the error that keeps it from being used."""
    for entry in list_worlds():
        try:
            yield entry, usable_world(entry.folder)
        except ThetaXIError as error:
            yield entry, error


def usable_world(folder: Path) -> World:
    """Open a world whose rulebook can be read too."""
    world = open_world(folder)
    load_rules(world.rulebook)
    return world


def _world_folders(root: Path) -> list[Path]:
    """Return the worlds in a folder, broken ones too; a folder that cannot be looked into holds none."""
    try:
        return sorted(folder for folder in root.iterdir() if _is_world(folder)) if root.is_dir() else []
    except OSError as error:
        logging.getLogger("thetaxi").warning("%s cannot be read: %s", root, error.strerror)
        return []


def _is_world(folder: Path) -> bool:
    """Return whether a folder is meant as a world: it has a manifest of any kind, or had one before."""
    try:
        if folder.name.startswith("."):
            return False  # a world that is held back
        return folder.is_dir() and (os.path.lexists(folder / MANIFEST) or bool(earlier_states(folder)))
    except OSError:
        return True  # nobody may look into it: listed, so that its owner is told
