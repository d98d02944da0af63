"""Score against cost: the frontier stands out, every squad can be clicked, and costs read as a manager says them."""

from __future__ import annotations

import pytest

from engine.search.population.population import Cost
from tests.cases.judged_worlds import small_breeding
from ui.web.drawing.charts.frontier import (
    AXES,
    DOMINATED,
    FRONTIER,
    PICKED,
    cost_in_words,
    draw_frontier,
    frontier_table,
)
from ui.web.pages.spectrum import frontier_rows, names_by_row, spectrum_words, squad_label


@pytest.mark.parametrize(
    ("cost", "value", "words"),
    [
        (Cost.VARIANCE, 400.0, "swing ±20.0"),
        (Cost.PRICE, 99.95, "100.0m"),
        (Cost.CHANGES, 1.0, "1 transfer"),
        (Cost.CHANGES, 3.0, "3 transfers"),
    ],
)
def test_a_cost_is_said_as_a_manager_reads_it(cost: Cost, value: float, words: str) -> None:
    assert cost_in_words(cost, value) == words


@pytest.mark.parametrize("cost", [Cost.VARIANCE, Cost.PRICE])
def test_a_dominated_squad_has_one_above_it_that_costs_less(cost: Cost) -> None:
    table = frontier_table(small_breeding().spectrum(cost), cost, {}, -1)
    frontier = table[table["kind"] == FRONTIER]
    for squad in table[table["kind"] == DOMINATED].itertuples():
        assert ((frontier["score"] >= squad.score) & (frontier["cost"] < squad.cost)).any()


@pytest.mark.parametrize("dark", [False, True])
def test_every_mark_is_clickable_by_its_row_and_the_chosen_one_is_ringed(dark: bool) -> None:
    breeding = small_breeding()
    table = frontier_table(breeding.spectrum(), Cost.VARIANCE, {breeding.options[0]: "1"}, breeding.options[0])
    assert table["chosen"].sum() == 1
    spec = draw_frontier(table, Cost.VARIANCE, dark).to_dict()
    assert [(param["name"], param["select"]["fields"]) for param in spec["params"]] == [(PICKED, ["row"])]
    assert AXES[Cost.VARIANCE] in str(spec)


def test_the_words_are_computed_from_the_frontier() -> None:
    breeding = small_breeding()
    spectrum = breeding.spectrum()
    words = spectrum_words(spectrum, Cost.VARIANCE, len(breeding.population))
    frontier = spectrum.score[spectrum.on_frontier]
    tried = f"{len(spectrum.row)} of {len(breeding.population)} squads that were tried."
    assert words.startswith(f"{tried} For {len(frontier)} of them no other has as much for less")
    assert len(frontier) == 1 or f"costs {frontier[0] - frontier[-1]:.1f} of the score" in words


def test_options_carry_their_names_in_list_and_table() -> None:
    breeding = small_breeding()
    names = names_by_row(breeding)
    assert next(iter(names.values())) == "Recommended"
    assert squad_label(breeding, breeding.options[0], Cost.PRICE).startswith("Recommended · score ")
    short = breeding.evolution.judge.view.signals.short
    assert list(frontier_rows(breeding, list(names), short)["Option"]) == list(names.values())
