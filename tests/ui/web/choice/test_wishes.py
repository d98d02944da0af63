"""Wishes go into the plan at once, and can be taken back at once."""

from __future__ import annotations

from datetime import UTC, datetime

from streamlit.testing.v1 import AppTest

from data.worlds.library import find_world
from engine.fitness.wishes import TeamWish
from tests.cases.page_runs import link, opened
from ui.web.choice.frame import open_chosen
from ui.web.choice.plan import Plan
from ui.web.choice.wishes import wishes_in_words


def a_script() -> None:
    from data.errors import InfeasibleError
    from engine.fitness.wishes import rows_of
    from ui.web.choice.frame import choose_round, signals_of
    from ui.web.choice.wishes import draw_way_out, draw_wish_bar, draw_wishes

    chosen = choose_round()
    draw_wishes(chosen)
    draw_wish_bar(chosen)
    if chosen.plan.locks:
        error = InfeasibleError("No legal squad: unlock somebody.")
        error.must = rows_of(chosen.plan.locks[:1], signals_of(chosen))
        draw_way_out(chosen, error)


def a_page(**query: str) -> AppTest:
    page = AppTest.from_function(a_script, default_timeout=120)
    page.session_state["wishes"] = True
    return opened(page, **query)


def test_shape_and_money_stand_in_the_link_and_are_cleared_together() -> None:
    page = a_page()
    page.selectbox(key="formation_choice").set_value("3-5-2").run()
    page.number_input(key="budget_choice").set_value(97.5).run()
    assert not page.exception
    assert link(page).items() >= {"formation": "3-5-2", "budget": "97.5"}.items()
    assert "Wished: 3-5-2; 97.5m to spend." in [line.value for line in page.markdown]
    next(button for button in page.button if button.label == "Clear all wishes").click().run()
    assert {"formation", "budget"}.isdisjoint(link(page))
    assert page.selectbox(key="formation_choice").value == "Any"
    page.button(key="undo_wish").click().run()
    assert link(page).items() >= {"formation": "3-5-2", "budget": "97.5"}.items()
    page.button(key="undo_wish").click().run()
    assert "budget" not in link(page)


def test_the_long_lists_are_drawn_when_they_are_asked_for_and_the_wishes_always() -> None:
    page = AppTest.from_function(a_script, default_timeout=120)
    page.query_params["budget"] = "97.5"
    page.run()
    assert not page.multiselect
    assert page.markdown[0].value == "Wished: 97.5m to spend."


def test_wishes_are_told_by_name_and_long_lists_are_cut_short() -> None:
    players = find_world("wc2026").at(1).players
    first, second, *more = players["player_id"].tolist()[:8]
    names = dict(zip(players["player_id"], players["short"], strict=True))
    plan = Plan(
        locks=(first,),
        bans=(*more, 999_999_999),
        captain=second,
        formation="4-4-2",
        teams=(TeamWish("BRA", 1, 2), TeamWish("ESP", 2)),
        current=(first,),
        changes=1,
    )
    told = wishes_in_words(open_chosen(plan, datetime.now(UTC)))
    listed = ", ".join(names[player] for player in more[:5])
    assert told == (
        f"Wished: must have {names[first]}; never {listed} and 2 more; captain {names[second]}; 4-4-2; "
        "1 to 2 of BRA; 2 to any number of ESP; at most 1 change."
    )


def test_the_stages_own_budget_is_no_wish() -> None:
    page = a_page(budget="90")
    page.number_input(key="budget_choice").set_value(100.0).run()
    assert "budget" not in link(page)


def test_a_team_is_named_and_then_limited() -> None:
    page = a_page()
    page.multiselect(key="teams_choice").set_value(["BRA"]).run()
    page.slider(key="team_BRA").set_value((1, 2)).run()
    assert link(page)["teams"] == "BRA:1-2"
    page.slider(key="team_BRA").set_value((1, 3)).run()
    assert link(page)["teams"] == "BRA:1-"
    page.multiselect(key="teams_choice").set_value([]).run()
    assert "teams" not in link(page)


def test_a_longer_search_is_a_wish_of_the_link() -> None:
    page = a_page()
    page.select_slider(key="generations_choice").set_value(160).run()
    assert link(page)["generations"] == "160"


def test_changes_are_asked_for_only_where_a_squad_is_given() -> None:
    assert not [box for box in a_page().number_input if box.key == "changes_choice"]
    page = a_page(current="1,2,3")
    page.number_input(key="changes_choice").set_value(2).run()
    assert link(page)["changes"] == "2"


def test_the_way_out_unlocks_who_was_named() -> None:
    first, second = map(str, find_world("wc2026").at(1).players["player_id"].iloc[:2])
    page = a_page(locks=f"{first},{second}")
    assert "No legal squad" in page.error[0].value
    assert f"way_locks_{second}" not in [button.key for button in page.button]
    page.button(key=f"way_locks_{first}").click().run()
    assert link(page)["locks"] == second
