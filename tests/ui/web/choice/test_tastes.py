"""Tastes: a few tenths of a point for a player or a team, in the link, in the score and never a decision."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from engine.fitness.judge import named_objective
from engine.fitness.squad_view import SceneSettings
from tests.cases.judged_worlds import a_judge, cup_signals
from tests.cases.page_runs import link
from tests.ui.web.choice.test_wishes import a_page
from ui.web.choice.frame import open_chosen
from ui.web.choice.plan import Plan, link_of, read_link
from ui.web.choice.taste_editor import PLAYER, POINTS, TEAM
from ui.web.choice.tastes import MOST_TASTES, Taste, read_taste, taste_words, with_taste

HIM, THEM = Taste(0.3, player=411), Taste(-0.2, team="ARS")


def test_tastes_stand_in_the_link_and_come_back_from_it() -> None:
    plan = Plan(tastes=(HIM, THEM))
    assert link_of(plan)["tastes"] == "411:0.3,ARS:-0.2"
    assert read_link(link_of(plan)) == (plan, ())
    assert plan.wishes == 2
    assert taste_words(THEM, {}) == "rather not ARS (-0.2)"


@pytest.mark.parametrize("text", ["411", "411:0.9", "411:1", "<b>:0.1", "411:0.3,411:0.2", "411:nan"])
def test_a_link_with_a_taste_that_decides_or_makes_no_sense_is_said_so(text: str) -> None:
    plan, remarks = read_link({"tastes": text})
    assert plan.tastes == ()
    assert "makes no sense" in remarks[0]


def test_whoever_has_a_taste_gets_the_new_one_none_takes_it_back_and_a_link_stays_short() -> None:
    assert with_taste((HIM, THEM), Taste(-0.1, player=411)) == (THEM, Taste(-0.1, player=411))
    assert with_taste((HIM, THEM), Taste(0.0, team="ARS")) == (HIM,)
    many = tuple(Taste(0.1, player=number) for number in range(MOST_TASTES))
    assert len(with_taste(many, HIM)) == MOST_TASTES
    with pytest.raises(ValueError, match="411"):
        read_taste("411:0.0")


def test_a_squad_scores_what_its_men_are_worth_more() -> None:
    signals = cup_signals(1)
    plain = a_judge(signals)
    squad = plain.pool[0]
    mine = Plan(tastes=(Taste(0.4, player=int(signals.player_id[squad[0]])),)).asked.preferences
    tilted = a_judge(signals, SceneSettings(preferences=mine))
    before, after = (judge.decompose(squad, named_objective("neutral", judge.view)) for judge in (plain, tilted))
    assert after.terms["preferences"] == pytest.approx(0.4)
    assert after.fitness - before.fitness == pytest.approx(0.4, abs=0.05)


def test_the_editor_adds_a_player_or_a_team_and_takes_one_back() -> None:
    page: AppTest = a_page()
    him = open_chosen(Plan(), datetime.now(UTC)).snapshot.players["player_id"].iloc[0]
    page.multiselect(key=PLAYER).set_value([int(him)])
    page.button(key="add_taste").click().run()
    assert not page.exception
    assert link(page)["tastes"] == f"{him}:0.3"
    page.selectbox(key=TEAM).select_index(1)
    page.slider(key=POINTS).set_value(-0.2)
    page.button(key="add_taste").click().run()
    assert link(page)["tastes"].endswith(":-0.2")
    assert any("rather not" in line.value for line in page.markdown)
    next(button for button in page.button if button.key and button.key.startswith("drop_taste_")).click().run()
    assert link(page)["tastes"].count(":") == 1
