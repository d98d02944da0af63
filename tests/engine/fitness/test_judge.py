"""Any objective, any squad, always decomposed."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.errors import InputError, SpecError
from engine.fitness.judge import YARDSTICKS_KEPT, Judge, named_objective, text_objective
from engine.language.spec import shipped_text
from tests.cases.judged_worlds import a_judge, world_cup_signals


@pytest.mark.parametrize("name", ["protect", "neutral", "gain", "rank"])
def test_every_shipped_aim_decomposes_a_squad(judge: Judge, name: str) -> None:
    result = judge.decompose(judge.pool[-1], named_objective(name, judge.view))
    assert result.spec == name
    assert sum(result.terms.values()) == pytest.approx(result.fitness, abs=1e-9)
    assert not result.disqualified


@pytest.mark.parametrize("text", [None, "", "attack"])
def test_a_missing_theta_is_asked_for(judge: Judge, text: str | None) -> None:
    with pytest.raises(InputError, match=r"State one of: protect .* Or give rank, or the path of a .fitness file"):
        named_objective(text, judge.view)


def test_a_spec_file_works_where_theta_does(judge: Judge, tmp_path: Path) -> None:
    file = tmp_path / "mine.fitness"
    file.write_text("fitness Mine {\n  parameter x = 2\n  maximize raw_xev: x\n}\n", encoding="utf-8")
    twice = judge.decompose(judge.pool[0], named_objective(str(file), judge.view))
    once = judge.decompose(judge.pool[0], named_objective("protect", judge.view))
    assert twice.spec == "Mine"
    assert twice.fitness == pytest.approx(2 * once.terms["raw_xev"])


def test_strengths_reach_the_spec_and_an_unknown_one_is_refused(judge: Judge, tmp_path: Path) -> None:
    mild, strong = (judge.decompose(judge.pool[0], named_objective("protect", judge.view, k=k)) for k in (0.01, 0.02))
    assert strong.terms["variance_term"] == pytest.approx(2 * mild.terms["variance_term"])
    file = tmp_path / "mine.fitness"
    file.write_text("fitness Mine { maximize raw_xev: 1 }", encoding="utf-8")
    with pytest.raises(InputError, match=r"mine.fitness has no parameter 'k'. It declares: none"):
        named_objective(str(file), judge.view, k=0.01)


def test_a_file_that_is_not_there_is_named(judge: Judge) -> None:
    with pytest.raises(InputError, match=r"nowhere.fitness cannot be read"):
        named_objective("nowhere.fitness", judge.view)


def test_an_error_in_the_editor_has_line_and_column(judge: Judge) -> None:
    with pytest.raises(SpecError) as caught:
        text_objective("fitness A {\n  maximize raw_xevv: 1\n}", "editor", judge.view, {})
    assert (caught.value.line, caught.value.column) == (2, 12)
    assert "Did you mean raw_xev?" in str(caught.value)


def test_the_scores_of_the_pool_are_kept_but_not_for_ever(judge: Judge) -> None:
    for step in range(YARDSTICKS_KEPT + 3):
        judge.yardstick(named_objective("neutral", judge.view, k=0.001 * (step + 1)))
    assert len(judge._yardsticks) <= YARDSTICKS_KEPT


def test_a_copy_of_a_shipped_spec_scores_as_the_original_in_every_round() -> None:
    judge = a_judge(world_cup_signals(4))
    view = judge.view
    copy = text_objective(shipped_text("gain"), "copy.fitness", view, {})
    ours, theirs = (judge.decompose(judge.pool[0], objective) for objective in (named_objective("gain", view), copy))
    assert theirs.terms == ours.terms
    own = text_objective(shipped_text("gain").replace("c = 0.10", "c = 0.20"), "own.fitness", view, {})
    assert own.parameters == {}


def test_k_is_the_strength_of_rank_and_may_chase(judge: Judge) -> None:
    assert named_objective("rank", judge.view, k=-0.03).parameters["kappa"] == -0.03
    with pytest.raises(InputError, match="for Rank it must be from -10 to 10"):
        named_objective("rank", judge.view, k=float("nan"))
