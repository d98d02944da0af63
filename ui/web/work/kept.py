"""What the server keeps in memory for all visitors: how many of each, and about how large one is in the World Cup.

@st.cache_resource(max_entries=kept.SIGNALS.most)      what a page computes
Kind(…, kept=kept.SEARCHES)                            what a job told
Shared(kept.FIELDS.most)                               what threads make for each other
"""

from __future__ import annotations

from typing import NamedTuple


class Bound(NamedTuple):
    """How many of something are kept, the latest used ones."""

    most: int
    megabytes: float  # that one adds, about


WORLDS = Bound(4, 3.0)
SNAPSHOTS = Bound(16, 2.3)
SIGNALS = Bound(6, 8.0)
OUTLOOKS = Bound(6, 2.0)  # eight rounds of a thousand players
JUDGES = Bound(12, 1.3)  # those of one round share its signals; each adds its reference pool in its line-ups
OBJECTIVES = Bound(96, 0.01)
ANSWERS = Bound(128, 0.03)  # of each question
LINKS = Bound(64, 0.005)
FACTS = Bound(32, 0.01)
SQUADS = Bound(256, 0.001)
TABLES = Bound(4, 8.0)  # of a visitor's own, if none of its rows fits a player
FIELDS = Bound(4, 0.3)  # of a thousand managers
SEARCHES = Bound(64, 2.0)  # a board is a few kilobytes, the population it was bred from the rest
BELIEFS = Bound(8, 10.0)  # signals and judge, which the searches of one round hold on to together
PLANNERS = Bound(4, 12.0)  # the beliefs of up to eight rounds, which plans of one manager are made on
PLANS = Bound(16, 4.0)  # a few plans; those of one manager share the beliefs of their rounds
CHANCES = Bound(128, 0.01)
ADVICE = Bound(128, 0.01)
REFRESHES = Bound(2, 0.01)  # one for each live source
RECORDS = Bound(4, 0.1)
BENCHES = Bound(1, 0.001)
