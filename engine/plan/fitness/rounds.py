"""Rounds of a plan as squads are looked at in each: the signals with men who left, the booster played, the money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from data.errors import InputError
from data.rules import BoosterEffect
from engine.board.boosters import chance_to_qualify, shielded_points
from engine.fitness.judge import Objective
from engine.fitness.sent_out import preferred_lineup
from engine.fitness.squad_view import SceneSettings, SquadView
from engine.lineup.lineups import Lineups, joined
from engine.plan.linear.frame import NO_TEAM, Frame, frame_of
from engine.plan.linear.problem import FREE_CHIPS
from engine.plan.linear.solved_before import SolvedBefore
from engine.plan.moves.moves import Plan
from engine.plan.moves.state import State
from models.armband.captaincy import maximum_captain
from models.armband.table import ArmbandTable
from models.crowd.ownership import Exposure
from models.players.points import GRID, PointDistributions
from models.signals import Signals
from models.together.covariance import Covariance

DISCOUNT = 0.985
"""What points of a round count for against those of the round before it. Measured on our own forecasts of gameweeks 3
to 19, the fifty best score .86 to .95 of what is forecast at every distance up to eight rounds, without a fall: minutes
are drawn to the typical already. So calibration asks for no more than this; .9 would be caution."""

HELD = 0.1
"""Correlation of one player's surprises in two rounds, measured at .05 to .15: who is held for n rounds swings 1 +
.1 (n − 1) times as much as the rounds apart."""

SPARE = 1.2
"""Points that a spare transfer after the horizon is worth where nothing else is measured; 2 was measured worse."""

GONE = "left the game"
NOTHING = (
    *("owned", "start", "p_play", "xev", "variance", "floor", "ceiling", "typical_xev", "plays", "clean_sheet"),
    *("slot", "confidence"),
)
"""Columns in which a man who left the game has nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSettings:
    """What a plan is valued by beyond the objective."""

    discount: float = DISCOUNT
    held: float = HELD
    spare: tuple[float, ...] = tuple(SPARE * count for count in range(6))  # of k free transfers after the horizon
    keeping: Mapping[str, tuple[float, ...]] = field(default_factory=dict)  # booster → points given up, by round
    carry: bool = True  # whether the last squad is worth something beyond the horizon

    def __post_init__(self) -> None:
        if not 0 < self.discount <= 1:
            raise InputError(f"A discount of {self.discount} makes no sense; give more than 0, at most 1.")
        if not 0 <= self.held <= 1:
            raise InputError(f"A correlation of {self.held} between rounds makes no sense; give 0 to 1.")


@dataclass(frozen=True, eq=False)
class RoundView(SquadView):
    """How squads of one round of a plan are looked at: legality is the plan's, later rounds are its own."""

    chip: BoosterEffect | None = None
    carried: bool = False  # whether the carry beyond the round counts: after the last one

    @cached_property
    def later_rounds(self) -> tuple[int, ...]:
        """The rounds that the carry looks at: none, unless the plan ends here."""
        return SquadView.later_rounds.func(self) if self.carried else ()  # type: ignore[attr-defined]

    def counted(self, lineups: Lineups) -> Lineups:
        """Return line-ups as the round counts them: with a bench boost everybody counts."""
        if self.chip is not BoosterEffect.BENCH_BOOST:
            return lineups
        everybody = np.ones(lineups.weight.shape)
        come_in, raw = self.signals.p_play[lineups.bench], self.signals.xev[lineups.squads].sum(axis=1)
        return replace(lineups, weight=everybody, come_in=come_in, raw_xev=raw)

    def _state(self, squads: np.ndarray, lineups: Lineups, usual: Lineups) -> dict[str, np.ndarray]:
        state = super()._state(squads, lineups, usual)
        state["feasible"] = np.ones(len(squads))
        match self.chip:
            case BoosterEffect.MAXIMUM_CAPTAIN:
                copies = self.signals.rules.captaincy.multiplier - 1
                state["captaincy_uplift"] = copies * maximum_captain(self.signals.armband, lineups.starters)
            case BoosterEffect.TWELFTH_MAN:
                state["raw_xev"] = state["raw_xev"] + self._best_outside(squads)
            case BoosterEffect.QUALIFICATION:
                paid = self._pay(BoosterEffect.QUALIFICATION) * chance_to_qualify(self.signals)
                state["raw_xev"] = state["raw_xev"] + paid[lineups.starters].sum(axis=1)
            case BoosterEffect.CLEAN_SHEET_SHIELD:
                held = self.multipliers(squads, lineups)
                state["raw_xev"] = state["raw_xev"] + (held * shielded_points(self.signals)[squads]).sum(axis=1)
        return state

    def _pay(self, effect: BoosterEffect) -> int:
        """Points that a booster pays per qualifying player."""
        boosters = self.signals.rules.boosters.values()
        return next((booster.points for booster in boosters if booster.effect is effect), 0)

    def _best_outside(self, squads: np.ndarray) -> np.ndarray:
        xev = np.tile(self.signals.xev, (len(squads), 1))
        np.put_along_axis(xev, squads, -np.inf, axis=1)
        return np.asarray(xev.max(axis=1))

    def played(self, chip: BoosterEffect | None) -> RoundView:
        """Return the view with a booster played; one that changes transfers alone changes nothing here."""
        if chip is BoosterEffect.TRIPLE_CAPTAIN:
            rules = self.signals.rules
            worn = rules.captaincy.model_copy(update={"multiplier": rules.captaincy.multiplier + 1})
            tripled = replace(self.signals, rules=rules.model_copy(update={"captaincy": worn}))
            return replace(self, signals=tripled, chip=chip)
        return replace(self, chip=chip)


