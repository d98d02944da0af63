"""Look back on decisions: what was expected, what happened, and how much of it was luck, the field and one's choice.

The lead on the average manager changes by what the line-up got less what he got. That is the edge expected beforehand,
plus luck (outcome against forecast), plus the field (how far the others stayed below what was expected of them). The
choice is told apart: what the line-up got beside the best alternative of that moment, in points that really came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from data.errors import InputError
from data.ledger.decision import Decision, KeptLineup
from data.rules import GameRules
from data.worlds.world import World
from engine.board.board import Board, Option
from engine.fitness.explanation import LED, PLAIN, SWAMPED
from engine.fitness.judge import Judge, Objective
from engine.lineup.lineups import best_lineups
from engine.season.official_score import official_score
from models.calibration.walk import known_rounds
from models.signals import Signals, build_signals
from models.streams import Stream, stream

KEEPS_LEADING = 2
"""Decisions led by one term from which the watch speaks."""


@dataclass(frozen=True, slots=True)
class LookBack:
    """One decision after its round."""

    round: int
    objective: str
    took_advice: bool
    expected: float  # points of the line-up that was played, hits taken off
    happened: int  # official, hits taken off
    luck: float  # happened less expected
    edge: float | None  # expected less what the field was believed to get
    field: float | None  # what the average manager stayed below his own expectation; None where either is not known
    choice: int | None  # happened less what the best alternative got; None without one
    chosen_for: float | None  # the same in expected points
    chance: float | None  # as stated
    leader: str  # the term that set the advice apart most; empty where none did

    @property
    def gained(self) -> float | None:
        """Points gained on the average manager; None where he is not known."""
        return None if self.edge is None or self.field is None else self.edge + self.luck + self.field


def look_back(world: World, rules: GameRules, decision: Decision, seed: int = 0) -> LookBack:
    """Return a decision beside what happened in its round."""
    if decision.round not in known_rounds(world):
        raise InputError(f"Round {decision.round} of {world.title} has no official points yet. Look back when it has.")
    signals = build_signals(world.at(decision.round), rules, rng=stream(seed, Stream.COMPETITION, decision.round))
    played = decision.followed
    others = [one for one in decision.lineups if one != played]
    best = max(others, key=lambda one: one.expected, default=None)
    happened = _points(world, signals, played)
    average = world.tables["rounds"].set_index("round")["average"].reindex([decision.round]).astype(float).iloc[0]
    believed = decision.field_expected
    return LookBack(
        round=decision.round,
        objective=decision.objective,
        took_advice=decision.taken is None or decision.taken == decision.advised,
        expected=played.expected,
        happened=happened,
        luck=happened - played.expected,
        edge=None if believed is None else played.expected - believed,
        field=None if believed is None or not np.isfinite(average) else believed - float(average),
        choice=None if best is None else happened - _points(world, signals, best),
        chosen_for=None if best is None else played.expected - best.expected,
        chance=decision.chance,
        leader=max(decision.shares, key=lambda name: decision.shares[name], default=""),
    )


def _points(world: World, signals: Signals, kept: KeptLineup) -> int:
    """Return the official points of a kept line-up, hits taken off."""
    eleven, bench = (np.array([signals.row_of(man) for man in men]) for men in (kept.eleven, kept.bench))
    eleven = eleven[np.argsort(signals.position[eleven], kind="stable")]
    bench = bench[np.argsort(signals.position[bench] == 0, kind="stable")]
    whole = best_lineups(signals, np.concatenate([eleven, bench])[None, :])
    lineups = replace(
        whole,
        starters=eleven[None, :],
        bench=bench[None, :],
        captain=np.array([signals.row_of(kept.captain)]),
        vice=whole.vice if kept.vice is None else np.array([signals.row_of(kept.vice)]),
    )
    return official_score(world, signals, lineups, kept.chip) - round(kept.hit_points)


def watch_decisions(decisions: Sequence[Decision]) -> tuple[str, ...]:
    """Return what keeps leading the advice over rounds, as sentences: the substitution watch across rounds."""
    leaders = [max(one.shares, key=lambda name: one.shares[name], default="") for one in decisions]
    led = [name for name, one in zip(leaders, decisions, strict=True) if name and one.shares[name] > SWAMPED]
    return tuple(
        f"{LED.get(name, name)} in {times} of {len(decisions)} decisions: check whether {PLAIN.get(name, name)} stands "
        "in for what you really want."
        for name, times in Counter(led).items()
        if times >= KEEPS_LEADING
    )


def decision_of(
    board: Board,
    judge: Judge,
    objective: Objective,
    made_at: datetime,
    *,
    world: str,
    seed: int = 0,
    current: Sequence[int] = (),
    lead: float | None = None,
    chance: float | None = None,
) -> Decision:
    """Return the decision that a board advises at a moment, as the ledger keeps it; `current` is the squad one has."""
    best, signals = board.recommended, judge.view.signals
    told = best.decomposition
    shares = judge.yardstick(objective).shares({name: np.array([value]) for name, value in told.terms.items()})
    return Decision(
        world=world,
        round=signals.round,
        made_at=made_at,
        deadline=signals.deadline,
        objective=objective.name,
        strength=told.parameters.get("k", told.parameters.get("kappa")),
        seed=seed,
        advised=kept_lineup(best, current),
        alternatives=tuple(kept_lineup(option, current) for option in board.options if option is not best),
        spread=float(np.sqrt(max(told.variance, 0.0))),
        field_expected=float(signals.exposure.eo @ signals.xev),
        lead=lead,
        chance=chance,
        terms=dict(told.terms),
        shares={name: float(share[0]) for name, share in shares.items()},
        forecasts={man.player_id: man.xev for option in board.options for man in option.men},
    )


def kept_lineup(option: Option, current: Sequence[int] = ()) -> KeptLineup:
    """Return an option as the ledger keeps line-ups, with the moves from the squad one has."""
    men = [man.player_id for man in option.men]
    card, worn = option.transfers, {man.armband: man.player_id for man in option.men if man.armband}
    return KeptLineup(
        eleven=tuple(man.player_id for man in option.men if man.role == "starter"),
        bench=tuple(man.player_id for man in option.men if man.role != "starter"),
        captain=worn["C"],
        vice=worn.get("V"),
        out=tuple(man for man in current if man not in men),
        into=tuple(man for man in men if man not in current) if current else (),
        hit_points=0.0 if card is None else card.cost,
        expected=option.expected,
    )
