"""Commands and pages that know the same believe the same: it is worked out for the first of them."""

from __future__ import annotations

import pytest

from tests.cases.brief_searches import search_briefly
from tests.cases.judged_worlds import share_beliefs


@pytest.fixture(autouse=True)
def worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let desks share signals and reference squads."""
    share_beliefs(monkeypatch)
    search_briefly(monkeypatch)
