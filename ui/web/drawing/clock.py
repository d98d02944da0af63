"""Time as the visitor reads it: deadlines and kick-offs in his own zone, and how long there is left.

The zone is the browser's (`visitor_zone()`); without one it is UTC, and every time says which.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

MONTH = timedelta(days=30)


def visitor_zone() -> tzinfo:
    """Return the time zone of the visitor's browser."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def local_time(moment: datetime, zone: tzinfo, *, year: bool = False) -> str:
    """Return weekday, day and hour in a zone; of what is long over the year too."""
    return f"{moment.astimezone(zone):{'%a %d %b %Y, %H:%M' if year else '%a %d %b, %H:%M'}}"


def kickoff_time(iso: str, zone: tzinfo) -> str:
    """Return a kick-off as the board gives it (ISO, UTC) in a zone; a dash without a match."""
    return local_time(datetime.fromisoformat(iso), zone) if iso else "–"


def zone_name(zone: tzinfo) -> str:
    """Return what to call a zone beside a time."""
    return str(zone).replace("_", " ")


def countdown(deadline: datetime, now: datetime) -> str:
    """Return how long there is until a deadline, or since it closed, in the two largest units."""
    gap = abs(deadline - now)
    if gap >= 2 * MONTH:
        told = f"{gap // MONTH} months"
    elif gap >= timedelta(days=1):
        told = _units(gap.days, "day", gap.seconds // 3600, "hour")
    elif gap >= timedelta(minutes=1):
        told = _units(gap.seconds // 3600, "hour", gap.seconds % 3600 // 60, "minute")
    else:
        told = "less than a minute"
    return f"{told} left" if deadline > now else f"closed {told} ago"


def _units(large: int, large_name: str, small: int, small_name: str) -> str:
    parts = [(large, large_name), (small, small_name)]
    return " ".join(f"{count} {name}{'s' * (count != 1)}" for count, name in parts if count)
