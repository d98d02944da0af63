"""Strict JSON: what the standard reader lets through but no feed may send is refused here."""

from __future__ import annotations

import json
import math
import re
from itertools import accumulate
from typing import NoReturn

from data.errors import PayloadError

SHOWN = 60
"""Characters of a wrong answer shown to the user: enough to recognise a web page."""

DEEPEST = 32
"""Levels of a document; feeds have five."""

MOST_MARKS = 2_000_000
"""Brackets, colons, commas and quotation marks of a document: what is read costs up to 60 bytes for each of them.

The largest feed has 400,000.
"""

_MARKS = (b"[", b"{", b":", b",", b'"')
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def read_json(body: bytes, origin: str, *, deepest: int = DEEPEST) -> object:
    """Return the document, or a `PayloadError` that shows how a wrong one begins."""
    _refuse_large(body, origin, deepest)
    try:
        return json.loads(body.decode("utf-8-sig"), parse_constant=_not_json, parse_float=_finite)
    except UnicodeDecodeError as error:
        raise PayloadError(f"{origin}: byte {error.start} is not UTF-8 text.") from None
    except ValueError as error:
        beginning = repr(body[:SHOWN].decode("utf-8", errors="replace"))
        raise PayloadError(f"{origin} is not JSON ({error}). It begins with {beginning}.") from None


def _refuse_large(body: bytes, origin: str, deepest: int) -> None:
    """Refuse, before anything is built of it, a document of too many values or levels."""
    marks = sum(map(body.count, _MARKS))
    if marks > MOST_MARKS:
        raise PayloadError(f"{origin}: the JSON has {marks:,} marks between its values; {MOST_MARKS:,} is the limit.")
    if _depth(body) > deepest:
        raise PayloadError(f"{origin}: the JSON is nested too deeply: more than {deepest} levels.")


def _depth(body: bytes) -> int:
    """Return how many brackets are open at once, those inside of strings aside."""
    brackets = _STRING.sub(b"", body).translate(None, _NO_BRACKETS)
    return max(accumulate(1 if bracket in b"[{" else -1 for bracket in brackets), default=0)


def _not_json(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:SHOWN]} is too large a number")
    return number
