"""Titles of rounds as columns have them."""

from __future__ import annotations

import pytest

from data.rules import load_rules
from ui.web.answers.plan_tables import short_title, start_words

MOST = 5  # letters


@pytest.mark.parametrize("rulebook", ["wc2026", "fpl2025"])
def test_every_round_has_a_title_of_its_own_that_fits_a_column_of_a_phone(rulebook: str) -> None:
    rules = load_rules(rulebook)
    titles = [short_title(rules.round_title(number)) for number in range(1, rules.rounds + 1)]
    assert len(set(titles)) == rules.rounds
    assert max(map(len, titles)) <= MOST


def test_a_man_is_there_from_a_gameweek_by_its_number_or_from_a_round_by_its_title() -> None:
    assert start_words("Gameweek 22") == "22"
    assert start_words("Quarter-finals") == "QF"
    assert start_words("Round of 16") == "R16"
