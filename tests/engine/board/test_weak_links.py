"""The weakest links: the best single replacement of each man, by the exact fitness."""

from __future__ import annotations

import numpy as np
import pytest

from data.errors import InfeasibleError
from engine.board.weak_links import weak_links
from engine.fitness.judge import Judge, named_objective
from engine.fitness.squad_view import SceneSettings
from engine.rules.conflicts import Demands
from engine.rules.legality import legal
from engine.rules.neighbours import neighbours
from engine.search.quick import quick_best
from tests.cases.judged_worlds import a_judge, cup_signals, league_signals


@pytest.fixture(scope="module")
def judge() -> Judge:
    return a_judge(cup_signals())


def test_each_link_is_one_legal_swap_whose_terms_sum_to_its_gain(judge: Judge) -> None:
    squad, objective = judge.pool[0], named_objective("protect", judge.view)
    links = weak_links(judge, objective, squad, count=15)
    before = judge.sent_out(squad[None, :], objective).fitness[0]
    assert len({link.out for link in links}) == len(links) == 15
    for link in links:
        swapped = np.where(squad == link.out, link.into, squad)[None, :]
        assert legal(swapped, judge.view.pool)[0]
        assert judge.sent_out(swapped, objective).fitness[0] - before == pytest.approx(link.gain)
        assert sum(link.terms.values()) == pytest.approx(link.gain)
        assert link.price == pytest.approx(judge.view.signals.price[link.into] - judge.view.signals.price[link.out])
        assert link.sentence.startswith(f"{link.out_name} → {link.into_name}: ")


def test_the_first_link_is_the_best_swap_there_is_and_the_others_follow(judge: Judge) -> None:
    squad, objective = judge.pool[1], named_objective("gain", judge.view)
    links = weak_links(judge, objective, squad)
    near = neighbours(squad, judge.view.pool, np.arange(len(judge.view.signals)))
    best = near.squads[judge.score(near.squads, objective).fitness.argsort()[-8:]]
    before, after = (judge.sent_out(squads, objective).fitness for squads in (squad[None, :], best))
    assert len(links) == 5
    assert links[0].gain == pytest.approx(after.max() - before[0])
    assert [link.gain for link in links] == sorted((link.gain for link in links), reverse=True)


def test_who_must_stay_stays_and_who_must_not_come_does_not(judge: Judge) -> None:
    squad, objective = judge.pool[1], named_objective("gain", judge.view)
    first = weak_links(judge, objective, squad, count=15)[0]
    kept = weak_links(judge, objective, squad, demands=Demands(must=(first.out,)), count=15)
    assert first.out not in {link.out for link in kept}
    assert len(kept) == 14
    spared = weak_links(judge, objective, squad, demands=Demands(never=(first.into,)), count=15)
    assert first.into not in {link.into for link in spared}
    assert len(spared) == 15


def test_the_best_squad_has_no_link_worth_replacing(judge: Judge) -> None:
    objective = named_objective("gain", judge.view)
    best = quick_best(judge, objective, np.random.default_rng(0))
    assert all(link.gain <= 1e-6 for link in weak_links(judge, objective, best))


def test_a_replacement_without_a_free_transfer_pays_its_hit() -> None:
    signals = league_signals()
    squad = a_judge(signals).pool[0]
    gains = []
    for free in (0, 1):
        judge = a_judge(signals, SceneSettings(current=tuple(squad.tolist()), free_transfers=free))
        gains.append(weak_links(judge, named_objective("neutral", judge.view), squad)[0].gain)
    assert gains[1] - gains[0] == pytest.approx(signals.rules.transfers.hit_cost)


def test_where_no_change_is_allowed_there_is_no_link() -> None:
    signals = league_signals()
    squad = a_judge(signals).pool[0]
    judge = a_judge(signals, SceneSettings(current=tuple(squad.tolist()), most_changes=0))
    assert weak_links(judge, named_objective("neutral", judge.view), squad) == ()


def test_a_squad_that_breaks_a_rule_is_told_so(judge: Judge) -> None:
    poor = a_judge(judge.view.signals, SceneSettings(budget=80.0))
    with pytest.raises(InfeasibleError, match=r"This squad breaks a rule: it costs .* 80 is allowed"):
        weak_links(poor, named_objective("gain", poor.view), judge.pool[0])
