"""Decisions before a deadline: what was advised, what the manager took, and what was believed at that moment."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator

from data.errors import InputError

MOST_TERMS = 40
"""Terms of a score, and of their shares: a spec has about ten."""

MOST_FORECASTS = 200
"""Players whose forecasts a decision keeps: those of all its line-ups, four of fifteen."""

PlayerId = Annotated[int, Field(ge=0, le=10**9)]
Number = Annotated[float, Field(allow_inf_nan=False, ge=-(10**6), le=10**6)]
Chance = Annotated[float, Field(ge=0, le=1)]
Name = Annotated[str, Field(min_length=1, max_length=80)]


class _Kept(BaseModel):
    """A part of a decision as it is written: nothing unknown in it, nothing changed after."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class KeptLineup(_Kept):
    """A line-up by player ids: eleven, bench as it is called, armband, and the moves that led to it."""

    eleven: Annotated[tuple[PlayerId, ...], Field(min_length=11, max_length=11)]
    bench: Annotated[tuple[PlayerId, ...], Field(max_length=15)]
    captain: PlayerId
    vice: PlayerId | None = None
    out: Annotated[tuple[PlayerId, ...], Field(max_length=15)] = ()
    into: Annotated[tuple[PlayerId, ...], Field(max_length=15)] = ()
    chip: Name | None = None  # key in the rulebook
    hit_points: Number = 0.0  # taken off by transfers beyond the free ones
    expected: Number  # points, hits taken off

    @model_validator(mode="after")
    def _nobody_twice(self) -> Self:
        men = (*self.eleven, *self.bench)
        if len(set(men)) != len(men):
            raise ValueError("somebody stands in the line-up twice")
        if self.captain not in self.eleven or self.vice not in (None, *self.eleven):
            raise ValueError("the armband is with nobody of the eleven")
        return self


class Decision(_Kept):
    """One decision: the advice of a moment, and what the manager took of it once he has said so."""

    world: Name
    round: Annotated[int, Field(ge=1, le=60)]
    made_at: AwareDatetime
    deadline: AwareDatetime
    objective: Name
    strength: Number | None = None  # k or κ in force
    seed: Annotated[int, Field(ge=0)] = 0
    advised: KeptLineup
    alternatives: Annotated[tuple[KeptLineup, ...], Field(max_length=6)] = ()  # the other options of that moment
    taken: KeptLineup | None = None
    spread: Annotated[float, Field(ge=0, le=10**4)]  # standard deviation of the advised line-up's points
    field_expected: Number | None = None  # points that the field was believed to get
    lead: Number | None = None  # the standing that was stated; negative = behind
    chance: Chance | None = None  # to hold that lead, or to erase that deficit, as it was stated
    terms: Annotated[dict[Name, Number], Field(max_length=MOST_TERMS)]
    shares: Annotated[dict[Name, Chance], Field(max_length=MOST_TERMS)] = {}  # of what set the advice apart, by term
    forecasts: Annotated[dict[PlayerId, Number], Field(max_length=MOST_FORECASTS)]

    @model_validator(mode="after")
    def _everybody_has_a_forecast(self) -> Self:
        for lineup in self.lineups:
            unknown = {*lineup.eleven, *lineup.bench} - set(self.forecasts)
            if unknown:
                raise ValueError(f"player {min(unknown)} of a line-up has no forecast")
        return self

    @property
    def lineups(self) -> tuple[KeptLineup, ...]:
        """All line-ups of the decision: the advised one first, the one taken last."""
        return (self.advised, *self.alternatives, *(() if self.taken is None else (self.taken,)))

    @property
    def followed(self) -> KeptLineup:
        """The line-up that counts: the one taken where the manager said so, else the advised one."""
        return self.taken or self.advised


def read_decision(text: str | bytes, origin: str) -> Decision:
    """Return a decision from its JSON, or an error that names the first thing wrong with it."""
    try:
        return Decision.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the decision"
        raise InputError(f"{origin}: {place}: {first['msg']}. Leave this line out, or export the file again.") from None
