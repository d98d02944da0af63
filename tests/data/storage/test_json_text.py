"""Only real JSON gets in, and a refusal shows what came instead."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import PayloadError
from data.storage.json_text import read_json


def test_a_document_with_a_byte_order_mark_is_read() -> None:
    assert read_json(b'\xef\xbb\xbf{"a": [1, 2.5]}', "feed") == {"a": [1, 2.5]}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"price": NaN}', "NaN is not a number"),
        (b'{"price": -Infinity}', "-Infinity is not a number"),
        (b'{"price": 1e999}', "1e999 is too large"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'["\\"", ' + b"[" * 33, "nested too deeply: more than 32 levels"),
        (b"[" + b"[]," * 1_000_000 + b"[]]", "2,000,002 marks between its values; 2,000,000 is the limit"),
        (b"9" * 10_000, "is not JSON"),
        (b'{"name": "\xff\xfe"}', "byte 10 is not UTF-8"),
        (b"<!doctype html><title>Sorry</title>", "<!doctype html>"),
        (b"", "is not JSON"),
        ("[1]".encode("utf-16"), "not UTF-8"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_not_json_is_refused_by_name(body: bytes, said: str) -> None:
    with pytest.raises(PayloadError, match=r"players\.json") as refusal:
        read_json(body, "players.json")
    assert said in str(refusal.value)
    assert len(str(refusal.value)) < 400


def test_brackets_inside_of_strings_are_no_levels() -> None:
    text = "[{" * 40 + '\\" ['
    assert read_json(json.dumps({text: [text, text]}).encode(), "feed") == {text: [text, text]}


def test_a_reader_may_allow_fewer_levels() -> None:
    assert read_json(b"[[1]]", "team", deepest=2) == [[1]]
    with pytest.raises(PayloadError, match="more than 2 levels"):
        read_json(b"[[[1]]]", "team", deepest=2)


@given(st.binary(max_size=200))
def test_no_bytes_make_anything_but_a_value_or_a_payload_error(body: bytes) -> None:
    try:
        refusal = ""
        read_json(body, "feed")
    except PayloadError as error:
        refusal = str(error)
    assert refusal == "" or refusal.startswith("feed")
