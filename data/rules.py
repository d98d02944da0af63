"""The rules of a game as data: `GameRules` read from a rulebook file, frozen, and refused when they contradict.

Every section carries `confirmed` and `source`: an unconfirmed fact marks what is computed from it as provisional.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from data.domain import POSITIONS, Position
from data.errors import RulebookError, UnknownError, did_you_mean
from data.schema import EVENT_COUNTS
from data.toml_text import read_toml

RULEBOOKS = Path(__file__).parent / "rulebooks"
UNLIMITED: Literal["unlimited"] = "unlimited"
STARTERS = 11
TENTHS = 10
"""Prices move in steps of a tenth of a million."""


ByPosition = dict[Position, int]
Count = Annotated[int, Field(ge=0, le=100)]
Points = Annotated[int, Field(ge=-50, le=50)]
Money = Annotated[float, Field(gt=0, le=1000)]
RoundNumber = Annotated[int, Field(ge=1, le=60)]


class _Fact(BaseModel):
    """A section of a rulebook: no unknown key, and whether the official rules confirm it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    confirmed: bool
    source: Annotated[str, Field(min_length=3)]


class SquadShape(_Fact):
    """How many players of each position a squad has."""

    shape: ByPosition
    formations: Annotated[tuple[str, ...], Field(min_length=1)]  # "4-4-2": defenders, midfielders, forwards

    @property
    def size(self) -> int:
        """Players in a squad."""
        return sum(self.shape.values())

    @property
    def places(self) -> tuple[int, int, int, int]:
        """Its players as (GK, DEF, MID, FWD)."""
        return tuple(self.shape[position] for position in Position)  # type: ignore[return-value]

    @property
    def lineups(self) -> tuple[tuple[int, int, int, int], ...]:
        """The allowed elevens as (GK, DEF, MID, FWD)."""
        return tuple((1, *(int(part) for part in formation.split("-"))) for formation in self.formations)  # type: ignore[misc]

    @field_validator("formations")
    @classmethod
    def _formations_are_elevens(cls, formations: tuple[str, ...]) -> tuple[str, ...]:
        for formation in formations:
            parts = formation.split("-")
            if len(parts) != 3 or not all(part.isdigit() for part in parts):
                raise ValueError(f"formation {formation!r} is not written like 4-4-2")
            total = 1 + sum(int(part) for part in parts)
            if total != STARTERS:
                raise ValueError(f"formation {formation} with its goalkeeper has {total} players, not {STARTERS}")
        return formations

    @model_validator(mode="after")
    def _shape_fits(self) -> Self:
        if set(self.shape) != set(Position) or min(self.shape.values()) < 1:
            raise ValueError(f"shape must give at least one player to each of {', '.join(POSITIONS)}")
        for formation, lineup in zip(self.formations, self.lineups, strict=True):
            lacking = [p for p, needed in zip(Position, lineup, strict=True) if self.shape[p] < needed]
            if lacking:
                raise ValueError(f"formation {formation} needs more {lacking[0]} than the squad has")
        return self


class Stage(_Fact):
    """Rounds that share budget, cap and transfers."""

    name: Annotated[str, Field(min_length=1)]
    title: Annotated[str, Field(min_length=1)]  # may hold {round}
    rounds: tuple[RoundNumber, RoundNumber]  # first and last
    budget: Money
    team_cap: Annotated[int, Field(ge=1, le=15)]
    free_transfers: Count | Literal["unlimited"]  # before each round of the stage
    carry_in: Count = 0  # saved transfers that may be brought in at most

    @model_validator(mode="after")
    def _rounds_in_order(self) -> Self:
        if self.rounds[0] > self.rounds[1]:
            raise ValueError(f"stage {self.name} ends in round {self.rounds[1]} before it starts in {self.rounds[0]}")
        return self


