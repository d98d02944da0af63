"""Rivals as a link carries them: packed text that a reload reads back, and nothing on the server. Pure.

rivals_text(rivals) -> text        read_rivals_text(text) -> rivals, or a ValueError
"""

from __future__ import annotations

import binascii
import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

from pydantic import Field, TypeAdapter

from data.rules import STARTERS
from engine.rank.rivals import Rival

MOST_RIVALS = 50
LONGEST_TEXT = 16_000
"""Characters of packed rivals: fifty of the league take some three thousand."""

LARGEST = 60_000
"""Bytes of unpacked rivals: fifty with the longest names take half of it."""

MOST_ON_BENCH = 4
MOST_CAPTAINS = 10
KEPT = 64

_Player = Annotated[int, Field(ge=0, le=2**53)]
_Name = Annotated[str, Field(max_length=60)]
_Eleven = Annotated[tuple[_Player, ...], Field(min_length=STARTERS, max_length=STARTERS)]
_Bench = Annotated[tuple[_Player, ...], Field(max_length=MOST_ON_BENCH)]
_Rank = Annotated[int, Field(ge=0, le=10**9)] | None
_Points = Annotated[int, Field(ge=-100_000, le=100_000)] | None
_Chips = Annotated[tuple[Annotated[str, Field(max_length=40)], ...], Field(max_length=20)] | None
_Captains = Annotated[tuple[_Player, ...], Field(max_length=MOST_CAPTAINS)]
_Crowd = Annotated[int, Field(ge=0, le=MOST_CAPTAINS)] | None
_Known = tuple[_Name, _Eleven, _Player, _Bench, _Rank, _Points, _Chips]
_Watched = tuple[_Name, _Eleven, _Player, _Bench, _Rank, _Points, _Chips, _Captains, _Crowd]
_Packed = _Watched | _Known
"""A rival by his fields in their order; who was not watched week by week, and a link of before, ends earlier."""

_PACKED: TypeAdapter[tuple[_Packed, ...]] = TypeAdapter(
    Annotated[tuple[_Packed, ...], Field(min_length=1, max_length=MOST_RIVALS)]
)


def rivals_text(rivals: Sequence[Rival]) -> str:
    """Return rivals packed for a link; nothing for none."""
    if not rivals:
        return ""
    rows = [_row(one) for one in rivals]
    packed = zlib.compress(json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode(), level=9)
    return urlsafe_b64encode(packed).decode().rstrip("=")


def _row(one: Rival) -> tuple[object, ...]:
    known = (one.name, one.starters, one.captain, one.bench, one.rank, one.ahead, one.chips)
    return (*known, one.captains, one.with_crowd) if one.captains else known


@lru_cache(maxsize=KEPT)
def read_rivals_text(text: str) -> tuple[Rival, ...]:
    """Return the rivals of a packed text; what is none of ours, or larger than any of ours, is a ValueError."""
    if not text:
        return ()
    if len(text) > LONGEST_TEXT:
        raise ValueError("too long")
    rows = _PACKED.validate_json(_unpacked(text))
    rivals = tuple(Rival(*row) for row in rows)
    for rival in rivals:
        men = (*rival.starters, *rival.bench)
        if rival.captain not in rival.starters or len(set(men)) < len(men):
            raise ValueError(f"{rival.name} is no eleven with a captain")
    return rivals


def _unpacked(text: str) -> bytes:
    try:
        packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        stream = zlib.decompressobj()
        plain = stream.decompress(packed, LARGEST)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(str(error)) from None
    if not stream.eof:
        raise ValueError("too large, or cut off")
    return plain


def is_rivals_text(text: str) -> bool:
    """Return whether a text holds rivals, or nothing."""
    try:
        read_rivals_text(text)
    except ValueError:
        return False
    return True
