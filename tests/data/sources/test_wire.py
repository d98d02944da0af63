"""A refused payload says which entry, which field and which value."""

from __future__ import annotations

from typing import Any

import pytest

from data.errors import PayloadError
from data.sources.wire import (
    Expected,
    Id,
    Moment,
    PercentText,
    Price,
    Text,
    Wire,
    refuse_shares,
    refuse_twice,
    validated,
)


class Inner(Wire):
    price: Price


class Entry(Wire):
    id: Id
    inner: Inner
    note: Text | None = None


def refusal(value: object, model: Any = list[Entry]) -> str:
    with pytest.raises(PayloadError) as caught:
        validated(model, value, "feed.json")
    return str(caught.value)


def test_the_entry_is_named_by_its_id_and_the_field_by_its_path() -> None:
    said = refusal([{"id": 7, "inner": {"price": 4.5}}, {"id": 8, "inner": {"price": -1}}])
    assert said.startswith("feed.json, entry 1 (id 8), 'inner', 'price': -1 is refused")


def test_several_errors_are_counted() -> None:
    said = refusal([{"id": number, "inner": {"price": "5"}} for number in range(4)])
    assert "entry 0 (id 0)" in said
    assert said.endswith("(3 more like it).")


@pytest.mark.parametrize("value", [None, 7, "text", {"id": 1}, [7], [None], [{"inner": {}}]])
def test_every_shape_that_is_not_the_list_is_refused(value: object) -> None:
    assert refusal(value).startswith("feed.json")


def test_a_huge_value_is_shown_short() -> None:
    assert len(refusal([{"id": "9" * 10_000, "inner": {"price": 1}}])) < 300


def test_new_keys_of_a_growing_feed_are_ignored() -> None:
    entries = validated(list[Entry], [{"id": 1, "inner": {"price": 5, "new": 1}, "newer": []}], "feed.json")
    assert entries[0].inner.price == 5


@pytest.mark.parametrize("value", ["1", 1.0, True, 2**60, -1, None])
def test_an_id_is_a_whole_number_and_nothing_like_it(value: object) -> None:
    assert "'id'" in refusal([{"id": value, "inner": {"price": 5}}])


def test_half_a_surrogate_pair_is_not_text() -> None:
    assert "'note'" in refusal([{"id": 1, "inner": {"price": 5}, "note": "\ud800"}])


@pytest.mark.parametrize(
    ("text", "read"),
    [("2026-06-11T20:00:00+01:00", "2026-06-11T19:00:00+00:00"), ("2026-06-11T19:00:00Z", "2026-06-11T19:00:00+00:00")],
)
def test_times_are_read_to_utc(text: str, read: str) -> None:
    assert validated(Moment, text, "feed.json") == read


@pytest.mark.parametrize(
    "text", ["2026-06-11T20:00:00", "yesterday", "", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"]
)
def test_a_time_without_offset_or_of_another_age_is_refused(text: str) -> None:
    assert "is refused" in refusal(text, Moment)


def test_a_number_written_as_text_is_read_only_where_the_source_writes_it_so() -> None:
    assert validated(PercentText, "12.5", "feed.json") == 12.5
    assert validated(Expected, "0.00", "feed.json") == 0.0
    for wrong in ("12,5", "1e3", "-1", "", "١٢", "NaN"):
        assert "is refused" in refusal(wrong, PercentText)


def test_what_stands_there_twice_is_named() -> None:
    with pytest.raises(PayloadError, match=r"feed: id 3 stands there 2 times"):
        refuse_twice([1, 3, 2, 3], "feed")


def test_a_small_list_says_nothing_about_the_unit_of_ownership() -> None:
    refuse_shares([0.5] * 14, "feed")
    refuse_shares([0.0] * 100, "feed")
    with pytest.raises(PayloadError, match="shares"):
        refuse_shares([0.5] * 15, "feed")
