"""One match pays what an enumeration of everything that can happen in it pays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import comb, exp, factorial, lgamma, prod
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.domain import POSITIONS
from data.rules import GameRules, load_rules, shipped_rulebooks
from data.schema import EVENT_COUNTS
from models.players.bonus import bonus_chances
from models.players.chances import Chances
from models.players.payout import DEFENSIVE_SPREAD, LOWEST, MOST_GOALS, WIDTH, match_distributions, trinomial
from models.teams.goals import ScoreGrid
from tests.cases.chances_cases import DEF, FULL_TIME, FWD, GK, MID, a_man, a_score, the_chances
from tests.cases.facts.official_points import total_points

POPULAR, RARE = 0.3, 0.01
SHORT_TIME, AWAY = (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)
OPEN = (0.2, 0.3, 0.5)
ONCE = {
    "yellow_cards": "yellow",
    "red_cards": "red",
    "own_goals": "own_goal",
    "penalty_won": "penalty_won",
    "penalty_conceded": "penalty_conceded",
    "penalty_saved": "penalty_saved",
    "penalty_missed": "penalty_missed",
}
MOST_COUNTED = 60
NEGLIGIBLE = 1e-13

Outcomes = list[tuple[int, float]]


def pays(
    chances: Chances, rulebook: str = "wc2026", owned: float = POPULAR
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    return match_distributions(chances, load_rules(rulebook), np.full(len(chances), owned))


def certain_points(chances: Chances, rulebook: str = "wc2026", owned: float = POPULAR) -> int:
    """Return the points of the only player, who must be sure of them."""
    mass = pays(chances, rulebook, owned)[0][0]
    assert mass.max() == pytest.approx(1.0, abs=1e-9)
    return int(mass.argmax()) + LOWEST


def few_goals(seed: int, size: int = 3) -> ScoreGrid:
    """Build one match of at most two goals a side, any score as likely as it happens to be."""
    return ScoreGrid(np.random.default_rng(seed).dirichlet(np.ones(size * size)).reshape(1, size, size))


# What can happen to one man, enumerated by loops of its own.


def likely(outcomes: Outcomes) -> Outcomes:
    return [(count, chance) for count, chance in outcomes if chance > NEGLIGIBLE]


def tries(count: int, chance: float) -> Outcomes:
    return likely([(k, comb(count, k) * chance**k * (1 - chance) ** (count - k)) for k in range(count + 1)])


def events_at(rate: float, already: int = 0) -> Outcomes:
    return likely([(already + k, exp(-rate) * rate**k / factorial(k)) for k in range(MOST_COUNTED)])


def wide_events_at(mean: float, size: float = DEFENSIVE_SPREAD) -> Outcomes:
    chance = mean / (mean + size)
    ways = [exp(lgamma(k + size) - lgamma(size) - lgamma(k + 1)) for k in range(MOST_COUNTED)]
    return likely([(k, way * (1 - chance) ** size * chance**k) for k, way in enumerate(ways)])


def what_can_happen(man: dict[str, Any], grid: ScoreGrid) -> Iterator[tuple[dict[str, int], float]]:
    """Yield every outcome of a match the man plays in, with its probability."""
    size = grid.max_goals + 1
    for home, away, state in product(range(size), range(size), (1, 2)):
        own, against = (away, home) if man["away"] else (home, away)
        chance = float(grid.probability[0, home, away]) * man["state"][state]
        for goals, assists in product(range(own + 1), range(own + 1)):
            neither = own - goals - assists
            if neither < 0:
                continue
            ways = factorial(own) // (factorial(goals) * factorial(assists) * factorial(neither))
            goal, assist = man["goal"][state], man["assist"][state]
            involved = ways * goal**goals * assist**assists * (1 - goal - assist) ** neither
            sure = {"minutes": round(man["minutes"][state] * 90), "goals": goals, "assists": assists}
            sure["clean_sheet"] = int(against == 0)
            for counts, happens in the_rest(man, man["minutes"][state], goals, assists, against):
                yield sure | counts, chance * involved * happens


def the_rest(
    man: dict[str, Any], share: float, goals: int, assists: int, against: int
) -> Iterator[tuple[dict[str, int], float]]:
    laws = {
        "goals_conceded": tries(against, share),
        "free_kick_goals": tries(goals, man["free_kick"]),
        "saves": events_at(man["saves"] * share),
        "tackles": events_at(man["tackles"] * share),
        "chances_created": events_at(man["chances"] * share, already=assists),
        "shots_on_target": events_at(man["shots"] * share, already=goals),
        "defensive_contributions": wide_events_at(man["defensive"] * share),
    }
    laws |= {event: tries(1, man[name] * share) for event, name in ONCE.items()}
    for drawn in product(*laws.values()):
        counts = {event: count for event, (count, _) in zip(laws, drawn, strict=True)}
        yield counts, prod(chance for _, chance in drawn)


def enumerated(man: dict[str, Any], grid: ScoreGrid, rules: GameRules, owned: float) -> np.ndarray:
    """Return the mass function of the man's points by enumeration, scored by the one scoring function."""
    outcomes = list(what_can_happen(man, grid))
    events = pd.DataFrame([counts for counts, _ in outcomes]).reindex(columns=["minutes", *EVENT_COUNTS], fill_value=0)
    position = pd.Series([POSITIONS[man["position"]]] * len(events))
    chance = np.array([chance for _, chance in outcomes])
    before = total_points(events, position, rules)
    mass = np.zeros(WIDTH)
    mass[-LOWEST] = man["state"][0]
    if any(line.event == "bonus" for line in rules.scoring.values()):
        goals, assists, sheet = (events[name].to_numpy() for name in ("goals", "assists", "clean_sheet"))
        full = (events["minutes"] >= 60).to_numpy(dtype=int)
        for bonus, given_points in enumerate(bonus_chances(man["position"], full, goals, assists, sheet).T):
            np.add.at(mass, total_points(events.assign(bonus=bonus), position, rules) - LOWEST, chance * given_points)
        return mass
    scouted = (before > 4) & (owned < 0.05)
    paid = total_points(events.assign(scouting_bonus=scouted.astype(int)), position, rules)
    np.add.at(mass, paid - LOWEST, chance)
    return mass


