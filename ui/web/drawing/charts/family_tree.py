"""Where a squad comes from, as a tree of cards: the squad first, its parents below it, theirs below them. Pure.

Nested lists, so that a phone shows it, a screen reader reads it and no picture is needed. An ancestor that stands in
the tree already is named again but not followed again.
"""

from __future__ import annotations

from html import escape

from engine.search.breeding.proposal import OPERATOR_NAMES
from engine.search.outcome import Breeding
from engine.search.population.candidates import NO_PARENT
from engine.search.population.genome import genome_id
from ui.web.drawing.figures import written

DEPTH = 4
"""Generations back that are drawn; with two parents each, more do not fit a screen."""


def tree_html(breeding: Breeding, row: int, depth: int = DEPTH) -> str:
    """Return the tree of a candidate as nested lists."""
    return f'<ul class="xi-tree" data-testid="tree" aria-label="Family tree">{_node(breeding, row, depth, set())}</ul>'


def tree_rows(breeding: Breeding, row: int, depth: int = DEPTH) -> list[int]:
    """Return the candidates of a tree, each once, the youngest generation first."""
    found, level = [row], [row]
    for _ in range(depth):
        level = [parent for one in level for parent in parents_of(breeding, one)]
        found += [parent for parent in dict.fromkeys(level) if parent not in found]
    return found


def parents_of(breeding: Breeding, row: int) -> list[int]:
    """Return the parents of a candidate, none for a seed, each once."""
    parents = breeding.population.columns.parent[row].tolist()
    return [parent for parent in dict.fromkeys(parents) if parent != NO_PARENT]


def title_of(breeding: Breeding, row: int) -> str:
    """Return what made a candidate: its archetype for a seed, else the operator."""
    columns = breeding.population.columns
    if not parents_of(breeding, row):
        return f"seed: {breeding.archetypes[int(columns.archetype[row])]}"
    return OPERATOR_NAMES[int(columns.operator[row])]


def _node(breeding: Breeding, row: int, depth: int, seen: set[int]) -> str:
    parents = parents_of(breeding, row)
    again = row in seen and bool(parents)
    seen.add(row)
    below = "" if again or depth == 0 else "".join(_node(breeding, one, depth - 1, seen) for one in parents)
    note = "parents shown above" if again else "older ancestors not shown" if parents and not below else ""
    return f"<li>{_card(breeding, row, note)}{f'<ul>{below}</ul>' if below else ''}</li>"


def _card(breeding: Breeding, row: int, note: str) -> str:
    columns = breeding.population.columns
    gained = f" · {written(breeding.gained(row), '{:+.2f}')} on its better parent" if parents_of(breeding, row) else ""
    told = f"<i>{escape(note)}</i>" if note else ""
    return (
        f'<div class="xi-kin"><b>{genome_id(row)}</b> <span>{escape(title_of(breeding, row))}</span>'
        f'<em class="xi-num">generation {int(columns.generation[row])} · score {columns.score[row]:.2f}{gained}</em>'
        f"{told}</div>"
    )
