"""Every swap of one squad valued at once: what each man of the market would bring in place of each of the squad.

With h how often each man counts and g = Σh, the man j in place of man i changes the variance by 2h·(g_j − h·Σ_ij) +
h²·Σ_jj less what i brought: one gather of the squad's rows of Σ serves every swap.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from heapq import heappush, heapreplace
from math import inf

import numpy as np

from data.errors import InputError
from engine.fitness.standard_form import LAST_OF_SPINE, StandardForm, form_value, hits, role_weights
from engine.rules.count_rules import admitted
from engine.rules.money import payable


@dataclass(frozen=True, slots=True, eq=False)
class SwapRows:
    """Swaps to value: in row r the man of column `out` leaves a squad whose roles are those of the row."""

    out: np.ndarray  # (r,) column of the man who leaves
    weight: np.ndarray  # (r,) role weight of his place
    leads: np.ndarray  # (r,) bool: his place wears the armband
    own: np.ndarray  # (r,) how often his points count
    held: np.ndarray  # (r, s) how often each man's points count
    starts: np.ndarray  # (r, s) bool
    value: np.ndarray  # (r,) of the squad before the swap; only known after role moves

    @property
    def plays(self) -> np.ndarray:
        """(r,) bool: his place is in the eleven."""
        return np.asarray(self.starts[np.arange(len(self.out)), self.out])

    @classmethod
    def of_roles(
        cls, form: StandardForm, squad: np.ndarray, out: np.ndarray, starts: np.ndarray, captain: np.ndarray
    ) -> SwapRows:
        """Build rows from the roles of each."""
        squads = np.broadcast_to(squad, starts.shape)
        weight = role_weights(form, squads, starts)
        leads = np.arange(len(squad)) == captain[:, None]
        held = weight + (form.multiplier - 1) * leads
        row = np.arange(len(out))
        return cls(out, weight[row, out], leads[row, out], held[row, out], held, starts, np.empty(0))

    @classmethod
    def kept(cls, form: StandardForm, squad: np.ndarray, starts: np.ndarray, captain: int) -> SwapRows:
        """Every man leaves his own role to the newcomer."""
        size = len(squad)
        return cls.of_roles(form, squad, np.arange(size), np.tile(starts, (size, 1)), np.full(size, captain))

    @classmethod
    def moved(cls, form: StandardForm, squad: np.ndarray, starts: np.ndarray, captain: int) -> SwapRows:
        """The newcomer takes another role than the man who leaves: he starts for one who sits down, or he leads."""
        promoted, demoted = np.nonzero(~starts[:, None] & starts[None, :])
        tried = np.repeat(starts[None, :], len(promoted), axis=0)
        row = np.arange(len(promoted))
        tried[row, promoted], tried[row, demoted] = True, False
        allowed = _is_lineup(form, squad, tried) & (demoted != captain)
        others = np.flatnonzero(starts & (np.arange(len(squad)) != captain))
        if form.leader is not None and squad[captain] == form.leader:
            others = others[:0]
        out = np.concatenate([promoted[allowed], others, np.full(len(others), captain)])
        roles = np.concatenate([tried[allowed], np.tile(starts, (2 * len(others), 1))])
        wearer = np.concatenate([np.full(int(allowed.sum()), captain), others, others])
        rows = cls.of_roles(form, squad, out, roles, wearer)
        value = form_value(form, np.broadcast_to(squad, roles.shape), roles, wearer)
        return replace(rows, value=value)

    def of(self, chosen: list[int]) -> SwapRows:
        """Return some of the rows."""
        return SwapRows(
            self.out[chosen],
            self.weight[chosen],
            self.leads[chosen],
            self.own[chosen],
            self.held[chosen],
            self.starts[chosen],
            self.value,
        )

    def best_mates(self, form: StandardForm, squad: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows whose place is one of the spine, and (those, teams) the largest swing left in each team."""
        behind = form.pool.position[squad] <= LAST_OF_SPINE
        spine = np.flatnonzero(self.plays & behind[self.out])
        playing = self.starts[spine] & behind
        playing[np.arange(len(spine)), self.out[spine]] = False
        best = np.zeros((len(spine), int(form.pool.team.max()) + 1))
        row, man = np.nonzero(playing)
        np.maximum.at(best, (row, form.pool.team[squad[man]]), form.swing[squad[man]])
        return spine, best


