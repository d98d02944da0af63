"""The standing against named rivals is the gap to the one that it is said to be."""

from __future__ import annotations

import pytest

from engine.rank.rivals import Rival
from ui.web.choice.opponents import beside_words, known_lead, neighbours
from ui.web.choice.plan import Plan
from ui.web.choice.rival_link import rivals_text


def rivals(*gaps: int | None) -> list[Rival]:
    return [Rival(f"Team {place}", tuple(range(11)), 0, ahead=gap) for place, gap in enumerate(gaps, start=1)]


@pytest.mark.parametrize(
    ("gaps", "above", "below", "lead"),
    [
        ((-40, 3, -12, 20), "Team 3", "Team 2", -12),
        ((5, 30), None, "Team 1", 5),
        ((-1, -70), "Team 1", None, -1),
        ((0, 4), "Team 1", "Team 2", 0),
        ((None, -8), "Team 2", None, -8),
        ((None, None), None, None, None),
    ],
)
def test_the_standing_is_the_gap_to_the_next_above_and_of_a_leader_to_the_next_below(
    gaps: tuple[int | None, ...], above: str | None, below: str | None, lead: int | None
) -> None:
    named = rivals(*gaps)
    assert tuple(one and one.name for one in neighbours(named)) == (above, below)
    plan = Plan(round=4, counted=4, rivals=rivals_text(named))
    assert known_lead(plan) == lead
    assert known_lead(plan.with_changes(round=5)) is None  # counted before another round
    assert known_lead(plan.with_changes(rival=2)) == gaps[1]
    assert known_lead(plan.with_changes(lead=7.0)) == 7


def test_a_gap_is_told_beside_the_rivals_name() -> None:
    told = [beside_words(rival) for rival in rivals(3, -1, 0)]
    assert told == ["3 points ahead of Team 1", "1 point behind Team 2", "level with Team 3"]
