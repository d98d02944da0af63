"""The page as browser tests are served it, run like Streamlit: `python -m tests.tools.served_page run app.py`.

It shares worlds, signals and reference squads with the other processes of the run, and breeds for a moment only: what a
browser shows of a board does not depend on how good it is. A link that asks for more generations gets them.
"""

from __future__ import annotations

import pytest
from streamlit.web.cli import main

from tests.cases.brief_searches import GENERATIONS, search_briefly
from tests.cases.judged_worlds import share_beliefs


def prepare(patch: pytest.MonkeyPatch) -> None:
    """Make the searches of this process short."""
    share_beliefs(patch)
    search_briefly(patch)
    patch.setattr("ui.web.work.orders.GENERATIONS", GENERATIONS)


if __name__ == "__main__":
    prepare(pytest.MonkeyPatch())
    main(prog_name="streamlit")
