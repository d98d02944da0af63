"""Answers kept on disk: asked again by ETag or date, replaced whole, and never trusted when damaged."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import httpx

from data.storage.files import replace_file

OK = 200
NOT_MODIFIED = 304
NOT_FOUND = 404
ASKED_AGAIN = 24 * 3600.0
"""Seconds after which a final document that the source did not have is asked for again."""

CONDITIONS = ("If-None-Match", "If-Modified-Since")
DIGESTS = {32: "md5", 40: "sha1", 64: "sha256"}
"""Length of a hexadecimal digest → how it is computed; a token of another length says nothing we can check."""


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """A kept answer: the validators its server gave, and the body."""

    etag: str
    modified: str
    body: bytes
    final: str = ""  # what it was called when it was asked for as something that changes no more
    status: int = OK

    def settles(self, final: str, age: float) -> bool:
        """Return whether it need not be asked for again, being so many seconds old."""
        return bool(final) and self.final == final and (self.status == OK or age < ASKED_AGAIN)

    def conditions(self) -> dict[str, str]:
        """Return the headers that ask the server only for something newer."""
        asked = dict(zip(CONDITIONS, (self.etag, self.modified), strict=True))
        sound = self.status == OK
        return {
            name: value for name, value in asked.items() if sound and value and value.isascii() and value.isprintable()
        }

    def has_digest(self, token: str) -> bool:
        """Return whether the token is the digest of this body."""
        method = DIGESTS.get(len(token))
        return method is not None and hashlib.new(method, self.body).hexdigest() == token.lower()


class CacheTransport(httpx.BaseTransport):
    """Keeps every good answer; an unchanged one is not sent twice.

    A request may carry the extension `digest`, the checksum the source publishes for the file. It is compared with
    the kept body itself, so a checksum that runs ahead of its file can only cause a download, never a stale answer.
    The extension `final` names something that changes no more, such as a gameweek of a season: an answer that was kept
    under that very name is not asked for again.
    """

    def __init__(self, inner: httpx.BaseTransport, folder: Path) -> None:
        self._inner = inner
        self._folder = folder

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer from disk what the digest proves current or the server calls unmodified."""
        path = self._folder / f"{hashlib.sha256(str(request.url).encode()).hexdigest()[:32]}.http"
        entry = read_entry(path) if request.method == "GET" else None
        digest, final = (str(request.extensions.get(name, "")) for name in ("digest", "final"))
        if entry and (entry.has_digest(digest) or entry.settles(final, _age(path))):
            return _from_disk(entry, request)
        for name in CONDITIONS:
            request.headers.pop(name, None)  # a redirect inherits those of the address before it
        request.headers.update(entry.conditions() if entry else {})
        response = self._inner.handle_request(request)
        if entry and response.status_code == NOT_MODIFIED:
            if final:
                _keep(path, request, replace(entry, final=final))
            return _from_disk(entry, request)
        if request.method == "GET" and (response.status_code == OK or (final and response.status_code == NOT_FOUND)):
            etag, modified = (response.headers.get(name, "") for name in ("etag", "last-modified"))
            _keep(path, request, CacheEntry(etag, modified, response.content, final, response.status_code))
        return response

    def close(self) -> None:
        """Close the transport below."""
        self._inner.close()


def read_entry(path: Path) -> CacheEntry | None:
    """Read a kept answer, None when there is none or its file is damaged."""
    try:
        head, _, body = path.read_bytes().partition(b"\n")
        known: Mapping[str, str] = json.loads(head)
        final, status = str(known.get("final", "")), int(known.get("status", OK))
        entry = CacheEntry(str(known["etag"]), str(known["modified"]), body, final, status)
        sound = hashlib.sha256(body).hexdigest() == known["sha256"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return entry if sound else None


def _from_disk(entry: CacheEntry, request: httpx.Request) -> httpx.Response:
    return httpx.Response(entry.status, content=entry.body, request=request, extensions={"cached": True})


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return ASKED_AGAIN


def _keep(path: Path, request: httpx.Request, entry: CacheEntry) -> None:
    head = {
        "url": str(request.url),
        "etag": entry.etag,
        "modified": entry.modified,
        "final": entry.final,
        "status": entry.status,
        "sha256": hashlib.sha256(entry.body).hexdigest(),
    }
    with suppress(OSError):  # a full disk must not cost the user the answer he already has
        replace_file(path, json.dumps(head).encode() + b"\n" + entry.body)
