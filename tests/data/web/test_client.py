"""The client is polite, patient within limits, and never leaves its host."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest
from pydantic import ValidationError

from data.errors import InputError, PayloadError, UnreachableError
from data.web.client import (
    Answer,
    Clocks,
    WebSettings,
    get_json,
    open_client,
    refuse_other_host,
    retry_after,
    user_agent,
)
from tests.tools.loopback import Reply, serving

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
PATIENT = WebSettings(connect=60.0, read=60.0, total=90.0, attempts=3, backoff=0.0)
HASTY = WebSettings(connect=0.5, read=0.3, total=1.0, attempts=3, backoff=0.0)
HANG = 30.0  # seconds after which a busy machine is no excuse: the slowest of the servers below would take for ever
GOOD = Reply(body=b"[1]")


def fetched(url: str, settings: WebSettings = PATIENT, slept: list[float] | None = None) -> Answer:
    naps: list[float] = [] if slept is None else slept
    clocks = Clocks(sleep=naps.append, now=lambda: NOW)
    with open_client(url, None, settings, clocks) as client:
        return get_json(client, "feed.json")


def test_we_say_who_we_are_and_ask_for_gzip() -> None:
    with serving({"feed.json": GOOD}) as server:
        assert fetched(server.url) == Answer("feed.json", [1], 3, cached=False)
    headers = server.requests[0].headers
    assert headers["user-agent"] == user_agent()
    assert user_agent().startswith("ThetaXI/")
    assert headers["accept-encoding"] == "gzip"


def test_a_failure_that_passes_costs_only_a_wait() -> None:
    slept: list[float] = []
    with serving({"feed.json": [Reply(status=500), Reply(status=500), GOOD]}) as server:
        assert fetched(server.url, WebSettings(backoff=0.5), slept).value == [1]
    assert slept == [0.5, 1.0]


BROKEN = {
    "a failure that stays is tried three times": (Reply(status=503), 3, r"feed.json answered 503 .*\(3 attempts\)"),
    "and so is a body that always breaks off": (Reply(body=b"[1", promised=3), 3, "broke off"),
    "a wrong address is not tried again": (Reply(status=404), 1, "answered 404 Not Found"),
    "a circle of redirects ends": (
        Reply(status=302, headers={"Location": "/feed.json"}), PATIENT.redirects + 1, "redirects in a circle",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "asked", "said"), BROKEN.values(), ids=BROKEN)
def test_a_server_that_stays_broken_is_an_error_after_so_many_requests(reply: Reply, asked: int, said: str) -> None:
    kind = UnreachableError if asked == PATIENT.attempts else PayloadError
    with serving({"feed.json": reply}) as server, pytest.raises(kind, match=said):
        fetched(server.url)
    assert len(server.requests) == asked


@pytest.mark.parametrize("value", ["7", format_datetime(NOW + timedelta(seconds=7), usegmt=True)])
def test_a_busy_server_is_given_the_time_it_asks_for(value: str) -> None:
    slept: list[float] = []
    with serving({"feed.json": [Reply(status=429, headers={"Retry-After": value}), GOOD]}) as server:
        assert fetched(server.url, WebSettings(), slept).value == [1]
    assert slept == [7.0]


def test_a_server_that_asks_for_an_hour_is_left_alone() -> None:
    slept: list[float] = []
    with serving({"feed.json": Reply(status=429, headers={"Retry-After": "3600"})}) as server:
        with pytest.raises(UnreachableError, match="429 and asks us to come back in 3600 seconds"):
            fetched(server.url, WebSettings(), slept)
        assert len(server.requests) == 1
    assert slept == []


@pytest.mark.parametrize("value", ["9" * 400, "99999999999", "Fri, 31 Dec 9999 23:59:59 -2359"])
def test_a_server_that_asks_for_ever_is_left_alone_with_a_sentence(value: str) -> None:
    slept: list[float] = []
    with serving({"feed.json": Reply(status=503, headers={"Retry-After": value})}) as server:
        with pytest.raises(UnreachableError, match=r"503 and asks us to come back in more than a day\. Try again then"):
            fetched(server.url, WebSettings(), slept)
        assert len(server.requests) == 1
    assert slept == []


@pytest.mark.parametrize("value", ["", "soon", "-5", "٣", "Wed, 99 Jul 2026 12:00:00 GMT"])
def test_a_retry_after_that_says_nothing_asks_for_nothing(value: str) -> None:
    assert retry_after(value, NOW) == 0.0


@pytest.mark.parametrize(
    "reply",
    [Reply(hang=True), Reply(body=b"[" + b" " * 5_000 + b"]", drip=0.05), Reply(drip_headers=0.05)],
    ids=["hangs", "drips its body", "drips its headers"],
)
def test_no_server_holds_us_longer_than_the_total(reply: Reply) -> None:
    started = time.monotonic()
    with serving({"feed.json": reply}) as server, pytest.raises(UnreachableError, match="did not answer in time"):
        fetched(server.url, HASTY)
    assert time.monotonic() - started < HANG


def test_a_body_that_breaks_off_is_asked_for_again() -> None:
    with serving({"feed.json": [Reply(body=b"[1", promised=3), GOOD]}) as server:
        assert fetched(server.url).value == [1]


def test_nobody_listening_is_an_error_that_names_the_address() -> None:
    with serving({}) as server:
        url = server.url
    with pytest.raises(UnreachableError, match=f"{url}feed.json cannot be reached"):
        fetched(url)


def test_a_host_that_nobody_can_look_up_is_an_error_that_names_it() -> None:
    host = "a" * 70 + ".example"
    with pytest.raises(UnreachableError, match=f"{host}.*Check its spelling"):
        fetched(f"http://{host}/")


def test_a_redirect_within_the_host_is_followed() -> None:
    with serving({"feed.json": Reply(status=302, headers={"Location": "/new.json"}), "new.json": GOOD}) as server:
        assert fetched(server.url).value == [1]


def test_a_redirect_to_another_host_is_refused_and_nothing_is_asked_there() -> None:
    with serving({"feed.json": GOOD}) as other:
        for elsewhere in (other.url, other.url.replace("127.0.0.1", "localhost"), "ftp://127.0.0.1/feed.json"):
            away = Reply(status=301, headers={"Location": elsewhere})
            refused = pytest.raises(PayloadError, match=r"another host|cannot be used")
            with serving({"feed.json": away}) as server, refused:
                fetched(server.url)
    assert other.requests == []


def test_http_may_become_https_on_the_same_host_but_never_the_other_way() -> None:
    refuse_other_host(httpx.URL("http://feed.test/"), httpx.Request("GET", "https://feed.test/a"))
    with pytest.raises(PayloadError, match="another host"):
        refuse_other_host(httpx.URL("https://feed.test/"), httpx.Request("GET", "http://feed.test/a"))


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://feed.test/", "feed.test", "http://", "http://feed.test:port/", ""]
)
def test_only_web_addresses_are_accepted(url: str) -> None:
    with pytest.raises(InputError, match="is not a web address"):
        open_client(url)


@pytest.mark.parametrize("change", [{"total": 0}, {"attempts": 0}, {"size_limit": -1}, {"backoff": -1.0}])
def test_settings_that_make_no_sense_are_refused(change: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match=next(iter(change))):
        WebSettings(**change)  # type: ignore[arg-type]
