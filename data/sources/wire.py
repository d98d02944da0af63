"""Reading a source's payloads: strict on every field we use, blind to the rest, and exact about what is wrong."""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    FailFast,
    Field,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from data.domain import HIGHEST_PRICE
from data.errors import PayloadError
from data.schema import MINUTES_LIMIT

T = TypeVar("T")
MOST_ENTRIES = 20_000
"""Entries of a list; a season has 38 gameweeks, 380 matches and about 800 players."""

MOST_ROUNDS = 60
YEARS = range(2000, 2100)
SHOWN = 60
"""Characters of a name in a payload that an error repeats."""

FEWEST_FOR_SUM = 15
"""With fewer players than a squad, the sum of ownership says nothing about its unit."""

LARGEST_SUM_OF_SHARES = 20.0
"""Shares of all managers sum to about 15 over the players, percents to about 1,500."""


class Wire(BaseModel):
    """A piece of a payload: no silent conversion, and new keys of a growing feed are ignored."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


def _storable(text: str) -> str:
    text.encode()  # half a surrogate pair cannot be written to any file; its UnicodeEncodeError is a ValueError
    return text


def _moment(text: str) -> str:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time needs its offset from UTC")
    if moment.year not in YEARS:
        raise ValueError(f"the year must be between {YEARS.start} and {YEARS.stop}")
    return moment.astimezone(UTC).isoformat()


def number_of_text(value: object) -> object:
    """Return the number that a text writes out, and anything else as it is."""
    if isinstance(value, str) and value.strip().removeprefix("-").replace(".", "", 1).isdigit() and value.isascii():
        return float(value)
    return value


class _AtFirstFault(FailFast):
    """Ends validation at the first fault; has a hash, which a type that may also be nothing asks for."""

    def __hash__(self) -> int:
        return hash(self.fail_fast)


def _few_rounds(value: object) -> object:
    """Refuse too many rounds before each of them is looked at; an empty object arrives as an empty list."""
    if isinstance(value, Mapping) and len(value) > MOST_ROUNDS:
        raise ValueError(f"there are {len(value):,} rounds, and {MOST_ROUNDS} at most")
    return {} if isinstance(value, list) and not value else value


def text_or_none(value: object) -> object:
    """Return an empty text for nothing, and anything else as it is."""
    return "" if value is None else value


def flag_or_none(value: object) -> object:
    """Return no for nothing, and anything else as it is."""
    return False if value is None else value


def _or_nothing(value: object, read: ValidatorFunctionWrapHandler) -> object:
    try:
        return read(value)
    except ValidationError:
        return None


Maybe = Annotated[T | None, WrapValidator(_or_nothing)]
"""What a world can go without: read where it can be, else nothing."""

Text = Annotated[str, Field(max_length=200), AfterValidator(_storable)]
MaybeText = Annotated[Text, BeforeValidator(text_or_none)]
Flag = Annotated[bool, BeforeValidator(flag_or_none)]
LongText = Annotated[str, Field(max_length=2000), AfterValidator(_storable)]
Moment = Annotated[str, Field(max_length=60), AfterValidator(_moment)]  # ISO 8601 in UTC
Id = Annotated[int, Field(ge=0, le=2**53)]
RoundId = Annotated[int, Field(ge=1, le=MOST_ROUNDS)]
Goals = Annotated[int, Field(ge=0, le=50)]
Points = Annotated[int, Field(ge=-100, le=200)]
Minutes = Annotated[int, Field(ge=0, le=MINUTES_LIMIT)]
Count = Annotated[int, Field(ge=0, le=200)]
Price = Annotated[float, Field(ge=0.1, le=HIGHEST_PRICE)]  # millions
Percent = Annotated[float, Field(ge=0, le=100)]
PercentText = Annotated[Percent, BeforeValidator(number_of_text)]
Expected = Annotated[float, Field(ge=0, le=20), BeforeValidator(number_of_text)]
Forecast = Annotated[float, Field(ge=-50, le=100), BeforeValidator(number_of_text)]  # of points
Entries = Annotated[list[T], _AtFirstFault(), Field(max_length=MOST_ENTRIES)]
"""A list that is refused at its first fault: to find all of them took 300 times the memory of the document."""

ByRound = Annotated[dict[Annotated[str, Field(pattern=r"^[1-9][0-9]?$")], T], BeforeValidator(_few_rounds)]


class Listed(Wire):
    """An entry of a list, known there by its id."""

    id: Id


def validated(model: type[T], value: object, origin: str) -> T:
    """Return the payload as its model, or a `PayloadError` with file, entry, field and value."""
    try:
        return TypeAdapter(model).validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = _place(first["loc"], value)
        reason = first["msg"].removeprefix("Value error, ")
        raise PayloadError(f"{origin}{place}: {_shown(first['input'])} is refused: {reason}.") from None


def validated_list(model: type[T], value: object, origin: str) -> list[T]:
    """Return the payload as a list of its model, or the `PayloadError` of its first fault."""
    entries: list[T] = validated(Entries[model], value, origin)  # type: ignore[valid-type]
    return entries


def readable(documents: Mapping[int, Callable[[], T]]) -> tuple[dict[int, T], tuple[str, ...]]:
    """Return what can be read of documents that a world can go without, and what is wrong with the others."""
    found, spoilt = {}, []
    for number, read in documents.items():
        try:
            found[number] = read()
        except PayloadError as error:
            spoilt.append(str(error))
    return found, tuple(spoilt)


def refuse_faulty(entries: Sequence[Listed], origin: str) -> None:
    """Refuse a list in which an id stands twice, and one without entries: an empty feed would wipe out a good world."""
    if not entries:
        raise PayloadError(f"{origin} is empty. The source may be between two seasons; try again later.")
    refuse_twice((entry.id for entry in entries), origin)


def refuse_twice(ids: Iterable[int | str], origin: str, what: str = "id") -> None:
    """Refuse a list in which an id stands twice."""
    twice = [(number, count) for number, count in Counter(ids).items() if count > 1]
    if twice:
        raise PayloadError(
            f"{origin}: {what} {twice[0][0]} stands there {twice[0][1]} times. Each may stand there once."
        )


def refuse_shares(percents: Iterable[float], origin: str) -> None:
    """Refuse ownership that looks like shares where percents are promised: everything would be off by 100."""
    values = list(percents)
    if len(values) >= FEWEST_FOR_SUM and 0 < sum(values) <= LARGEST_SUM_OF_SHARES:
        raise PayloadError(
            f"{origin}: ownership sums to {sum(values):.1f} over all players; percents sum to about 1,500. "
            "The source seems to send shares now."
        )


def _place(location: tuple[int | str, ...], value: object) -> str:
    """Return where an error is: the entry by its id where it has one, then the field."""
    words: list[str] = []
    for step in location:
        value = _inside(value, step)
        if isinstance(step, int):
            known = value.get("id") if isinstance(value, dict) else None
            words.append(f"entry {step}" + (f" (id {_shown(known)})" if known is not None else ""))
        elif not step.endswith("]"):  # a step such as "list[int]" is the model's, not the payload's
            words.append(repr(step[:SHOWN]))
    return "".join(f", {word}" for word in words)


def _inside(value: object, step: int | str) -> object:
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list | tuple) and isinstance(step, int) and step < len(value):
        return value[step]
    return None


def _shown(value: object) -> str:
    return reprlib.repr(value)
