"""The logic of the page My team."""

from __future__ import annotations

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from data.sources.fpl.managers.wire import standings_name
from data.worlds.library import world_folder
from engine.rank.rivals import Rival
from tests.cases.page_runs import a_page, link, sentences, tables, until
from tests.cases.small_world import awkward_cup, changed, kept_cup, player_of, small_league, squad_ids
from tests.tools.fpl_writer import entry_documents, league_documents
from tests.tools.loopback import Reply, serving
from tests.ui.web.squads.test_entry_import import a_squad, crowded_squad, entry, other_squad
from ui.web.choice.rival_link import rivals_text

LISTS = ("my_GK", "my_DEF", "my_MID", "my_FWD")


def my_page(**query: str) -> AppTest:
    return a_page("my_squad", world=kept_cup(), round="2", **query)


def pasted(page: AppTest, text: str) -> AppTest:
    page.text_area(key="my_paste").set_value(text)
    return page.button(key="read_paste").click().run()


def laid_out(page: AppTest) -> list[int]:
    return [number for key in LISTS for number in page.multiselect(key=key).value]


def find_transfers(page: AppTest) -> None:
    """Ask for the best transfers and wait until they are there."""
    page.button(key="find_transfers").click().run()
    until(page, lambda seen: any(button.key == "take_transfers" for button in seen.button))


def a_rival(name: str) -> Rival:
    return Rival(name, tuple(a_squad()[:11]), a_squad()[0], tuple(a_squad()[11:]))


def lines_of(ids: list[int]) -> str:
    return "\n".join(map(str, ids))


def squad_text() -> str:
    return lines_of(squad_ids(awkward_cup()))


def test_an_empty_desk_says_what_is_missing_and_in_the_world_cup_asks_for_no_entry_number() -> None:
    page = my_page()
    assert not [box for box in page.number_input if box.key == "my_entry"]
    assert [tab.label for tab in page.tabs] == ["Paste", "Upload"]
    assert "0 of 15 players, 0.0 spent: 2 GK are missing; 5 DEF are missing" in sentences(page)
    assert "Lay out a whole squad" in page.info[0].value


def test_a_pasted_squad_is_scored_under_the_three_objectives_and_stays_when_the_next_cannot_be_read() -> None:
    page = pasted(my_page(), squad_text())
    assert sorted(laid_out(page)) == sorted(squad_ids(awkward_cup()))
    assert [metric.label for metric in page.metric] == ["Protect", "Neutral", "Gain"]
    assert len({metric.value for metric in page.metric}) == 3
    assert "Choose an objective to see the weakest links" in sentences(page)
    pasted(page, '{"picks": [')
    assert "line 1 column 12" in page.error[0].value
    assert len(laid_out(page)) == 15


def test_rows_that_fit_nobody_are_told_and_completed_by_hand() -> None:
    ids = squad_ids(awkward_cup())
    page = pasted(my_page(), "\n".join(["<b>Nobody</b>", *map(str, ids[1:])]))
    assert r"Row 1, \<b\>Nobody\</b\>: fits no player." in page.warning[0].value
    assert "1 GK is missing" in sentences(page)
    page.multiselect(key="my_GK").set_value(ids[:2]).run()
    assert "15 of 15 players" in sentences(page)
    assert not page.warning


def test_a_typed_budget_stays_whoever_comes_in_and_a_squad_over_it_says_so() -> None:
    page = pasted(my_page(), squad_text())
    page.number_input(key="my_budget").set_value(60.0).run()
    men = page.multiselect(key="my_FWD").value
    page.multiselect(key="my_FWD").set_value(men[:-1]).run()
    page.multiselect(key="my_FWD").set_value(men).run()
    assert page.number_input(key="my_budget").value == 60.0
    assert "This squad breaks the rules: it costs" in page.error[0].value


def test_weakest_links_and_transfers_whatever_is_locked_and_the_squad_goes_to_pick() -> None:
    page = pasted(my_page(locks=",".join(map(str, squad_ids(awkward_cup())))), squad_text())
    page.segmented_control(key="my_theta").set_value("neutral").run()
    sentences(page)
    assert any({"Gain", "Out"} <= set(table[0]) for table in tables(page))
    find_transfers(page)
    found = re.search(r"(\d) transfers?: fitness \+", sentences(page))
    assert found
    before = laid_out(page)
    page.button(key="take_transfers").click().run()
    assert len(set(before) - set(laid_out(page))) == int(found[1])
    page.button(key="start_from").click().run()
    assert "Pick starts from this squad." in sentences(page)
    current = page.query_params["current"]
    assert sorted(map(int, "".join(current).split(","))) == sorted(laid_out(page))


