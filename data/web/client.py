"""The only HTTP: a polite, bounded, caching client made of small transports, and `get_json` over it.

client → same host only → cache → retries → one bounded request (`data.web.network`)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Event

import httpx
from pydantic import NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt
from pydantic.dataclasses import dataclass as checked

from data.errors import AbsentError, InputError, PayloadError, UnreachableError
from data.storage.json_text import read_json
from data.web.cache import NOT_FOUND, OK, CacheTransport
from data.web.network import Clock, NetworkTransport, refuse_stopped

TOO_MANY_REQUESTS = 429
SERVER_ERRORS = range(500, 600)
DAY = 86_400.0  # seconds


@checked(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """Patience and limits of the client; times in seconds."""

    connect: PositiveFloat = 5.0  # to open a connection
    read: PositiveFloat = 10.0  # between two pieces of an answer
    total: PositiveFloat = 60.0  # for one document: retries, redirects and waiting included
    whole: PositiveFloat = 900.0  # for all documents of a client: a thousand players' histories take about five minutes
    attempts: PositiveInt = 3
    backoff: NonNegativeFloat = 0.5  # before the second attempt, doubled before each further one
    longest_wait: NonNegativeFloat = 30.0  # a server that asks for more patience is left alone
    size_limit: PositiveInt = 20_000_000  # bytes after decompression
    redirects: NonNegativeInt = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """The client's sense of time; tests hand in their own."""

    sleep: Callable[[float], object] = time.sleep
    elapsed: Clock = time.monotonic
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))


@dataclass(frozen=True, slots=True)
class Answer:
    """One document as it came: a JSON value, or bytes."""

    path: str
    value: object
    size: int  # bytes
    cached: bool  # the server, or its checksum, said that ours is current


def user_agent() -> str:
    """Return who we are, so that a server's owner can tell us apart."""
    try:
        number = version("thetaxi")
    except PackageNotFoundError:
        number = "development"
    return f"ThetaXI/{number} (+fantasy squad assistant)"


def open_client(
    base_url: str,
    cache: Path | None = None,
    settings: WebSettings | None = None,
    clocks: Clocks | None = None,
    stop: Event | None = None,
) -> httpx.Client:
    """Return a client for the documents below a base URL; close it after use (`with open_client(…) as client`).

    Its time begins now. Once `stop` is set, whatever is being waited for ends with a `StoppedError`.
    """
    stop = stop or Event()
    settings, clocks = settings or WebSettings(), clocks or Clocks(sleep=stop.wait)
    base = _base(base_url)
    transport: httpx.BaseTransport = NetworkTransport(size_limit=settings.size_limit, clock=clocks.elapsed, stop=stop)
    transport = RetryTransport(transport, settings, clocks, stop)
    if cache is not None:
        transport = CacheTransport(transport, cache)
    return httpx.Client(
        base_url=base,
        transport=transport,
        event_hooks={"request": [partial(refuse_other_host, base)]},
        headers={"User-Agent": user_agent(), "Accept": "application/json, text/csv", "Accept-Encoding": "gzip"},
        timeout=httpx.Timeout(settings.read, connect=settings.connect),
        follow_redirects=True,
        max_redirects=settings.redirects,
        trust_env=False,
    )


def get_json(client: httpx.Client, path: str, *, digest: str = "", final: str = "") -> Answer:
    """Fetch one JSON document; `digest` is the checksum its source publishes for it, if any.

    `final` names what changes no more: once the cache has the document under this name, it is not asked for again.
    """
    response = _got(client, path, {"digest": digest, "final": final})
    value = read_json(response.content, str(response.url))
    return Answer(path, value, len(response.content), bool(response.extensions.get("cached")))


def get_bytes(client: httpx.Client, path: str) -> Answer:
    """Fetch one document of another kind than JSON, such as a table; its value is the bytes as they came."""
    response = _got(client, path, {})
    return Answer(path, response.content, len(response.content), bool(response.extensions.get("cached")))