TINY = {
    "keeper": a_man(GK, saves=2.5, penalty_saved=0.1, yellow=0.05),
    "defender": a_man(DEF, yellow=0.2, own_goal=0.05, penalty_conceded=0.1, goal=0.1, assist=0.1),
    "midfielder": a_man(MID, tackles=0.9, chances=0.3, goal=0.2, assist=0.3, free_kick=0.25),
    "forward": a_man(FWD, shots=0.9, penalty_won=0.1, penalty_missed=0.1, red=0.1, goal=0.45, assist=0.2),
    "ball-winner": a_man(DEF, defensive=4.0, goal=0.05, away=True),
    "visitor": a_man(MID, defensive=2.0, tackles=0.2, goal=0.3, assist=0.1, away=True),
}


DAILY = {"wc2026", "fpl2024", "fpl2026"}
"""Games that every kind of man is paid by each day: a cup, and a league without and with defensive points."""


@pytest.mark.parametrize(
    ("rulebook", "owned"),
    [
        ("wc2026", RARE),
        *(pytest.param(name, POPULAR, marks=() if name in DAILY else pytest.mark.soak) for name in shipped_rulebooks()),
    ],
)
@pytest.mark.parametrize("kind", TINY)
@pytest.mark.daily("ball-winner-fpl2026", "keeper-wc2026-0.01", "defender", "midfielder-wc2026", "visitor-fpl2024")
def test_a_tiny_match_pays_what_its_enumeration_pays(kind: str, rulebook: str, owned: float) -> None:
    man = TINY[kind] | {"state": OPEN, "minutes": (0.0, 0.3, 0.9)}
    man |= {share: (0.0, man[share] / 2, man[share]) for share in ("goal", "assist")}
    grid = few_goals(seed=3)
    mass, _ = pays(the_chances([man], grid), rulebook, owned)
    expected = enumerated(man, grid, load_rules(rulebook), owned)
    assert expected.sum() == pytest.approx(1.0, abs=1e-9)
    assert mass[0] == pytest.approx(expected, abs=1e-9)


CERTAIN = [
    (FWD, (0, 0), {}, 2),
    (FWD, (2, 0), {"goal": 1.0}, 2 + 2 * 5 + 1),  # two goals are two shots on target
    (MID, (2, 1), {"assist": 1.0}, 2 + 2 * 3 + 1),  # two assists are two chances created
    (MID, (1, 1), {"goal": 1.0, "free_kick": 1.0}, 2 + 6 + 1),
    (DEF, (1, 1), {"goal": 1.0, "yellow": 1.0}, 2 + 7 - 1),
    (GK, (0, 3), {"penalty_saved": 1.0}, 2 - 2 + 3),
]


@pytest.mark.parametrize(("position", "score", "sure", "points"), CERTAIN)
def test_what_is_certain_is_paid_by_the_rulebook(
    position: int, score: tuple[int, int], sure: dict[str, float], points: int
) -> None:
    assert certain_points(the_chances([a_man(position, **sure)], a_score(*score))) == points