def test_a_link_brings_its_squad_and_another_visitor_sees_none_of_it() -> None:
    current = ",".join(map(str, squad_ids(awkward_cup())))
    assert len(laid_out(my_page(current=current))) == 15
    assert laid_out(my_page()) == []


def test_a_squad_that_was_laid_out_is_in_the_link_with_its_money() -> None:
    page = pasted(my_page(), squad_text())
    page.number_input(key="my_budget").set_value(70.0).run()
    again = my_page(**{name: value for name, value in link(page).items() if name.startswith("draft")})
    assert laid_out(again) == laid_out(page)
    assert again.number_input(key="my_budget").value == 70.0
    page.multiselect(key="my_FWD").set_value([]).run()
    assert len(link(page)["draft"].split(",")) == 12


def test_pasted_rivals_become_the_field_until_they_are_left_again() -> None:
    page = my_page()
    page.text_area(key="rivals_paste").set_value(f"Anna <b>:\n{squad_text()}\n\n{squad_text()}")
    page.button(key="read_rivals").click().run()
    assert r"You play against Anna \<b\>, Rival 2" in sentences(page)
    assert "no starter is marked as captain" in sentences(page)
    page.button(key="no_rivals").click().run()
    assert "You play against all managers." in sentences(page)
    page.text_area(key="rivals_paste").set_value("Ben:\n100")
    page.button(key="read_rivals").click().run()
    assert page.error[0].value == "Ben has 1 players; give the 11 starters or all 15."


def test_a_rival_who_cannot_be_picked_this_round_is_left_out_and_named() -> None:
    men, newcomer = squad_ids(awkward_cup()), player_of("A1", "FWD")
    late = changed(
        awkward_cup(), "market", lambda known: known[(known["round"] > 1) | (known["player_id"] != newcomer)]
    )
    late.save(world_folder("late"))
    page = a_page("my_squad", world="late", round="2")
    with_him = [*men[:12], newcomer, *men[13:]]
    page.text_area(key="rivals_paste").set_value(f"Anna:\n{lines_of(men)}\n\nBen:\n{lines_of(with_him)}")
    page.button(key="read_rivals").click().run()
    assert "left out" not in sentences(page)
    page.pills(key="round_choice").set_value(1).run()
    assert "Not everybody in the eleven of Ben can be picked this round: left out." in sentences(page)


def test_an_entry_and_a_league_are_fetched_only_on_request_and_a_link_brings_all_of_it_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small_league().save(world_folder("league"))
    selling = [5.0] * 15
    mine = entry_documents(77, 3, a_squad(), bank=0.5, selling=selling, transfers={2: 1}, chips={1: "3xc"})
    league = league_documents(5, "L", [1, 77, 2])
    with serving(league | mine | entry(1, other_squad()) | entry_documents(2, 3, a_squad())) as server:
        monkeypatch.setenv("THETAXI_FPL_URL", server.url)
        page = a_page("my_squad", world="league", round="4")
        assert server.paths == []
        page.number_input(key="my_entry").set_value(77)
        page.button(key="read_my_entry").click().run()
        assert sorted(laid_out(page)) == sorted(a_squad())
        account = "Entry 77; bank 0.5; players sell for 75.0; 2 free transfers; chips left: Wildcard 1, Wildcard 2, "
        assert account in sentences(page)
        page.number_input(key="rivals_league").set_value(5)
        page.button(key="read_rivals_league").click().run()
        assert "You play against Team 1, Team 2 of league 5:" in sentences(page)
        assert "You are 1 point behind Team 1 (next above) and 1 point ahead of Team 2 (next below)" in sentences(page)
        page.selectbox(key="rival_choice").set_value(1).run()
        assert "You play against Team 1 of league 5:" in sentences(page)
        page.number_input(key="my_entry").set_value(404)
        page.button(key="read_my_entry").click().run()
        assert "404" in page.error[0].value
        assert len(laid_out(page)) == 15
        server.requests.clear()
        again = a_page("my_squad", **link(page))
        assert server.paths == []
    assert laid_out(again) == laid_out(page)
    assert account in sentences(again)
    assert "Triple Captain 1" not in sentences(again)
    assert "You are 1 point behind, with 35 rounds left." in sentences(again)
    (rivals,) = [table for table in tables(again) if table[0][0] == "Rank"]
    assert [row[:3] for row in rivals[1:]] == [["1", "Team 1", "1 point behind"], ["3", "Team 2", "1 point ahead"]]
    assert [row[5].partition(",")[0] for row in rivals[1:]] == ["not known", "Wildcard 1"]


