"""What a match can give a squad: its players in their roles, and what they are worth together.

Covariances and stacks live inside a match. So the standard form is a sum over matches, each of which contributes one
*pattern*: the players chosen from its teams with their roles. In patterns the form is linear, whatever the sign of its
risk, and a bound on it is a bound on a linear program.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components

from data.errors import InputError
from engine.fitness.standard_form import KEEPER, LAST_OF_SPINE, StandardForm

STARTS, LEADS, SPARE_KEEPER, FIRST_SLOT = 0, 1, 2, 3
"""Roles: a starter, the captain, a spare goalkeeper, and from here the outfield slots of the bench in their order."""


@dataclass(frozen=True, slots=True, eq=False)
class Roles:
    """Every player in every role he may have: row i of every array is one of them."""

    player: np.ndarray  # (s,) row of the pool
    role: np.ndarray  # (s,)
    held: np.ndarray  # (s,) how often his points count, the armband included
    value: np.ndarray  # (s,) points, his own variance included
    swing: np.ndarray  # (s,) what he brings to a clean-sheet spine; 0 unless he starts

    def __len__(self) -> int:
        return len(self.player)


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """The roles of teams whose players vary together; where nobody does, of one team."""

    rows: np.ndarray  # (m,) rows of `Roles`, by team and player
    player: np.ndarray  # (m,) number of the player within the match
    team: np.ndarray  # (m,) number of the team within the match
    pair: np.ndarray  # (m, m) points of two together, stacks aside; −inf where they exclude each other
    swing: np.ndarray  # (m,)
    stack: float
    caps: np.ndarray  # (teams,) players of each team at most

    @property
    def teams(self) -> int:
        """Teams of the match."""
        return int(self.team[-1]) + 1


def roles_of(form: StandardForm, allowed: np.ndarray | None = None) -> Roles:
    """Return all roles of the players that may be picked: a mask (n,), all by default.

    Nobody of a team the manager wants none of; and where he holds a captain, nobody else leads.
    """
    wanted = form.pool.caps[form.pool.team] > 0
    rows = np.flatnonzero(wanted if allowed is None else wanted & allowed)
    keeper = form.pool.position[rows] == KEEPER
    slots = [(rows[~keeper], FIRST_SLOT + slot, weight) for slot, weight in enumerate(form.bench_outfield)]
    leaders = rows if form.leader is None else rows[rows == form.leader]
    kinds = [(rows, STARTS, 1.0), (leaders, LEADS, 1.0), (rows[keeper], SPARE_KEEPER, form.bench_keeper), *slots]
    player = np.concatenate([men for men, _, _ in kinds])
    role = np.concatenate([np.full(len(men), number) for men, number, _ in kinds])
    weight = np.concatenate([np.full(len(men), share) for men, _, share in kinds])
    held = weight + (form.multiplier - 1) * (role == LEADS)
    picked = weight * form.linear[player] + form.squad[player]
    value = picked + np.where(role == LEADS, form.captain[player], 0.0) + (role <= LEADS) * form.starting[player]
    spine = (role <= LEADS) & (form.pool.position[player] <= LAST_OF_SPINE)
    swing = np.where(spine, form.swing[player], 0.0)
    if swing.min(initial=0.0) < 0.0:
        raise InputError(f"A clean sheet swings by {swing.min():.3g} points; p(1 − p) · pay is 0 or more.")
    return Roles(player, role, held, value - form.risk * held**2 * form.covariance[player, player], swing)


def matches_of(form: StandardForm, roles: Roles) -> list[Match]:
    """Return the matches: the smallest groups of teams such that no pair of players across two of them counts."""
    teams, number = np.unique(form.pool.team, return_inverse=True)
    linked = np.zeros((teams.size, teams.size), dtype=bool)
    if form.risk:
        one, other = form.covariance.nonzero()
        linked[number[one], number[other]] = True
    component = connected_components(linked, directed=False)[1][number]
    where = component[roles.player]
    order = np.lexsort((roles.role, roles.player, number[roles.player], where))
    return [_match(form, roles, rows) for rows in np.split(order, np.flatnonzero(np.diff(where[order])) + 1)]


def _match(form: StandardForm, roles: Roles, rows: np.ndarray) -> Match:
    men, role, held = roles.player[rows], roles.role[rows], roles.held[rows]
    pair = -2.0 * form.risk * np.outer(held, held) * form.covariance[np.ix_(men, men)]
    pair[_exclusive(form, men, role)] = -np.inf
    return Match(
        rows=rows,
        player=np.cumsum(np.append(False, np.diff(men) != 0)),
        team=np.unique(form.pool.team[men], return_inverse=True)[1],
        pair=pair,
        swing=roles.swing[rows],
        stack=form.stack,
        caps=np.minimum(form.pool.caps, form.pool.size)[np.unique(form.pool.team[men])],
    )


def _exclusive(form: StandardForm, men: np.ndarray, role: np.ndarray) -> np.ndarray:
    """Return (m, m) pairs that no squad has: a man twice, two captains, two of a slot, a better man behind a worse."""
    waits, worth = role >= FIRST_SLOT, form.linear[men]
    place = (role[:, None] == role) & ((role == LEADS) | waits)
    behind = waits & waits[:, None] & (role[:, None] < role) & (worth[:, None] < worth)
    return np.asarray((men[:, None] == men) | place | behind | behind.T | _too_many_keepers(form, men, role))


def _too_many_keepers(form: StandardForm, men: np.ndarray, role: np.ndarray) -> np.ndarray:
    """Return (m, m) pairs of goalkeepers where only one may start, or be spare."""
    keeper = form.pool.position[men] == KEEPER
    starting = [lineup[KEEPER] for lineup in form.lineups]
    playing, spare = keeper & (role <= LEADS), keeper & (role == SPARE_KEEPER)
    one_starts, one_is_spare = max(starting) == 1, form.pool.shape[KEEPER] - min(starting) == 1
    return np.asarray((playing & playing[:, None] & one_starts) | (spare & spare[:, None] & one_is_spare))
