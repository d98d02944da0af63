"""What plans share: their common players, an open place for each other one, and an armband only where all agree."""

from __future__ import annotations

from dataclasses import replace

from tests.cases.board_cases import a_man, an_option
from ui.web.drawing.lineup.pitch import PLAIN
from ui.web.drawing.lineup.shared import shared_html, shared_men


def test_the_same_squad_is_shared_whole_with_its_captain() -> None:
    men = shared_men([an_option(), an_option()])
    assert len(men) == 15
    assert [man.armband for man in men].count("C") == 1


def test_a_player_of_one_plan_leaves_an_open_place_of_his_position() -> None:
    one = an_option()
    other = replace(one, men=(replace(a_man(0), player_id=999), *one.men[1:]))
    html = shared_html([one, other], PLAIN, "Shared")
    assert html.count("differs") == 1
    assert 'data-pick="100"' not in html
    assert html.count('class="xi-man ') == 15


def test_an_armband_that_differs_is_not_drawn() -> None:
    one = an_option()
    other = replace(one, men=tuple(replace(man, armband="") for man in one.men))
    assert {man.armband for man in shared_men([one, other])} == {""}
