"""The leaderboard of SquadBench: how much must be shown, who replaces whom, who stands above whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean, median, pstdev
from typing import Any

from pydantic.dataclasses import dataclass as checked

from data.errors import InputError
from engine.bench.contenders import RACED
from engine.bench.score import (
    CAP,
    LEVELS,
    Formula,
    Parts,
    Run,
    band_of,
    composite,
    half_interval,
    parts_of,
    run_scores,
    validation_of,
)

SHOWN = 3
"""Decimals of a score: scores that look equal are equal, and other rules decide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much a contender must show: sessions, runs in each, and what a run may take."""

    name: str
    sessions: int
    runs: int
    cap: float = CAP  # CPU seconds of a run

    def __post_init__(self) -> None:
        if min(self.sessions, self.runs) < 1:
            raise InputError(f"{self.sessions} sessions of {self.runs} runs show nothing; give 1 or more of both.")
        if not self.cap > 0:
            raise InputError(f"Runs of {self.cap!r} seconds find nothing; give more than 0.")


FULL = Size(name="full", sessions=10, runs=50)
QUICK = Size(name="quick", sessions=2, runs=6, cap=4.0)  # every problem once, in about five CPU minutes altogether


@checked(frozen=True, slots=True, kw_only=True)
class Placing:
    """A contender's line on the leaderboard."""

    contender: str
    task: str
    score: float
    half: float  # of the 95 % interval
    variance: float  # of the runs' scores
    confirmed: float  # share of answers that the exact solver confirms
    submitted: str  # ISO date and time
    sessions: int
    runs: int
    parts: Parts
    seconds: float | None  # median CPU seconds to the goal; None where it was never reached
    configuration: str

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.score - self.half

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.score + self.half

    @property
    def validation(self) -> str:
        """How many of its answers are confirmed, in a word."""
        return validation_of(self.confirmed)


def placing_of(
    contender: str,
    configuration: str,
    task: str,
    sessions: Sequence[Sequence[Run]],
    fastest: Mapping[str, float],
    submitted: str,
    cap: float = CAP,
) -> Placing:
    """Return the line of a contender from the runs of its sessions; `fastest` is the best time per problem."""
    runs = [run for session in sessions for run in session]
    parts = parts_of(sessions, fastest, cap)
    scores = run_scores(sessions, fastest, parts, cap)
    reached = [run.seconds for run in runs if run.reached]
    return Placing(
        contender=contender,
        task=task,
        score=composite(parts),
        half=half_interval(scores),
        variance=pstdev(scores) ** 2,
        confirmed=fmean(run.confirmed for run in runs),
        submitted=submitted,
        sessions=len(sessions),
        runs=len(runs),
        parts=parts,
        seconds=median(reached) if reached else None,
        configuration=configuration,
    )


def updated(board: Sequence[Placing], new: Placing) -> tuple[Placing, ...]:
    """Return the board after a submission: it takes the place of its contender's last one if its score is higher.

    The same configuration scored again takes it in any case, for a new contender may be faster than all before, and
    keeps its date.
    """
    same = [one for one in board if (one.contender, one.task) == (new.contender, new.task)]
    for old in same:
        if old.configuration == new.configuration:
            new = replace(new, submitted=old.submitted)
        elif old.score >= new.score:
            new = old
    return ranked([*(one for one in board if one not in same), new])


def ranked(placings: Iterable[Placing]) -> tuple[Placing, ...]:
    """Return placings from best to worst; equal scores by lower variance, better validation, earlier date."""

    def order(one: Placing) -> tuple[object, ...]:
        levels = sum(one.confirmed >= least for least, _ in LEVELS)
        return one.task, -round(one.score, SHOWN), one.variance, -levels, one.submitted

    return tuple(sorted(placings, key=order))


def board_json(placings: Sequence[Placing]) -> dict[str, object]:
    """Return the board as plain data."""
    return {"entries": [_plain(one) for one in placings]}


def _plain(one: Placing) -> dict[str, object]:
    gated = {f"score_{formula}": composite(one.parts, formula) for formula in Formula if formula is not Formula.PLAIN}
    words = {"validation": one.validation, "band": band_of(one.score)}
    return asdict(one) | gated | words | {"low": one.low, "high": one.high}


def read_board(content: Mapping[str, Any], where: str) -> tuple[Placing, ...]:
    """Return the placings of a board as plain data; a file of another kind is refused by name."""
    try:
        return tuple(Placing(**row) for row in content["entries"])  # figures made of others are left out
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{where} is no leaderboard of SquadBench: {error}. Remove it, or use --fresh.") from None


def board_markdown(placings: Sequence[Placing]) -> str:
    """Return the board as Markdown: a table for each task, then every contender's configuration."""
    lines = ["# SquadBench", ""]
    for task in dict.fromkeys(one.task for one in placings):
        own = [one for one in placings if one.task == task]
        rows = [HEADS, ("---",) * len(HEADS), *board_rows(own)]
        said = (f"- **{one.contender}**: {one.configuration}" for one in own)
        lines += [f"## {task}", "", *(f"| {' | '.join(row)} |" for row in rows), "", *said, ""]
    lines.append(
        "Score = .40 success + .30 efficiency + .20 speed + .10 stability, with its 95 % interval; legal and diverse "
        "are the gated formulas, with comfort as the share of runs whose squads, chosen from as a board is, meet the "
        "diversity floors (ours looks for such squads after its goal, in time that is not counted; the others hand in "
        "the best they saw). Confirmed is the share of answers that the exact solver proves to be within 0.1 %. "
        f"{RACED}"
    )
    return "\n".join(lines) + "\n"


HEADS = (
    "rank", "contender", "score", "band", "legal", "diverse", "success", "efficiency", "speed", "stability",
    "CPU s to goal", "confirmed", "runs",
)  # fmt: skip


def board_rows(placings: Sequence[Placing]) -> list[tuple[str, ...]]:
    """Return the table's cells, a row for each placing, under `HEADS`."""
    return [
        (
            str(place),
            one.contender,
            f"{one.score:.{SHOWN}f} ± {one.half:.{SHOWN}f}",
            band_of(one.score),
            *(f"{composite(one.parts, formula):.{SHOWN}f}" for formula in (Formula.LEGAL, Formula.DIVERSE)),
            f"{one.parts.success_rate:.0%}",
            f"{one.parts.efficiency:.2f}",
            f"{one.parts.learning_speed:.2f}",
            f"{one.parts.stability:.2f}",
            "—" if one.seconds is None else f"{one.seconds:.3f}",
            f"{one.confirmed:.0%} {one.validation}",
            str(one.runs),
        )
        for place, one in enumerate(placings, start=1)
    ]