@dataclass(frozen=True, eq=False)
class PlanRounds:
    """The rounds of a plan, the coming one first: beliefs of each, a manager's state, and what is worth keeping."""

    signals: tuple[Signals, ...]  # player rows of the frame: men who left follow the others
    state: State
    frame: Frame
    settings: PlanSettings = field(default_factory=PlanSettings)
    exposures: tuple[Exposure | None, ...] = ()  # of named rivals; empty = all managers
    scene: SceneSettings = field(default_factory=SceneSettings)  # preferences, a formation
    captains: Mapping[int, int] = field(default_factory=dict)  # round → player row who leads where he is in the squad

    def __len__(self) -> int:
        return len(self.signals)

    @property
    def rounds(self) -> tuple[int, ...]:
        """Their numbers."""
        return self.frame.rounds

    @property
    def titles(self) -> list[str]:
        """What managers call them."""
        return [self.signals[0].rules.round_title(number) for number in self.rounds]

    @property
    def discounts(self) -> np.ndarray:
        """(r,) what a point of each round counts for."""
        return np.asarray(self.settings.discount ** np.arange(len(self)))

    @cached_property
    def views(self) -> tuple[RoundView, ...]:
        """How squads are looked at in each round, no booster played."""
        exposures = self.exposures or (None,) * len(self)
        return tuple(
            RoundView(
                signals, replace(self.scene, budget=float(money), captain=self.captains.get(signals.round)), exposure
            )
            for signals, money, exposure in zip(self.signals, self.frame.wealth, exposures, strict=True)
        )

    @cached_property
    def last_view(self) -> RoundView:
        """How the last squad is looked at with all that comes after the horizon."""
        return replace(self.views[-1], carried=True)

    @cached_property
    def solved(self) -> SolvedBefore:
        """Squads that were built anew for these rounds, whatever was asked: an edit changes few of them."""
        return SolvedBefore()

    @cached_property
    def _with_chip(self) -> dict[tuple[int, BoosterEffect], RoundView]:
        return {}

    @cached_property
    def _sent_out(self) -> dict[tuple[RoundView, str, bytes], Lineups]:
        return {}

    def sent_out(self, view: RoundView, squads: np.ndarray, objective: Objective) -> Lineups:
        """Return the line-ups of squads (p, 15) that an objective likes best in the round of a view."""
        found = []
        for squad in squads:
            key = (view, objective.key, squad.tobytes())
            if key not in self._sent_out:
                self._sent_out[key] = preferred_lineup(view, squad, objective.spec, objective.parameters)
            found.append(self._sent_out[key])
        return joined(found)

    def spare_count(self, plan: Plan) -> int:
        """Return the count of free transfers that a plan leaves after its last round."""
        last, steps = plan.moves[-1], self.frame.transfers
        count = steps.no_limit if last.free is None else last.free
        free_chip = last.chip is not None and self.signals[0].rules.boosters[last.chip].effect in FREE_CHIPS
        return int(steps.after_chip[-1, count] if free_chip else steps.after[-1, count, last.transfers])

    def view(self, column: int, chip: str | None) -> RoundView:
        """Return how squads are looked at in a round in which a booster is played."""
        effect = None if chip is None else self.signals[0].rules.boosters[chip].effect
        if effect in (None, BoosterEffect.WILDCARD, BoosterEffect.FREE_HIT):
            return self.views[column]
        assert effect is not None
        return self._with_chip.setdefault((column, effect), self.views[column].played(effect))


