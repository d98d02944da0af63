"""What the rulebook pays for one match of a player: distribution and lines, from his chances and the score grid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from data.domain import POSITIONS
from data.rules import GameRules, ScoringLine
from data.scoring import line_points
from models.players.bonus import bonus_chances
from models.players.chances import ABSENT, FULL, SHORT, Chances
from models.players.counts import bernoulli, binomial, negative_binomial, poisson

LOWEST, WIDTH = -20, 101
"""The grid of points runs from −20 to 80."""

MOST_GOALS, MOST_ASSISTS = 4, 3
"""Of one player in one match: five goals have happened four times at World Cups in a hundred years."""

LEAST_NEITHER = 1e-15
"""Share of goals that a man has no hand in: keeps a distribution where he has one in all, and the team scores many."""

RARE = {
    "yellow_cards": "yellow",
    "red_cards": "red",
    "own_goals": "own_goal",
    "penalty_won": "penalty_won",
    "penalty_conceded": "penalty_conceded",
    "penalty_saved": "penalty_saved",
    "penalty_missed": "penalty_missed",
}
"""Events that happen at most once in a match, as the rulebook and the chances call them."""

COUNTED = {"saves": "saves", "tackles": "tackles"}
DEFENSIVE_SPREAD = 8.0
"""Size of the negative binomial of defensive contributions: variance = mean + mean²/8, wider than Poisson."""

Lines = dict[str, np.ndarray]
Counts = dict[str, tuple[int, np.ndarray]]
"""By event: how many there are for certain, and the distribution (r, c) of those beyond."""


def match_distributions(chances: Chances, rules: GameRules, owned: np.ndarray) -> tuple[np.ndarray, Lines]:
    """Return per row of the chances the mass function on the grid (m, k) and the expected points by line."""
    mass = np.zeros((len(chances), WIDTH))
    lines = {name: np.zeros(len(chances)) for name in rules.scoring}
    score = chances.scores
    for code, position in enumerate(POSITIONS):
        rows = np.flatnonzero(chances.position == code)
        for state in (SHORT, FULL) if len(rows) else ():
            part = _Part(chances, rules, position, rows, state, score[rows])
            chance = chances.state[rows, state]
            mass[rows] += chance[:, None] * part.distribution()
            for name, value in part.lines.items():
                lines[name][rows] += chance * value
    _pay_scouting(mass, lines, rules, owned)
    mass[:, -LOWEST] += chances.state[:, ABSENT]  # last: who is absent earns no scouting bonus
    return mass, lines


@dataclass(slots=True)
class _Kernel:
    """A distribution of whole points by row, from `low` upwards."""

    low: int
    mass: np.ndarray  # (r, w)

    @classmethod
    def of(cls, points: np.ndarray, mass: np.ndarray) -> _Kernel:
        """Collect the mass (r, c) of counts by the points (c,) they are worth."""
        low = int(points.min())
        collected = np.zeros((len(mass), int(points.max()) - low + 1))
        for column, value in enumerate(points):
            collected[:, value - low] += mass[:, column]
        return cls(low, collected)

    def columns(self, low: int) -> slice:
        """Return where it stands on a grid that begins at `low`."""
        return slice(self.low - low, self.low - low + self.mass.shape[1])

    def plus(self, other: _Kernel) -> _Kernel:
        """Return the distribution of the sum of two independent scores."""
        if other.mass.shape[1] > self.mass.shape[1]:
            return other.plus(self)
        wide = np.zeros((len(self.mass), self.mass.shape[1] + other.mass.shape[1] - 1))
        for shift in range(other.mass.shape[1]):
            wide[:, shift : shift + self.mass.shape[1]] += other.mass[:, shift, None] * self.mass
        return _Kernel(self.low + other.low, wide)


class _Part:
    """Players of one position in one minutes state: their lines, and the kernel of their points."""

    def __init__(
        self, chances: Chances, rules: GameRules, position: str, rows: np.ndarray, state: int, score: np.ndarray
    ) -> None:
        self.chances, self.rows, self.score = chances, rows, score
        self.share = chances.minutes[rows, state]
        self.goal, self.assist = chances.goal[rows, state], chances.assist[rows, state]
        self.lines: Lines = {}
        self.minutes = chances.state_minutes[rows, state]
        self.certain = np.ones((len(rows), 1))
        self.code = np.array([POSITIONS.index(position)])
        paying = {name: line for name, line in rules.scoring.items() if line.points_for(position)}
        self.paying = {name: line for name, line in paying.items() if (self.minutes >= line.minutes).all()}
        self.state = state
        self.bonus = any(line.event == "bonus" for line in self.paying.values())
        self.shared = trinomial(self.goal, self.assist, score.shape[1])

    def distribution(self) -> np.ndarray:
        """Return the mass function on the grid (r, k), filling `lines` on the way."""
        both = self._attack_and_defence()
        total = both.plus(self._rest())
        start = total.low - LOWEST
        placed = np.zeros((len(self.rows), WIDTH))
        first, last = max(start, 0), min(start + total.mass.shape[1], WIDTH)
        placed[:, first:last] = total.mass[:, first - start : last - start]
        placed[:, 0] += total.mass[:, : first - start].sum(axis=1)
        placed[:, -1] += total.mass[:, last - start :].sum(axis=1)
        return placed

    def _attack_and_defence(self) -> _Kernel:
        defence_low, defence = self._defence()
        parts = []
        for sheet, conceded in self._sheets():
            attack_low, attack = self._attack(sheet, self.score[:, :, conceded])
            scored = np.matmul(attack.transpose(0, 2, 1), self.score[:, :, conceded])
            parts.append(np.matmul(scored, defence[:, conceded]))
        joint = np.sum(parts, axis=0)
        wide = np.zeros((len(self.rows), attack.shape[2] + defence.shape[2] - 1))
        for column in range(defence.shape[2]):
            wide[:, column : column + attack.shape[2]] += joint[:, :, column]
        return _Kernel(attack_low + defence_low, wide)

    def _sheets(self) -> list[tuple[int, slice]]:
        """Return whether a sheet is clean and the goals conceded so: apart only where a bonus looks at both."""
        if self.state == FULL and self.bonus:
            return [(1, slice(0, 1)), (0, slice(1, None))]
        return [(0, slice(None))]

    def _attack(self, sheet: int, score: np.ndarray) -> tuple[int, np.ndarray]:
        """Return the points of goals, assists and what hangs on them, by the team's goals (r, g, w)."""
        weight = np.einsum("rg,rgab->rab", score.sum(axis=2), self.shared)
        parts = {
            (goals, assists): self._paid(self._attack_counts(goals, assists, sheet), weight[:, goals, assists])
            for goals in range(MOST_GOALS + 1)
            for assists in range(MOST_ASSISTS + 1)
        }
        low, width = _span(parts.values())
        attack = np.zeros((len(self.rows), self.score.shape[1], width))
        for (goals, assists), part in parts.items():
            attack[:, :, part.columns(low)] += self.shared[:, :, goals, assists, None] * part.mass[:, None, :]
        return low, attack

    def _attack_counts(self, goals: int, assists: int, sheet: int) -> Counts:
        """Return what so many goals and assists make: they count as shots on target and chances created too."""
        counts = {"goals": (goals, self.certain), "assists": (assists, self.certain)}
        counts["free_kick_goals"] = (0, binomial(goals, self.chances.free_kick[self.rows]))
        for event, name, seen in (("shots_on_target", "shots", goals), ("chances_created", "chances", assists)):
            if event in {line.event for line in self.paying.values()}:
                counts[event] = (seen, poisson(getattr(self.chances, name)[self.rows] * self.share))
        if self.bonus:
            full, done = np.array(int(self.state == FULL)), (np.array(goals), np.array(assists), np.array(sheet))
            counts["bonus"] = (0, self.certain * bonus_chances(self.code, full, *done))
        return counts

    def _defence(self) -> tuple[int, np.ndarray]:
        """Return the points of clean sheet and goals conceded, by the goals conceded (r, c, w)."""
        parts = []
        for conceded in range(self.score.shape[2]):
            sheet, lost = (int(conceded == 0), self.certain), (0, binomial(conceded, self.share))
            weight = self.score[:, :, conceded].sum(axis=1)
            parts.append(self._paid({"clean_sheet": sheet, "goals_conceded": lost}, weight))
        low, width = _span(parts)
        defence = np.zeros((len(self.rows), len(parts), width))
        for conceded, part in enumerate(parts):
            defence[:, conceded, part.columns(low)] = part.mass
        return low, defence

    def _rest(self) -> _Kernel:
        """Return the points that hang neither on the score nor on goals: appearance, saves, cards and so on."""
        found = {line.event: self._counts(line.event) for line in self.paying.values()}
        return self._paid({event: (0, mass) for event, mass in found.items() if mass is not None}, 1.0)

    def _counts(self, event: str) -> np.ndarray | None:
        """Return the distribution of the counts of an event (r, c), None for one that hangs on score or goals."""
        if event == "minutes":
            reached = np.zeros((len(self.rows), int(self.minutes.max()) + 1))
            reached[np.arange(len(self.rows)), self.minutes] = 1.0
            return reached
        if event in RARE:
            return bernoulli(getattr(self.chances, RARE[event])[self.rows] * self.share)
        if event in COUNTED:
            return poisson(getattr(self.chances, COUNTED[event])[self.rows] * self.share)
        if event == "defensive_contributions":
            return negative_binomial(self.chances.defensive[self.rows] * self.share, DEFENSIVE_SPREAD)
        return None

    def _paid(self, counts: Counts, weight: np.ndarray | float) -> _Kernel:
        """Return the points of all lines on these counts, and note their means, of which `weight` is the chance."""
        kernel = _Kernel(0, self.certain)
        for name, line in self.paying.items():
            if line.event in counts:
                seen, mass = counts[line.event]
                points = self._points(line, seen + np.arange(mass.shape[1]))
                self.lines[name] = self.lines.get(name, 0.0) + weight * (mass @ points)
                kernel = kernel.plus(_Kernel.of(points, mass))
        return kernel

    def _points(self, line: ScoringLine, counts: np.ndarray) -> np.ndarray:
        """Return what these counts pay; that enough minutes were played is settled already."""
        enough = np.full((1, len(counts)), line.minutes)
        return np.asarray(line_points(line, counts[None, :], self.code, enough)[0], dtype=int)


