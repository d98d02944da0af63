"""What a fitness spec sees of squads: their terms, records and horizon, computed from the signals for whole batches."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from data.errors import InputError
from data.rules import UNLIMITED
from engine.fitness.preferences import NO_PREFERENCES, Preferences
from engine.fitness.records import record_fields, squad_records
from engine.fitness.rule_terms import last_round_before_rebuild, rebuilt, sheet_pay
from engine.fitness.typical import typical_squad
from engine.language.deferred import Deferred
from engine.language.vocabulary import RecordSet, Scene
from engine.lineup.joint import NOBODY
from engine.lineup.lineups import Lineups, best_lineups
from engine.rules.conflict_words import conflict_error
from engine.rules.conflicts import Demands, Names, possible
from engine.rules.legality import legal
from engine.rules.pool import Pool, TeamLimit, pool_of, wished
from models.crowd.ownership import Exposure
from models.signals import Signals
from models.together.stacks import squad_stack_lift

DISCOUNT = 0.85
"""What expected points of a round count for against those of the round before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneSettings:
    """How squads are looked at, whatever the objective."""

    preferences: Preferences = NO_PREFERENCES
    current: tuple[int, ...] = ()  # player rows of the squad one starts from; empty = a new squad
    free_transfers: int | None = None  # None = those of the stage
    budget: float | None = None  # None = the stage's
    most_changes: int | None = None  # from `current`; None = as many as one pays for
    teams: tuple[TeamLimit, ...] = ()  # how many of a team the manager wants
    formation: int | None = None  # place in the rulebook's formations; None = the best for each squad
    captain: int | None = None  # player row who wears the armband first, wherever he is in the squad

    def __post_init__(self) -> None:
        if self.free_transfers is not None and self.free_transfers < 0:
            raise InputError(f"{self.free_transfers} free transfers make no sense; 0 is the least.")


