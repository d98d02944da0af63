"""The account in one line: only what is known, and never a bank that hides a man who left."""

from __future__ import annotations

from data.rules import load_rules
from ui.web.choice.plan import Plan
from ui.web.squads.account_words import account_words
from ui.web.squads.team_json import BroughtSquad

RULES = load_rules("fpl2026")
MEN = tuple(range(1, 16))
SELLING = dict.fromkeys(MEN, 6.5)


def words(squad: BroughtSquad, **plan: object) -> str:
    return account_words(Plan(**plan), squad, RULES)  # type: ignore[arg-type]


def test_an_account_has_bank_sales_transfers_and_chips() -> None:
    squad = BroughtSquad(MEN, budget=99.7, free_transfers=1, selling=SELLING)
    told = words(squad, entry=77, chips=("wildcard_2", "of another game"[:2]))
    assert told == "Entry 77; bank 2.2; players sell for 97.5; 1 free transfer; chips left: Wildcard 2."
    assert words(squad, entry=77, chips=()).endswith("; chips left: none.")


def test_what_is_not_known_is_not_told() -> None:
    assert words(BroughtSquad(MEN, budget=99.7), entry=77) == "Entry 77."
    assert words(BroughtSquad(MEN, budget=99.7, selling=SELLING)) == ""


def test_where_a_man_left_no_bank_is_told_that_his_sale_would_be_part_of() -> None:
    assert words(BroughtSquad(MEN[:14], budget=99.7, selling=SELLING), entry=77) == "Entry 77."
