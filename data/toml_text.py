"""TOML as a checked model: whatever breaks the layout is refused with file, key and reason."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from data.errors import InputError

Model = TypeVar("Model", bound=BaseModel)


def read_toml(path: Path, model: type[Model], refusal: type[InputError]) -> Model:
    """Return what a file says as a model; `refusal` is the error of a file that cannot be read or breaks its layout."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise refusal(f"{path} cannot be read: {error}") from None
    return parse_toml(text, model, path.name, refusal)


def parse_toml(text: str, model: type[Model], file: str, refusal: type[InputError]) -> Model:
    """Return what a text says as a model; errors name it by its `file`."""
    try:
        return model.model_validate(tomllib.loads(text))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        place = f"{file}, key {key}" if key else file
        reason = first["msg"].removeprefix("Value error, ")
        given = first["input"]
        value = f" (got {given!r})" if isinstance(given, str | int | float | bool) else ""
        raise refusal(f"{place}: {reason}{value}.") from None
    except ValueError as error:  # bad TOML, or a number too long to be read
        raise refusal(f"{file} is not valid TOML: {error}") from None
    except RecursionError:
        raise refusal(f"{file} is nested too deeply.") from None
