"""A family tree is nested lists: every squad once in full, seeds by their conviction, names only text."""

from __future__ import annotations

import re

import pytest

from engine.search.population.genome import genome_id
from tests.cases.judged_worlds import small_breeding
from ui.web.drawing.charts.family_tree import parents_of, title_of, tree_html, tree_rows
from ui.web.pages.lineage import block_lines, children_table


def youngest() -> int:
    """The latest candidate that was bred."""
    return int(small_breeding().population.columns.generation.argmax())


def test_the_tree_starts_with_the_squad_and_names_every_ancestor() -> None:
    breeding, row = small_breeding(), youngest()
    html = tree_html(breeding, row)
    shown = re.findall(r"<b>(g\d+)</b>", html)
    assert shown[0] == genome_id(row)
    assert set(shown) <= {genome_id(one) for one in tree_rows(breeding, row)}
    assert html.count("<ul") == html.count("</ul>")
    assert html.count("<li>") == html.count("</li>") == len(shown)


def test_an_ancestor_is_followed_once() -> None:
    breeding = small_breeding()
    for row in breeding.population.all().tolist():
        html = tree_html(breeding, row)
        shown = re.findall(r"<b>(g\d+)</b>", html)
        again = len(shown) - len(set(shown))
        seeds = sum(not parents_of(breeding, int(name[1:])) for name in shown)
        assert html.count("parents shown above") <= again <= html.count("parents shown above") + seeds


def test_a_seed_is_called_by_its_conviction_and_has_no_parents() -> None:
    breeding = small_breeding()
    assert parents_of(breeding, 0) == []
    assert title_of(breeding, 0).startswith("seed: ")
    assert "on its better parent" not in tree_html(breeding, 0)


def test_a_shallow_tree_says_that_there_is_more() -> None:
    breeding, row = small_breeding(), youngest()
    assert "older ancestors not shown" in tree_html(breeding, row, depth=0)
    assert tree_rows(breeding, row, depth=0) == [row]


def test_every_man_of_a_squad_stands_in_one_block() -> None:
    breeding, row = small_breeding(), youngest()
    short = breeding.evolution.judge.view.signals.short
    names = [str(short[man]) for man in breeding.population.columns.squads[row]]
    told = " ".join(block_lines(breeding, row))
    assert all(name in told for name in names)


def test_children_say_what_they_gained_on_the_better_parent() -> None:
    breeding = small_breeding()
    rows = breeding.population.all().tolist()
    table = children_table(breeding, rows, {rows[0]: "Recommended"})
    assert table["Squad"][0] == f"{genome_id(0)}, recommended"
    for row in rows:
        parents = parents_of(breeding, row)
        assert (table["Parents"][row] == "") == (not parents)
        if parents:
            assert table["Gained"][row] == pytest.approx(breeding.gained(row), abs=0.005)
