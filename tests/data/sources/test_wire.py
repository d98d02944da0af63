"""A refused payload says which entry, which field and which value."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import pytest
from pydantic import field_validator

from data.errors import PayloadError
from data.sources.fifa.feed import read_feed as read_fifa
from data.sources.fpl.feed import read_feed as read_fpl
from data.sources.wire import (
    ByRound,
    Entries,
    Expected,
    Id,
    Moment,
    PercentText,
    Points,
    Price,
    Text,
    Wire,
    refuse_shares,
    refuse_twice,
    validated,
    validated_list,
)

FEEDS: Mapping[str, Callable[[Mapping[str, object]], object]] = {"fifa": read_fifa, "fpl": read_fpl}


class Inner(Wire):
    price: Price


class Entry(Wire):
    id: Id
    inner: Inner
    note: Text | None = None


class Odd(Wire):
    """An entry that remembers who was looked at."""

    looked_at: ClassVar[list[int]] = []
    id: int

    @field_validator("id")
    @classmethod
    def _refuse_even(cls, number: int) -> int:
        cls.looked_at.append(number)
        if number % 2 == 0:
            raise ValueError("it is even")
        return number


def refusal(value: object, model: Any = list[Entry]) -> str:
    with pytest.raises(PayloadError) as caught:
        validated(model, value, "feed.json")
    return str(caught.value)


def test_the_entry_is_named_by_its_id_and_the_field_by_its_path() -> None:
    said = refusal([{"id": 7, "inner": {"price": 4.5}}, {"id": 8, "inner": {"price": -1}}])
    assert said.startswith("feed.json, entry 1 (id 8), 'inner', 'price': -1 is refused")


def test_an_endless_name_is_not_repeated() -> None:
    assert len(refusal({"9" * 5_000: 1.0}, ByRound[float])) < 200


def test_the_first_fault_is_told_and_no_other_is_sought() -> None:
    Odd.looked_at.clear()
    with pytest.raises(PayloadError, match=r"feed.json, entry 1 \(id 4\), 'id': 4 is refused: it is even\."):
        validated_list(Odd, [{"id": number} for number in (3, 4, 6, 8)], "feed.json")
    assert Odd.looked_at == [3, 4]


@pytest.mark.parametrize(
    ("value", "model", "said"),
    [
        ([1] * 20_001, Entries[Id], "at most 20000 items"),
        ({str(number): "x" for number in range(61)}, ByRound[Points], "there are 61 rounds, and 60 at most"),
        ("2026-06-11T20:00:00" + "0" * 60 + "Z", Moment, "at most 60 characters"),
    ],
)
def test_a_list_or_object_longer_than_any_season_is_refused(value: object, model: Any, said: str) -> None:
    assert said in refusal(value, model)


@pytest.mark.parametrize(("game", "document"), [("fifa", "players.json"), ("fpl", "bootstrap-static/")])
def test_a_document_of_wrong_entries_costs_little_more_than_itself(game: str, document: str) -> None:
    entries: list[object] = [[] for _ in range(500_000)]
    payload: object = entries if game == "fifa" else {"events": entries, "teams": entries, "elements": entries}
    tracemalloc.start()
    with pytest.raises(PayloadError, match="is refused"):
        FEEDS[game]({document: payload})
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1_000_000


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