@dataclass(frozen=True, slots=True, eq=False)
class SwapMarket:
    """Who may come into squads of a standard form, and what that brings."""

    form: StandardForm
    men: np.ndarray  # (m,) player rows, cheapest first
    fits: np.ndarray  # (4, m) who of them plays each position
    own: np.ndarray  # (m,) their variance
    stay: np.ndarray  # (n,) bool: who never leaves

    @classmethod
    def of(cls, form: StandardForm, allowed: np.ndarray | None, kept: tuple[int, ...], depth: int) -> SwapMarket:
        """Build the market of those `allowed` (n,), all where None, as deep as `short_market` makes it."""
        welcome = np.ones(len(form), dtype=bool) if allowed is None else np.asarray(allowed, dtype=bool)
        if welcome.shape != (len(form),):
            raise InputError(f"Who may be used is one flag for each of {len(form)} players, not {welcome.shape}.")
        men = short_market(form, np.flatnonzero(welcome), depth)
        fits = np.stack([form.pool.position[men] == place for place in range(len(form.pool.shape))])
        stay = np.zeros(len(form), dtype=bool)
        stay[[*kept, *([] if form.leader is None else [form.leader])]] = True
        return cls(form, men, fits, form.covariance[men, men], stay)

    def gains(self, squad: np.ndarray, rows: SwapRows, *, budget: bool = True, caps: bool = True) -> np.ndarray:
        """Return (r, m) what each man of the market brings in place of each row's; −inf where that breaks a rule.

        `budget` and `caps` may be left aside: another swap may make room.
        """
        form, market, leaving = self.form, self.men, squad[rows.out]
        shared = form.covariance[squad[:, None], market]
        own = rows.own[:, None]
        rest = rows.held @ shared - own * shared[rows.out]
        gain = (
            rows.weight[:, None] * form.linear[market]
            + form.squad[market]
            - (form.risk * own) * (2 * rest + own * self.own)
        )
        gain[rows.leads] += form.captain[market]
        if form.starting.any():
            gain[rows.plays] += form.starting[market]
        if form.stack:
            spine, best = rows.best_mates(form, squad)
            gain[spine] += form.stack * np.minimum(form.swing[market], best[:, form.pool.team[market]])
        if form.current.size and np.isfinite(form.free):
            gain -= self._hits(squad, rows)
        gain -= self._brought(squad, rows)[:, None]
        gain[~self._open(squad, leaving, budget, caps)] = -inf
        return np.asarray(gain)

    def _brought(self, squad: np.ndarray, rows: SwapRows) -> np.ndarray:
        """Return (r,) what the man who leaves brought, in the terms of `_gains`."""
        form, leaving = self.form, squad[rows.out]
        shared = form.covariance[squad[:, None], leaving]
        alone = form.covariance[leaving, leaving]
        rest = (rows.held.T * shared).sum(axis=0) - rows.own * alone
        brought = (
            rows.weight * form.linear[leaving]
            + form.squad[leaving]
            - form.risk * rows.own * (2 * rest + rows.own * alone)
        )
        brought += rows.leads * form.captain[leaving] + rows.plays * form.starting[leaving]
        if form.stack:
            spine, best = rows.best_mates(form, squad)
            mates = best[np.arange(len(spine)), form.pool.team[leaving[spine]]]
            brought[spine] += form.stack * np.minimum(form.swing[leaving[spine]], mates)
        return np.asarray(brought - hits(form, squad[None, :]))

    def _open(self, squad: np.ndarray, leaving: np.ndarray, budget: bool, caps: bool) -> np.ndarray:
        """Return (r, m) who may come in for each man who leaves."""
        pool, market = self.form.pool, self.men
        rules = pool.counted if caps else ()
        free = admitted(rules, squad[None, :], leaving[None, :], market[None, None, :])[0]
        fits = self.fits[pool.position[leaving]] & free
        fits[self.stay[leaving]] = False
        if budget:
            left = pool.budget - pool.price[squad].sum()
            fits &= payable(pool.price[market], (pool.price[leaving] + left)[:, None])
        return np.asarray(fits)

    def _hits(self, squad: np.ndarray, rows: SwapRows) -> np.ndarray:
        """Return (r, m) what transfers cost with each man of the market in place of each row's."""
        new = self.form.newcomer
        others = new[squad].sum() - new[squad[rows.out]]
        return np.asarray(self.form.hit * np.maximum(others[:, None] + new[self.men] - self.form.free, 0.0))

    def saved(self, squad: np.ndarray) -> np.ndarray:
        """Return (s, m) millions saved by each man of the market in place of each of the squad."""
        price = self.form.pool.price
        return np.asarray(price[squad][:, None] - price[self.men])


def short_market(form: StandardForm, rows: np.ndarray, depth: int) -> np.ndarray:
    """Return the players worth looking at, cheapest first: fewer than `depth` of their position and price beat them.

    A man is judged alone, by what he brings as a starter less his own variance, so who is good company may be missed:
    the end of a search looks at everybody once more.
    """
    pool = form.pool
    alone = form.linear[rows] + form.starting[rows] + form.squad[rows] - form.risk * form.covariance[rows, rows]
    order = np.lexsort((rows, -alone, pool.price[rows]))
    if not depth:
        return np.asarray(rows[order])
    best: list[list[float]] = [[] for _ in pool.shape]
    market = []
    for row, place, worth in zip(rows[order], pool.position[rows][order], alone[order].tolist(), strict=True):
        heap = best[place]
        if len(heap) < depth:
            heappush(heap, worth)
        elif worth > heap[0]:
            heapreplace(heap, worth)
        else:
            continue
        market.append(row)
    return np.array(market, dtype=np.int64)


def _is_lineup(form: StandardForm, squad: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return (r,) whether those who start make an allowed formation."""
    counts = starts @ (form.pool.position[squad][:, None] == np.arange(len(form.pool.shape)))
    return np.asarray((counts[:, None, :] == np.array(form.lineups)).all(axis=2).any(axis=1))
