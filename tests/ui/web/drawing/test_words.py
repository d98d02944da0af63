"""Every term has help, the help answers what, why and how, and no page speaks in words of our own making."""

from __future__ import annotations

import ast

import pytest

from engine.fitness.explanation import PLAIN
from tests.conftest import ROOT
from ui.web.drawing.charts.waterfall import TERM_NAMES
from ui.web.drawing.words import FIGURE_HELP, GLOSSARY, TERM_HELP, term_help


@pytest.mark.parametrize("name", sorted({*TERM_NAMES, *PLAIN}))
def test_every_term_the_page_shows_has_help(name: str) -> None:
    assert all(part in term_help(name) for part in ("**What**", "**Why**", "**How**"))


@pytest.mark.parametrize("entry", [*TERM_HELP.values(), *FIGURE_HELP.values()])
def test_each_answer_is_a_sentence(entry: object) -> None:
    for part in ("what", "why", "how"):
        text = getattr(entry, part)
        assert text[0].isupper() or text[0].isdigit() or text[0] == "k"
        assert text.endswith(".")


def test_a_term_of_a_users_own_spec_points_to_the_spec() -> None:
    assert "Fitness page" in term_help("my_own_term")


def said_on_pages() -> str:
    """Return every text in the code of the pages, one a line."""
    files = sorted((ROOT / "ui" / "web").rglob("*.py"))
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    return "\n".join(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


@pytest.mark.parametrize(
    "words",
    [
        "Regime",
        "barred",
        "Beats of the field",
        "own what all own",
        "exposure and template",
        "Generations to breed",
        "Dominated",
        "How far from the optimum",
    ],
)
def test_no_page_says_what_only_we_understand(words: str) -> None:
    assert words not in said_on_pages()


def test_the_glossary_knows_the_words_that_pages_use() -> None:
    assert {"θ (theta)", "xEV", "EO", "Ladder"} <= set(GLOSSARY)
    assert all(meaning.endswith(".") for meaning in GLOSSARY.values())
