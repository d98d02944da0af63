"""What the page tells of a week is what `thetaxi plan --json` tells: every figure of its cards."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cases.page_runs import drawn, until
from tests.cases.small_world import CUP_NAME, small_cup, squad_ids
from tests.conftest import in_a_soak
from tests.tools.run_here import a_file, done
from tests.ui.web.pages.test_this_week import a_week

ROUND, HORIZON = "2", "2"


def card_of(html: str, theta: str) -> str:
    """Return the text of a plan's card; nothing where it is not drawn."""
    return html.partition(f'data-testid="plan-{theta}"')[2].partition("</button>")[0]


def figure(card: str, found: str) -> str:
    told = re.search(found, card)
    assert told, card
    return told[1]


@pytest.mark.parametrize("theta", ["gain", *in_a_soak(["protect", "neutral"])])
def test_a_card_tells_the_points_the_captain_the_moves_and_the_squad_of_the_plan_on_the_command_line(
    tmp_path: Path, theta: str
) -> None:
    team = list(map(str, squad_ids(small_cup())))
    page = a_week(round=ROUND, theta=theta, current=",".join(team), horizon=HORIZON, free="1", boosted="none")
    html = drawn(until(page, lambda seen: 'data-planned="yes"' in card_of(drawn(seen), theta)))
    mine = a_file(tmp_path / "mine.csv", "\n".join(team))
    where = ("--world", CUP_NAME, "--round", ROUND, "--horizon", HORIZON, "--from", mine, "--free-transfers", "1")
    plan = done("plan", *where, "--theta", theta, "--chips", "none", "--json").json
    first, card = plan["rounds"][0], card_of(html, theta)
    assert figure(card, r"<em>([\d.]+)<") == f"{first['expected']:.1f}"
    assert figure(card, r"Next 2: ([\d.]+)<") == f"{plan['points']:.1f}"
    assert figure(card, r"Captain <b>(.*?)</b>") in first["captain"]["name"]
    moves = len(first["in"])
    assert (f"{moves} transfers" if moves > 1 else " → " if moves else "No transfer") in card
    squad = {man["player_id"] for man in (*first["eleven"], *first["bench"])}
    assert set(map(int, figure(html, r'data-squad="([\d,]+)"').split(","))) == squad
