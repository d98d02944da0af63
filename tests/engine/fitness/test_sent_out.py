"""A squad is sent out as its objective likes best: nobody of the bench would raise the fitness in a starter's place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.rules import CaptaincyMode
from engine.board.board import make_board
from engine.fitness.judge import Judge, named_objective
from engine.fitness.squad_scoring import ScoredSquads
from engine.fitness.squad_view import SceneSettings
from models.signals import Signals
from tests.cases.judged_worlds import a_judge, cup_signals, league_signals, under, world_cup_signals
from tests.cases.objectives.plain_fitness import PlainRound
from tests.cases.objectives.plain_lineups import PlainSending
from tests.conftest import SOAKING
from tests.engine.lineup.test_inverted_pairs import own_squads

WORTH_TELLING = 1e-6
THETAS = ("protect", "neutral", "gain", "rank", "seed-protect", "seed-gain")
CASES = 5_000 if SOAKING else 9
SOURCES = [
    *((world_cup_signals, number) for number in (range(1, 9) if SOAKING else (4,))),
    (cup_signals, 2),
    (league_signals, 3),
]


def assert_sent_out_best(beliefs: PlainRound, scored: ScoredSquads, row: int, theta: str) -> None:
    """No exchange, order or captain raises the fitness, by an oracle that shares no code with the line-up."""
    lineups = scored.lineups
    plain = PlainSending(beliefs, lineups.squads[row].tolist(), theta)
    chosen = lineups.starters[row].tolist(), lineups.bench[row].tolist(), int(lineups.captain[row])
    found = list(plain.better(*chosen, WORTH_TELLING))
    assert not found, f"{theta}: {max(found, key=lambda one: one.value)} is worth more than {plain.value(*chosen)}"


@pytest.mark.parametrize("mode", list(CaptaincyMode))
@pytest.mark.parametrize(("source", "number"), SOURCES, ids=lambda value: getattr(value, "__name__", value))
def test_no_exchange_raises_the_fitness(source: object, number: int, mode: CaptaincyMode) -> None:
    signals = under(source(number), mode)  # type: ignore[operator]
    judge, beliefs = a_judge(signals), PlainRound(signals)
    rng = np.random.default_rng([number, list(CaptaincyMode).index(mode)])
    count = max(CASES // len(SOURCES) // len(CaptaincyMode), 1)
    rich = replace(judge, view=replace(judge.view, settings=SceneSettings(budget=1_000.0)))
    for place, squad in enumerate(own_squads(signals, rng, count)):
        theta = THETAS[(place + number) % len(THETAS)]
        scored = rich.sent_out(squad[None, :], named_objective(theta, rich.view))
        if not scored.disqualified[0]:
            assert_sent_out_best(beliefs, scored, 0, theta)


def changed_squads(judge: Judge, theta: str, count: int = 12) -> tuple[ScoredSquads, ScoredSquads]:
    """Return squads as a search sees them and as they are sent out, those whose line-up changes alone."""
    objective = named_objective(theta, judge.view)
    squads = judge.pool[:count]
    quick, sent = judge.score(squads, objective), judge.sent_out(squads, objective)
    other = (sent.fitness > quick.fitness + WORTH_TELLING).nonzero()[0]
    return judge.score(squads[other], objective), judge.sent_out(squads[other], objective)


def the_judge(mode: CaptaincyMode = CaptaincyMode.LOCKED, signals: Signals | None = None) -> Judge:
    return a_judge(under(signals or world_cup_signals(1), mode))


def test_the_oracle_finds_what_expected_points_alone_leave_on_the_bench() -> None:
    judge = the_judge()
    quick, sent = changed_squads(judge, "protect")
    assert len(quick)
    beliefs, lineups = PlainRound(judge.view.signals), quick.lineups
    plain = PlainSending(beliefs, quick.squads[0].tolist(), "protect")
    chosen = lineups.starters[0].tolist(), lineups.bench[0].tolist(), int(lineups.captain[0])
    best = max(plain.better(*chosen, WORTH_TELLING), key=lambda one: one.value)
    assert best.value - plain.value(*chosen) <= float(sent.fitness[0] - quick.fitness[0]) + 1e-9


@pytest.mark.parametrize("theta", ["protect", "gain"])
def test_fitness_never_falls_and_expected_points_never_rise(theta: str) -> None:
    quick, sent = changed_squads(the_judge(), theta)
    assert len(quick)
    assert (sent.fitness > quick.fitness).all()
    assert (sent.lineups.expected <= quick.lineups.expected + 1e-9).all()
    np.testing.assert_allclose(sum(sent.terms.values()), sent.fitness, atol=1e-9)


def test_how_a_squad_is_sent_out_changes_nothing_in_later_rounds() -> None:
    quick, sent = changed_squads(the_judge(), "protect")
    np.testing.assert_allclose(sent.terms["progression_carry"], quick.terms["progression_carry"], atol=1e-9)


def test_a_captain_and_a_formation_that_are_held_stay() -> None:
    judge = the_judge()
    squad = judge.pool[0]
    back = int(squad[judge.view.signals.position[squad] == 1][0])
    held = replace(judge, view=replace(judge.view, settings=SceneSettings(captain=back, formation=2)))
    for theta in ("protect", "gain"):
        lineups = held.sent_out(squad[None, :], named_objective(theta, held.view)).lineups
        assert lineups.captain.tolist() == [back]
        assert lineups.formation.tolist() == [2]


def test_a_squad_that_breaks_a_rule_keeps_the_line_up_that_expects_most() -> None:
    judge = the_judge()
    poor = replace(judge, view=replace(judge.view, settings=SceneSettings(budget=1.0)))
    squad = judge.pool[:1]
    sent = poor.sent_out(squad, named_objective("protect", poor.view))
    assert sent.disqualified[0]
    assert sent.lineups.starters.tolist() == poor.view.lineups(squad).starters.tolist()


@pytest.mark.parametrize("mode", [CaptaincyMode.LOCKED, CaptaincyMode.UNLIMITED])
def test_a_board_shows_what_is_sent_out_and_its_ladder_begins_with_the_captain(mode: CaptaincyMode) -> None:
    judge = the_judge(mode)
    _, sent = changed_squads(judge, "protect")
    objective = named_objective("protect", judge.view)
    for option in make_board(judge, objective, sent.squads[:3]).options:
        row = [set(squad) for squad in sent.squads.tolist()].index(set(option.rows))
        assert option.rows[:11] == tuple(sent.lineups.starters[row].tolist())
        assert option.rows[11:] == tuple(sent.lineups.bench[row].tolist())
        assert option.captain.row == sent.lineups.captain[row] == option.armband.captain.player
        assert option.decomposition.fitness == pytest.approx(float(sent.fitness[row]))
        assert option.decomposition.terms == pytest.approx(
            dict(judge.decompose(np.array(option.rows), objective).terms)
        )
        assert option.armband.value == pytest.approx(option.decomposition.terms["captaincy_uplift"])
