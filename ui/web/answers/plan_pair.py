"""Two plans as sentences and tables: what they share, what each swap changes, what each is worth to the other. Pure.

summary_words(first, second)            -> "They share 9 of 15 players. …"
only_words(first, second)               -> "Only in Protect: …"
swap_table(first, second, swaps)        -> one row per swap
terms_table_of(first, second)           -> one row per term and plan, for bars
crossed_table(results)                  -> one row per term, one column per squad and objective
crossed_words(results)                  -> "Scored under protect: …"
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from engine.board.board import Option
from engine.board.comparison import Swap
from engine.fitness.explanation import Decomposition
from ui.web.drawing.charts.waterfall import TERM_NAMES
from ui.web.squads.squad_worth import terms_table

PERCENT = 100.0
UNDER = " under "
LEVEL = 0.05
"""Points between two scores below which neither is said to be ahead: they are shown to a tenth."""

Crossed = Mapping[str, Mapping[str, Decomposition]]  # squad → objective → decomposition


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two plans."""

    label: str  # "Protect", "Gain, option 2", "My team"
    theta: str  # the objective it is looked at with
    option: Option

    @property
    def ids(self) -> frozenset[int]:
        """The players of the squad."""
        return frozenset(man.player_id for man in self.option.men)


def summary_words(first: Side, second: Side) -> str:
    """Return what the two share, expect and risk, and whom they trust with the armband."""
    shared = len(first.ids & second.ids)
    (low, high), (other_low, other_high) = first.option.swing, second.option.swing
    one, two = first.option.captain.short, second.option.captain.short
    armband = f"Both start the armband on {one}." if one == two else f"The armband starts on {one}, or on {two}."
    return (
        f"They share {shared} of {len(first.option.men)} players. {first.label} expects {first.option.expected:.1f} "
        f"points and makes {low:.0f} to {high:.0f} eight times in ten; {second.label} expects "
        f"{second.option.expected:.1f} and makes {other_low:.0f} to {other_high:.0f}. {armband}"
    )


def only_words(side: Side, other: Side) -> str:
    """Return who is in one plan only, in words: the same as the ring on the pitch says."""
    names = [man.short for man in side.option.men if man.player_id not in other.ids]
    return f"Ringed, only in {side.label}: {', '.join(names)}." if names else "Nobody is in this plan only."


def swap_table(first: Side, second: Side, swaps: Sequence[Swap]) -> pd.DataFrame:
    """Return who stands for whom, and what the second plan gains and pays by it."""
    owned = (f"{first.label}: owned", f"{second.label}: owned")
    columns = ["Position", first.label, second.label, "Points", *owned, "Swing", "Price"]
    rows = [
        [
            swap.position,
            swap.first.name,
            swap.second.name,
            swap.points,
            PERCENT * swap.first.owned,
            PERCENT * swap.second.owned,
            swap.swing,
            round(swap.price, 1),
        ]
        for swap in swaps
    ]
    return pd.DataFrame(rows, columns=columns)


def terms_table_of(first: Side, second: Side) -> pd.DataFrame:
    """Return one row per term and plan, terms in reading order, zeros kept."""
    results = [(side.label, side.option.decomposition) for side in (first, second)]
    names = list(dict.fromkeys(name for _, result in results for name in result.terms))
    return pd.DataFrame(
        [
            {"term": TERM_NAMES.get(name, name), "plan": label, "points": result.terms.get(name, 0.0)}
            for name in names
            for label, result in results
        ]
    )


def crossed_table(results: Crossed) -> pd.DataFrame:
    """Return the terms of each squad under each objective, one column for each pair, the fitness last."""
    flat = {
        f"{label}{UNDER}{theta}": result for label, by_theta in results.items() for theta, result in by_theta.items()
    }
    table = terms_table(flat)
    return table.set_axis(["Term", *flat], axis="columns")


def crossed_words(results: Crossed) -> str:
    """Return which squad each objective prefers, and by how much."""
    thetas = next(iter(results.values()))  # every squad has been looked at under the same ones
    fitness = {theta: {label: under[theta].fitness for label, under in results.items()} for theta in thetas}
    return " ".join(_preferred(theta, scores) for theta, scores in fitness.items())


def _preferred(theta: str, scores: Mapping[str, float]) -> str:
    better, worse = sorted(scores, key=lambda label: -scores[label])
    gap = scores[better] - scores[worse]
    level = ", level" if gap < LEVEL else ""
    return f"Scored under {theta}: {better} {scores[better]:.1f}, {worse} {scores[worse]:.1f}{level}."
