"""Intentions of a plan, round by round, and a legal plan made of them: what does not fit is repaired or left out.

A plan bred from others cannot do everything its parents did: the man to be sold may be gone already, the money spent.
So what is handed on are intentions: swaps, the booster and, where a squad is built whole, its men. They are carried
out in order of the rounds. What is not possible any more is left out; money, caps and the number of transfers are
repaired, by greed where it can and by the solver where not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from data.errors import InfeasibleError, ModelError
from data.rules import BoosterEffect
from engine.plan.linear.problem import NOBODY, PlanProblem
from engine.plan.moves.moves import Plan, RoundMoves
from engine.rules.conflicts import Demands
from engine.rules.legality import first_broken, legal
from engine.rules.pool import Pool
from engine.rules.repair import repair

KEPT_MAN, NEW_MAN = 0.2, 2.0
"""Points that a repair counts for losing a man one has, and one whom the plan means to buy."""

Swap = tuple[int, int]
"""Player rows: who goes, who comes."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What a plan means to do before one round."""

    swaps: tuple[Swap, ...] = ()
    chip: str | None = None
    whole: tuple[int, ...] = ()  # the squad of a free hit, or a first one


@dataclass(frozen=True, slots=True)
class PlanMend:
    """What a repair changed of a round's intended squad, and for which rule."""

    round: int
    out: tuple[int, ...]
    into: tuple[int, ...]
    reason: str  # "the budget", "the team cap", …
    solved: bool


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """A legal plan and what had to be repaired on the way."""

    plan: Plan
    repairs: tuple[PlanMend, ...] = ()


def intents_of(plan: Plan) -> tuple[Intent, ...]:
    """Return what a plan means to do in each round."""
    return tuple(_intent(move) for move in plan.moves)


def _intent(move: RoundMoves) -> Intent:
    if move.returns or not move.out:
        whole = move.squad if move.returns or move.into else ()
        return Intent(chip=move.chip, whole=whole)
    return Intent(tuple(zip(move.out, move.into, strict=True)), move.chip)


def moves_between(before: Sequence[int], after: Sequence[int], position: np.ndarray) -> tuple[Swap, ...]:
    """Return who goes and who comes from one squad to another, paired by position and player row."""
    out = sorted(set(before) - set(after), key=lambda row: (position[row], row))
    into = sorted(set(after) - set(before), key=lambda row: (position[row], row))
    return tuple(zip(out, into, strict=True))


@dataclass(slots=True, eq=False)
class _Progress:
    """A plan in the making."""

    squad: tuple[int, ...]  # kept so far; empty before a first squad
    held: np.ndarray  # (n,) men held since the start: they cost their selling price
    count: int  # free transfers, as the frame counts them
    made: int  # transfers so far that a wish for all rounds counts
    used: Counter[str]


