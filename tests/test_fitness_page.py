"""The logic of the fitness page."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from engine.explain import Band, Decomposition
from ui.fitness_page import OWN, decomposed_terms


def a_page() -> AppTest:
    script = "from ui import fitness_page\nfitness_page.show()"
    return AppTest.from_string(script, default_timeout=180).run()


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
    assert list(decomposed_terms(result)) == ["Expected points", "Captaincy *", "mine"]