def test_an_imported_squad_with_four_men_of_one_club_is_weighed_and_improved(monkeypatch: pytest.MonkeyPatch) -> None:
    small_league().save(world_folder("league"))
    mine = entry_documents(77, 3, crowded_squad(), bank=0.5, selling=[5.0] * 15)
    with serving(mine) as server:
        monkeypatch.setenv("THETAXI_FPL_URL", server.url)
        page = a_page("my_squad", world="league", round="4", theta="neutral")
        page.number_input(key="my_entry").set_value(77)
        page.button(key="read_my_entry").click().run()
    assert "4 players of ARS are kept" in sentences(page)
    assert "breaks the rules" not in sentences(page)
    assert "What it is worth" in [header.value for header in page.header]
    again = a_page("my_squad", **link(page))
    assert "breaks the rules" not in sentences(again)
    assert laid_out(again) == laid_out(page)


def test_a_league_that_was_read_for_another_entry_is_let_go_and_its_number_stays_at_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small_league().save(world_folder("league"))
    with serving(entry(77, a_squad())) as server:
        monkeypatch.setenv("THETAXI_FPL_URL", server.url)
        known = {
            "rivals": rivals_text([a_rival("Anna")]),
            "league": "5",
            "entry": "78",
            "counted": "4",
            "chips": "none",
        }
        page = a_page("my_squad", world="league", round="4", **known)
        assert [page.number_input(key=key).value for key in ("my_entry", "rivals_league")] == [78, 5]
        page.number_input(key="my_entry").set_value(77)
        page.button(key="read_my_entry").click().run()
    assert "League 5 was not read for this entry. Ask for it again under Rivals." in sentences(page)
    assert "You play against all managers." in sentences(page)
    assert link(page)["entry"] == "77"
    assert {"rivals", "league", "counted", "chips"}.isdisjoint(link(page))


@pytest.mark.parametrize(("status", "said"), [(404, "no classic league 5"), (403, "League 5 is private")])
def test_a_league_that_cannot_be_read_is_a_sentence_and_the_rivals_stay(
    monkeypatch: pytest.MonkeyPatch, status: int, said: str
) -> None:
    small_league().save(world_folder("league"))
    with serving({standings_name(5, 1): Reply(status=status)}) as server:
        monkeypatch.setenv("THETAXI_FPL_URL", server.url)
        page = a_page("my_squad", world="league", round="4", rivals=rivals_text([a_rival("<script>")]))
        page.number_input(key="rivals_league").set_value(5)
        page.button(key="read_rivals_league").click().run()
    assert said in page.error[0].value
    assert r"You play against \<script\>:" in sentences(page)


def test_what_the_men_sell_for_is_their_price_in_budget_and_link_and_pick_counts_with_it() -> None:
    small_league().save(world_folder("league"))
    today = small_league().at(4).players.set_index("player_id")["price"]
    sold = {number: round(float(today[number]) - 0.2, 1) for number in a_squad()}
    picks = [
        {"element": number, "position": place, "selling_price": round(10 * sold[number])}
        for place, number in enumerate(a_squad(), start=1)
    ]
    team = {"picks": picks, "transfers": {"bank": 7, "limit": 2, "made": 0}}
    page = pasted(a_page("my_squad", world="league", round="4"), json.dumps(team))
    assert f"15 of 15 players, {sum(sold.values()):.1f} spent" in sentences(page)
    budget, free = (box for box in page.number_input if box.label.startswith(("Budget", "Free transfers")))
    assert (budget.value, free.value) == (pytest.approx(sum(sold.values()) + 0.7), 2)
    assert not page.error
    page.button(key="start_from").click().run()
    current, selling = ("".join(page.query_params[name]).split(",") for name in ("current", "selling"))
    assert {int(number): float(price) for number, price in zip(current, selling, strict=True)} == sold
    assert page.query_params["free"] in ("2", ["2"])