class Transfers(_Fact):
    """What a transfer beyond the free ones costs, and what a sold player returns."""

    hit_cost: Annotated[int, Field(ge=0, le=50)]
    prices_fixed: bool
    sell_on_share: Annotated[float, Field(ge=0, le=1)] = 1.0  # share of a price rise kept when selling
    chips_keep_saved: bool = True  # whether saved transfers outlive a round whose transfers a chip made free

    def selling_price(self, paid: float, now: float) -> float:
        """Return what a sold player brings: a fall is lost in full, of a rise the share is kept, in whole tenths."""
        rise = round((now - paid) * TENTHS)
        return now if rise <= 0 else round(paid + int(rise * self.sell_on_share + 1e-9) / TENTHS, 1)


class ScoringLine(_Fact):
    """One line of the scoring table: what is counted, in what steps, for whom, and what it pays.

    units = floor(max(0, count − after) / every), or 1 from `at_least` on; paid only from `minutes` minutes.
    """

    event: str
    points: Points | dict[Position, Points]
    every: Annotated[int, Field(ge=1)] = 1
    after: Count = 0
    at_least: Count | dict[Position, Count] | None = None
    minutes: Count = 0

    @field_validator("event")
    @classmethod
    def _event_is_recorded(cls, event: str) -> str:
        known = ("minutes", *EVENT_COUNTS)
        if event not in known:
            raise ValueError(f"event {event!r} is not recorded. {did_you_mean(event, known)}")
        return event

    def points_for(self, position: str) -> int:
        """Return what one unit pays a player of this position."""
        return self.points if isinstance(self.points, int) else self.points.get(Position(position), 0)

    def threshold_for(self, position: str) -> int | None:
        """Return the count from which the line pays once, None for a line that pays per unit."""
        if isinstance(self.at_least, dict):
            return self.at_least.get(Position(position))
        return self.at_least


class ScoutingBonus(_Fact):
    """A bonus for points of a player few managers own, by strict limits on both."""

    points: Points
    points_above: int
    owned_below: Annotated[float, Field(gt=0, lt=1)]


class CaptaincyMode(StrEnum):
    """When the armband may move during a round."""

    UNLIMITED = "unlimited"
    ONE_SWITCH = "one_switch"
    LOCKED = "locked"


class Captaincy(_Fact):
    """What the armband multiplies and when it may move."""

    mode: CaptaincyMode
    multiplier: Annotated[int, Field(ge=1, le=5)]
    vice_covers: bool  # the vice takes over when the captain does not play


class AutoSubs(_Fact):
    """Substitution of starters who did not play, at the end of the round, in bench order."""

    enabled: bool
    keeps_formation: bool  # the eleven after the substitution must be an allowed one
    manual_change_cancels_autosubs: bool  # moving the armband or a manual substitution cancels auto-subs and vice


class BoosterEffect(StrEnum):
    """What a booster or chip does; the engine knows how to value each."""

    WILDCARD = "wildcard"
    FREE_HIT = "free_hit"
    TWELFTH_MAN = "twelfth_man"
    MAXIMUM_CAPTAIN = "maximum_captain"
    TRIPLE_CAPTAIN = "triple_captain"
    BENCH_BOOST = "bench_boost"
    QUALIFICATION = "qualification"
    CLEAN_SHEET_SHIELD = "clean_sheet_shield"


class Booster(_Fact):
    """A booster: what it does, when it may be played, how often."""

    effect: BoosterEffect
    title: str
    rounds: tuple[RoundNumber, RoundNumber]
    barred_rounds: tuple[RoundNumber, ...] = ()
    uses: Annotated[int, Field(ge=1, le=5)] = 1
    points: Points = 0  # per qualifying player, where the effect pays a fixed sum

    def legal_in(self, round_number: int) -> bool:
        """Whether the rules allow it in a round."""
        return self.rounds[0] <= round_number <= self.rounds[1] and round_number not in self.barred_rounds


