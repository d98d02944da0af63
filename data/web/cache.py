"""Answers kept on disk: asked again by ETag or date, replaced whole, and never trusted when damaged."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from data.storage.files import replace_file

OK = 200
NOT_MODIFIED = 304
CONDITIONS = ("If-None-Match", "If-Modified-Since")
DIGESTS = {32: "md5", 40: "sha1", 64: "sha256"}
"""Length of a hexadecimal digest → how it is computed; a token of another length says nothing we can check."""


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """A kept answer: the validators its server gave, and the body."""

    etag: str
    modified: str
    body: bytes

    def conditions(self) -> dict[str, str]:
        """Return the headers that ask the server only for something newer."""
        asked = dict(zip(CONDITIONS, (self.etag, self.modified), strict=True))
        return {name: value for name, value in asked.items() if value and value.isascii() and value.isprintable()}

    def has_digest(self, token: str) -> bool:
        """Return whether the token is the digest of this body."""
        method = DIGESTS.get(len(token))
        return method is not None and hashlib.new(method, self.body).hexdigest() == token.lower()


class CacheTransport(httpx.BaseTransport):
    """Keeps every good answer; an unchanged one is not sent twice.

    A request may carry the extension `digest`, the checksum the source publishes for the file. It is compared with
    the kept body itself, so a checksum that runs ahead of its file can only cause a download, never a stale answer.
    """

    def __init__(self, inner: httpx.BaseTransport, folder: Path) -> None:
        self._inner = inner
        self._folder = folder

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer from disk what the digest proves current or the server calls unmodified."""
        path = self._folder / f"{hashlib.sha256(str(request.url).encode()).hexdigest()[:32]}.http"
        entry = read_entry(path) if request.method == "GET" else None
        if entry and entry.has_digest(str(request.extensions.get("digest", ""))):
            return _from_disk(entry, request)
        for name in CONDITIONS:
            request.headers.pop(name, None)  # a redirect inherits those of the address before it
        request.headers.update(entry.conditions() if entry else {})
        response = self._inner.handle_request(request)
        if entry and response.status_code == NOT_MODIFIED:
            return _from_disk(entry, request)
        if request.method == "GET" and response.status_code == OK:
            _keep(path, response)
        return response

    def close(self) -> None:
        """Close the transport below."""
        self._inner.close()


def read_entry(path: Path) -> CacheEntry | None:
    """Read a kept answer, None when there is none or its file is damaged."""
    try:
        head, _, body = path.read_bytes().partition(b"\n")
        known: Mapping[str, str] = json.loads(head)
        entry = CacheEntry(str(known["etag"]), str(known["modified"]), body)
        sound = hashlib.sha256(body).hexdigest() == known["sha256"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return entry if sound else None


def _from_disk(entry: CacheEntry, request: httpx.Request) -> httpx.Response:
    return httpx.Response(OK, content=entry.body, request=request, extensions={"cached": True})


def _keep(path: Path, response: httpx.Response) -> None:
    head = {
        "url": str(response.request.url),
        "etag": response.headers.get("etag", ""),
        "modified": response.headers.get("last-modified", ""),
        "sha256": hashlib.sha256(response.content).hexdigest(),
    }
    with suppress(OSError):  # a full disk must not cost the user the answer he already has
        replace_file(path, json.dumps(head).encode() + b"\n" + response.content)
