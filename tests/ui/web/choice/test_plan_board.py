"""The choice of objective that several pages share."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from ui.web.choice.objective_choice import TITLES

SCRIPT = """
from ui.web.choice.plan import Plan
from ui.web.choice.objective_choice import draw_objective
from ui.web.choice.session import current_plan

draw_objective(current_plan())
"""


def test_no_objective_is_chosen_silently_and_a_choice_goes_into_the_link() -> None:
    page = AppTest.from_string(SCRIPT, default_timeout=60).run()
    control = page.segmented_control(key="theta_choice")
    assert control.value is None
    assert control.options == list(TITLES.values())
    control.set_value("gain").run()
    assert page.segmented_control(key="theta_choice").value == "gain"
