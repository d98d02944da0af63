"""Which rulebook a Premier League season is played by."""

from __future__ import annotations

from data.rules import load_rules, shipped_rulebooks

PREFIX = "fpl"


def season_rulebook(year: int) -> tuple[str, tuple[str, ...]]:
    """Return the rulebook of the season that starts in a year, else the nearest with a note."""
    known = {int(name.removeprefix(PREFIX)): name for name in shipped_rulebooks() if name.startswith(PREFIX)}
    nearest = known[min(known, key=lambda other: abs(other - year))]
    told = f"There is no rulebook of {year}/{(year + 1) % 100:02}: {load_rules(nearest).title} stands in."
    return nearest, () if year in known else (told,)
