"""Options as text: a line-up CSV that can be scored and locked again, and a board as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import asdict
from math import inf

from data.sources.own.delimited import safe_cell
from engine.board.board import Board, Man, Option
from engine.board.transfers import TransferCard

LINEUP_COLUMNS = (
    "order",
    "role",
    "captain",
    "id",
    "name",
    "team",
    "opponent",
    "kickoff",
    "position",
    "price",
    "owned_percent",
    "xev",
    "floor",
    "ceiling",
)


def lineup_csv(option: Option) -> str:
    """Return one row per player and, after an empty line, the terms of the squad's score and its expected points.

    A newcomer to the squad that its manager has is told with whom he comes in for; expected points are net of hits.
    """
    return _tables({"points": option}, named=False)


def plans_csv(plans: Mapping[str, Option]) -> str:
    """Return several plans by name in one text: a line-up table for each, then their terms side by side.

    Read again as a squad it gives the first plan: what follows the first empty line is left alone.
    """
    return _tables(plans, named=True)


def _tables(plans: Mapping[str, Option], *, named: bool) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for name, option in plans.items():
        moved = {move.into_row: move.out for move in option.transfers.moves} if option.transfers else {}
        more = {"plan": named, "in_for": option.transfers is not None}
        writer.writerow([*LINEUP_COLUMNS, *(title for title, used in more.items() if used)])
        for order, man in enumerate(option.men, start=1):
            cells = {"plan": safe_cell(name), "in_for": safe_cell(moved.get(man.row, ""))}
            writer.writerow([*lineup_row(order, man), *(cells[title] for title, used in more.items() if used)])
        text.write("\n")
    results = [option.decomposition for option in plans.values()]
    writer.writerow(["term", *(safe_cell(name) for name in plans)])
    for term in dict.fromkeys(term for result in results for term in result.terms):
        writer.writerow([term, *(f"{result.terms.get(term, 0.0):.4f}" for result in results)])
    writer.writerow(["fitness", *(f"{result.fitness:.4f}" for result in results)])
    writer.writerow(["expected", *(f"{option.expected:.4f}" for option in plans.values())])
    return text.getvalue()


def board_json(board: Board) -> str:
    """Return the whole board as one JSON object."""
    return json.dumps(board_dict(board), ensure_ascii=False, indent=2, allow_nan=False)


def board_dict(board: Board) -> dict[str, object]:
    """Return the whole board as plain values."""
    return {
        "world": board.world,
        "round": board.round,
        "title": board.title,
        "aim": board.objective,
        "proof": str(board.proof),
        "flags": list(board.flags),
        "options": [option_dict(option) for option in board.options],
    }


def lineup_row(order: int, man: Man) -> list[object]:
    """Return one man under the columns of a line-up."""
    return [
        order,
        man.role,
        man.armband,
        man.player_id,
        safe_cell(man.name),
        safe_cell(man.team),
        safe_cell(man.opponent),
        man.kickoff,
        man.position,
        f"{man.price:.1f}",
        f"{100 * man.owned:.1f}",
        f"{man.xev:.2f}",
        f"{man.floor:.0f}",
        f"{man.ceiling:.0f}",
    ]


def _transfers(card: TransferCard | None) -> dict[str, object] | None:
    if card is None:
        return None
    free = None if card.free == inf else int(card.free)
    return {"headline": card.headline, "result": card.result} | asdict(card) | {"free": free}


def option_dict(option: Option) -> dict[str, object]:
    """Return one option as plain values."""
    return {
        "formation": option.formation,
        "expected": option.expected,
        "swing": list(option.swing),
        "price": option.price,
        **option.decomposition.to_dict(),
        "men": [asdict(man) for man in option.men],
        "ladder": list(option.ladder),
        "lineage": option.lineage,
        "repairs": list(option.repairs),
        "dissent": option.dissent,
        "differences": list(option.differences),
        "remarks": list(option.remarks),
        "transfers": _transfers(option.transfers),
    }