class GameRules(BaseModel):
    """All rules of one game."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: str
    title: str
    kind: Literal["tournament", "league"]
    currency: str
    rounds: RoundNumber
    deadline_minutes_before: Annotated[int, Field(ge=0, le=600)]
    boosters_per_round: Count = 1
    squad: SquadShape
    stages: Annotated[tuple[Stage, ...], Field(min_length=1)]
    transfers: Transfers
    captaincy: Captaincy
    autosubs: AutoSubs
    scoring: Annotated[dict[str, ScoringLine], Field(min_length=1)]
    scouting: ScoutingBonus | None = None
    boosters: dict[str, Booster] = {}

    @model_validator(mode="before")
    @classmethod
    def _extended(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Return the sections of the rulebook it `extends` with its own in their place; lines of scoring one by one."""
        if "extends" not in given:
            return given
        whole = load_rules(str(given["extends"])).model_dump()
        scoring = whole["scoring"] | given.get("scoring", {})
        return whole | {key: value for key, value in given.items() if key != "extends"} | {"scoring": scoring}

    @model_validator(mode="after")
    def _every_round_has_one_stage(self) -> Self:
        for number in range(1, self.rounds + 1):
            holding = [stage.name for stage in self.stages if stage.rounds[0] <= number <= stage.rounds[1]]
            if not holding:
                raise ValueError(f"stages: round {number} of {self.rounds} belongs to no stage")
            if len(holding) > 1:
                raise ValueError(f"stages: round {number} belongs to {holding[0]} and to {holding[1]}")
        last = max(stage.rounds[1] for stage in self.stages)
        if last > self.rounds:
            raise ValueError(f"stages: round {last} is beyond the last round {self.rounds}")
        return self

    def stage(self, round_number: int) -> Stage:
        """Return the stage of a round."""
        for stage in self.stages:
            if stage.rounds[0] <= round_number <= stage.rounds[1]:
                return stage
        raise UnknownError(f"{self.title} has rounds 1 to {self.rounds}, not {round_number}.")

    def free_transfers_after(
        self, round_number: int, free: int | None, made: int, *, played_free_chip: bool = False
    ) -> int | None:
        """Return the transfers that cost nothing before the round after this one; None where there is no limit.

        `free` were those before this round, `made` the transfers that were counted in it.
        """
        stage = self.stage(round_number + 1)
        if stage.free_transfers == UNLIMITED:
            return None
        granted, most = stage.free_transfers, stage.free_transfers + stage.carry_in
        if free is None or (played_free_chip and not self.transfers.chips_keep_saved):
            return granted
        return max(granted, min(most, free)) if played_free_chip else min(most, granted + max(0, free - made))

    def round_title(self, round_number: int) -> str:
        """Return what managers call a round."""
        return self.stage(round_number).title.replace("{round}", str(round_number))

    def unconfirmed(self) -> tuple[str, ...]:
        """Return the sections the official rules do not confirm, as dotted names."""
        single = ("squad", "transfers", "captaincy", "autosubs")
        sections: dict[str, _Fact] = {name: getattr(self, name) for name in single}
        sections |= {f"stages.{stage.name}": stage for stage in self.stages}
        sections |= {f"scoring.{name}": line for name, line in self.scoring.items()}
        sections |= {f"boosters.{name}": booster for name, booster in self.boosters.items()}
        if self.scouting is not None:
            sections["scouting"] = self.scouting
        return tuple(name for name, fact in sections.items() if not fact.confirmed)

    def with_captaincy(self, mode: CaptaincyMode) -> GameRules:
        """Return the same rules with the armband setting the manager plays under."""
        if mode is self.captaincy.mode:
            return self
        own = {"mode": mode, "confirmed": False, "source": "your own setting"}
        return self.model_copy(update={"captaincy": self.captaincy.model_copy(update=own)})


def shipped_rulebooks() -> tuple[str, ...]:
    """Return the names of the rulebooks that come with the project."""
    return tuple(sorted(path.stem for path in RULEBOOKS.glob("*.toml")))


def load_rules(name: str | Path) -> GameRules:
    """Load a rulebook by its shipped name or from the user's own file."""
    path = Path(name)
    if path.suffix != ".toml":
        path = RULEBOOKS / f"{name}.toml"
        if str(name) not in shipped_rulebooks():
            hint = did_you_mean(str(name), shipped_rulebooks())
            raise UnknownError(f"There is no rulebook {str(name)!r}. {hint} Or give the path of a .toml file.")
    return read_toml(path, GameRules, RulebookError)
