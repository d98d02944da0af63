"""What a player expects once the score is known: the conditional means from which covariance follows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import comb

from data.rules import GameRules
from data.scoring import line_points, lines_by_event, scouted
from models.players.bonus import MOST, MOST_ASSISTS, MOST_GOALS, bonus_chances
from models.players.chances import ABSENT, FULL, STATES, Chances
from models.teams.goals import poisson_mass

MOST_OTHERS = 20
"""Chances or shots on target beyond assists and goals; real rates stay below 4, where 1e-9 lies beyond."""

SURE_RETURNS = 3
"""Goals and assists from which a bonus on the points is taken as full: at least 9 points before anything is lost."""

MANY_POINTS = 60.0

PLAIN = {"goal": "goals", "assist": "assists"}
LINKED = {"goal": ("shots_on_target", "shots"), "assist": ("chances_created", "chances")}
"""The wider count that a goal or an assist belongs to, and the rate of all else in it."""


def points_given_score(chances: Chances, rules: GameRules, owned: np.ndarray) -> np.ndarray:
    """Return E[points | his team scores g and lets in c], shape (m, g, c), up to a constant of each row.

    Exact for every line of the rulebook; lines that do not depend on the score are the constant left out. The
    scouting bonus, which hangs on the points themselves, sees appearance, clean sheet, goals conceded, goals and
    assists alone: saves, tackles and cards seldom decide it.
    """
    pays = Pays(chances, rules)
    means = pays.attack()[:, :, None] + pays.defence()[:, None, :]
    if any(line.event == "bonus" for line in rules.scoring.values()):
        means += _bonus(pays)
    if (scouting := rules.scouting) is not None:
        rows = np.flatnonzero(scouted(owned, rules)[chances.player])
        means[rows] += _on_top(pays, rows, lambda points: scouting.points * (points > scouting.points_above))
    return np.asarray(means)


def _bonus(pays: Pays) -> np.ndarray:
    """Return E[bonus | g, c], shape (m, g, c): by goals, assists and a clean sheet; more than count earn it all."""
    rows, full = np.arange(len(pays.chances)), (np.arange(STATES) == FULL).astype(int)
    none = np.zeros((len(rows), pays.most + 1))
    dirty, clean, left = none.copy(), none.copy(), np.repeat(pays.chances.plays[:, None], pays.most + 1, axis=1)
    for scored in range(MOST_GOALS + 1):
        for assisted in range(MOST_ASSISTS + 1):
            chance = pays.chances.state[..., None] * _involved(pays, rows, scored, assisted)
            chance[:, ABSENT] = 0.0
            left -= chance.sum(axis=1)
            done = (pays.chances.position[:, None], full[None, :], np.array(scored), np.array(assisted))
            for total, sheet in ((dirty, 0), (clean, 1)):
                paid = bonus_chances(*done, np.array(sheet)) @ np.arange(MOST + 1)
                total += np.einsum("ms,msg->mg", paid, chance)
    means = np.repeat((dirty + MOST * left)[:, :, None], pays.most + 1, axis=2)
    means[:, :, 0] = clean + MOST * left
    return means


class Pays:
    """What the rulebook pays every row of the chances, in each minutes state, for each count of an event."""

    def __init__(self, chances: Chances, rules: GameRules) -> None:
        self.chances = chances
        self.most = chances.grid.max_goals
        self.lines = lines_by_event(rules)
        self.minutes = chances.state_minutes

    def table(self, event: str, most: int) -> np.ndarray:
        """Return the points of 0 … `most` occurrences, (m, 3, most + 1)."""
        counts = np.tile(np.arange(most + 1), STATES)[None, :]
        return self._paid(event, counts, np.repeat(self.minutes, most + 1, axis=1)).reshape(-1, STATES, most + 1)

    def appearance(self) -> np.ndarray:
        """Return the points of playing at all, (m, 3)."""
        return self._paid("minutes", self.minutes, self.minutes)

    def clean_sheet(self) -> np.ndarray:
        """Return the points of a clean sheet, (m, 3); it needs the full hour."""
        return np.asarray(self.table("clean_sheet", 1)[..., 1] * (np.arange(STATES) == FULL))

    def returns(self, share: str) -> np.ndarray:
        """Return the expected points of 0 … `most` goals or assists with all that they imply, (m, 3, most + 1)."""
        total = self.table(PLAIN[share], self.most) + self._linked(share)
        if share == "goal" and "free_kick_goals" in self.lines:
            free_kicks = _binomial(self.chances.free_kick, self.most)
            total += np.einsum("mgk,msk->msg", free_kicks, self.table("free_kick_goals", self.most))
        return np.asarray(total)

    def attack(self) -> np.ndarray:
        """Return the mean of goals, assists and what they imply when the team scores g, (m, g)."""
        goals = self._mean(self.chances.goal, self.returns("goal"))
        return np.asarray(goals + self._mean(self.chances.assist, self.returns("assist")))

    def defence(self) -> np.ndarray:
        """Return the mean of clean sheet and goals conceded when the team lets in c, (m, c)."""
        means = self._mean(self.chances.minutes.clip(max=1.0), self.table("goals_conceded", self.most))
        means[:, 0] += self.chances.state[:, FULL] * self.clean_sheet()[:, FULL]
        return means

    def _paid(self, event: str, counts: np.ndarray, minutes: np.ndarray) -> np.ndarray:
        total = np.zeros(minutes.shape)
        for line in self.lines.get(event, ()):
            total += line_points(line, counts, self.chances.position, minutes)
        return total

    def _linked(self, share: str) -> np.ndarray:
        event, rate = LINKED[share]
        if event not in self.lines:
            return np.zeros(1)
        table = self.table(event, self.most + MOST_OTHERS)
        others = poisson_mass(getattr(self.chances, rate)[:, None] * self.chances.minutes, MOST_OTHERS)
        starts = range(self.most + 1)
        return np.stack([(others * table[..., k : k + MOST_OTHERS + 1]).sum(axis=-1) for k in starts], axis=-1)

    def _mean(self, share: np.ndarray, paid: np.ndarray) -> np.ndarray:
        by_state = np.matmul(_binomial(share, self.most), paid[..., None])[..., 0]
        return np.asarray(np.einsum("ms,msg->mg", self.chances.state, by_state))


def _on_top(pays: Pays, rows: np.ndarray, extra: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Return E[extra(points) | g, c] of some rows, shape (r, g, c), for an extra that grows to its most."""
    goals, assists = pays.table("goals", SURE_RETURNS)[rows], pays.table("assists", SURE_RETURNS)[rows]
    conceded = pays.table("goals_conceded", pays.most)[rows]
    lost = _binomial(pays.chances.minutes[rows].clip(max=1.0), pays.most)
    appearance, sheet = pays.appearance()[rows], pays.clean_sheet()[rows]
    most = extra(np.array([MANY_POINTS]))[0]
    mean = np.full((len(rows), pays.most + 1, pays.most + 1), most, dtype=float)
    for scored in range(SURE_RETURNS):
        for assisted in range(SURE_RETURNS - scored):
            points = appearance + goals[..., scored] + assists[..., assisted]
            short = np.matmul(lost, (most - extra(points[..., None] + conceded))[..., None].astype(float))[..., 0]
            short[..., 0] = most - extra(points + sheet)
            chance = pays.chances.state[rows][..., None] * _involved(pays, rows, scored, assisted)
            mean -= np.matmul(chance.transpose(0, 2, 1), short)
    return mean


def _involved(pays: Pays, rows: np.ndarray, scored: int, assisted: int) -> np.ndarray:
    """Return P(scores and assists exactly so many | team scores g), shape (r, 3, g)."""
    goal, assist = pays.chances.goal[rows][..., None], pays.chances.assist[rows][..., None]
    g = np.arange(pays.most + 1)
    ways = comb(g, scored) * comb(g - scored, assisted)
    return np.asarray(
        ways * goal**scored * assist**assisted * (1 - goal - assist).clip(0) ** np.maximum(g - scored - assisted, 0)
    )


def _binomial(p: np.ndarray, most: int) -> np.ndarray:
    """Return P(k of g | p), shape (..., g, k) for g and k of 0 … `most`."""
    g, k = np.ogrid[: most + 1, : most + 1]
    powers = np.arange(most + 1)
    hits, misses = p[..., None] ** powers, (1 - p[..., None]) ** powers
    return np.asarray(comb(g, k) * hits[..., None, :] * misses[..., np.maximum(g - k, 0)])
