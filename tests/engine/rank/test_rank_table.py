"""What the dial does, measured with held-out draws, each side on its own goals."""

from __future__ import annotations

import numpy as np
import pytest

from engine.fitness.objective import DEFAULT_K, RANK
from engine.rank.field import Field, ev_aware_field
from engine.rank.field_draw import Tastes
from engine.rank.rank_table import (
    COLUMNS,
    GOALS,
    MEASURED,
    USUAL,
    Duel,
    Goal,
    TableSettings,
    four_fields,
    measured_table,
    play,
    play_round,
    table_markdown,
    template_squad,
)
from engine.rank.recommendation import GAIN, MOST_POINTS, PROTECT
from engine.rules.legality import legal
from engine.rules.pool import pool_of
from tests.cases.judged_worlds import cup_signals, world_cup_signals

STRENGTHS = (-0.03, -DEFAULT_K[GAIN], 0.0, DEFAULT_K[PROTECT], 0.05)
TINY = TableSettings(managers=100, training=200, held_out=300, kicks=0, kappas=STRENGTHS[1:-1])
FIELDS = ["observed", "EV-aware", "naive", "named rival"]


@pytest.fixture(scope="module")
def duels() -> list[Duel]:
    return list(play_round(cup_signals(), TINY, np.random.default_rng(0)))


def goals_of(duel: Duel) -> tuple[Goal, ...]:
    return tuple(dict.fromkeys(goal for goal, _ in duel.outcomes))


@pytest.mark.soak
def test_four_fields_are_played_with_the_last_some_and_all_rounds_left(duels: list[Duel]) -> None:
    rounds = cup_signals().rules.rounds - cup_signals().round + 1
    lefts = sorted({1, min(3, rounds), rounds})
    assert [(duel.field, duel.rounds_left) for duel in duels] == [(name, left) for name in FIELDS for left in lefts]
    assert goals_of(duels[0]) == GOALS
    assert goals_of(duels[-1]) == GOALS[:-1]  # a rival has no top 1 %


@pytest.mark.soak
def test_every_cell_is_there_and_corrected_over_the_whole_table(duels: list[Duel]) -> None:
    cells = measured_table(duels)
    assert len(cells) == sum(len(goals_of(duel)) for duel in duels) * len(COLUMNS)
    compared = [cell for cell in cells if cell.gain is not None]
    assert all(cell.p >= cell.gain.p for cell in compared if cell.gain)
    assert {cell.column for cell in cells if cell.gain is None} == {MOST_POINTS}


@pytest.mark.soak
def test_each_objective_stays_on_its_side_and_has_its_usual_strength(duels: list[Duel]) -> None:
    for cell in measured_table(duels):
        if cell.column in (MEASURED, USUAL):
            assert cell.kappa >= 0 if cell.objective == PROTECT else cell.kappa <= 0
        if cell.column == USUAL:
            assert abs(cell.kappa) == DEFAULT_K[cell.objective]


def test_a_verdict_needs_more_than_luck() -> None:
    rng = np.random.default_rng(1)
    luck = rng.random(2000)
    goal = Goal(10.0)
    outcomes = {
        (goal, MOST_POINTS): luck,
        (goal, MEASURED): luck + 0.05 + 0.1 * rng.standard_normal(2000),
        (goal, USUAL): luck - 0.05 + 0.1 * rng.standard_normal(2000),
        (goal, RANK): luck + 0.1 * rng.standard_normal(2000),
    }
    cells = measured_table([Duel(1, "made up", 1, outcomes, dict.fromkeys(outcomes, 0.03), alike=False)])
    assert [cell.verdict for cell in cells] == ["", "better", "worse", ""]
    text = table_markdown(cells)
    assert "### Round 1, made up field, 1 round left" in text
    assert text.count("▲") == text.count("▼") == 2  # once in the table, once in the legend
    assert "κ 0.03" in text
    assert "| protect | measured strength | 1 | 0 | 0 |" in text
    assert "| protect | usual strength | 0 | 0 | 1 |" in text


@pytest.mark.parametrize(
    ("lead", "name", "objective"),
    [(15.0, "hold 15", PROTECT), (-25.0, "erase 25", GAIN), (None, "top 1 %", GAIN)],
)
def test_a_goal_says_what_it_is_and_whose(lead: float | None, name: str, objective: str) -> None:
    assert (str(Goal(lead)), Goal(lead).objective) == (name, objective)


def test_the_named_rival_copies_the_template() -> None:
    signals = cup_signals()
    squad = template_squad(signals)
    assert legal(squad[None, :], pool_of(signals)).all()
    random = four_fields(signals, 50, Tastes(1))[2].squads
    assert signals.owned[squad].sum() >= signals.owned[random].sum(axis=1).max() - 1e-9


@pytest.mark.soak
def test_the_same_seed_gives_the_same_table(duels: list[Duel]) -> None:
    again = next(iter(play_round(cup_signals(), TINY, np.random.default_rng(0))))
    for key, outcomes in duels[0].outcomes.items():
        np.testing.assert_array_equal(outcomes, again.outcomes[key])


@pytest.mark.soak
def test_gain_chases_an_ev_aware_field_better_than_the_most_points() -> None:
    signals = world_cup_signals()
    field: Field = ev_aware_field(signals, 100, Tastes(7))
    settings = TableSettings(managers=100, training=400, held_out=1000, kicks=0, kappas=STRENGTHS[:-1])
    (last, *_) = play(signals, field, settings, np.random.default_rng(2))
    cells = {(cell.goal, cell.column): cell for cell in measured_table([last])}
    for goal in GOALS:
        assert cells[str(goal), MEASURED].verdict != "worse"
    for name in ("erase 25", "top 1 %"):
        assert cells[name, MEASURED].verdict == "better"


@pytest.mark.soak
@pytest.mark.parametrize("round_number", [1, 4])
def test_at_measured_strength_nothing_is_worse_than_the_most_points(round_number: int) -> None:
    duels = play_round(world_cup_signals(round_number), TableSettings(), np.random.default_rng(0))
    cells = [cell for cell in measured_table(list(duels)) if cell.column == MEASURED]
    assert all(cell.verdict != "worse" for cell in cells)
    for field in ("EV-aware", "named rival"):
        assert any(cell.verdict == "better" for cell in cells if cell.field == field)
