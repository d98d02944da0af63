"""Boards made by hand: fifteen men with plain names or with names that break pages, and leaderboards of SquadBench."""

from __future__ import annotations

import json
import math
from dataclasses import replace

from engine.bench.leaderboard import QUICK, Placing, board_json
from engine.bench.run import BOARD, SETTINGS, bench_folder
from engine.bench.score import Parts
from engine.board.board import Board, Man, Option
from engine.fitness.explanation import Band, Decomposition
from models.armband.ladder import Ladder, Rung

EVIL_NAMES = (
    "<script>alert(1)</script>",
    "=1+1",
    "Ødegaard",
    "🦁 Lion",
    "N" * 200,
    '"><img src=x onerror=alert(1)>',
    "[a](b)",
)
PLACES = (*["GK"], *["DEF"] * 4, *["MID"] * 4, *["FWD"] * 2, "GK", "DEF", "MID", "FWD")
TERMS = {
    "raw_xev": 60.0,
    "captaincy_uplift": 8.0,
    "cs_corr_bonus": 0.0,
    "progression_carry": 9.0,
    "ownership_leverage": -6.0,
    "variance_term": -7.0,
    "feasibility_penalty": 0.0,
    "preferences": 0.0,
    "transfer_cost": 0.0,
}


def a_man(number: int, **changes: object) -> Man:
    role = "starter" if number < 11 else f"bench {number - 10}"
    man = Man(
        row=number,
        player_id=100 + number,
        name=f"Player {number}",
        short=f"P{number}",
        team="ESP",
        position=PLACES[number],
        opponent="CPV (N)",
        kickoff="2026-06-15T16:00Z",
        price=6.0,
        owned=0.1,
        eo=0.1,
        xev=5.0,
        floor=1.0,
        ceiling=12.0,
        start=0.9,
        role=role,
        armband={9: "C", 8: "V"}.get(number, ""),
    )
    return replace(man, **changes)  # type: ignore[arg-type]


def a_ladder(**changes: object) -> Ladder:
    """Return an armband that P9 keeps whatever he scores, worth 8 points."""
    captain, vice = (Rung(player=row, slot=0, onward=-math.inf, keep_from=None, move_to=None) for row in (9, 8))
    known = {"setting": "unlimited", "value": 8.0, "held": 8.0, "forfeit": 0.0, "p_absent": 0.0}
    return Ladder(**{**known, "captain": captain, "vice": vice, "later": (), **changes})  # type: ignore[arg-type]


def an_option(**changes: object) -> Option:
    option = Option(
        men=tuple(a_man(number) for number in range(15)),
        formation="4-4-2",
        decomposition=Decomposition(64.0, TERMS, 100.0, Band.LOW, "protect", {}, False, ("captaincy_uplift",), ""),
        expected=68.0,
        swing=(55.2, 80.8),
        price=90.0,
        armband=a_ladder(),
        lineage="",
        repairs=(),
        dissent="It misses somebody.",
        differences=(),
    )
    return replace(option, **changes)  # type: ignore[arg-type]


def a_board(*options: Option) -> Board:
    return Board("wc2026", 1, "Matchday 1", "protect", options or (an_option(),), ())


def with_names(option: Option, names: tuple[str, ...]) -> Option:
    """Return the option with its first men called by these names."""
    renamed = tuple(replace(man, name=name, short=name) for man, name in zip(option.men, names, strict=False))
    return replace(option, men=(*renamed, *option.men[len(renamed) :]))


def a_placing(contender: str, score: float) -> Placing:
    """Return a contender's line."""
    return Placing(
        contender=contender,
        task="wc2026, rounds 1, gain, quick, 4 s a run",
        score=score,
        half=0.02,
        variance=0.01,
        confirmed=0.8,
        submitted="2026-06-10T12:00:00+00:00",
        sessions=2,
        runs=12,
        parts=Parts(success_rate=score, efficiency=score, learning_speed=score, stability=score),
        seconds=0.05,
        configuration="as <b>it</b> was",
    )


def put_board(*entries: Placing) -> None:
    """Write a leaderboard into the user's folder."""
    folder = bench_folder(QUICK)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SETTINGS).write_text("{}", encoding="utf-8")
    (folder / BOARD).write_text(json.dumps(board_json(entries)), encoding="utf-8")
