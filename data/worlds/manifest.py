"""The manifest of a world folder: what the world is, its format, and the checksum of each table's file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from data.errors import TableError, UnknownError
from data.storage.files import read_bounded
from data.toml_text import parse_toml

MANIFEST = "world.toml"
SOURCES = "SOURCES.md"
FORMAT = 2
"""Of the folders we write. 1 had its sources in a file beside the manifest; it is still read."""

LARGEST_TEXT = 1_000_000
"""Bytes of a manifest or of its sources: a thousand times what a world needs."""

MOST_DOUBTS = 100
_Name = Annotated[str, Field(min_length=1, max_length=500)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]  # SHA-256


class Manifest(BaseModel):
    """What a world folder says about itself."""

    format: Annotated[int, Field(ge=1)] = 1
    name: _Name
    title: _Name
    rulebook: _Name
    sources: str | None = None  # in Markdown; format 1 has them in a file of its own
    doubts: Annotated[list[str], Field(max_length=MOST_DOUBTS)] = []  # why it is held back, in sentences
    tables: dict[str, Digest]

    @property
    def files(self) -> frozenset[str]:
        """The names of the tables' files."""
        return frozenset(file_name(table, digest) for table, digest in self.tables.items())

    def text(self) -> str:
        """Return it as TOML."""
        head = {"name": self.name, "title": self.title, "rulebook": self.rulebook}
        lines = [f"format = {self.format}", *(f"{key} = {_line(value)}" for key, value in head.items())]
        lines += [f"sources = {_lines(self.sources or '')}"]
        lines += [f"doubts = [{', '.join(map(_line, self.doubts))}]"] if self.doubts else []
        lines += ["", "[tables]  # SHA-256 of each table's file: a changed or cut file is refused"]
        lines += [f'{table} = "{digest}"' for table, digest in self.tables.items()]
        return "\n".join(lines) + "\n"


def new_manifest(
    name: str, title: str, rulebook: str, sources: str, tables: Mapping[str, str], doubts: Sequence[str] = ()
) -> Manifest:
    """Return the manifest of a world that is to be written; `tables` are the digests by name."""
    sound = sources.encode(errors="replace").decode()  # half a surrogate pair cannot be written
    return Manifest(
        format=FORMAT,
        name=name,
        title=title,
        rulebook=rulebook,
        sources=sound,
        doubts=list(doubts)[:MOST_DOUBTS],
        tables=dict(tables),
    )


def file_name(table: str, digest: str) -> str:
    """Return the name of a table's file: another content has another name."""
    return f"{table}-{digest[:8]}.parquet"


def manifest_text(folder: Path) -> str:
    """Return the manifest as it stands in a folder: a world that was saved anew has another."""
    try:
        return read_bounded(folder / MANIFEST, LARGEST_TEXT).decode()
    except FileNotFoundError:
        raise UnknownError(
            f"{folder} is not a world: it has no {MANIFEST}. Make one with `thetaxi import-world`."
        ) from None
    except OSError as error:
        raise TableError(f"{folder / MANIFEST} cannot be read: {error.strerror}. Import the world again.") from None
    except UnicodeDecodeError:
        raise TableError(f"{folder / MANIFEST} is not UTF-8 text. Import the world again.") from None


def parse_manifest(text: str, origin: Path) -> Manifest:
    """Return what a manifest says; one that is not ours, or of a later format, is refused."""
    try:
        manifest = parse_toml(text, Manifest, MANIFEST, TableError)
    except TableError as error:
        raise TableError(f"{origin}: {error} Import the world again.") from None
    if manifest.format > FORMAT:
        raise TableError(
            f"{origin}: the world has format {manifest.format}, and this version of ThetaXI reads up to {FORMAT}. "
            "Update ThetaXI, or import the world again."
        )
    return manifest


def sources_of(folder: Path, manifest: Manifest) -> str:
    """Return where a world's facts come from; a folder of format 1 says so beside its manifest."""
    if manifest.sources is not None:
        return manifest.sources
    try:
        return read_bounded(folder / SOURCES, LARGEST_TEXT).decode(errors="replace")
    except OSError:
        return ""


def renewed(folder: Path, manifest: Manifest) -> Manifest:
    """Return a manifest in today's format."""
    return manifest.model_copy(update={"format": FORMAT, "sources": sources_of(folder, manifest)})


def _line(text: str) -> str:
    plain = "".join(letter for letter in text if letter.isprintable())
    return json.dumps(plain, ensure_ascii=False)


def _lines(text: str) -> str:
    """Return a text as TOML writes several lines; what JSON escapes, TOML escapes alike, and DEL too."""
    rows = (json.dumps(row, ensure_ascii=False)[1:-1].replace("\x7f", "\\u007f") for row in text.split("\n"))
    return '"""\n' + "\n".join(rows) + '"""'
