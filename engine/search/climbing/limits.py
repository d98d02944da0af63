"""How long and how hard a local search tries."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from data.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long and how hard a local search tries."""

    seconds: float = inf  # wall time of the whole call
    kicks: int = 0  # exchanges each squad goes through before it climbs
    patience: float = 0.1  # points: an exchange that ends so much lower is followed with probability 1/e
    stalled: int = 40  # exchanges without a new best after which a squad goes back to its best
    heat: float = 0.4  # points of noise on what men bring, at most; squads of a herd have less and less
    pairs_within: float = 0.01  # share of the best value within which pairs of swaps are tried
    depth: int = 3  # men of a price list that nobody cheaper beats, fronts behind one another
    longest_list: int = 32  # men of a price list
    depth_of_market: int = 12  # a man whom so many beat at his price or below does not come in; 0 = all come in
    promising: int = 64  # pairs of swaps looked at for legality
    verified: int = 12  # pairs of swaps whose roles are settled exactly

    def __post_init__(self) -> None:
        if min(self.kicks, self.depth, self.longest_list, self.verified) < 0 or self.heat <= 0:
            raise InputError("Limits of the local search are counts from 0 up and a heat above 0.")
