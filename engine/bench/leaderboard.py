"""The leaderboard of SquadBench: who may enter, who replaces whom, who stands above whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median, pstdev
from typing import Any

from data.errors import InputError
from engine.bench.score import (
    CAP,
    Formula,
    Parts,
    Run,
    Validation,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A contender's line on the leaderboard."""

    contender: str
    task: str
    score: float
    half: float  # of the 95 % interval
    variance: float  # of the runs' scores
    validation: Validation
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

    def gated(self, formula: Formula) -> float:
        """Return the score under another formula."""
        return composite(self.parts, formula)


def entry_of(
    contender: str,
    configuration: str,
    task: str,
    sessions: Sequence[Sequence[Run]],
    fastest: Mapping[str, float],
    submitted: str,
    cap: float = CAP,
) -> Entry:
    """Return the line of a contender from the runs of its sessions; `fastest` is the best time per problem."""
    runs = [run for session in sessions for run in session]
    parts = parts_of(sessions, fastest, cap)
    scores = run_scores(sessions, fastest, parts, cap)
    confirmed = sum(run.confirmed for run in runs) / len(runs)
    reached = [run.seconds for run in runs if run.reached]
    return Entry(
        contender=contender,
        task=task,
        score=composite(parts),
        half=half_interval(scores),
        variance=pstdev(scores) ** 2,
        validation=validation_of(confirmed),
        confirmed=confirmed,
        submitted=submitted,
        sessions=len(sessions),
        runs=len(runs),
        parts=parts,
        seconds=median(reached) if reached else None,
        configuration=configuration,
    )


def shortfalls(entry: Entry, size: Size) -> tuple[str, ...]:
    """Return in words why an entry is not valid for a size; nothing where it is."""
    needed = size.sessions * size.runs
    said = []
    if entry.sessions < size.sessions:
        said.append(f"{entry.sessions} sessions, {size.sessions} are required")
    if entry.runs < needed:
        said.append(f"{entry.runs} runs, {needed} are required")
    return tuple(said)


def replaces(new: Entry, old: Entry) -> bool:
    """Return whether an entry takes another's place: a higher mean, or an interval wholly above the other's."""
    return new.score > old.score or new.low > old.high


def updated(board: Iterable[Entry], new: Entry, size: Size) -> tuple[Entry, ...]:
    """Return the board after a submission: an invalid one changes nothing, nor does one that is no improvement."""
    entries = tuple(board)
    if shortfalls(new, size):
        return ranked(entries)
    same = [old for old in entries if (old.contender, old.task) == (new.contender, new.task)]
    if any(not replaces(new, old) for old in same):
        return ranked(entries)
    return ranked([*(old for old in entries if old not in same), new])


def ranked(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return entries from best to worst; equal scores by lower variance, better validation, earlier date."""
    levels = list(Validation)
    return tuple(
        sorted(
            entries,
            key=lambda entry: (
                entry.task,
                -round(entry.score, SHOWN),
                entry.variance,
                -levels.index(entry.validation),
                entry.submitted,
            ),
        )
    )


def board_json(entries: Sequence[Entry]) -> dict[str, object]:
    """Return the board as plain data."""
    return {"entries": [_plain(entry) for entry in entries]}


def _plain(entry: Entry) -> dict[str, object]:
    gated = {f"score_{formula}": entry.gated(formula) for formula in Formula if formula is not Formula.PLAIN}
    return asdict(entry) | gated | {"band": str(band_of(entry.score)), "low": entry.low, "high": entry.high}


def read_board(content: Mapping[str, Any], where: str) -> tuple[Entry, ...]:
    """Return the entries of a board as plain data; a file of another kind is refused by name."""
    names = set(Entry.__dataclass_fields__)
    try:
        rows = [{name: row[name] for name in names} for row in content["entries"]]
        entries = [Entry(**row) for row in rows]
        return tuple(
            replace(entry, parts=Parts(**row["parts"]), validation=Validation(row["validation"]))
            for entry, row in zip(entries, rows, strict=True)
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{where} is no leaderboard of SquadBench: {error}. Remove it, or use --fresh.") from None


def board_markdown(entries: Sequence[Entry], title: str = "SquadBench") -> str:
    """Return the board as Markdown: a table for each task, then every contender's configuration."""
    lines = [f"# {title}", ""]
    for task in dict.fromkeys(entry.task for entry in entries):
        own = [entry for entry in entries if entry.task == task]
        lines += [f"## {task}", "", *_table(own), "", *(f"- **{e.contender}**: {e.configuration}" for e in own), ""]
    lines.append(
        "Score = .40 success + .30 efficiency + .20 speed + .10 stability, with its 95 % interval; legal and diverse "
        "are the gated formulas, with comfort as the share of runs whose squads, chosen from as a board is, meet the "
        "diversity floors (ours breeds such squads after its goal, in time that is not counted; the others hand in the "
        "best they saw). Confirmed is the share of answers that the exact solver proves to be within 0.1 %."
    )
    return "\n".join(lines) + "\n"


HEADS = (
    "rank", "contender", "score", "band", "legal", "diverse", "success", "efficiency", "speed", "stability",
    "CPU s to goal", "confirmed", "runs",
)  # fmt: skip


def board_rows(entries: Sequence[Entry]) -> list[tuple[str, ...]]:
    """Return the table's cells, a row for each entry, under `HEADS`."""
    return [(str(place), *_cells(entry)) for place, entry in enumerate(entries, start=1)]


def _table(entries: Sequence[Entry]) -> list[str]:
    rows = [HEADS, ("---",) * len(HEADS), *board_rows(entries)]
    return [f"| {' | '.join(row)} |" for row in rows]


def _cells(entry: Entry) -> tuple[str, ...]:
    parts = entry.parts
    return (
        entry.contender,
        f"{entry.score:.{SHOWN}f} ± {entry.half:.{SHOWN}f}",
        str(band_of(entry.score)),
        f"{entry.gated(Formula.LEGAL):.{SHOWN}f}",
        f"{entry.gated(Formula.DIVERSE):.{SHOWN}f}",
        f"{parts.success_rate:.0%}",
        f"{parts.efficiency:.2f}",
        f"{parts.learning_speed:.2f}",
        f"{parts.stability:.2f}",
        "—" if entry.seconds is None else f"{entry.seconds:.3f}",
        f"{entry.confirmed:.0%} {entry.validation}",
        str(entry.runs),
    )
