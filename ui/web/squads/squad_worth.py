"""What a squad is worth, as tables: its terms under several objectives, its weakest links. Pure.

terms_table({"protect": Decomposition, …})   -> one row per term, one column per objective, the fitness last
links_table(links)                           -> one row per man with his best replacement
improvement_words(before, after)             -> "2 transfers: …"
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from engine.board.board import Option
from engine.board.comparison import swaps_between
from engine.board.weak_links import Link
from engine.fitness.explanation import Decomposition
from ui.web.drawing.charts.waterfall import TERM_NAMES
from ui.web.drawing.figures import written

TOTAL = "Fitness"
SIGNED = "{:+.1f}"
MOVED = 0.005  # points: a smaller change of a term is shown as 0.00


def terms_table(results: Mapping[str, Decomposition]) -> pd.DataFrame:
    """Return the terms of one squad under several objectives; provisional ones carry a star, zeros are kept."""
    names = list(dict.fromkeys(name for result in results.values() for name in result.terms))
    starred = {name for result in results.values() for name in result.provisional}
    labels = [TERM_NAMES.get(name, name) + (" *" if name in starred else "") for name in names]
    columns = {
        theta.capitalize(): [*(result.terms.get(name, 0.0) for name in names), result.fitness]
        for theta, result in results.items()
    }
    return pd.DataFrame({"Term": [*labels, TOTAL], **columns})


def links_table(links: Sequence[Link]) -> pd.DataFrame:
    """Return the weakest links with what each replacement gains, in all and by the terms that move."""
    rows = [
        {"Out": link.out_name, "In": link.into_name, "Gain": link.gain, "Price": link.price, **_moved(links, link)}
        for link in links
    ]
    return pd.DataFrame(rows)


def improvement_words(before: Option, after: Option) -> str:
    """Return an improvement in one sentence; that nothing helps is an answer too."""
    count = len(swaps_between(before, after))
    if not count:
        return "No transfer improves this squad under this objective: keep it as it is."
    gain = after.decomposition.fitness - before.decomposition.fitness
    points = after.expected - before.expected
    hits = after.transfers.cost if after.transfers else 0.0
    paid = f", {hits:g} points of hits already taken off" if hits else ""
    transfers = "1 transfer" if count == 1 else f"{count} transfers"
    return f"{transfers}: fitness {written(gain, SIGNED)}, expected points {written(points, SIGNED)}{paid}."


def reach(result: Decomposition) -> str:
    """Return how wide a squad swings, in words."""
    return f"swing ±{np.sqrt(result.variance):.0f} points, {result.band}"


def _moved(links: Sequence[Link], link: Link) -> dict[str, float]:
    moving = [name for name in link.terms if any(abs(other.terms[name]) >= MOVED for other in links)]
    return {TERM_NAMES.get(name, name): link.terms[name] for name in moving}