def _got(client: httpx.Client, path: str, known: Mapping[str, str]) -> httpx.Response:
    """Return a good answer, or say why there is none; `known` tells the cache about the document."""
    try:
        response = client.get(path, extensions={name: value for name, value in known.items() if value} or None)
    except httpx.TooManyRedirects:
        raise PayloadError(f"{client.base_url}{path} redirects in a circle. Check the base URL.") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise PayloadError(f"{client.base_url}{path} cannot be used ({error}). Check the base URL.") from None
    if response.status_code != OK:
        refusal = AbsentError if response.status_code == NOT_FOUND else PayloadError
        refused = refusal(
            f"{response.url} answered {response.status_code} {response.reason_phrase}".rstrip()
            + ". Check the base URL and the number asked for."
        )
        refused.status = response.status_code
        raise refused
    return response


def refuse_other_host(base: httpx.URL, request: httpx.Request) -> None:
    """Refuse to leave the host a client was opened for, by redirect or otherwise; only http may become https."""
    url = request.url
    same = (url.scheme, url.host, url.port) == (base.scheme, base.host, base.port)
    upgraded = (base.scheme, url.scheme) == ("http", "https") and url.host == base.host and url.port is None
    if not same and not upgraded:
        raise PayloadError(f"{base} sends us to {url}, another host. Give that address yourself if you trust it.")


class RetryTransport(httpx.BaseTransport):
    """Asks again, a bounded number of times, after a failure that may pass."""

    def __init__(self, inner: httpx.BaseTransport, settings: WebSettings, clocks: Clocks, stop: Event) -> None:
        self._inner = inner
        self._settings = settings
        self._clocks = clocks
        self._stop = stop
        self._end = clocks.elapsed() + settings.whole

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the first answer that is not a passing failure, or say how the last attempt failed."""
        self._refuse_more(request)
        deadline = request.extensions.get("deadline") or min(self._end, self._clocks.elapsed() + self._settings.total)
        request.extensions = {**request.extensions, "deadline": deadline}  # a redirect inherits it
        for attempt in range(1, self._settings.attempts):
            try:
                response = self._inner.handle_request(request)
            except UnreachableError:
                if self._clocks.elapsed() >= deadline:
                    raise
                wait = self._backoff(attempt)
            else:
                if not _may_pass(response):
                    return response
                wait = max(self._backoff(attempt), self._asked_wait(response))
                self._refuse_long_wait(request, response, wait, deadline)
            self._clocks.sleep(min(wait, max(0.0, deadline - self._clocks.elapsed())))
            refuse_stopped(self._stop)
        response = self._inner.handle_request(request)
        if _may_pass(response):
            raise UnreachableError(
                f"{request.url} answered {response.status_code} {response.reason_phrase} "
                f"({self._settings.attempts} attempts). Try again later."
            )
        return response

    def close(self) -> None:
        """Close the transport below."""
        self._inner.close()

    def _refuse_more(self, request: httpx.Request) -> None:
        """Refuse a request after the user cancelled, or when the time for all of them is over."""
        refuse_stopped(self._stop)
        if self._clocks.elapsed() >= self._end:
            limit = f"{self._settings.whole:g} seconds"
            raise UnreachableError(f"{request.url} was not asked for: the whole fetch may take {limit}, and it has.")

    def _backoff(self, attempt: int) -> float:
        return float(min(self._settings.backoff * 2 ** (attempt - 1), self._settings.longest_wait))

    def _asked_wait(self, response: httpx.Response) -> float:
        return retry_after(response.headers.get("retry-after", ""), self._clocks.now())

    def _refuse_long_wait(self, request: httpx.Request, response: httpx.Response, wait: float, deadline: float) -> None:
        if wait > min(self._settings.longest_wait, deadline - self._clocks.elapsed()):
            said = f"{wait:.0f} seconds" if wait <= DAY else "more than a day"
            raise UnreachableError(
                f"{request.url} answered {response.status_code} and asks us to come back in {said}. Try again then."
            )


def retry_after(value: str, now: datetime) -> float:
    """Return the seconds a Retry-After header asks for: a number, an HTTP date, or 0 for neither."""
    if value.strip().isascii() and value.strip().isdigit():
        return float(value.strip()[:9])
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return 0.0
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _may_pass(response: httpx.Response) -> bool:
    return response.status_code == TOO_MANY_REQUESTS or response.status_code in SERVER_ERRORS


def _base(base_url: str) -> httpx.URL:
    try:
        url = httpx.URL(base_url.strip().rstrip("/") + "/")
    except httpx.InvalidURL as error:
        raise InputError(f"{base_url!r} is not a web address ({error}).") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise InputError(f"{base_url!r} is not a web address: it must begin with http:// or https:// and a host.")
    return url
