"""The logic of the page Lineage: breed, stop, and follow a squad back to where it comes from."""

from __future__ import annotations

from html import escape

import pytest
from streamlit.testing.v1 import AppTest

from engine.search.population.genome import Genome
from tests.cases.board_cases import EVIL_NAMES
from tests.cases.page_runs import a_page, drawn, sentences, until
from tests.cases.small_world import kept_cup
from ui.web.pages.lineage import child_html, repairs_words


def opened(**query: str) -> AppTest:
    return a_page("lineage", world=kept_cup(), round="2", **query)


def with_tree(page: AppTest) -> AppTest:
    return until(page, lambda seen: 'data-testid="tree"' in drawn(seen))


def test_an_objective_is_asked_for_first() -> None:
    assert "Choose an objective" in opened().info[0].value


def test_a_search_ends_with_a_tree_and_every_fact_about_a_child_and_another_squad_has_its_own() -> None:
    page = with_tree(opened(theta="gain"))
    assert "squads scored, best" in sentences(page)
    for fact in ("Parents", "Made by", "Blocks", "What changed", "Repairs", "Gained"):
        assert f"<dt>{fact}</dt>" in drawn(page)
    assert "seed: " in drawn(page)
    child = next(box for box in page.selectbox if box.label == "Squad of the tree")
    before = drawn(page)
    child.select_index(len(child.options) - 1).run()
    assert not page.exception
    assert drawn(page) != before


@pytest.mark.soak
def test_more_generations_are_bred_on_request_and_stand_in_the_link() -> None:
    page = with_tree(opened(theta="gain"))
    page.number_input(key="generations_None").set_value(12).run()
    page.button(key="breed").click().run()
    assert page.query_params["generations"] in ("12", ["12"])
    with_tree(page)
    assert "Generation 1" in sentences(page)


def test_a_search_is_stopped_with_the_best_so_far() -> None:
    page = until(opened(theta="protect", generations="2000"), lambda seen: "squads scored" in sentences(seen))
    page.button(key="stop_breeding").click().run()
    with_tree(page)
    assert "The search was stopped" in sentences(page)


def test_names_in_a_childs_facts_are_only_text() -> None:
    told = {"parents": (), "operator": "seed", "generation": 0, "gained": 0.0}
    logs = {"mutation_log": EVIL_NAMES, "repair_log": EVIL_NAMES}
    html = child_html(Genome("a squad", metadata=told | {"variance_band": "low"}, artifacts=logs), EVIL_NAMES)
    assert "<script>" not in html
    assert "<img" not in html
    assert escape(EVIL_NAMES[0]) in html


@pytest.mark.parametrize(
    ("dropped", "solved", "said"),
    [
        (3, 0, "3 children were dropped: no repair could save them."),
        (0, 2, "Mended by the solver, where a quick repair would have broken what they were bred for: 2."),
        (1200, 1, "1,200 children were dropped: no repair could save them. Mended by the solver"),
    ],
)
def test_children_lost_and_saved_are_counted(dropped: int, solved: int, said: str) -> None:
    assert repairs_words(dropped, solved).startswith(said)
