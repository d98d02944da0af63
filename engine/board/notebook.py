"""Boards and comparisons as a notebook shows them: a pitch in words, and every score decomposed. Plain HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.board.board import Board, Man, Option
    from engine.board.comparison import Comparison
    from engine.fitness.explanation import Decomposition

PITCH = "background:#2e7d4f;color:#fff;border-radius:8px;padding:8px;text-align:center;max-width:640px"
LINE = "display:flex;justify-content:space-evenly;padding:4px 0"


def board_html(board: Board) -> str:
    """Return the recommended line-up on a pitch and the terms of every option side by side."""
    best = board.recommended
    names = ["recommended", *(f"option {number}" for number in range(2, len(board.options) + 1))]
    head = f"{board.title}: {board.objective}, {best.formation}, {best.price:.1f}m, {best.expected:.1f} points expected"
    terms = dict(zip(names, (option.decomposition for option in board.options), strict=True))
    said = "".join(f"<li>{escape(line)}</li>" for line in (*best.ladder, f"Against it: {best.dissent}"))
    return f"<h4>{escape(head)}</h4>{option_html(best)}{terms_html(terms)}<ul>{said}</ul>"


def option_html(option: Option) -> str:
    """Return a line-up on a pitch: a row for each position, the bench below."""
    starters = [man for man in option.men if man.role == "starter"]
    bench = [man for man in option.men if man.role != "starter"]
    rows = [list(men) for _, men in groupby(starters, key=lambda man: man.position)]
    return f'<div style="{PITCH}">{"".join(map(_line, rows))}<hr style="opacity:.4">{_line(bench)}</div>'


def comparison_html(comparison: Comparison) -> str:
    """Return what two plans share, every swap with its price, and each squad under both objectives."""
    heads = ["", *comparison.crossed, "points", "owned", "price"]
    swaps = [
        (s.position, s.first.name, s.second.name, f"{s.points:+.1f}", f"{s.owned:+.0%}", f"{s.price:+.1f}")
        for s in comparison.swaps
    ]
    crossed = {
        f"{plan} under {objective}": found
        for plan, under in comparison.crossed.items()
        for objective, found in under.items()
    }
    return f"<p>{escape(comparison.summary())}</p>{_table(heads, swaps)}{terms_html(crossed)}"


def terms_html(results: Mapping[str, Decomposition]) -> str:
    """Return decompositions side by side, one row for each term, the fitness last."""
    names = dict.fromkeys(name for result in results.values() for name in result.terms)
    rows = [(name, *(f"{result.terms.get(name, 0.0):+.2f}" for result in results.values())) for name in names]
    total = ("fitness", *(f"{result.fitness:.2f}" for result in results.values()))
    return _table(["term", *results], [*rows, total])


def _line(men: Iterable[Man]) -> str:
    return f'<div style="{LINE}">{"".join(f"<span>{_man(man)}</span>" for man in men)}</div>'


def _man(man: Man) -> str:
    mark = f" ({man.armband})" if man.armband else ""
    return f"{escape(man.short)}{mark}<br><small>{man.xev:.1f} · {escape(man.opponent)}</small>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
