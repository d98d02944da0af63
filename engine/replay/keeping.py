"""Measure what is worth keeping, by replay: what each booster adds week by week, and what one more free transfer does.

A manager walks a season as the planner would, five rounds ahead at every deadline with what was known then, without
boosters and without hits. Before each round it is asked what a booster played now would add to his plan; and a second
manager with one free transfer more walks the next rounds beside him. All figures are expected points at the deadlines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from data.domain import POSITIONS
from data.rules import UNLIMITED, BoosterEffect, GameRules, load_rules
from data.worlds.calendar import as_announced
from data.worlds.world import World
from engine.board.boosters import booster_values
from engine.fitness.judge import Judge, named_objective
from engine.fitness.squad_view import SquadView
from engine.fitness.wishes import Wishes
from engine.plan.fitness.keeping import COLUMNS, LEAGUE_EFFECTS, TRANSFER_ROUNDS, KeepingValues, transfer_column
from engine.plan.linear.beam.beam import BeamSettings
from engine.plan.linear.beam.lineups import exact_value, round_lineups
from engine.plan.linear.frame import frame_of
from engine.plan.linear.problem import ChipOffer, Locks, PlanProblem, RoleValues
from engine.plan.linear.round_values import round_values
from engine.plan.linear.search import PlacedSearch
from engine.plan.moves.moves import Plan
from engine.plan.moves.state import State
from engine.rules.conflicts import Demands
from engine.search.quick import quick_best
from models.calibration.walk import known_rounds
from models.outlook import build_outlook
from models.signals import Signals, build_signals
from models.streams import Stream, stream

HORIZON = 5
"""Rounds that the manager plans ahead."""

DISCOUNT = 0.95
"""What a round counts beside the one before it: far forecasts are pulled in already, this is caution."""

BEAM = BeamSettings(width=30)
"""Plans within half a percent: a week's value is an average over many of them."""

