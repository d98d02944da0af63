"""Small rounds written out by hand, and a manager who tries everything: the judge of the captaincy models."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from models.armband.table import ArmbandTable

GRID = np.arange(-8, 41)
ALLOWED_CHANGES = {"locked": 0, "one_switch": 1, "unlimited": 99}

Outcome = tuple[bool, int]  # played, score
World = Mapping[int, Outcome]


@dataclass(frozen=True)
class Man:
    """A player of a small round: kick-off slot, probability of playing, and the odds of his scores if he does."""

    slot: int
    p_play: float
    scores: Mapping[int, float]

    def outcomes(self) -> list[tuple[float, Outcome]]:
        played = [(self.p_play * odds, (True, score)) for score, odds in self.scores.items()]
        return [(p, outcome) for p, outcome in [*played, (1 - self.p_play, (False, 0))] if p > 0]


def a_man(slot: int = 0, p_play: float = 1.0, **odds: float) -> Man:
    """Build a player from odds such as `on2=.5, on9=.5`."""
    return Man(slot, p_play, {int(score.removeprefix("on")): p for score, p in odds.items()})


def table_of(men: list[Man]) -> ArmbandTable:
    pmf = np.zeros((len(men), GRID.size))
    for row, man in enumerate(men):
        for probability, (_, score) in man.outcomes():
            pmf[row, score - GRID[0]] += probability
    slots, p_play = [man.slot for man in men], [man.p_play for man in men]
    return ArmbandTable(pmf=pmf, grid=GRID, p_play=np.array(p_play), slot=np.array(slots))


def a_random_table(rng: np.random.Generator, players: int = 60, slots: int = 12) -> ArmbandTable:
    """Build mass functions shaped like a round's: an absence, many small scores, a thin tail of hauls."""
    p_play = rng.choice([0.0, 0.3, 0.8, 0.95, 1.0], players, p=[0.05, 0.15, 0.3, 0.3, 0.2])
    weight = rng.gamma(0.5, size=(players, GRID.size)) * np.exp(-np.abs(GRID - 2) / rng.uniform(1, 6, (players, 1)))
    pmf = p_play[:, None] * weight / weight.sum(axis=1, keepdims=True)
    pmf[:, GRID == 0] += 1 - p_play[:, None]
    return ArmbandTable(pmf=pmf, grid=GRID, p_play=p_play, slot=rng.integers(0, slots, players))


def random_elevens(rng: np.random.Generator, count: int, players: int = 60) -> np.ndarray:
    return np.argsort(rng.random((count, players)), axis=1)[:, :11]


def independent_slots(men: list[Man]) -> list[list[tuple[float, World]]]:
    """Return what each slot may bring, in time order: (probability, outcome of each of its players)."""
    rounds = []
    for slot in sorted({man.slot for man in men}):
        rows = [row for row, man in enumerate(men) if man.slot == slot]
        joint = itertools.product(*(men[row].outcomes() for row in rows))
        rounds.append(
            [
                (float(np.prod([p for p, _ in combo])), dict(zip(rows, [o for _, o in combo], strict=True)))
                for combo in joint
            ]
        )
    return rounds


def worlds(men: list[Man]) -> Iterator[tuple[float, World]]:
    """Walk through everything that can happen in the round."""
    for combo in itertools.product(*independent_slots(men)):
        yield float(np.prod([p for p, _ in combo])), {k: v for _, part in combo for k, v in part.items()}


def try_everything(
    slots: list[list[tuple[float, World]]], captain: int, vice: int, changes_allowed: int, forfeit: float
) -> float:
    """Return the best expected points of an armband by looking at every choice after every slot."""

    def payoff(wearer: int, changes: int, seen: World) -> float:
        if changes:
            return seen[wearer][1] - forfeit
        return seen[wearer][1] if seen[wearer][0] else seen[vice][1]

    def best(step: int, wearer: int, changes: int, seen: World) -> float:
        if step == len(slots):
            return payoff(wearer, changes, seen)
        choices = [(wearer, changes)]
        if wearer in seen and changes < changes_allowed:
            yet_to_play = [row for later in slots[step:] for row in later[0][1]]
            choices += [(row, changes + 1) for row in yet_to_play]
        return max(
            sum(p * best(step + 1, man, made, {**seen, **news}) for p, news in slots[step]) for man, made in choices
        )

    return best(0, captain, 0, {})


def best_by_trying(men: list[Man], setting: str, forfeit: float) -> float:
    pairs = itertools.permutations(range(len(men)), 2)
    slots = independent_slots(men)
    return max(try_everything(slots, c, v, ALLOWED_CHANGES[setting], forfeit) for c, v in pairs)


@st.composite
def small_rounds(draw: st.DrawFn) -> list[Man]:
    """Draw three or four players with one or two scores each, over up to three slots."""
    men = []
    for _ in range(draw(st.integers(3, 4))):
        scores = draw(st.lists(st.integers(-3, 12), min_size=1, max_size=2, unique=True))
        odds = [1.0] if len(scores) == 1 else draw(st.sampled_from([[0.5, 0.5], [0.8, 0.2], [0.1, 0.9]]))
        p_play = draw(st.sampled_from([0.0, 0.25, 0.7, 1.0]))
        men.append(Man(draw(st.integers(0, 2)), p_play, dict(zip(scores, odds, strict=True))))
    return men


FORFEITS = st.sampled_from([0.0, 0.4, 1.3, 5.0])
