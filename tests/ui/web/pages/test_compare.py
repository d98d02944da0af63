"""The logic of the page Compare: any two plans, what they share, and what each is worth to the other."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.cases.page_runs import a_page, drawn, pitches, sentences, tables, until, with_pitches
from tests.cases.small_world import awkward_cup, kept_cup, squad_ids
from ui.web.choice.plan import Plan
from ui.web.pages.compare import MINE, Asked


def compared(**query: str) -> AppTest:
    return a_page("compare", world=kept_cup(), round="2", **query)


def test_protect_stands_against_gain_unasked_with_who_is_in_one_only_ringed_and_the_chances_come_later() -> None:
    page = with_pitches(compared(), 2)
    assert [page.selectbox(key=key).value for key in ("first", "second")] == ["Protect", "Gain"]
    assert "of 15 players. Protect expects" in sentences(page)
    heads = [head.value for head in page.subheader]
    assert [head.partition(": ")[2] for head in heads[:2]] == ["Protect", "Gain"]
    assert "The same squads under both objectives" in heads
    first, second = (set(squad.split(",")) for squad in pitches(page))
    assert drawn(page).count(' xi-ringed"') == len(first ^ second)
    assert ("Ringed, only in Protect" in sentences(page)) == bool(first - second)
    until(page, lambda seen: "95 % intervals" in sentences(seen))
    (found,) = [table for table in tables(page) if table[0][0] == "Squad"]
    assert [row[0] for row in found[1:]] == ["Protect", "Protect", "Gain", "Gain"]
    assert "Holds 15 ahead" in found[0]


def test_two_options_of_one_objective_can_be_compared() -> None:
    page = with_pitches(compared(first="Neutral", second="Neutral", second_option="Option 2"), 2)
    assert "Neutral, option 2 expects" in sentences(page)
    assert "the sums cannot" not in sentences(page)


def test_the_same_plan_on_both_sides_is_told() -> None:
    page = until(compared(first="Gain", second="Gain"), lambda seen: bool(seen.info))
    assert "Both sides show the same plan" in page.info[0].value


def test_an_own_squad_is_asked_for_and_then_compared() -> None:
    page = until(compared(first=MINE, second="Gain"), lambda seen: bool(seen.info))
    assert "Lay out your squad" in page.info[0].value
    mine = ",".join(map(str, squad_ids(awkward_cup())))
    page = with_pitches(compared(first=MINE, second="Gain", current=mine, free="15"), 2)
    assert set(pitches(page)[0].split(",")) == set(mine.split(","))
    assert "My team is scored under" not in sentences(page)


@pytest.mark.soak
def test_a_squad_that_became_dear_is_compared_with_what_its_worth_buys() -> None:
    world = awkward_cup()
    mine = squad_ids(world)
    worth = float(world.at(2).players.set_index("player_id")["price"][mine].sum())
    query = {"first": MINE, "second": "Gain", "current": ",".join(map(str, mine)), "free": "15"}
    page = with_pitches(compared(**query, budget=f"{worth - 0.5:.1f}"), 2)
    assert "breaks the rules" not in sentences(page)
    (download,) = page.get("download_button")
    assert download
    spent = [float(found) for found in re.findall(r"([\d.]+)m$", sentences(page), re.M)]
    assert spent[0] == pytest.approx(worth)
    assert spent[1] <= worth + 0.05


def test_impossible_locks_are_a_sentence_with_a_way_out() -> None:
    spare = [str(player) for player in _goalkeepers(3)]
    page = until(compared(locks=",".join(spare)), lambda seen: bool(seen.error))
    assert "No legal squad" in page.error[0].value


def _goalkeepers(count: int) -> list[int]:
    players = awkward_cup().at(2).players
    return [int(player) for player in players.loc[players["position"] == "GK", "player_id"].head(count)]


@pytest.mark.parametrize(
    ("first", "second", "plan", "theta"),
    [
        ("Gain", "Protect", Plan(), "gain"),
        (MINE, "Gain", Plan(), "gain"),
        (MINE, MINE, Plan(theta="protect"), "protect"),
        (MINE, MINE, Plan(), "neutral"),
    ],
)
def test_a_squad_is_looked_at_with_its_own_objective_or_that_of_the_other_side(
    first: str, second: str, plan: Plan, theta: str
) -> None:
    assert Asked(first, "Recommended").theta(Asked(second, "Recommended"), plan) == theta
