"""Leaderboards of SquadBench made by hand, and put where the page looks for them."""

from __future__ import annotations

import json

from engine.bench.leaderboard import QUICK, Placing, board_json
from engine.bench.run import BOARD, SETTINGS, bench_folder
from engine.bench.score import Parts


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
    folder.mkdir(parents=True)
    (folder / SETTINGS).write_text("{}", encoding="utf-8")
    (folder / BOARD).write_text(json.dumps(board_json(entries)), encoding="utf-8")