@dataclass(frozen=True, eq=False)
class Carrier:
    """Carries intentions out under one problem's rules and locks."""

    problem: PlanProblem
    worth: np.ndarray  # (n, r) points a man brings from a round on
    solver: bool = True  # whether the solver repairs what greed cannot
    stop: Callable[[], bool] = lambda: False

    @classmethod
    def of(cls, problem: PlanProblem, *, solver: bool = True) -> Carrier:
        """Return the carrier of a problem: a man is worth what he would bring as a starter until the end."""
        values = problem.values
        later = np.cumsum((values.start + values.hold)[:, ::-1], axis=1)[:, ::-1]
        return cls(problem, later + values.final[:, None], solver)

    def carry_out(self, intents: Sequence[Intent]) -> CarriedOut | None:
        """Return the legal plan of these intentions, one for each round; None where a round has no legal squad."""
        frame = self.problem.frame
        state = _Progress(tuple(frame.start_squad.tolist()), frame.owned.copy(), frame.transfers.first, 0, Counter())
        moves, repairs = [], list[PlanMend]()
        for column, intent in enumerate(intents):
            done = self._round(column, replace(intent, chip=self._chip(column, intent, state)), state)
            if done is None:
                return None
            moves.append(done[0])
            repairs += [done[1]] if done[1] else []
        unmet = [
            key for key, move in zip(self.problem.locks.chip_in, moves, strict=True) if key not in (None, move.chip)
        ]
        return None if unmet else CarriedOut(Plan(tuple(moves)), tuple(repairs))

    def _chip(self, column: int, intent: Intent, state: _Progress) -> str | None:
        """Return the booster that is played: the one that is asked for, or else the one intended where it may be."""
        asked = self.problem.locks.chip_in
        key = asked[column] or intent.chip
        offer = next((offer for offer in self.problem.chips if offer.key == key), None)
        if offer is None or not offer.allowed[column]:
            return None
        reserved = 0 if asked[column] else asked[column + 1 :].count(offer.key)
        return offer.key if state.used[offer.key] + reserved < offer.uses else None

    def _effect(self, key: str | None) -> BoosterEffect | None:
        return None if key is None else self.problem.chip(key).effect

    def _round(self, column: int, intent: Intent, state: _Progress) -> tuple[RoundMoves, PlanMend | None] | None:
        effect = self._effect(intent.chip)
        hit = effect is BoosterEffect.FREE_HIT and bool(state.squad)
        most = None if hit else self._most(column, effect, state)
        pool = self._pool(column, state, most)
        wanted = self._demands(column, state, loan=hit)
        if wanted is None:
            return None
        meant = self._meant(intent, state, hit)
        found = self._repaired(meant, pool, column, state, wanted)
        if found is None:
            return None
        squad = tuple(pool.by_position(found).tolist())
        mend = self._mend(column, meant, found, pool)
        return self._moved(column, intent.chip, squad, hit, state), mend

    def _most(self, column: int, effect: BoosterEffect | None, state: _Progress) -> int | None:
        """Return how many transfers the round may have; None where there is no limit."""
        frame, locks = self.problem.frame, self.problem.locks
        if not state.squad or effect is BoosterEffect.WILDCARD:
            return None
        left = frame.size if locks.most_in_all is None else locks.most_in_all - state.made
        free = frame.size if state.count == frame.transfers.no_limit else state.count + int(locks.most_hits[column])
        return max(0, min(free, left, int(locks.most_transfers[column])))

    def _pool(self, column: int, state: _Progress, most: int | None) -> Pool:
        frame = self.problem.frame
        return Pool(
            price=np.where(state.held, frame.selling, frame.price),
            team=frame.team,
            position=frame.position,
            budget=float(self.problem.purse[column]),
            team_cap=int(frame.team_cap[column]),
            shape=frame.shape,
            current=state.squad,
            most_changes=most if state.squad else None,
        )

    def _demands(self, column: int, state: _Progress, *, loan: bool) -> Demands | None:
        """Return who must and who must not be in the round's squad; None where that contradicts itself.

        A man of a kept squad who is wanted later has to stay as long as he could not come back; that is left to chance.
        """
        locks, frame = self.problem.locks, self.problem.frame
        must = locks.must[:, column].copy()
        if not loan:
            must |= locks.never_sell & state.held
        if locks.captain[column] != NOBODY:
            must[locks.captain[column]] = True
        own = np.isin(np.arange(len(frame)), state.squad)
        never = locks.never[:, column] | (~frame.buyable & ~own)
        if (must & never).any():
            return None
        return Demands(must=tuple(np.flatnonzero(must).tolist()), never=tuple(np.flatnonzero(never).tolist()))

    def _meant(self, intent: Intent, state: _Progress, hit: bool) -> np.ndarray:
        """Return the men that the round is meant to have, as far as its swaps are still possible."""
        frame = self.problem.frame
        if (hit or not state.squad) and intent.whole:
            return np.array(intent.whole, dtype=np.int64)
        men = list(state.squad)
        for out, into in intent.swaps:
            if out in men and into not in men and frame.position[out] == frame.position[into] and frame.buyable[into]:
                men[men.index(out)] = into
        return np.array(men, dtype=np.int64)

    def _repaired(
        self, meant: np.ndarray, pool: Pool, column: int, state: _Progress, demands: Demands
    ) -> np.ndarray | None:
        weight = np.where(np.isin(meant, state.squad), KEPT_MAN, NEW_MAN)
        worth = self.problem.values.start[:, column] if pool.most_changes is None else self.worth[:, column]
        for solver in (False, True) if self.solver and not self.stop() else (False,):
            try:
                return repair(meant, pool, worth, demands, weight=weight, solver=solver).squad
            except (InfeasibleError, ModelError):
                continue
        own = np.array(state.squad, dtype=np.int64)
        return own if len(own) and bool(legal(own[None, :], pool)[0]) and demands.met(own) else None

    def _mend(self, column: int, meant: np.ndarray, found: np.ndarray, pool: Pool) -> PlanMend | None:
        out, into = np.setdiff1d(meant, found), np.setdiff1d(found, meant)
        if not into.size:
            return None
        reason = first_broken(meant, pool) if len(meant) == pool.size else "the shape of a squad"
        number = self.problem.rounds[column]
        return PlanMend(number, tuple(out.tolist()), tuple(into.tolist()), reason, self.solver)

    def _moved(self, column: int, chip: str | None, squad: tuple[int, ...], hit: bool, state: _Progress) -> RoundMoves:
        """Return the round's moves and go on to the next."""
        frame, effect = self.problem.frame, self._effect(chip)
        steps, before, count = frame.transfers, state.squad, state.count
        swaps = moves_between(before, squad, frame.position) if before else ()
        kept = before if hit else squad
        free_chip = hit or effect is BoosterEffect.WILDCARD
        made = 0 if free_chip or not before else len(swaps)
        hits = 0 if count == steps.no_limit else max(0, made - count)
        state.squad, state.count = (
            kept,
            int(steps.after_chip[column, count] if free_chip else steps.after[column, count, made]),
        )
        state.held &= np.isin(np.arange(len(frame)), kept)
        state.made += made
        state.used[chip or ""] += 1
        cost = float(np.where(state.held, frame.selling, frame.price)[list(kept)].sum())
        return RoundMoves(
            round=self.problem.rounds[column],
            out=tuple(out for out, _ in swaps),
            into=tuple(into for _, into in swaps) if before else squad,
            chip=chip,
            squad=squad,
            kept=kept,
            free=steps.free(count),
            hits=hits,
            bank=round(float(frame.wealth[column]) - cost, 1),
        )
