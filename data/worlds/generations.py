"""World folders on disk: saved whole or not at all, one writer at a time, with the last states kept to go back to.

A state is a manifest. Tables are named after their content, so that states share those that did not change:

    world.toml                 the state in place
    world.7.toml, world.6.toml the states before it, the highest number the latest
    teams-a9fc0318.parquet     a table of one or more of them
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from data.errors import InputError, ThetaXIError
from data.schema import WORLD_TABLES
from data.storage.files import UNFINISHED, make_folder, replace_file, settle_folder, sweep
from data.storage.locks import alone_in
from data.worlds.manifest import (
    MANIFEST,
    SOURCES,
    Manifest,
    file_name,
    manifest_text,
    parse_manifest,
    renewed,
    sources_of,
)
from data.worlds.table_files import has_digest

KEPT = 3
"""States kept behind the one in place."""

_EARLIER = re.compile(r"world\.([1-9][0-9]{0,8})\.toml")
_TABLE = re.compile(rf"({'|'.join(schema.name for schema in WORLD_TABLES)})-[0-9a-f]{{8}}\.parquet")


def digests_of(contents: Mapping[str, bytes]) -> dict[str, str]:
    """Return the SHA-256 of each table's file."""
    return {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}


def save_state(folder: Path, manifest: Manifest, contents: Mapping[str, bytes]) -> None:
    """Write a state into a folder and keep the one before. A reader or a crash sees the old world or the new."""
    refuse_other_files(folder)
    make_folder(folder)
    with alone_in(folder):
        sweep(folder)
        for name, content in contents.items():
            path = folder / file_name(name, manifest.tables[name])
            if not has_digest(path, manifest.tables[name]):
                replace_file(path, content)
        put_in_place(folder, manifest.text())


def put_in_place(folder: Path, text: str) -> None:
    """Make a manifest whose tables are there the one in place; only for who holds the folder alone."""
    _keep_current(folder, text)
    replace_file(folder / MANIFEST, text.encode())
    replace_file(folder / SOURCES, sources_of(folder, parse_manifest(text, folder)).encode())  # for people to read
    _forget_oldest(folder)


def earlier_states(folder: Path) -> dict[int, Path]:
    """Return the manifests of the states before the one in place, by number, the latest first."""
    matches = [(_EARLIER.fullmatch(path.name), path) for path in folder.iterdir()]
    found = {int(match[1]): path for match, path in matches if match}
    return dict(sorted(found.items(), reverse=True))


def refuse_other_files(folder: Path) -> None:
    """Refuse to write a world among files that are not of one; what a killed writer left is ours."""
    if folder.exists() and not (folder / MANIFEST).exists():
        strange = [path.name for path in folder.iterdir() if not _is_ours(path.name)]
        if strange:
            raise InputError(f"{folder} holds other files than a world, such as {strange[0]}. Choose an empty folder.")


def _is_ours(name: str) -> bool:
    unfinished = name.startswith(".") and name.endswith(UNFINISHED)
    return unfinished or name == SOURCES or bool(_TABLE.fullmatch(name) or _EARLIER.fullmatch(name))


def _keep_current(folder: Path, coming: str) -> None:
    """Keep the state in place behind the coming one, unless it is the same, damaged, or kept already."""
    current, earlier = _sound_text(folder), earlier_states(folder)
    if current and current not in (coming, *(_text(path) for path in list(earlier.values())[:1])):
        replace_file(folder / f"world.{max(earlier, default=0) + 1}.toml", current.encode())


def _sound_text(folder: Path) -> str:
    """Return the manifest in place, in today's format, if all its tables are as they were written; else nothing."""
    try:
        manifest = parse_manifest(manifest_text(folder), folder)
    except ThetaXIError:
        return ""
    sound = all(has_digest(folder / file_name(*table), table[1]) for table in manifest.tables.items())
    return renewed(folder, manifest).text() if sound else ""


def _forget_oldest(folder: Path) -> None:
    """Remove the states beyond those that are kept, then every table that no state needs any more."""
    current = _text(folder / MANIFEST)
    earlier = list(earlier_states(folder).values())
    again = [path for path in earlier if _text(path) == current]  # it was gone back to
    for path in [*again, *[path for path in earlier if path not in again][KEPT:]]:
        path.unlink(missing_ok=True)
    kept = [folder / MANIFEST, *earlier_states(folder).values()]
    needed = frozenset[str]().union(*(_files(path) for path in kept))
    for table in folder.glob("*.parquet"):
        if _TABLE.fullmatch(table.name) and table.name not in needed:
            table.unlink(missing_ok=True)
    settle_folder(folder)


def _files(path: Path) -> frozenset[str]:
    try:
        return parse_manifest(_text(path), path).files
    except ThetaXIError:
        return frozenset()  # a damaged manifest opens nothing


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
