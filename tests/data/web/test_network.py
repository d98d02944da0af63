"""A body is read whole, within its size, or refused."""

from __future__ import annotations

import gzip
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import PayloadError, SourceError, UnreachableError
from data.web.client import WebSettings, get_json, open_client
from data.web.network import whole_body
from tests.tools.loopback import Reply, serving, zipped

LIMIT = 1000


def read(chunks: list[bytes], encoding: str = "identity") -> bytes:
    return whole_body(chunks, encoding, LIMIT, "http://feed.test/")


def test_a_body_may_fill_the_limit_but_not_pass_it() -> None:
    assert read([b"x" * 600, b"y" * 400]) == b"x" * 600 + b"y" * 400
    with pytest.raises(PayloadError, match=r"more than 0.001 MB"):
        read([b"x" * 600, b"y" * 401])


@given(st.binary(max_size=LIMIT), st.integers(1, 50))
def test_a_zipped_body_comes_out_as_it_went_in(content: bytes, size: int) -> None:
    packed = gzip.compress(content)
    pieces = [packed[start : start + size] for start in range(0, len(packed), size)]
    assert read(pieces, "gzip") == content


@given(st.lists(st.binary(max_size=50), max_size=5), st.sampled_from(["gzip", "identity", "br", ""]))
def test_no_body_makes_anything_but_bytes_or_a_source_error(chunks: list[bytes], encoding: str) -> None:
    try:
        body, refusal = read(chunks, encoding), ""
    except SourceError as error:
        body, refusal = b"", str(error)
    assert len(body) <= LIMIT
    assert refusal == "" or "http://feed.test/" in refusal


def test_a_zip_that_breaks_off_is_told_apart_from_a_broken_one() -> None:
    packed = gzip.compress(bytes(range(256)) * 3)
    with pytest.raises(UnreachableError, match="broke off"):
        read([packed[:-12]], "gzip")
    with pytest.raises(PayloadError, match="broken"):
        read([packed[:20] + b"garbage" + packed[27:]], "gzip")


def test_an_encoding_nobody_asked_for_is_refused() -> None:
    with pytest.raises(PayloadError, match="encoding 'br'"):
        read([b"x"], "br")


def test_a_zip_bomb_is_stopped_at_the_limit_without_being_unpacked() -> None:
    bomb = gzip.compress(bytes(200_000_000))
    tracemalloc.start()
    try:
        with (
            serving({"feed.json": Reply(body=bomb, headers={"Content-Encoding": "gzip"})}) as server,
            open_client(server.url, None, WebSettings(size_limit=1_000_000)) as client,
            pytest.raises(PayloadError, match="more than 1 MB"),
        ):
            get_json(client, "feed.json")
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_a_zipped_feed_is_read_over_the_wire() -> None:
    with serving({"feed.json": zipped(b"[1, 2]")}) as server, open_client(server.url) as client:
        assert get_json(client, "feed.json").value == [1, 2]
