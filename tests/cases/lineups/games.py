"""Games of tests: the World Cup's rulebook with another squad, other auto-subs or another armband."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from hypothesis import strategies as st

from data.rules import GameRules, SquadShape, load_rules

USUAL = (2, 5, 5, 3)


def a_game(
    formations: Sequence[str] = ("4-4-2", "4-3-3", "4-5-1", "3-4-3", "3-5-2", "5-4-1", "5-3-2"),
    shape: Sequence[int] = USUAL,
    autosubs: dict[str, bool] | None = None,
    captaincy: dict[str, object] | None = None,
) -> GameRules:
    """Build a rulebook from the World Cup's with another squad, other auto-subs or another armband."""
    rules = load_rules("wc2026")
    places = dict(zip(rules.squad.shape, shape, strict=True))
    squad = SquadShape(shape=places, formations=tuple(formations), confirmed=True, source="made up")
    subs = rules.autosubs.model_copy(update=autosubs or {})
    armband = rules.captaincy.model_copy(update=captaincy or {})
    return rules.model_copy(update={"squad": squad, "autosubs": subs, "captaincy": armband})


@st.composite
def games(draw: st.DrawFn, most_outfield: int = 13) -> GameRules:
    """Draw a rulebook: a shape with up to four on the outfield bench, and some of the formations it allows."""
    keepers, back, front = draw(st.integers(1, 3)), draw(st.integers(3, 6)), draw(st.integers(1, 4))
    middle = draw(st.integers(max(1, 10 - back - front), most_outfield - back - front))
    fitting = [
        f"{d}-{m}-{10 - d - m}"
        for d, m in product(range(back + 1), range(middle + 1))
        if 0 <= 10 - d - m <= front
    ]  # fmt: skip
    formations = draw(st.lists(st.sampled_from(fitting), min_size=1, max_size=4, unique=True))
    subs = {"keeps_formation": draw(st.booleans()), "manual_change_cancels_autosubs": draw(st.booleans())}
    return a_game(formations, (keepers, back, middle, front), subs)