@pytest.mark.parametrize(("state", "points"), [(FULL_TIME, 7), (SHORT_TIME, 1), (AWAY, 0)])
def test_a_clean_sheet_needs_sixty_minutes(state: tuple[float, ...], points: int) -> None:
    chances = the_chances([a_man(DEF, state=state, minutes=(0.0, 59 / 90, 60 / 90))], a_score(0, 0))
    assert certain_points(chances) == points
    assert pays(chances)[1]["clean_sheet"][0] == 5 * (state == FULL_TIME)


@pytest.mark.parametrize(("score", "away", "points"), [((0, 0), False, 7), ((0, 1), False, 2), ((0, 1), True, 7)])
def test_a_clean_sheet_needs_zero_conceded_by_his_own_side(score: tuple[int, int], away: bool, points: int) -> None:
    assert certain_points(the_chances([a_man(DEF, away=away)], a_score(*score))) == points


def test_goals_conceded_fall_into_his_minutes() -> None:
    man = a_man(DEF, state=SHORT_TIME, minutes=(0.0, 0.5, 1.0))
    lines = pays(the_chances([man], a_score(0, 2)))[1]
    assert lines["goals_conceded"] == pytest.approx([-0.25])  # both goals fall into his half with 1/4


@pytest.mark.parametrize("rulebook", shipped_rulebooks())
def test_who_is_absent_scores_nothing_for_sure(rulebook: str) -> None:
    man = a_man(GK, state=AWAY, goal=0.5, saves=5.0, yellow=0.5)
    mass, lines = pays(the_chances([man], a_score(3, 0)), rulebook, RARE)
    assert mass[0, -LOWEST] == 1.0
    assert not np.any(list(lines.values()))


@pytest.mark.parametrize("rulebook", shipped_rulebooks())
def test_there_is_a_line_for_every_line_of_the_rulebook(rulebook: str) -> None:
    assert list(pays(the_chances([a_man()], a_score(1, 0)), rulebook)[1]) == list(load_rules(rulebook).scoring)


@given(seed=st.integers(0, 2**32 - 1), owned=st.sampled_from([0.0, 0.049, 0.0499999]))
def test_the_scouting_bonus_moves_exactly_what_lies_above_four_points(seed: int, owned: float) -> None:
    man = a_man(FWD, state=OPEN, goal=0.4, assist=0.2, shots=1.0, yellow=0.2)
    chances = the_chances([man], few_goals(seed))
    (popular, popular_lines), (scouted, lines) = pays(chances, owned=0.05), pays(chances, owned=owned)
    above = 5 - LOWEST
    assert scouted[0, :above] == pytest.approx(popular[0, :above], abs=1e-15)
    assert not scouted[0, above : above + 2].any()
    assert scouted[0, above + 2 :] == pytest.approx(popular[0, above:-2], abs=1e-15)
    assert lines["scouting_bonus"][0] == pytest.approx(2 * popular[0, above:].sum(), abs=1e-12)
    assert popular_lines["scouting_bonus"][0] == 0.0


def test_the_bonus_of_a_match_raises_points_by_at_most_three() -> None:
    chances = the_chances([a_man(FWD, goal=1.0)], a_score(2, 0))
    mass, lines = pays(chances, "fpl2026")
    chance = bonus_chances(FWD, 1, 2, 0, 1)
    assert mass[0, 10 - LOWEST : 14 - LOWEST] == pytest.approx(chance, abs=1e-9)
    assert lines["bonus"][0] == pytest.approx(chance @ np.arange(4), abs=1e-9)


def test_a_threshold_pays_once_and_only_the_positions_it_names() -> None:
    men = [a_man(DEF, defensive=3.0), a_man(GK, defensive=3.0), a_man(FWD, defensive=3.0)]
    paid = pays(the_chances(men, a_score(0, 1)), "fpl2026")[1]["defensive_contributions"]
    reached = [sum(p for k, p in wide_events_at(3.0) if k >= limit) for limit in (10, 12)]
    assert paid == pytest.approx([2 * reached[0], 0.0, 2 * reached[1]], abs=1e-9)


@given(goal=st.floats(0.0, 0.7), assist=st.floats(0.0, 0.3), scores=st.integers(1, 11))
def test_goals_and_assists_of_one_man_are_shared_out_whole(goal: float, assist: float, scores: int) -> None:
    joint = trinomial(np.array([goal]), np.array([assist]), scores)
    assert (joint >= 0).all()
    assert joint.sum(axis=(2, 3)) == pytest.approx(1.0, abs=1e-12)
    for team, goals, assists in np.argwhere(joint[0] > 0):
        assert goals + assists <= team


def test_a_man_with_a_hand_in_every_goal_is_counted_up_to_the_most() -> None:
    joint = trinomial(np.array([1.0]), np.array([0.0]), 11)[0]
    for team in range(11):
        assert joint[team, min(team, MOST_GOALS), 0] == pytest.approx(1.0, abs=1e-9)