@dataclass(frozen=True, eq=False)
class SquadView:
    """The signals of a round, prepared once for scoring any number of squads."""

    signals: Signals
    settings: SceneSettings = field(default_factory=SceneSettings)
    exposure: Exposure | None = None  # of the field to beat; None = all managers

    @cached_property
    def pool(self) -> Pool:
        """What legality depends on: the rules alone."""
        return pool_of(self.signals, budget=self.settings.budget)

    @cached_property
    def wished(self) -> Pool:
        """What a search may pick from: the rules and the manager's own limits on teams and changes."""
        settings = self.settings
        return wished(self.pool, limits=settings.teams, current=settings.current, most_changes=settings.most_changes)

    def feasible(self, squads: np.ndarray) -> np.ndarray:
        """Return (p,) whether each squad obeys the rules; the one a manager has does until he changes it.

        A real transfer may have made four men of a club of his three: the cap then binds his next move.
        """
        fits, current = legal(squads, self.pool), self.settings.current
        if fits.all() or len(current) != self.pool.size:
            return fits
        return np.asarray(fits | legal(squads, wished(self.pool, current=current, most_changes=0)))

    @property
    def formations(self) -> tuple[tuple[int, int, int, int], ...]:
        """The elevens a squad may send out as (GK, DEF, MID, FWD): the rulebook's, or the one the manager holds."""
        lineups, held = self.signals.rules.squad.lineups, self.settings.formation
        return lineups if held is None else (lineups[held],)

    @cached_property
    def field_exposure(self) -> Exposure:
        """Exposure of those one plays against."""
        return self.exposure or self.signals.exposure

    @cached_property
    def typical(self) -> np.ndarray:
        """(15,) the squad whose bench chances and vice stand for all others in a standard form."""
        return typical_squad(self.signals, self.pool)

    @cached_property
    def later_rounds(self) -> tuple[int, ...]:
        """The rounds that the carry looks at, the next one first."""
        last = last_round_before_rebuild(self.signals.rules, self.signals.round)
        return tuple(number for number in self.signals.rounds if self.signals.round < number <= last)

    @cached_property
    def carry(self) -> np.ndarray:
        """(n, t) discounted expected points of each player in each later round."""
        columns = [self.signals.rounds.index(number) for number in self.later_rounds]
        discount = DISCOUNT ** np.arange(1, len(columns) + 1)
        return np.asarray(self.signals.typical_xev[:, None] * self.signals.plays[:, columns] * discount)

    @cached_property
    def sheet_pay(self) -> np.ndarray:
        """(n,) what a clean sheet pays the men of a spine: goalkeepers and defenders."""
        pay = sheet_pay(self.signals.rules)
        return np.asarray(np.where(self.signals.position <= 1, pay[self.signals.position], 0.0))

    @cached_property
    def field_pull(self) -> np.ndarray:
        """(n,) covariance of each player with the field's points."""
        return np.asarray(self.signals.covariance @ self.field_exposure.eo)

    @cached_property
    def free_transfers(self) -> float:
        """Transfers that cost nothing before this round; infinite where a squad is built anew."""
        allowed = self.signals.rules.stage(self.signals.round).free_transfers
        if self.settings.free_transfers is not None:
            return float(self.settings.free_transfers)
        return np.inf if allowed == UNLIMITED else float(allowed)

    @cached_property
    def newcomer(self) -> np.ndarray:
        """(n,) 1 for whoever would be a change from the squad one starts from; 0 for all where there is none."""
        new = np.full(len(self.signals), float(bool(self.settings.current)))
        new[list(self.settings.current)] = 0.0
        return new

    @cached_property
    def players(self) -> Scene:
        """Two squads that hold every player as a record of each kind he may be: the first in the role 0, then in 1."""
        rows = np.tile(np.arange(len(self.signals)), (2, 1))
        anybody = np.ones(rows.shape, dtype=bool)
        fields = record_fields(self.signals, self.field_exposure, rows, np.indices(rows.shape)[0])
        kinds = dict.fromkeys(("owned", "starter", "bench"), anybody) | {
            "differential_owned": self.field_exposure.differential[rows],
            "template_missed": self.field_exposure.template[rows],
        }
        records = {kind: RecordSet(fields, mask) for kind, mask in kinds.items()}
        return Scene({"players": anybody.sum(axis=1)}, records, world=self._world())

    def available(self, demands: Demands) -> Demands:
        """Return the demands with everybody barred who cannot play: who is owned stays, who is asked for comes.

        A position that has too few others is left alone.
        """
        signals, owned = self.signals, np.isin(np.arange(len(self.signals)), self.settings.current)
        asked = replace(demands, captain=self.settings.captain).wanted + demands.wanted
        held = np.isin(np.arange(len(signals)), asked)
        out = signals.unavailable & ~owned & ~held
        left = np.bincount(signals.position[~out], minlength=len(self.pool.shape)) >= self.pool.shape
        return replace(demands, out=tuple(np.flatnonzero(out & left[signals.position]).tolist()))

    def lineups(self, squads: np.ndarray) -> Lineups:
        """Return the line-up of each squad that expects most under the formation and captain the manager holds."""
        held, captain = None, self.settings.captain
        if captain is not None:
            held = np.where((np.asarray(squads) == captain).any(axis=1), captain, NOBODY)
        return self.counted(best_lineups(self.signals, squads, formation=self.settings.formation, captain=held))

    def counted(self, lineups: Lineups) -> Lineups:
        """Return line-ups as the round counts them."""
        return lineups

    def look(
        self, squads: np.ndarray, lineups: Lineups | None = None, usual: Lineups | None = None
    ) -> tuple[Scene, Lineups]:
        """Return what a spec sees of squads (p, 15) of player rows, and the line-ups behind it.

        Those are the line-ups that expect most unless others are given. `usual` are those in any case, for whoever has
        them at hand: who counts in later rounds, which this round's line-up does not change.
        """
        usual = usual or self.lineups(squads)
        lineups = lineups or usual
        state = self._state(squads, lineups, usual)
        scene = Scene(
            squad=state,
            records=squad_records(self.signals, self.field_exposure, squads, lineups),
            ticks=self._ticks(squads, lineups, usual),
            world=self._world(),
            engine={"generation": 0.0, "stalled": 0.0, "evaluations": 0.0}
            | {"changes": state["changes"], "complexity": state["teams"], "nodes": state["players"]},
            plan={
                "hits": np.maximum(state["changes"] - self.free_transfers, 0.0),
                "transfers": state["changes"],
                "chips_kept": 0.0,
            },
        )
        return scene, lineups

    def changes(self, squads: np.ndarray) -> np.ndarray:
        """Return (p,) how many men of each squad are new to the one its manager has."""
        return np.asarray(self.newcomer[squads].sum(axis=1))

    def transfer_cost(self, squads: np.ndarray) -> np.ndarray:
        """Return (p,) the points that transfers beyond the free ones take."""
        beyond = np.maximum(self.changes(squads) - self.free_transfers, 0.0)
        return np.asarray(self.signals.rules.transfers.hit_cost * beyond)

    def _state(self, squads: np.ndarray, lineups: Lineups, usual: Lineups) -> dict[str, np.ndarray]:
        signals = self.signals
        held = self.multipliers(squads, lineups)
        variance = signals.covariance.variance_of(squads, held)
        shared = (held * self.field_pull[squads]).sum(axis=1)
        return {
            "feasible": self.feasible(squads).astype(float),
            "raw_xev": lineups.raw_xev,
            "captaincy_uplift": lineups.captaincy_uplift,
            "cs_lift": squad_stack_lift(lineups.starters, signals.team, signals.clean_sheet, self.sheet_pay),
            "progression_carry": (usual.weight * self.carry.sum(axis=1)[squads]).sum(axis=1),
            "variance": variance,
            "field_covariance": shared,
            "relative_variance": variance - 2 * shared + float(self.field_exposure.eo @ self.field_pull),
            "price": signals.price[squads].sum(axis=1),
            "changes": self.changes(squads),
            "transfer_cost": self.transfer_cost(squads),
            "preferences": self.settings.preferences.points(signals, squads, lineups),
            "teams": _distinct(signals.team[squads]),
            "players": np.full(len(squads), float(squads.shape[1])),
            "bench_xev": lineups.raw_xev - signals.xev[lineups.starters].sum(axis=1),
        }

    def multipliers(self, squads: np.ndarray, lineups: Lineups) -> np.ndarray:
        """(p, 15) how often each man's points count: his role, and the armband on top."""
        armband = self.signals.rules.captaincy.multiplier - 1
        return np.asarray(lineups.weight + armband * (squads == lineups.captain[:, None]))

    def _ticks(self, squads: np.ndarray, lineups: Lineups, usual: Lineups) -> Deferred[np.ndarray]:
        """The state round by round of the horizon, this round first."""
        rounds = np.array([self.signals.round, *self.later_rounds], dtype=float)
        return Deferred(
            {
                "round": lambda: np.broadcast_to(rounds, (len(squads), len(rounds))),
                "expected": lambda: self._expected_by_round(squads, lineups, usual),
                "playing": lambda: self._playing_by_round(squads, lineups, usual),
            }
        )

    def _expected_by_round(self, squads: np.ndarray, lineups: Lineups, usual: Lineups) -> np.ndarray:
        later = np.einsum("pk,pkt->pt", usual.weight, self.carry[squads])
        return np.concatenate([lineups.expected[:, None], later], axis=1)

    def _playing_by_round(self, squads: np.ndarray, lineups: Lineups, usual: Lineups) -> np.ndarray:
        columns = [self.signals.rounds.index(number) for number in (self.signals.round, *self.later_rounds)]
        plays = self.signals.plays[squads][:, :, columns]
        playing = np.einsum("pk,pkt->pt", usual.weight, plays)
        playing[:, 0] = (lineups.weight * plays[:, :, 0]).sum(axis=1)
        return np.asarray(playing)

    def _world(self) -> dict[str, float]:
        rules, number = self.signals.rules, self.signals.round
        stage = rules.stage(number)
        return {
            "round": float(number),
            "rounds": float(rules.rounds),
            "rounds_left": float(rules.rounds - number + 1),
            "budget": self.pool.budget,
            "team_cap": float(stage.team_cap),
            "knockout": float(rules.kind == "tournament" and rebuilt(rules, number)),
        }


def refuse_impossible(view: SquadView, demands: Demands) -> None:
    """Raise the error that names the conflict where no squad can meet what a manager holds and demands in a round."""
    settings = view.settings
    asked = replace(demands, captain=settings.captain, lineups=view.formations)
    free = not asked.wanted and not asked.never and not settings.teams and settings.most_changes is None
    if not free and not possible(view.wished, asked):
        raise conflict_error(view.wished, asked, Names.of(view.signals))


def _distinct(teams: np.ndarray) -> np.ndarray:
    ordered = np.sort(teams, axis=1)
    return np.asarray(1.0 + (ordered[:, 1:] != ordered[:, :-1]).sum(axis=1))
