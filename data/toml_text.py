"""TOML as a checked model: whatever breaks the layout is refused with file, key and reason."""

from __future__ import annotations

import reprlib
import tomllib
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from data.errors import InputError
from data.storage.files import read_bounded

LARGEST = 100_000
"""Bytes of a file; the longest rulebook has 6,000."""

LONGEST_LINE = 1_000
"""Characters of a line: a key of many parts is read in a time that grows with the square of their number."""

SHOWN = 60
"""Characters of a key that an error shows."""

Model = TypeVar("Model", bound=BaseModel)


def read_toml(path: Path, model: type[Model], refusal: type[InputError]) -> Model:
    """Return what a file says as a model; `refusal` is the error of a file that cannot be read or breaks its layout."""
    try:
        text = read_bounded(path, LARGEST).decode()
    except OSError as error:
        raise refusal(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise refusal(f"{path} cannot be read: {error}.") from None
    return parse_toml(text, model, path.name, refusal)


def parse_toml(text: str, model: type[Model], file: str, refusal: type[InputError]) -> Model:
    """Return what a text says as a model; errors name it by its `file`."""
    longest = max(map(len, text.split("\n")))
    if longest > LONGEST_LINE:
        raise refusal(f"{file} has a line of {longest:,} characters; {LONGEST_LINE:,} is the limit.")
    try:
        return model.model_validate(tomllib.loads(text))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part)[:SHOWN] for part in first["loc"])
        place = f"{file}, key {key}" if key else file
        reason = first["msg"].removeprefix("Value error, ")
        given = first["input"]
        value = f" (got {reprlib.repr(given)})" if isinstance(given, str | int | float | bool) else ""
        raise refusal(f"{place}: {reason}{value}.") from None
    except ValueError as error:  # bad TOML, or a number too long to be read
        raise refusal(f"{file} is not valid TOML: {error}") from None
    except RecursionError:
        raise refusal(f"{file} is nested too deeply.") from None
