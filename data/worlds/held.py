"""Worlds held back: a fetched world that is suspicious waits beside the one in place until the user takes it.

worlds/fifa-live            the world in place
worlds/.fifa-live.held      the one that waits, with the doubts about it in its manifest
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from data.errors import ThetaXIError, UnknownError
from data.worlds.manifest import MANIFEST, manifest_text, parse_manifest
from data.worlds.world import World, open_world


@dataclass(frozen=True, slots=True)
class HeldWorld:
    """A world that waits to be taken."""

    title: str
    doubts: tuple[str, ...]
    since: datetime  # UTC


def hold_back(world: World, folder: Path, doubts: tuple[str, ...]) -> None:
    """Let a world wait for the place of a folder; one that waited before is dropped."""
    drop_held(folder)
    world.save(held_folder(folder), doubts)


def held_world(folder: Path) -> HeldWorld | None:
    """Return what waits for the place of a folder, if anything."""
    place = held_folder(folder)
    try:
        manifest = parse_manifest(manifest_text(place), place)
        since = datetime.fromtimestamp((place / MANIFEST).stat().st_mtime, UTC)
    except (ThetaXIError, OSError):
        return None
    return HeldWorld(manifest.title, tuple(manifest.doubts), since)


def take_held(folder: Path) -> World:
    """Put the world that waits into its place; the one before is kept as an earlier state."""
    if held_world(folder) is None:
        raise UnknownError(f"No world is held back for {folder.name}. Fetch it first.")
    world = open_world(held_folder(folder))
    world.save(folder)
    drop_held(folder)
    return world


def drop_held(folder: Path) -> None:
    """Forget the world that waits for the place of a folder, if any; without its manifest it is none any more."""
    place = held_folder(folder)
    with suppress(OSError):
        (place / MANIFEST).unlink(missing_ok=True)
    shutil.rmtree(place, ignore_errors=True)


def held_folder(folder: Path) -> Path:
    """Return where a world waits for the place of a folder."""
    return folder.with_name(f".{folder.name}.held")
