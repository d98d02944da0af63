"""What the dial does, measured with held-out draws."""

from __future__ import annotations

import numpy as np
import pytest

from engine.fitness.objective import RANK
from engine.rank.field import Field, ev_aware_field
from engine.rank.field_draw import Tastes
from engine.rank.rank_table import (
    GOALS,
    OBJECTIVES,
    Duel,
    Goal,
    TableSettings,
    measured_table,
    play,
    play_round,
    table_markdown,
    template_squad,
    three_fields,
)
from engine.rank.recommendation import MOST_POINTS
from engine.rules.legality import legal
from engine.rules.pool import pool_of
from tests.cases.judged_worlds import cup_signals, world_cup_signals

TINY = TableSettings(managers=100, training=200, held_out=300, kicks=0, kappas=(-0.03, 0.0, 0.03))


@pytest.fixture(scope="module")
def duels() -> list[Duel]:
    return list(play_round(cup_signals(), TINY, np.random.default_rng(0)))


def test_three_fields_are_played(duels: list[Duel]) -> None:
    assert [duel.field for duel in duels] == ["naive", "EV-aware", "named rival"]
    assert duels[0].goals == GOALS
    assert duels[2].goals == GOALS[:-1]  # a rival has no top 1 %


def test_every_cell_is_there_and_corrected_over_the_whole_table(duels: list[Duel]) -> None:
    cells = measured_table(duels)
    assert len(cells) == (7 + 7 + 6) * len(OBJECTIVES)
    compared = [cell for cell in cells if cell.gain is not None]
    assert all(cell.p >= cell.gain.p for cell in compared if cell.gain)
    assert {cell.objective for cell in cells if cell.gain is None} == {MOST_POINTS}
    assert all((cell.kappa is not None) == (cell.objective == RANK) for cell in cells)


def test_a_verdict_needs_more_than_luck() -> None:
    rng = np.random.default_rng(1)
    luck = rng.random(2000)
    goal = Goal(10.0)
    outcomes = {
        (str(goal), MOST_POINTS): luck,
        (str(goal), "protect"): luck + 0.05 + 0.1 * rng.standard_normal(2000),
        (str(goal), "gain"): luck - 0.05 + 0.1 * rng.standard_normal(2000),
        (str(goal), RANK): luck + 0.1 * rng.standard_normal(2000),
    }
    cells = measured_table([Duel(1, "made up", (goal,), outcomes, {str(goal): 0.03})])
    assert [cell.verdict for cell in cells] == ["", "better", "worse", ""]
    text = table_markdown(cells)
    assert "### Round 1, made up field" in text
    assert text.count("▲") == text.count("▼") == 2  # once in the table, once in the legend
    assert "κ 0.03" in text


@pytest.mark.parametrize(("lead", "name"), [(15.0, "hold 15"), (-25.0, "erase 25"), (None, "top 1 %")])
def test_a_goal_says_what_it_is(lead: float | None, name: str) -> None:
    assert str(Goal(lead)) == name


def test_the_named_rival_copies_the_template() -> None:
    signals = cup_signals()
    squad = template_squad(signals)
    assert legal(squad[None, :], pool_of(signals)).all()
    random = three_fields(signals, 50, Tastes(1))[0].squads
    assert signals.owned[squad].sum() >= signals.owned[random].sum(axis=1).max() - 1e-9


def test_the_same_seed_gives_the_same_table(duels: list[Duel]) -> None:
    again = next(iter(play_round(cup_signals(), TINY, np.random.default_rng(0))))
    for key, outcomes in duels[0].outcomes.items():
        np.testing.assert_array_equal(outcomes, again.outcomes[key])


def test_rank_chases_an_ev_aware_field_better_than_the_most_points() -> None:
    signals = world_cup_signals()
    field: Field = ev_aware_field(signals, 100, Tastes(7))
    settings = TableSettings(managers=100, training=600, held_out=1500, kicks=0, kappas=(-0.03, 0.0))
    cells = {
        (c.goal, c.objective): c for c in measured_table([play(signals, field, settings, np.random.default_rng(2))])
    }
    for goal in GOALS:
        assert cells[str(goal), RANK].verdict != "worse"
    for name in ("erase 25", "top 1 %"):
        assert cells[name, RANK].verdict == "better"


@pytest.mark.soak
@pytest.mark.parametrize("round_number", [1, 4])
def test_rank_is_never_worse_than_the_most_points_and_better_where_it_matters(round_number: int) -> None:
    duels = play_round(world_cup_signals(round_number), TableSettings(), np.random.default_rng(0))
    cells = measured_table(list(duels))
    rank = [cell for cell in cells if cell.objective == RANK]
    assert all(cell.verdict != "worse" for cell in rank)
    for field in ("EV-aware", "named rival"):
        assert any(cell.verdict == "better" for cell in rank if cell.field == field)
