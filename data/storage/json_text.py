"""Strict JSON: what the standard reader lets through but no feed may send is refused here."""

from __future__ import annotations

import json
import math
from typing import NoReturn

from data.errors import PayloadError

SHOWN = 60
"""Characters of a wrong answer shown to the user: enough to recognise a web page."""


def read_json(body: bytes, origin: str) -> object:
    """Return the document, or a `PayloadError` that shows how a wrong one begins."""
    try:
        return json.loads(body.decode("utf-8-sig"), parse_constant=_not_json, parse_float=_finite)
    except UnicodeDecodeError as error:
        raise PayloadError(f"{origin}: byte {error.start} is not UTF-8 text.") from None
    except RecursionError:
        raise PayloadError(f"{origin}: the JSON is nested too deeply to be a feed.") from None
    except ValueError as error:
        beginning = repr(body[:SHOWN].decode("utf-8", errors="replace"))
        raise PayloadError(f"{origin} is not JSON ({error}). It begins with {beginning}.") from None


def _not_json(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:SHOWN]} is too large a number")
    return number
