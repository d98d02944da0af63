"""The compiled formula equals the same formula in plain loops, term by term, under every rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

from data.rules import CaptaincyMode
from engine.fitness.objective import Theta
from engine.fitness.preferences import NO_PREFERENCES, Preferences
from engine.fitness.squad_scoring import ScoredSquads
from engine.fitness.squad_view import SceneSettings, SquadView
from engine.language.compiling import TERM_ORDER
from models.signals import Signals
from tests.cases.judged_worlds import league_signals, under, world_cup_signals
from tests.cases.objectives.plain_fitness import PlainRound, PlainSquad
from tests.cases.objectives.squad_scores import CUP, EXACT, LEAGUE, ROUNDS, scored_by, some_squads
from tests.cases.small_world import BLANK, DOUBLE

MODES = list(CaptaincyMode)
FEW, MANY = 1, 250

WISHES = Preferences.model_validate(
    {
        "preference": [
            {"title": "sure midfielders", "points": 0.05, "position": "MID", "start_at_least": 0.8},
            {"title": "no Dutchman on the bench", "points": -0.4, "role": "bench", "team": "NED"},
            {"title": "Spaniards start", "points": 0.3, "role": "starter", "team": "ESP"},
        ]
    }
)
DESIRE = Preferences.model_validate({"preference": [{"title": "everybody", "points": 0.5}]})


@cache
def wide_league(gameweek: int) -> Signals:
    """Believe something about a gameweek of six clubs, under a budget and a cap that leave a choice of squads."""
    wide = tuple(stage.model_copy(update={"budget": 150.0, "team_cap": 6}) for stage in LEAGUE.stages)
    return replace(league_signals(gameweek), rules=LEAGUE.model_copy(update={"stages": wide}))


def assert_equal_to_plain(
    signals: Signals,
    squads: np.ndarray,
    *,
    current: Sequence[int] = (),
    free_transfers: int | None = None,
    wishes: Preferences = NO_PREFERENCES,
) -> None:
    """Compare line-ups, figures and every term of every θ with the plain implementation."""
    settings = SceneSettings(current=tuple(current), free_transfers=free_transfers, preferences=wishes)
    view, beliefs = SquadView(signals, settings), PlainRound(signals)
    compiled = {name: scored_by(view, squads, name) for name in (*Theta, "seed-protect", "seed-gain")}
    for row, squad in enumerate(squads):
        plain = PlainSquad(beliefs, squad)
        for theta, score in compiled.items():
            terms = plain.terms(str(theta), current=current, free_transfers=free_transfers, wishes=wishes)
            assert tuple(score.terms) == tuple(terms) == TERM_ORDER
            assert {name: values[row] for name, values in score.terms.items()} == pytest.approx(terms, rel=0, abs=EXACT)
            assert score.fitness[row] == pytest.approx(sum(terms.values()), rel=0, abs=EXACT)
        assert_same_figures(compiled[Theta.GAIN], row, plain, current)


def assert_same_figures(score: ScoredSquads, row: int, plain: PlainSquad, current: Sequence[int]) -> None:
    lineups, figures = score.lineups, score.figures
    assert (lineups.starters[row].tolist(), lineups.bench[row].tolist()) == (plain.eleven, plain.bench)
    assert lineups.captain[row] == plain.armband[1]
    assert bool(score.disqualified[row]) == (not plain.feasible())
    expected = {
        "variance": plain.variance,
        "relative_variance": plain.relative_variance,
        "cs_lift": plain.cs_lift,
        "price": plain.price,
        "changes": plain.changes(current),
    }
    assert {name: figures[name][row] for name in expected} == pytest.approx(expected, rel=0, abs=EXACT)


@pytest.mark.parametrize(
    ("number", "mode", "count"),
    [
        *((number, MODES[number % len(MODES)], FEW) for number in ROUNDS),
        *(pytest.param(*place, MANY, marks=pytest.mark.soak) for place in product(ROUNDS, MODES)),
    ],
)
def test_the_compiled_formula_equals_the_plain_one_term_by_term(number: int, mode: CaptaincyMode, count: int) -> None:
    signals = under(world_cup_signals(number), mode)
    assert_equal_to_plain(signals, some_squads(signals, count, seed=MODES.index(mode)))


@pytest.mark.parametrize(("number", "free"), [(1, None), (2, None), (2, 5), (4, None), (4, 0)])
@pytest.mark.daily("2-5", "4-0")
def test_transfers_beyond_the_free_ones_cost_what_plain_counting_says(number: int, free: int | None) -> None:
    signals = world_cup_signals(number)
    squads = some_squads(signals, 3, seed=7)
    assert_equal_to_plain(signals, squads, current=squads[0].tolist(), free_transfers=free)


@pytest.mark.parametrize("wishes", [WISHES, DESIRE])
@pytest.mark.daily("wishes0")
def test_preferences_equal_plain_counting(wishes: Preferences) -> None:
    signals = world_cup_signals(3)
    assert_equal_to_plain(signals, some_squads(signals, 3, seed=8), wishes=wishes)


@pytest.mark.parametrize("gameweek", [BLANK, DOUBLE])
def test_a_league_with_blanks_and_doubles_equals_the_plain_formula(gameweek: int) -> None:
    signals = wide_league(gameweek)
    squads = some_squads(signals, 3)
    assert signals.rules.captaincy.mode == "locked"
    assert_equal_to_plain(signals, squads, current=squads[1].tolist())


@pytest.mark.parametrize(
    ("captaincy", "autosubs"),
    [
        ({"multiplier": 3}, {}),
        ({"vice_covers": False}, {}),
        ({}, {"keeps_formation": False}),
        ({}, {"enabled": False}),
        ({"mode": CaptaincyMode.ONE_SWITCH}, {"manual_change_cancels_autosubs": False}),
    ],
)
@pytest.mark.daily("captaincy0", "captaincy2")
def test_other_rules_equal_the_plain_formula(captaincy: dict[str, object], autosubs: dict[str, object]) -> None:
    changed = {
        "captaincy": CUP.captaincy.model_copy(update=captaincy),
        "autosubs": CUP.autosubs.model_copy(update=autosubs),
    }
    signals = replace(world_cup_signals(3), rules=CUP.model_copy(update=changed))
    assert_equal_to_plain(signals, some_squads(signals, 2, seed=9))
