"""Nothing is cut on a terminal of eighty columns, and no word is left that only we know."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from tests.tools.run_here import TERMINAL, done
from ui.terminal.main import COMMANDS

pytestmark = pytest.mark.usefixtures("worlds_at_hand")

ROUND = "--world cup --round 2"
SHOWN = (
    "players --world cup --round 2",
    f"signals {ROUND}",
    f"pick {ROUND} --theta protect --generations 1 --captaincy locked",
    f"compare {ROUND} --generations 1",
    f"boosters {ROUND} --theta gain",
    f"standing {ROUND} --theta max-EV --theta protect --theta neutral --theta gain --managers 50 --simulations 100",
    "fitness check MINE --world cup",
)
OURS = ("Bred", "Breeding", "Climbed", "decomposed", "barred", "Regime", "beats of the field", "against observed")


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of eighty columns."""
    monkeypatch.setitem(TERMINAL, "COLUMNS", "80")


@pytest.mark.parametrize("command", SHOWN)
@pytest.mark.daily("boosters", "players", "signals")
def test_what_a_command_shows_is_whole_and_in_plain_words(command: str, tmp_path: Path) -> None:
    mine = tmp_path / "mine.fitness"
    mine.write_text("fitness Mine { maximize raw_xev: 1 reward teams: 1 }")
    answer = done(*shlex.split(command.replace("MINE", str(mine))))
    assert max(map(len, answer.output.splitlines())) <= 80
    assert "…" not in answer.output
    assert not [word for word in OURS if word in answer.output + answer.notes]


def test_the_proof_is_told_in_points_before_it_is_told_precisely() -> None:
    said = done(*shlex.split(f"pick {ROUND} --theta gain --generations 1 --captaincy locked")).said
    plain = r"(Nothing better exists|At most \d+\.\d points below the best possible squad)\."
    assert re.search(rf"{plain} Precisely: the recommended squad is (proved|within) ", said)


@pytest.mark.parametrize("command", [spoken.__name__.replace("_", "-") for spoken in COMMANDS])
def test_no_paragraph_of_the_help_breaks_before_the_terminal_does(command: str) -> None:
    lines = [line.strip() for line in done(command, "--help").output.partition("╭")[0].splitlines()]
    short = [(line, after) for line, after in pairwise(lines) if line and after and len(line + after.split()[0]) < 77]
    assert short == []
