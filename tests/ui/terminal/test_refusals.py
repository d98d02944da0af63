"""A request that cannot be met is a sentence and an exit code, whichever command it was."""

from __future__ import annotations

import shlex

import pytest

from tests.tools.run_here import refused

pytestmark = pytest.mark.usefixtures("worlds_at_hand")

WHY = "--world cup --round 2 --theta gain"
UNMEASURED = "There is no objective 'gian'. Name one of max-EV, gain"
IMPOSSIBLE = {
    "players --round 9": "Round 9 of wc2026 cannot be opened. Choose one of 1, 2, 3, 4, 5, 6, 7, 8.",
    "players --round 1 --world wc2062": "Did you mean wc2026",
    "players --round 1 --team QQQ": "There is no team 'QQQ'",
    "import-world no-such-folder out": "no-such-folder has no teams.csv",
    "import-world . out --rulebook wc2062": "There is no rulebook 'wc2062'",
    "fetch fifa --world ../evil": "is not a plain name",
    "fetch fifa --world 'a b'": "is not a plain name",
    "fetch fifa --entry 77": "--entry belongs to fpl",
    "entry 77 --world wc2026": "wc2026 is not a world of Fantasy Premier League",
    "calibrate --rounds 9": "Known rounds: 1, 2, 3, 4, 5, 6, 7, 8",
    "calibrate --rounds 1 --plot picture.gif": "ends in .png or .svg",
    "signals --round 1 --projections no-such.csv": "no-such.csv cannot be read",
    "pick --round 1": "The objective θ is missing",
    "pick --round 1 --theta gain --at-least BRA:2 --at-most BRA:1": (
        "at least 2 from BRA and at most 1 from BRA do not fit together. Ask for 1 from BRA, or allow 2 from BRA."
    ),
    "compare --round 1 --captain 'Harry Kane' --ban 'Harry Kane'": "choose another captain",
    "compare --round 1 --first gain": "Both plans would be for gain. Name two",
    "replay --rounds 1": "The objective θ is missing",
    "replay --rounds 1-9 --theta gain": "Official points of round 9 are not known",
    "replay --rounds 1 --theta gian": UNMEASURED,
    "standing --round 1 --theta gian": UNMEASURED,
    "review --round 1 --round 2 --squad a.csv --theta gain": "2 rounds need a squad each",
    "review --round 9 --squad a.csv --theta gain": "Official points of round 9 are not known",
    "standing --round 1": "There is no squad to look at. Give --squad FILE, or --theta with an objective.",
    "standing --round 1 --theta gain --lead -5 --deficit 5": "is a deficit already",
    "standing --round 1 --theta gain --lead nan": "A lead of nan points makes no sense",
    "rank-table --rounds 1,9": "9",
    "squadbench --contender nobody": "Nobody called 'nobody' competes",
    "squadbench --theta brave --rounds 1 --cores 1": "brave",
    f"why 'First GK7 A4' {WHY}": "First GK7 A4",
    "why 'First GK1 A4' --world cup --round 2": "The objective θ is missing",
    f"why 'First GK1 A4' {WHY} --ban 'First GK1 A4'": "First GK1 A4 is ruled out",
    f"why 'First GK0 A1' {WHY} --lock 'First GK0 A2' --lock 'First GK0 A3'": "No legal squad",
    f"why 'First GK0 A1' {WHY} --from nowhere.csv": "nowhere.csv cannot be read",
}
MISUSED = {
    "players --round 0": "--round",
    "players --round 1 --position LIB": "--position",
    "calibrate --rounds one": "does not name rounds",
    "squadbench --rounds one": "does not name rounds",
    "rank-table --rounds 1,x": "does not name rounds",
}


@pytest.mark.parametrize("command", IMPOSSIBLE)
@pytest.mark.daily("why", "pick", "compare")
def test_what_cannot_be_done_is_a_sentence(command: str) -> None:
    refused(IMPOSSIBLE[command], *shlex.split(command))


@pytest.mark.parametrize("command", MISUSED)
def test_wrong_usage_names_the_option_and_has_an_exit_code_of_its_own(command: str) -> None:
    refused(MISUSED[command], *shlex.split(command), code=2)
