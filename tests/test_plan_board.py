"""The choice of objective that several pages share."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from ui.objective_choice import TITLES

SCRIPT = """
from ui.plan import Plan
from ui.plan_board import draw_objective
from ui.session import current_plan

draw_objective(current_plan())
"""


def test_no_objective_is_chosen_silently_and_a_choice_goes_into_the_link() -> None:
    page = AppTest.from_string(SCRIPT, default_timeout=60).run()
    control = page.segmented_control(key="theta_choice")
    assert control.value is None
    assert control.options == list(TITLES.values())
    control.set_value("rank").run()
    assert page.segmented_control(key="theta_choice").value == "rank"
