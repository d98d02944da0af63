"""The governor of variety: how different a set of squads is, and which of many make a set that is different enough.

A board must offer choices: options that share under 75 % of their men on average, two captains at least, a low and a
high variance band, one option that leans to cover and one that leans to differentials. Whether a squad leans is
measured beside the candidates it is chosen from: under protect all cover most of the template, yet some cover more and
others dare more. A captain whom the manager holds is his own wish and no lack of variety. Where the floors cannot be
met, the measurement says which ones, and the board says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from data.errors import InputError
from engine.fitness.explanation import Band, Yardstick
from engine.fitness.squad_scoring import ScoredSquads
from engine.fitness.squad_view import SquadView

MOST_OVERLAP = 0.75
"""Share of their men that two options have in common on average: it must stay below."""

LEAST_CAPTAINS = 2
FEWEST_OPTIONS, MOST_OPTIONS = 2, 4
LEAST_DIFFERENT = 3
"""Men in which any two options differ. With fewer they are one option with a change of mind."""

LEAN = 0.5
"""How far from the middle of the candidates a squad counts as leaning, in their mean deviations."""

UNCHANGED = 1e-9  # a figure that hardly varies gives nobody a leaning
REACH = 1_000  # of each kind (band and leaning) the best candidates that are looked at
PER_KIND = 4  # and how many of them, different from each other, may become options


@dataclass(frozen=True, slots=True)
class Diversity:
    """Which floors of variety a set of squads misses."""

    missing: tuple[str, ...]  # the floors not met, in words

    @property
    def met(self) -> bool:
        """Whether all floors are met."""
        return not self.missing

    @property
    def flag(self) -> str:
        """The honest sentence for the board; empty where all floors are met."""
        return f"The options are close: {'; '.join(self.missing)}." if self.missing else ""


def measure_diversity(
    options: ScoredSquads, candidates: ScoredSquads, yardstick: Yardstick, view: SquadView
) -> Diversity:
    """Measure options in the line-ups they are scored in; the candidates are what their leaning is measured by."""
    traits = _traits(options, yardstick, view, candidates)
    overlap, captains = mean_overlap(options.squads), np.unique(options.lineups.captain)
    band, side = traits.band, traits.side
    floors = {
        f"they share {overlap:.0%} of their men, which should be under {MOST_OVERLAP:.0%}": overlap < MOST_OVERLAP,
        "all have the same captain": len(captains) >= LEAST_CAPTAINS or view.settings.captain is not None,
        "none has a low variance": (band == 0).any(),
        "none has a high variance": (band == len(Band) - 1).any(),
        "none leans to cover": (side > 0).any(),
        "none leans to differentials": (side < 0).any(),
    }
    return Diversity(tuple(words for words, kept in floors.items() if not kept))


def pick_diverse(scored: ScoredSquads, candidates: ScoredSquads, yardstick: Yardstick, view: SquadView) -> np.ndarray:
    """Return the rows of at most `MOST_OPTIONS` options, the best squad first, the others by fitness.

    Of the short list all sets with the best squad in it are looked at: the one that meets the most floors is taken, and
    among those the one with the highest fitness. Any two options differ in three men at least; where there are no such
    sets, there are fewer options. The candidates are what leaning is measured by.
    """
    traits = _traits(scored, yardstick, view, candidates)
    listed = _short_list(traits, PER_KIND)
    for size in range(MOST_OPTIONS, 1, -1):
        chosen = _best_set(traits, listed, size)
        if chosen is not None:
            return chosen
    return listed[:1]


def short_list(scored: ScoredSquads, yardstick: Yardstick, view: SquadView, per_kind: int) -> np.ndarray:
    """Return rows that options may be picked from: of each kind, band and leaning, some good squads that differ."""
    return _short_list(_traits(scored, yardstick, view, scored), per_kind)


@dataclass(frozen=True, slots=True, eq=False)
class _Traits:
    """What the governor looks at: row i of every array is candidate i."""

    scored: ScoredSquads
    band: np.ndarray  # (p,) 0 low, 1 medium, 2 high
    side: np.ndarray  # (p,) 1 leans to cover, −1 to differentials, 0 to neither


def _traits(scored: ScoredSquads, yardstick: Yardstick, view: SquadView, candidates: ScoredSquads) -> _Traits:
    """Return the traits of squads, their leaning beside all candidates that are ranked."""
    (cover, leap), ranked = _held(scored, view), candidates.ranking
    usual_cover, usual_leap = (worth[ranked] for worth in _held(candidates, view))
    usual = _deviation(usual_cover, usual_cover) - _deviation(usual_leap, usual_leap)
    lean = _deviation(_deviation(cover, usual_cover) - _deviation(leap, usual_leap), usual)
    side = (lean >= LEAN).astype(int) - (lean <= -LEAN)
    return _Traits(scored, yardstick.bands(scored.figures["variance"]), side)


def _held(scored: ScoredSquads, view: SquadView) -> tuple[np.ndarray, np.ndarray]:
    """Return (p,) what squads have of the template, and (p,) of differentials."""
    exposure, ceiling, weight = view.field_exposure, view.signals.ceiling, scored.lineups.weight
    covered = exposure.template * exposure.eo * ceiling
    rare = exposure.differential * (1 - exposure.eo) * ceiling
    return (weight * covered[scored.squads]).sum(axis=1), (weight * rare[scored.squads]).sum(axis=1)


def _deviation(figure: np.ndarray, usual: np.ndarray) -> np.ndarray:
    """Return (p,) how far each is from the median of the usual ones, in their mean deviations."""
    if not usual.size:
        return np.zeros_like(figure)
    middle = np.median(usual)
    spread = float(np.abs(usual - middle).mean())
    return np.asarray((figure - middle) / spread if spread > UNCHANGED else np.zeros_like(figure))


def mean_overlap(squads: np.ndarray) -> float:
    """Return the share of their men that two of the squads (p, s) have in common on average; 1 for a single one."""
    if len(squads) < 2:
        return 1.0
    _, holders = np.unique(squads, return_counts=True)
    return float((holders * (holders - 1)).sum() / (len(squads) * (len(squads) - 1) * squads.shape[1]))


def _shared(squad: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return (p,) how many men of a squad (s,) each of the others (p, s) has."""
    return np.asarray(np.isin(others, squad).sum(axis=1))


