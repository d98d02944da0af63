"""What a setting may hold, checked when the value is made: a frozen pydantic dataclass refuses the rest by name."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
ByPosition = Annotated[tuple[float, ...], Field(min_length=4, max_length=4)]
"""A number for each of GK, DEF, MID, FWD."""

Rates = Annotated[tuple[Annotated[float, Field(ge=0)], ...], Field(min_length=4, max_length=4)]
"""The same, none of them below 0."""