def plan_rounds(
    ahead: Sequence[Signals],
    state: State,
    *,
    settings: PlanSettings | None = None,
    exposures: Sequence[Exposure | None] = (),
    scene: SceneSettings | None = None,
) -> PlanRounds:
    """Return the rounds of a plan from the signals of each, the coming one first, and what a manager brings."""
    frame = frame_of(state, ahead[0], len(ahead))
    kept = {player: price for player, price in state.selling.items() if player not in state.left}
    wide = tuple(_widened(_priced(signals, kept), frame, state) for signals in ahead)
    padded = tuple(None if one is None else _padded_exposure(one, len(frame)) for one in exposures)
    return PlanRounds(wide, state, frame, settings or PlanSettings(), padded, scene or SceneSettings())


def _priced(signals: Signals, selling: Mapping[int, float]) -> Signals:
    """Return the signals at the prices that this manager pays: who is his costs what selling him would bring."""
    pairs = zip(signals.player_id.tolist(), signals.price.tolist(), strict=True)
    return replace(signals, price=np.array([selling.get(player, now) for player, now in pairs]))


def _widened(signals: Signals, frame: Frame, state: State) -> Signals:
    """Return the signals with a row for each man of the manager's who left: he scores nothing and belongs to nobody."""
    more = len(frame) - len(signals)
    if not more:
        return signals
    known = set(signals.player_id.tolist())
    gone = [player for player in state.squad if player not in known]
    mass = np.zeros((more, GRID.size))
    mass[:, GRID == 0] = 1.0
    points = PointDistributions(
        np.concatenate([signals.points.mass, mass]),
        {name: _padded(line, more) for name, line in signals.points.lines.items()},
    )
    columns: dict[str, Any] = {name: _padded(getattr(signals, name), more) for name in NOTHING}
    return replace(
        signals,
        **columns,
        player_id=np.append(signals.player_id, gone),
        name=np.append(signals.name, [f"Player {player}" for player in gone]),
        short=np.append(signals.short, [f"Player {player}" for player in gone]),
        team=np.append(signals.team, [NO_TEAM] * more),
        position=frame.position,
        price=np.append(signals.price, frame.selling[-more:]),
        status=np.append(signals.status, [GONE] * more),
        unavailable=np.append(signals.unavailable, [True] * more),
        kickoff=np.append(signals.kickoff, np.full(more, np.datetime64("NaT", "us"))),
        opponents=np.append(signals.opponents, ["–"] * more),
        points=points,
        exposure=_padded_exposure(signals.exposure, len(frame)),
        best=None,
        covariance=Covariance(signals.covariance.blocks, len(frame)),
        armband=ArmbandTable(pmf=points.mass, grid=GRID, p_play=columns["p_play"], slot=columns["slot"]),
    )


def _padded(column: np.ndarray, more: int) -> np.ndarray:
    return np.concatenate([column, np.zeros((more, *column.shape[1:]), dtype=column.dtype)])


def _padded_exposure(exposure: Exposure, size: int) -> Exposure:
    more = size - len(exposure.eo)
    if not more:
        return exposure
    names = [one.name for one in fields(exposure) if one.name != "notes"]
    columns: dict[str, Any] = {name: _padded(getattr(exposure, name), more) for name in names}
    return replace(exposure, **columns)
