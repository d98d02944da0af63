"""Wishes as a manager states them, by names and files; `wish_words` reads them. Light: it loads nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from data.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedWishes:
    """Everything a manager may ask of his squad, as he writes it."""

    lock: list[str] | None = None
    ban: list[str] | None = None
    squad: Path | None = None  # the one he has
    free_transfers: int | None = None
    changes: int | None = None
    budget: float | None = None
    formation: str | None = None
    captain: str | None = None
    at_least: list[str] | None = None
    at_most: list[str] | None = None
    preferences: Path | None = None

    def __post_init__(self) -> None:
        if self.budget is not None and not 0 < self.budget < float("inf"):
            raise InputError(f"A budget of {self.budget:g} buys nobody. Give millions above 0, as 98.5.")
        if self.changes is not None and self.squad is None:
            raise InputError(
                f"At most {self.changes} changes were asked for, but no squad to change. Give yours by --from."
            )
        if self.free_transfers is not None and self.squad is None:
            raise InputError(f"{self.free_transfers} free transfers change no squad. Give the one you have by --from.")