def _span(kernels: Iterable[_Kernel]) -> tuple[int, int]:
    """Return the lowest points of several kernels, and how many different ones they cover together."""
    lowest, highest = zip(*((kernel.low, kernel.low + kernel.mass.shape[1]) for kernel in kernels), strict=True)
    return min(lowest), max(highest) - min(lowest)


def trinomial(goal: np.ndarray, assist: np.ndarray, scores: int) -> np.ndarray:
    """Return P(a goals and b assists | the team scores g), shape (r, g, a, b), cut at the most of one player."""
    g, a, b = np.ogrid[:scores, : MOST_GOALS + 1, : MOST_ASSISTS + 1]
    rest = np.maximum(g - a - b, 0)
    ways = np.where(g - a - b >= 0, np.exp(gammaln(g + 1) - gammaln(a + 1) - gammaln(b + 1) - gammaln(rest + 1)), 0.0)
    shape = (-1, 1, 1, 1)
    neither = np.clip(1 - goal - assist, LEAST_NEITHER, 1.0).reshape(shape)
    joint = ways * goal.reshape(shape) ** a * assist.reshape(shape) ** b * neither**rest
    return np.asarray(joint / joint.sum(axis=(2, 3), keepdims=True))


def _pay_scouting(mass: np.ndarray, lines: Lines, rules: GameRules, owned: np.ndarray) -> None:
    """Move what lies above the limit by the bonus, for players few enough managers own (World Cup)."""
    bonus = rules.scouting
    name = next((name for name, line in rules.scoring.items() if line.event == "scouting_bonus"), None)
    if bonus is None or name is None:
        return
    rare = owned < bonus.owned_below
    first = bonus.points_above + 1 - LOWEST
    above = mass[:, first:] * rare[:, None]
    mass[:, first:] -= above
    mass[:, first + bonus.points :] += above[:, : -bonus.points]
    lines[name] += bonus.points * above.sum(axis=1)
