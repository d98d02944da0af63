"""Tastes as a link writes them: small soft points for a player or a team one would rather have, or rather not. Pure.

411:0.3     player 411 is worth .3 points more to me than he is expected to score
ARS:-0.2    players of a team are worth .2 less each
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.fitness.preferences import MOST_EACH, Preference, Preferences

MOST_TASTES = 12

_WRITTEN = re.compile(r"(?:(\d{1,9})|([A-Za-z][A-Za-z0-9]{0,7})):(-?0\.[1-5])")


@dataclass(frozen=True, slots=True)
class Taste:
    """One player or one team, and the points he or each of them is worth more."""

    points: float
    player: int | None = None  # id
    team: str | None = None  # code

    def __str__(self) -> str:
        return f"{self.team if self.player is None else self.player}:{self.points:.1f}"

    @property
    def about(self) -> int | str | None:
        """Whom it is about."""
        return self.team if self.player is None else self.player


def read_taste(text: str) -> Taste:
    """Return a taste as a link writes it; anything else is a ValueError."""
    found = _WRITTEN.fullmatch(text)
    if not found:
        raise ValueError(text)
    player, team, points = found.groups()
    return Taste(float(points), int(player)) if player else Taste(float(points), team=team.upper())


def with_taste(tastes: Sequence[Taste], taste: Taste) -> tuple[Taste, ...]:
    """Return tastes with one more; whoever had one already has the new one, and one of no points is none."""
    others = [one for one in tastes if one.about != taste.about]
    return (*others, taste)[-MOST_TASTES:] if taste.points else tuple(others)


def preferences_of(tastes: Iterable[Taste]) -> Preferences:
    """Return tastes as a squad is judged by them."""
    return Preferences(
        preference=tuple(
            Preference(title=str(taste), points=taste.points, player=taste.player, team=taste.team) for taste in tastes
        )
    )


def taste_words(taste: Taste, names: Mapping[int, str]) -> str:
    """Return a taste in a few words."""
    who = taste.team if taste.player is None else names.get(taste.player, f"player {taste.player}")
    return f"rather {'not ' * (taste.points < 0)}{who} ({taste.points:+.1f})"


def is_small(points: float) -> bool:
    """Return whether so many points are a taste and no decision."""
    return 0 < abs(points) <= MOST_EACH
