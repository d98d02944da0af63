"""One seed gives one board, byte for byte: from the page's search, from the command line and from Python."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

import engine
from data.worlds.library import user_worlds
from engine.board.export import board_json
from engine.fitness.wishes import TeamWish, Wishes
from tests.cases.brief_searches import search_briefly
from tests.cases.small_world import small_cup
from tests.conftest import in_a_soak
from tests.tools.run_here import here
from ui.web.choice.frame import open_chosen
from ui.web.choice.plan import Plan
from ui.web.work.orders import board_order
from ui.web.work.scheduler import SERVER, Job, Scheduler


@pytest.fixture
def worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the three works everything out by itself, briefly."""
    search_briefly(monkeypatch)


@pytest.fixture
def cup(own_home: Path) -> str:
    small_cup().save(user_worlds() / "cup")
    return "cup"


def from_the_page(plan: Plan) -> str:
    order = board_order(open_chosen(plan, datetime.now(UTC)))
    job = Job(order, Scheduler())
    job.visitors.add(SERVER)
    board = order.steps[0].work(job).board
    assert board is not None
    return board_json(board)


@pytest.mark.parametrize("theta", ["gain", *in_a_soak(["protect", "neutral"])])
def test_page_command_line_and_python_give_the_same_bytes(cup: str, theta: str) -> None:
    page = from_the_page(Plan(world=cup, round=2, theta=theta, seed=3, generations=2))
    np.random.seed(99)
    asked = ("--theta", theta, "--seed", "3", "--generations", "2")
    line = here("pick", "--world", cup, "--round", "2", *asked, "--no-prove", "--json")
    python = board_json(engine.open_desk(cup, 2, seed=3).pick(theta, generations=2))
    assert page == python
    assert line.output == f"{python}\n"


@pytest.mark.soak
def test_wishes_mean_the_same_everywhere(cup: str) -> None:
    players = engine.open_world(cup).at(2).players
    lock, ban = players.sort_values("owned")["player_id"].tolist()[-2:]
    code = str(players["team"].iloc[0])
    plan = Plan(world=cup, round=2, theta="gain", locks=(lock,), bans=(ban,), teams=(TeamWish(code, most=1),))
    wishes = Wishes(locks=(lock,), bans=(ban,), teams=(TeamWish(code, most=1),))
    python = board_json(engine.open_desk(cup, 2, wishes=wishes).pick("gain"))
    asked = ("--lock", str(lock), "--ban", str(ban), "--at-most", f"{code}:1")
    line = here("pick", "--world", cup, "--round", "2", "--theta", "gain", *asked, "--no-prove", "--json")
    assert from_the_page(plan) == python
    assert line.output == f"{python}\n"