RULES = "fpl2026"
"""The rulebook whose transfers are walked in every season: earlier ones kept two free transfers at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Deadline:
    """What a planner knows before a round."""

    signals: Signals
    points: np.ndarray  # (n, r) expected points of the coming rounds, later ones discounted

    @property
    def round(self) -> int:
        """Its number."""
        return self.signals.round


def deadlines(world: World, rules: GameRules) -> list[Deadline]:
    """Return the deadlines of a season whose rounds were played, with the doubles that were known."""
    found = []
    for number in known_rounds(world):
        known = as_announced(world.at(number))
        signals = build_signals(known, load_rules(world.rulebook), rng=stream(0, Stream.COMPETITION))
        outlook = build_outlook(signals, HORIZON)
        weights = DISCOUNT ** np.arange(outlook.xev.shape[1])
        modern = signals.rules.model_copy(update={"stages": rules.stages, "transfers": rules.transfers})
        found.append(Deadline(replace(signals, rules=modern), outlook.xev * weights))
    return found


def season_values(world: World, spare: float) -> pd.DataFrame:
    """Return one row for each played round of a league season: what boosters add, what a transfer more brings.

    `spare` is what the planner counts for a free transfer that is left after his horizon.
    """
    season = deadlines(world, load_rules(RULES))
    states = list(_walk(season, State.first(season[0].signals.rules, season[0].round), spare))
    rows = []
    for place, (deadline, (state, _)) in enumerate(zip(season, states, strict=True)):
        row: dict[str, float | str] = {"season": world.name, "kind": "league", "round": deadline.round}
        row |= _booster_gains(deadline, state, spare) if state.squad else {}
        row |= _transfer_gains(season[place:], state, [value for _, value in states[place:]], spare)
        rows.append(row)
    return pd.DataFrame(rows)


def tournament_values(world: World) -> pd.DataFrame:
    """Return one row for each played round of a tournament: what each booster adds for the best squad of the round.

    The wildcard is played from the best squad of the round before.
    """
    rules, rows, before = load_rules(world.rulebook), [], tuple[int, ...]()
    for number in known_rounds(world):
        signals = build_signals(world.at(number), rules, rng=stream(0, Stream.COMPETITION))
        judge = Judge(SquadView(signals, Wishes(squad=before).settings(signals)), stream(0, Stream.REFERENCE))
        objective, rng = named_objective("neutral", judge.view), stream(0, Stream.QUESTIONS, number)
        squad = quick_best(judge, objective, rng, judge.view.available(Demands()))
        values = booster_values(judge, objective, squad, rng)
        known = {str(one.effect): round(one.points, 2) for one in values if one.legal and one.points is not None}
        rows.append({"season": world.name, "kind": "tournament", "round": number} | known)
        before = tuple(signals.player_id[squad].tolist())
    return pd.DataFrame(rows)


def _walk(season: Sequence[Deadline], state: State, spare: float) -> Iterator[tuple[State, float]]:
    """Yield the state before each round and the expected points of the round as it is then played."""
    for place, deadline in enumerate(season):
        problem = _problem(deadline, state, spare)
        plan = _best(problem)[1]
        yield state, _round_points(problem, plan)
        if place + 1 < len(season):
            state = next_state(state, plan, deadline.signals, season[place + 1].signals)


def _problem(deadline: Deadline, state: State, spare: float, effect: BoosterEffect | None = None) -> PlanProblem:
    frame = frame_of(state, deadline.signals, deadline.points.shape[1])
    missing = len(frame) - len(deadline.points)
    points = np.concatenate([deadline.points, np.zeros((missing, deadline.points.shape[1]))])
    locks = Locks.none(len(frame), len(frame.rounds))
    rounds = len(frame.rounds)
    offers = () if effect is None else (ChipOffer(effect, effect, np.arange(rounds) == 0, np.zeros(rounds)),)
    values = RoleValues.of_points(points, spare)
    return PlanProblem(frame, values, offers, locks=replace(locks, most_hits=np.zeros(rounds, dtype=np.int64)))


def _best(problem: PlanProblem) -> tuple[float, Plan]:
    """Return the value and the plan that a narrow beam finds; the booster on offer is played at once."""
    first = problem.chips[0].key if problem.chips else None
    search = PlacedSearch.of(problem, (first, *[None] * (len(problem.rounds) - 1)))
    search.run(BEAM)
    best = search.answer(1).best
    return best.value, best.plan


def _round_points(problem: PlanProblem, plan: Plan) -> float:
    """Return the expected points of the coming round."""
    rounds = round_values(problem, (None,) * len(problem.rounds))
    return float(exact_value(round_lineups(rounds[0], problem.frame), np.array(plan.moves[0].squad)))


def next_state(state: State, plan: Plan, now: Signals, later: Signals) -> State:
    """Return what a manager brings into the round after this one, at the prices of then."""
    first, rules = plan.moves[0], now.rules
    gone = [player for player in state.squad if player not in set(now.player_id.tolist())]
    ids = {row: int(player) for row, player in enumerate([*now.player_id.tolist(), *gone])}
    prices = dict(zip(later.player_id.tolist(), later.price.tolist(), strict=True))
    squad = tuple(ids[row] for row in first.kept)
    paid = {
        player: state.paid.get(player, float(now.price[row]))
        for player, row in zip(squad, first.kept, strict=True)
        if row < len(now)
    }
    paid |= {player: state.paid[player] for player in squad if player not in paid}
    selling = {
        player: rules.transfers.selling_price(paid[player], prices[player])
        if player in prices
        else state.selling.get(player, paid[player])
        for player in squad
    }
    places = dict(zip(squad, first.kept, strict=True))
    left = {player: _position(state, now, player, places[player]) for player in squad if player not in prices}
    free = rules.free_transfers_after(now.round, first.free, first.transfers)
    return State(squad=squad, paid=paid, selling=selling, bank=max(0.0, first.bank), free=free, left=left)


def _position(state: State, now: Signals, player: int, row: int) -> str:
    return str(POSITIONS[now.position[row]]) if row < len(now) else state.left[player]


def _booster_gains(deadline: Deadline, state: State, spare: float) -> Mapping[str, float]:
    """Return what each booster played in the coming round adds to the plan."""
    without = _best(_problem(deadline, state, spare))[0]
    return {
        str(effect): round(_best(_problem(deadline, state, spare, effect))[0] - without, 2) for effect in LEAGUE_EFFECTS
    }


def _transfer_gains(
    season: Sequence[Deadline], state: State, base: Sequence[float], spare: float
) -> Mapping[str, float]:
    """Return what one free transfer more has brought after so many rounds; nothing where there is no room for it."""
    ahead = season[:TRANSFER_ROUNDS]
    full = season[0].signals.rules.stage(season[0].round)
    if state.free is None or full.free_transfers == UNLIMITED or state.free >= full.free_transfers + full.carry_in:
        return {}
    richer = [value for _, value in _walk(ahead, replace(state, free=state.free + 1), spare)]
    gained = np.cumsum(np.array(richer) - np.array(base[: len(richer)]))
    return {transfer_column(rounds + 1): round(float(gain), 2) for rounds, gain in enumerate(gained)}


def measured_weeks(worlds: Iterable[World], spare: float) -> pd.DataFrame:
    """Return the measured weeks of seasons and tournaments, as the table that comes with the project has them."""
    found = [
        tournament_values(world) if load_rules(world.rulebook).kind == "tournament" else season_values(world, spare)
        for world in worlds
    ]
    return pd.concat(found, ignore_index=True).reindex(columns=COLUMNS)


def keeping_summary(weeks: pd.DataFrame) -> dict[str, list[dict[str, float | str]]]:
    """Return what follows from measured weeks: a transfer by the rounds to come, each booster for half a season."""
    measured, rules = KeepingValues(weeks), load_rules(RULES)
    half = rules.rounds // 2
    spans = {"first": range(1, half + 1), "second": range(half + 1, rules.rounds + 1)}
    transfers = {number: measured.transfer(number) for number in range(1, TRANSFER_ROUNDS + 1)}
    return {
        "transfer": [{"rounds": n, "value": one.value, "error": one.error} for n, one in transfers.items()],
        "boosters": [
            {
                "effect": str(effect),
                "half": name,
                "value": measured.booster(effect, rules, span),
                "error": measured.booster_error(effect, rules, span),
            }
            for effect in LEAGUE_EFFECTS
            for name, span in spans.items()
        ],
    }
