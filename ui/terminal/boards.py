"""Shows boards and comparisons on the command line, and writes the line-up a user takes away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ui.terminal.console import print_json, print_table, say, write_file

if TYPE_CHECKING:
    from engine.board.board import Board, Option
    from engine.board.comparison import Comparison
    from engine.board.transfers import Transfer, TransferCard

SWAP_KEYS = ("position", "first", "second", "points", "owned", "price")


def write_csv(path: Path, option: Option) -> None:
    """Write the line-up of an option to a file."""
    from engine.board.export import lineup_csv

    write_file(path, lineup_csv(option), "Line-up", encoding="utf-8-sig")


def print_board(board: Board) -> None:
    """Print the recommended squad, every score decomposed, and what a manager should know besides."""
    best = board.recommended
    if best.transfers is not None:
        _print_transfers(best.transfers)
    rows = [
        (m.role, m.armband, m.name, m.team, m.opponent, m.position, f"{m.price:.1f}", f"{m.xev:.2f}", f"{m.owned:.0%}")
        for m in best.men
    ]
    columns = ["role", "", "player", "team", "opponent", "pos", "price", "xEV", "owned"]
    print_table(f"{board.title}: {board.objective}, {best.formation}, price {best.price:.1f}", columns, rows)
    terms = [
        (plain(name), *(f"{option.decomposition.terms.get(name, 0.0):+.2f}" for option in board.options))
        for name in best.decomposition.terms
    ]
    heads = ["term", "recommended", *(f"option {number}" for number in range(2, len(board.options) + 1))]
    print_table("Every score, term by term", heads, [*terms, *_totals(board)])
    say(*best.remarks, *best.ladder, f"Against it: {best.dissent}", f"How it was found: {best.lineage}.", *board.flags)
    if best.decomposition.watch:
        say(f"Watch: {best.decomposition.watch}")


def plain(term: str) -> str:
    """Return the name of a term in words."""
    from engine.fitness.explanation import PLAIN

    return PLAIN.get(term, term.replace("_", " "))


def _print_transfers(card: TransferCard) -> None:
    """Print who goes and who comes, and what it costs and brings."""
    rows = [
        (m.position, f"{m.out} ({m.reason})" if m.reason else m.out, m.into, m.into_team, *_signed(m))
        for m in card.moves
    ]
    if rows:
        print_table(card.headline, ["pos", "out", "in", "team", "price", "points", "later"], rows)
    say(card.result if rows else card.headline, *(words for move in card.moves for words in move.market))


def _signed(move: Transfer) -> tuple[str, ...]:
    return tuple(f"{figure:+.1f}" for figure in (move.price, move.points, move.carry))


def _totals(board: Board) -> list[tuple[str, ...]]:
    return [
        ("fitness", *(f"{option.decomposition.fitness:.2f}" for option in board.options)),
        ("points expected", *(f"{option.expected:.1f}" for option in board.options)),
        ("8 times in 10", *(f"{option.swing[0]:.0f}–{option.swing[1]:.0f}" for option in board.options)),
        ("swing", *(str(option.decomposition.band) for option in board.options)),
        ("captain", *(option.captain.short for option in board.options)),
    ]


def print_comparison(result: Comparison, plans: tuple[str, str], objectives: tuple[str, str]) -> None:
    """Print who differs between two plans, and each squad under both objectives."""
    swaps = [
        (s.position, s.first.name, s.second.name, f"{s.points:+.1f}", f"{s.owned:+.0%}", f"{s.price:+.1f}")
        for s in result.swaps
    ]
    print_table(result.summary(), ["pos", *plans, "points", "owned", "price"], swaps)
    rows = [(plan, *(f"{found.fitness:.1f}" for found in under.values())) for plan, under in result.crossed.items()]
    print_table("The same squads under both objectives", ["plan", *objectives], rows)


def print_comparison_json(result: Comparison, board: Board) -> None:
    """Print a comparison as one JSON object."""
    from engine.board.export import option_dict

    figures = [(s.position, s.first.name, s.second.name, s.points, s.owned, s.price) for s in result.swaps]
    print_json(
        {
            "world": board.world,
            "round": board.round,
            "summary": result.summary(),
            "shared": list(result.shared),
            "swaps": [dict(zip(SWAP_KEYS, row, strict=True)) for row in figures],
            "under_both": {
                plan: {name: dict(found.terms) | {"fitness": found.fitness} for name, found in under.items()}
                for plan, under in result.crossed.items()
            },
            "first": option_dict(result.first),
            "second": option_dict(result.second),
        }
    )
