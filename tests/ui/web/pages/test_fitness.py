"""The logic of the fitness page."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from engine.fitness.explanation import Band, Decomposition
from tests.cases.board_cases import a_board, an_option
from tests.cases.page_runs import link, opened, pitches, sentences, tables, until
from tests.cases.small_world import kept_cup
from ui.web.answers.option_view import marked_terms
from ui.web.choice.session import SPECS
from ui.web.pages.fitness import OWN, move_words, ranking_table, ranking_words, slider_range

TWO_PAGES = """
import streamlit as st
from ui.web.pages import fitness, pick
(pick if st.session_state.get("on_pick") else fitness).show()
"""


def a_page(**query: str) -> AppTest:
    return opened(AppTest.from_string("from ui.web.pages import fitness\nfitness.show()", default_timeout=180), **query)


def test_one_squad_stands_under_the_three_objectives_side_by_side() -> None:
    page = a_page()
    assert not page.exception
    assert [head.value for head in page.subheader][:3] == ["Protect", "Neutral", "Gain"]
    fitness = [float(metric.value) for metric in page.metric][:3]
    assert len(set(fitness)) == 3
    assert sum(caption.value.startswith("Watch:") for caption in page.caption) == 4


def test_a_broken_spec_shows_line_and_caret_and_a_good_one_scores() -> None:
    page = a_page()
    page.text_area(key="spec_protect").set_value("fitness A {\n  maximize raw_xevv: 1\n}").run()
    assert not page.exception
    assert "protect.fitness:2:12" in page.code[0].value
    assert "^" in page.code[0].value
    page.text_area(key="spec_protect").set_value("fitness Mine { maximize raw_xev: 1 }").run()
    assert page.success[0].value.startswith("Mine is fine")


def test_a_parameter_that_no_slider_can_show_is_an_error_with_its_place() -> None:
    page = a_page(world=kept_cup())
    page.text_area(key="spec_protect").set_value("fitness A {\n  parameter q = 1e308\n  maximize raw_xev: 1\n}").run()
    assert not page.exception
    assert "protect.fitness:2:17: This number is too large to compute with; 1e+12 is the most." in page.code[0].value
    largest = "fitness A {\n  parameter q = 1e12\n  maximize raw_xev: 1\n}"
    page.text_area(key="spec_protect").set_value(largest).run()
    assert not page.exception
    assert [slider.value for slider in page.slider if slider.label == "q"] == [1e12]


def test_an_own_squad_is_asked_for_and_a_bad_name_is_a_sentence() -> None:
    page = a_page()
    page.segmented_control(key="squad_source").set_value(OWN).run()
    assert page.info[0].value == "Paste your squad to see it scored."
    page.text_area(key="own_squad").set_value("Nobody At All\nHarry Kane, ENG").run()
    assert not page.exception
    assert "Nobody At All" in page.error[0].value


def test_provisional_terms_are_marked_and_own_terms_keep_their_names() -> None:
    terms = {"raw_xev": 1.0, "captaincy_uplift": 2.0, "mine": 3.0}
    result = Decomposition(6.0, terms, 100.0, Band.LOW, "x", {}, False, ("captaincy_uplift",), "")
    assert list(marked_terms(result)) == ["Expected points", "Captain again *", "mine"]


@pytest.mark.soak
def test_the_options_are_ranked_anew_by_the_spec_as_it_is_edited() -> None:
    page = until(a_page(theta="gain", round="1"), lambda seen: "Gain ranks the options" in sentences(seen))
    assert page.selectbox(key="spec_start").value == "gain"
    assert "Gain ranks the options as they were: Recommended first." in sentences(page)
    page.text_area(key="spec_gain").set_value("fitness Least { penalize raw_xev: 1 }").run()
    assert "Least puts Option" in sentences(page)
    heads, *ranking = next(table for table in tables(page) if "Moves" in table[0])
    scores = [float(row[heads.index("Score under the edited Least")]) for row in ranking]
    assert scores == sorted(scores, reverse=True)
    assert any(row[heads.index("Moves")].startswith("▲") for row in ranking)


def test_a_spec_is_edited_from_the_strength_of_the_plan() -> None:
    page = a_page(theta="gain", k="0.03", round="1")
    assert page.selectbox(key="spec_start").value == "gain"
    assert [slider.value for slider in page.slider if slider.label == "k"] == [0.03]


def test_the_letter_of_the_seed_is_offered_here_and_nowhere_else() -> None:
    page = a_page(theta="gain", round="1")
    assert {"seed-protect", "seed-gain", "rank"} <= set(page.selectbox(key="spec_start").options)


def test_an_edited_spec_is_used_on_pick_until_it_is_let_go() -> None:
    page = opened(AppTest.from_string(TWO_PAGES, default_timeout=180), world=kept_cup(), theta="neutral", round="1")
    assert page.button(key="use_spec").disabled
    page.text_area(key="spec_neutral").set_value("fitness Least { penalize raw_xev: 1 }").run()
    page.button(key="use_spec").click().run()
    assert len(link(page)["spec"]) == 12
    assert "**Neutral** is your own spec here: **Least**" in sentences(page)
    assert page.text_area(key="spec_neutral").value.startswith("fitness Least")
    page.session_state["on_pick"] = True
    until(page.run(), lambda seen: bool(pitches(seen)))
    assert "under Least" in sentences(page)
    least = pitches(page)[0]
    page.button(key="drop_spec").click().run()
    until(page, lambda seen: bool(pitches(seen)) and pitches(seen)[0] != least)
    assert "spec" not in link(page)


def test_a_strength_that_was_moved_is_used_and_the_stage_goes_on_setting_the_others() -> None:
    page = a_page(world=kept_cup(), theta="gain", round="1")
    next(slider for slider in page.slider if slider.label == "k").set_value(0.04).run()
    page.button(key="use_spec").click().run()
    (spec,) = page.session_state[SPECS].values()
    assert spec.parameters == (("k", pytest.approx(0.04)),)
    assert [slider.value for slider in page.slider if slider.label == "k"] == [pytest.approx(0.04)]


def test_a_link_with_a_spec_that_stayed_elsewhere_says_so() -> None:
    page = a_page(theta="gain", round="1", spec="0123456789ab")
    assert "somebody's own spec, which is not part of it: this is gain." in sentences(page)
    assert "spec" not in link(page)


def test_the_weight_of_later_rounds_is_explained_where_the_stage_sets_it() -> None:
    page = a_page(theta="gain", round="4")
    assert [slider.value for slider in page.slider if slider.label == "c"] == [0.35]
    assert "c = 0.35 is in force where the text says 0.1: the stage sets" in sentences(page)
    assert "is in force where the text says" not in sentences(a_page(theta="gain", round="1"))


def test_an_objective_is_asked_for_before_options_are_ranked() -> None:
    assert "Choose an objective" in sentences(a_page())


def test_a_ranking_says_who_rises_who_falls_and_who_is_out() -> None:
    board = a_board(an_option(), an_option(), an_option())
    table = ranking_table(board, "Mine", [1.0, None, 3.0])
    assert list(table["Option"]) == ["Option 3", "Recommended", "Option 2"]
    assert list(table["Moves"]) == ["▲ up 2", "▼ down 1", "disqualified"]
    assert ranking_words(table, "Mine") == "Mine puts Option 3 first, at 3.0; the order has changed."


def test_a_ranking_that_stays_or_vanishes_says_so() -> None:
    board = a_board(an_option(), an_option())
    assert ranking_words(ranking_table(board, "Mine", [2.0, 1.0]), "Mine").endswith("as they were: Recommended first.")
    assert ranking_words(ranking_table(board, "Mine", [None, None]), "Mine") == "Mine disqualifies every option."
    assert move_words(2, 2) == "= same place"


@pytest.mark.parametrize(
    ("name", "default", "theta", "reach"),
    [
        ("k", 0.02, "gain", (0.0, 0.05)),
        ("w", 1.0, "gain", (0.0, 2.0)),
        ("w", 1.0, "protect", (0.0, 2.0)),
        ("kappa", 0.02, "rank", (-0.05, 0.05)),
        ("mine", 3.0, "protect", (0.0, 6.0)),
        ("mine", 0.0, "protect", (0.0, 0.01)),
        ("mine", -1.0, "protect", (-2.0, 2.0)),
    ],
)
def test_a_slider_goes_as_far_as_makes_sense(name: str, default: float, theta: str, reach: tuple[float, float]) -> None:
    assert slider_range(name, default, theta) == reach
