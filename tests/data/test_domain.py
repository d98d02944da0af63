"""The words that every game here shares."""

from __future__ import annotations

import pytest

from data.domain import price_words


@pytest.mark.parametrize(
    ("tonight", "words"),
    [
        (104.2, "price likely to rise tonight"),
        (-100.0, "price likely to fall tonight"),
        (85.0, "price close to a rise"),
        (-85.0, "price close to a fall"),
        (40.0, ""),
        (0.0, ""),
    ],
)
def test_a_price_on_its_way_is_told_and_one_that_rests_is_not(tonight: float, words: str) -> None:
    assert price_words(tonight) == words
