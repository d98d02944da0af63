"""Plans as text: a CSV of players and moves that can be read again, and plain values for JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from data.errors import InputError
from data.sources.own.delimited import safe_cell
from engine.board.board import Man
from engine.plan.advice.chips import BoosterRow
from engine.plan.answer.plan_board import PlanBoard, PlanOption, RoundCard

PLAYER_COLUMNS = (
    *("round", "order", "role", "captain", "id", "name", "team", "opponent", "position", "price", "xev"),
    "kept",
)
MOVE_COLUMNS = ("round", "chip", "out_id", "out", "in_id", "in", "price", "points", "hits", "bank", "free")
YES, NO = "yes", "no"
GUEST = "guest"
"""Role of who plays from outside the squad by a booster: he is no man of it."""

MOST_LINES = 2_000
"""Lines of a plan at most: eight rounds of fifteen men and as many moves are 250."""


def plan_csv(option: PlanOption) -> str:
    """Return one row per player and round and, after an empty line, one per move; a round without one has a row too."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(PLAYER_COLUMNS)
    for card, move in zip(option.cards, option.plan.moves, strict=True):
        men = (*card.men, card.guest) if card.guest else card.men
        writer.writerows(_player_row(card, order, man, move.kept) for order, man in enumerate(men, start=1))
    text.write("\n")
    writer.writerow(MOVE_COLUMNS)
    for card in option.cards:
        writer.writerows(_move_rows(card))
    return text.getvalue()


def _player_row(card: RoundCard, order: int, man: Man, kept: Sequence[int]) -> list[object]:
    return [
        *(card.round, order, man.role, man.armband, man.player_id, safe_cell(man.name), safe_cell(man.team)),
        *(safe_cell(man.opponent), man.position, f"{man.price:.1f}", f"{man.xev:.2f}"),
        YES if man.row in kept else NO,
    ]


def _move_rows(card: RoundCard) -> list[list[object]]:
    free = "" if card.free is None else card.free
    tail = [card.hits, f"{card.bank:.1f}", free]
    if not card.moves:
        return [[card.round, card.chip or "", "", "", "", "", "", "", *tail]]
    return [
        [
            *(card.round, card.chip or ""),
            *(("", "") if swap.out is None else (swap.out.player_id, safe_cell(swap.out.name))),
            *(swap.into.player_id, safe_cell(swap.into.name), f"{swap.price:.1f}", f"{swap.points:.2f}"),
            *tail,
        ]
        for swap in card.moves
    ]


def read_plan_csv(content: bytes | str) -> tuple[tuple[int, str | None, tuple[int, ...]], ...]:
    """Return by round its number, its booster and the ids of who plays it, as `plan_csv` wrote them."""
    text = content if isinstance(content, str) else content.decode("utf-8-sig", "replace")
    lines = text.removeprefix("\ufeff").replace("\r", "").split("\n")
    if len(lines) > MOST_LINES:
        raise InputError(f"The plan has {len(lines):,} lines; {MOST_LINES:,} are the most. Give a file of ours.")
    empty = next((at for at, line in enumerate(lines) if not line.strip(', "')), len(lines))
    players, moves = _rows(lines[:empty], PLAYER_COLUMNS), _rows(lines[empty + 1 :], MOVE_COLUMNS)
    chips = {row["round"]: row["chip"] for row in moves}
    squads: dict[str, list[int]] = {}
    for row in players:
        if row["role"] == GUEST:
            continue
        squads.setdefault(row["round"], []).append(_whole(row["id"], "id"))
    return tuple((_whole(number, "round"), chips.get(number) or None, tuple(men)) for number, men in squads.items())


def _rows(lines: Sequence[str], columns: Sequence[str]) -> list[dict[str, str]]:
    rows = [row for row in csv.reader(lines) if any(row)]
    if not rows or tuple(rows[0]) != tuple(columns):
        raise InputError(f"This is no plan of ours: a table headed {', '.join(columns[:4])}, … is missing.")
    wrong = [row for row in rows if len(row) != len(columns)]
    if wrong:
        raise InputError(f"A row of the plan has {len(wrong[0])} cells instead of {len(columns)}: {wrong[0][:3]}.")
    return [dict(zip(columns, row, strict=True)) for row in rows[1:]]


def _whole(text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise InputError(f"The plan has {text[:20]!r} as {what}; a whole number is needed.")
    return int(text)


def plan_board_dict(board: PlanBoard) -> dict[str, object]:
    """Return a plan board as plain values: rounds, total and bound of the recommended plan, and all options."""
    best = board.recommended
    return {
        "world": board.world,
        "round": board.round,
        "title": board.title,
        "aim": board.objective,
        **plan_dict(best),
        "bound": {
            "share": board.bound.share,
            "points": board.bound.gap,
            "linear": board.bound.value,
            "linear_bound": board.bound.bound,
            "closed": board.bound.closed,
            "said": str(board.bound),
        },
        "rolling": board.rolling,
        "options": [_option_dict(option) for option in board.options],
        "flags": list(board.flags),
        "boosters": [_booster_dict(row, best.plan.rounds) for row in board.boosters],
    }


def _booster_dict(row: BoosterRow, rounds: Sequence[int]) -> dict[str, object]:
    return {
        "key": row.key,
        "title": row.title,
        "points": dict(zip(map(str, rounds), row.points, strict=True)),
        "keeping": row.keeping,
        "played": None if row.played is None else rounds[row.played],
    }


def plan_dict(option: PlanOption) -> dict[str, object]:
    """Return one plan as plain values."""
    return {
        "rounds": [_round_dict(card) for card in option.cards],
        "kept": dict(option.table.lines),
        "points": option.table.points,
        "total": option.table.total,
    }


def _option_dict(option: PlanOption) -> dict[str, object]:
    return {
        "title": option.title,
        "first_move": option.first_move,
        "firm": option.firm,
        "dissent": option.dissent,
        "lineage": option.lineage,
        "notes": list(option.notes),
        **plan_dict(option),
    }


def _round_dict(card: RoundCard) -> dict[str, object]:
    return {
        "round": card.round,
        "out": [_man_dict(swap.out) for swap in card.moves if swap.out is not None],
        "in": [_man_dict(swap.into) for swap in card.moves],
        "chip": card.chip,
        "twelfth": None if card.guest is None else _man_dict(card.guest),
        "captain": _man_dict(card.captain),
        "vice": _man_dict(card.vice) if card.vice else None,
        "eleven": [_man_dict(man) for man in card.eleven],
        "bench": [_man_dict(man) for man in card.bench],
        "hits": card.hits,
        "bank": card.bank,
        "free": card.free,
        "expected": card.expected,
        "terms": dict(card.terms),
    }


def _man_dict(man: Man) -> dict[str, object]:
    return {
        "player_id": man.player_id,
        "name": man.name,
        "team": man.team,
        "position": man.position,
        "opponent": man.opponent,
        "price": man.price,
        "xev": man.xev,
    }
