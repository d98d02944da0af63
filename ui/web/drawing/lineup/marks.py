"""Small marks beside a player: how difficult his match is, whether he may miss it, his name cut to fit. Pure.

Difficulty 1 to 5 comes from the goals his team is expected to score and to concede; colour never stands alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

HARDNESS = {1: "easy", 2: "", 3: "", 4: "", 5: "hard"}
STEPS = (1.0, 0.35, -0.35, -1.0)
"""Expected goals for less those against from which on a match is a 1, 2, 3 or 4: some 15, 17, 35, 17 and 16 % of the
sides of a Premier League season then have a 1, 2, 3, 4 and 5."""

LONGEST_NAME = 13
NO_MATCH = "–"


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands beside a player."""

    difficulty: int | None = None  # of his match, 1 easy to 5 hard; None = not known, or no match
    flag: str = ""  # such as "75%" or "out"
    words: str = ""  # the flag in words
    news: str = ""  # what the game writes about him


NO_MARK = Mark()


def difficulty_of(goals_for: float, goals_against: float) -> int:
    """Return how difficult a match is, from 1 to 5."""
    edge = goals_for - goals_against
    return next((step for step, least in enumerate(STEPS, start=1) if edge >= least), len(STEPS) + 1)


def fixture_html(opponent: str, difficulty: int | None) -> str:
    """Return an opponent on the colour of his difficulty, which stands beside him in figures."""
    if opponent == NO_MATCH:
        return '<span class="xi-fix xi-d0">no match</span>'
    opponent = opponent_short(opponent)
    step = f" · {difficulty}" if difficulty else ""
    hidden = '<span class="xi-hidden"> of 5 for difficulty</span>' if difficulty else ""
    double = " xi-double" if "," in opponent else ""
    return f'<span class="xi-fix xi-d{difficulty or 3}{double}">{escape(opponent)}{step}{hidden}</span>'


def opponent_short(opponent: str) -> str:
    """Return an opponent; of several who may be it the likeliest alone."""
    return f"{opponent.partition(',')[0]} …" if "%" in opponent and "," in opponent else opponent


def short_name(name: str, longest: int = LONGEST_NAME) -> str:
    """Return a name that fits: of a long one of several words all but the last by their first letter.

    A team in brackets tells namesakes apart in a list; a shirt says it already.
    """
    name = name.partition(" (")[0] if name.endswith(")") else name
    words = name.split()
    if len(name) <= longest or len(words) < 2:
        return name
    return " ".join([*(f"{word[0]}." for word in words[:-1]), words[-1]])