def _short_list(traits: _Traits, per_kind: int) -> np.ndarray:
    """Return rows worth choosing from, the best squad first and each row once."""
    if not traits.scored.ranking.size:
        raise InputError(f"All {len(traits.scored)} squads are disqualified, so there is no option to pick.")
    kinds = [(band, side) for band in range(len(Band)) for side in (-1, 0, 1)]
    found = [row for kind in kinds for row in _good_and_different(traits, *kind, per_kind)]
    best = int(traits.scored.ranking[0])
    others = sorted(set(found) - {best}, key=lambda row: (-traits.scored.fitness[row], row))
    return np.array([best, *others], dtype=np.int64)


def _good_and_different(traits: _Traits, band: int, side: int, count: int) -> Iterator[int]:
    """Yield the best of a kind, then the best that shares little with those before, a new captain first."""
    squads, captain, ranking = traits.scored.squads, traits.scored.lineups.captain, traits.scored.ranking
    here = ranking[(traits.band[ranking] == band) & (traits.side[ranking] == side)][:REACH]
    most, captains = int(MOST_OVERLAP * squads.shape[1]), set[int]()
    for _ in range(count):
        if not here.size:
            return
        fresh = here[~np.isin(captain[here], list(captains))]
        row = int(fresh[0] if fresh.size else here[0])
        yield row
        captains.add(int(captain[row]))
        here = here[_shared(squads[row], squads[here]) <= most]


def _best_set(traits: _Traits, listed: np.ndarray, size: int) -> np.ndarray | None:
    """Return the best set of so many rows with the first one in it; None where no such set is different enough."""
    places = np.array([(0, *rest) for rest in combinations(range(1, len(listed)), size - 1)], dtype=np.int64)
    if not places.size:
        return None
    squads, men = traits.scored.squads, traits.scored.squads.shape[1]
    shared = np.stack([_shared(squads[row], squads[listed]) for row in listed])
    common = np.stack([shared[places[:, one], places[:, two]] for one, two in combinations(range(size), 2)], axis=1)
    places, common = (part[(common <= men - LEAST_DIFFERENT).all(axis=1)] for part in (places, common))
    if not places.size:
        return None
    rows = listed[places]
    floors = _floors_met(traits, rows) + (common.mean(axis=1) < MOST_OVERLAP * men)
    return np.asarray(rows[np.lexsort((-traits.scored.fitness[rows].sum(axis=1), -floors))[0]])


def _floors_met(traits: _Traits, rows: np.ndarray) -> np.ndarray:
    """Return (k,) how many floors, overlap aside, each set of rows (k, m) meets."""
    band, side, captain = traits.band[rows], traits.side[rows], traits.scored.lineups.captain[rows]
    floors = [band == 0, band == len(Band) - 1, side > 0, side < 0, captain != captain[:, :1]]
    return np.asarray(sum(floor.any(axis=1).astype(int) for floor in floors))
