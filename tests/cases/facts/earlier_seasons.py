"""Seasons before the bundled one, each as the world it was: with those before it and the odds of its matches."""

from __future__ import annotations

from pathlib import Path

from data.importing.season_facts import import_fpl_season
from data.worlds.world import World

EARLIER = ("2022-23", "2023-24", "2024-25")


def earlier_season(facts: Path, season: str) -> World:
    """Return the world of a season, with all that are at hand before it as its history."""
    folder, before = facts / "fpl", EARLIER[: EARLIER.index(season)]
    history, odds = [folder / one for one in before], folder / "football_data.csv.gz"
    return import_fpl_season(folder / season, name=season, title=season, history=history, odds=odds).world


def earlier_seasons(facts: Path) -> list[World]:
    """Return the worlds that shipped coefficients are fitted on, the oldest first."""
    return [earlier_season(facts, season) for season in EARLIER]
