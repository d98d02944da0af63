"""The wire under `data.web.client`: one request, answered whole within its deadline and its size, or an error."""

from __future__ import annotations

import ssl
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from functools import cache
from threading import Event

import httpcore
import httpx

from data.errors import PayloadError, StoppedError, UnreachableError

Clock = Callable[[], float]
GZIP = 16 + zlib.MAX_WBITS
"""zlib's way of saying: a gzip stream with its header."""

LOOK = 0.25  # seconds between two looks at whether an answer is still waited for

_deadline: ContextVar[float] = ContextVar("deadline", default=float("inf"))


class NetworkTransport(httpx.BaseTransport):
    """Sends a request and reads the whole answer, so that nobody above has to fear a slow or endless body.

    httpx's own timeouts count from byte to byte: a server that drips one byte a second, in the headers or in the
    body, holds a client for ever. Here every socket operation is cut at the deadline of the whole request.
    """

    def __init__(self, *, size_limit: int, clock: Clock = time.monotonic, stop: Event | None = None) -> None:
        self._size_limit = size_limit
        backend = _DeadlineBackend(clock, stop or Event())
        self._pool = httpcore.ConnectionPool(ssl_context=_trusted_certificates(), network_backend=backend)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the answer with its decoded body in memory."""
        marker = _deadline.set(request.extensions.get("deadline", float("inf")))
        try:
            return self._answer(request)
        except httpcore.TimeoutException:
            raise UnreachableError(f"{request.url} did not answer in time. Try again later.") from None
        except httpcore.ConnectError as error:
            reason = str(error) or "no connection"
            raise UnreachableError(
                f"{request.url} cannot be reached ({reason}). Check the address and the network."
            ) from None
        except UnicodeError:
            raise UnreachableError(f"{request.url} is no address that can be looked up. Check its spelling.") from None
        except (httpcore.NetworkError, httpcore.ProtocolError) as error:
            reason = str(error) or type(error).__name__
            raise UnreachableError(f"{request.url}: the answer broke off ({reason}). Try again later.") from None
        finally:
            _deadline.reset(marker)

    def close(self) -> None:
        """Close every kept connection."""
        self._pool.close()

    def _answer(self, request: httpx.Request) -> httpx.Response:
        asked = request.url
        url = httpcore.URL(scheme=asked.raw_scheme, host=asked.raw_host, port=asked.port, target=asked.raw_path)
        timeouts = {"timeout": request.extensions.get("timeout", {})}
        with self._pool.stream(request.method, url, headers=request.headers.raw, extensions=timeouts) as answer:
            headers = httpx.Headers(answer.headers)
            encoding = headers.pop("content-encoding", "identity").strip().lower()
            body = whole_body(answer.iter_stream(), encoding, self._size_limit, str(request.url))
        for stale in ("content-length", "transfer-encoding"):
            headers.pop(stale, None)
        return httpx.Response(answer.status, headers=headers, content=body, request=request)


@cache
def _trusted_certificates() -> ssl.SSLContext:
    """Reading them takes longer than most requests; once serves every client."""
    return httpx.create_ssl_context()


def whole_body(chunks: Iterable[bytes], encoding: str, limit: int, url: str) -> bytes:
    """Join and decompress a body, refusing it at the first byte beyond the limit (also inside a gzip bomb)."""
    body = bytearray()
    for piece in _decoded(chunks, encoding, limit, url):
        body += piece
        if len(body) > limit:
            raise PayloadError(f"{url} sent more than {limit / 1e6:g} MB. Is this the address of the feed?")
    return bytes(body)


def _decoded(chunks: Iterable[bytes], encoding: str, limit: int, url: str) -> Iterator[bytes]:
    if encoding in ("", "identity"):
        yield from chunks
    elif encoding in ("gzip", "x-gzip"):
        yield from _unzipped(chunks, limit, url)
    else:
        raise PayloadError(f"{url} answered in the encoding {encoding!r}; only gzip was asked for.")


def _unzipped(chunks: Iterable[bytes], limit: int, url: str) -> Iterator[bytes]:
    unzip = zlib.decompressobj(GZIP)
    try:
        for chunk in chunks:
            yield unzip.decompress(chunk, limit + 1)
            if unzip.unconsumed_tail:
                return  # only a piece beyond the limit leaves a tail, and the reader refuses it
    except zlib.error as error:
        raise PayloadError(f"{url}: its gzip body is broken ({error}). Try again later.") from None
    if not unzip.eof:
        raise UnreachableError(f"{url}: the answer broke off in the middle of its gzip body. Try again later.")


class _DeadlineBackend(httpcore.NetworkBackend):
    """Opens sockets whose every operation ends at the deadline of the request that uses them, or when told to stop."""

    def __init__(self, clock: Clock, stop: Event) -> None:
        self._clock = clock
        self._stop = stop
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect within what is left of the deadline."""
        left = _time_left(timeout, self._clock, httpcore.ConnectTimeout)
        stream = self._inner.connect_tcp(host, port, left, local_address, socket_options)
        return _DeadlineStream(stream, self._clock, self._stop)


class _DeadlineStream(httpcore.NetworkStream):
    def __init__(self, inner: httpcore.NetworkStream, clock: Clock, stop: Event) -> None:
        self._inner = inner
        self._clock = clock
        self._stop = stop

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Wait for a piece of the answer, and look up now and then whether it is still wanted."""
        left = _time_left(timeout, self._clock, httpcore.ReadTimeout) or float("inf")
        while left > LOOK:
            refuse_stopped(self._stop)
            with suppress(httpcore.ReadTimeout):
                return self._inner.read(max_bytes, LOOK)
            left -= LOOK
        return self._inner.read(max_bytes, left)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _time_left(timeout, self._clock, httpcore.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        left = _time_left(timeout, self._clock, httpcore.ConnectTimeout)
        return _DeadlineStream(self._inner.start_tls(ssl_context, server_hostname, left), self._clock, self._stop)

    def get_extra_info(self, info: str) -> object:
        return self._inner.get_extra_info(info)


def refuse_stopped(stop: Event) -> None:
    """Refuse to go on with a fetch that was cancelled."""
    if stop.is_set():
        raise StoppedError("The fetch was cancelled.")


def _time_left(timeout: float | None, clock: Clock, late: type[httpcore.TimeoutException]) -> float | None:
    left = _deadline.get() - clock()
    if left <= 0:
        raise late("the deadline of the request has passed")
    shortest = left if timeout is None else min(timeout, left)
    return None if shortest == float("inf") else shortest
