"""The sentence of the week says what to do, and of three plans what they share or that they differ."""

from __future__ import annotations

from dataclasses import replace

from engine.board.transfers import Transfer, TransferCard
from tests.cases.board_cases import a_man, an_option
from ui.web.answers.week_words import answer_rows, figures_of, headline, shared_headline, shared_rows

MOVE = Transfer("MID", "Enzo", "CHE", "Semenyo", "BOU", 7, 1.2, 1.84, 4.0, "")


def test_without_a_team_the_sentence_names_whom_to_build_around() -> None:
    assert headline(an_option()).startswith("Build around ")
    assert headline(an_option()).endswith(f"Captain {an_option().captain.short}.")


def test_transfers_are_named_and_priced_in_points() -> None:
    option = replace(an_option(), transfers=TransferCard((MOVE,), 1, 0, 0.0, 1.8))
    assert headline(option).startswith("Sell Enzo for Semenyo. Captain ")
    assert next((row.told, row.worth) for row in answer_rows(option)) == ("Enzo → Semenyo", "+1.8 this week")
    assert figures_of("gain", option).moves == "Enzo → Semenyo"
    kept = replace(an_option(), transfers=TransferCard((), 1, 0, 0.0, 0.0))
    assert headline(kept).startswith("Keep your fifteen.")


def test_three_plans_are_the_same_agree_on_the_captain_or_differ() -> None:
    one = an_option()
    other = replace(one, men=(replace(a_man(0), player_id=999, short="Else"), *one.men[1:]))
    swapped = replace(one, men=tuple(replace(man, armband="C" if man is one.men[0] else "") for man in one.men))
    assert "same squad" in shared_headline({"protect": one, "neutral": one, "gain": one})
    assert "agree, and on 14 of 15" in shared_headline({"protect": one, "neutral": one, "gain": other})
    assert "differ" in shared_headline({"protect": one, "neutral": one, "gain": swapped})
    told = {row.about: row.told for row in shared_rows({"protect": one, "gain": other})}
    assert told["Gain"] == "Else"


def test_a_plan_that_is_still_searched_tells_nothing() -> None:
    assert figures_of("gain", None).expected is None
