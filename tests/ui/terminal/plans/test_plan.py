"""A plan on the command line: a table of moves, JSON whose keys are promised, a CSV, and errors that say what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.plan.answer.export import read_plan_csv
from tests.tools.run_here import done, refused

pytestmark = pytest.mark.usefixtures("worlds_at_hand")

NAMED = ("--world", "cup", "--round", "2", "--theta", "protect", "--horizon", "2")
ROUND_KEYS = {"round", "out", "in", "chip", "captain", "vice", "eleven", "bench", "hits", "bank", "free", "terms"}
"""Keys that scripts rely on: they stand in the help, and none of them goes."""


def test_the_keys_of_a_plan_are_those_of_the_help(squad: Path, tmp_path: Path) -> None:
    file = tmp_path / "plan.csv"
    options = ("--from", str(squad), "--free-transfers", "1", "--chips", "none", "--csv", str(file), "--json")
    answer = done("plan", *NAMED, *options).json
    assert {"rounds", "total", "bound", "options"} <= set(answer)
    shown = done("plan", "--help").output
    for key in (*answer, *answer["bound"], *answer["options"][0], *answer["rounds"][0]):
        assert f'"{key}"' in shown, key
    for row in answer["rounds"]:
        assert set(row) >= ROUND_KEYS
        assert (len(row["eleven"]), len(row["bench"]), len(row["out"])) == (11, 4, len(row["in"]))
    assert sum(sum(row["terms"].values()) for row in answer["rounds"]) + sum(answer["kept"].values()) == pytest.approx(
        answer["total"], abs=1e-9
    )
    told = read_plan_csv(file.read_bytes())
    assert [ids for _, _, ids in told] == [
        tuple(man["player_id"] for man in (*row["eleven"], *row["bench"])) for row in answer["rounds"]
    ]


def test_a_printed_plan_tells_moves_table_bound_and_age(squad: Path) -> None:
    answer = done("plan", *NAMED, "--from", str(squad), "--free-transfers", "1", "--chips", "none")
    for words in ("Who plays", "Every point, round by round", "points expected", "What to do first"):
        assert words in answer.output
    for words in ("In its linear part", "best of", "Facts known at the deadline"):
        assert words in answer.said


def test_wishes_questions_and_a_saved_plan_are_answered_with_points(squad: Path, tmp_path: Path) -> None:
    file, own = tmp_path / "plan.csv", squad.read_text(encoding="utf-8").split()
    base = ("--from", str(squad), "--free-transfers", "1", "--chips", "none")
    plain = done("plan", *NAMED, *base, "--csv", str(file), "--json").json
    assert (plain["wishes"], plain["why"], plain["changes"]) == ([], [], [])
    stays, asked = own[0], own[-1]
    wished = ("--never-sell", stays, "--captain-in", f"{asked}@3", "--have", f"{asked}@3", "--in-all", "1")
    questions = ("--why-not", f"sell {own[1]}", "--saved", str(file))
    answer = done("plan", *NAMED, *base, *wished, *questions, "--json").json
    assert len(answer["wishes"]) == 4
    assert all(one["cost"] >= 0 for one in answer["wishes"])
    assert answer["total"] <= plain["total"] + 0.05
    assert answer["rounds"][1]["captain"]["player_id"] == int(asked)
    assert sum(len(row["in"]) for row in answer["rounds"]) <= 1
    why = answer["why"][0]
    assert why["asked"].startswith("Selling ")
    assert sum(why["terms"].values()) == pytest.approx(-why["cost"], abs=1e-9)
    assert answer["changes"]


@pytest.mark.soak
def test_a_plan_that_stands_changes_nothing(squad: Path, tmp_path: Path) -> None:
    file = tmp_path / "plan.csv"
    base = (*NAMED, "--from", str(squad), "--free-transfers", "1", "--chips", "none")
    done("plan", *base, "--csv", str(file))
    assert "Nothing changes: the plan stands." in done("plan", *base, "--saved", str(file)).said


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--chips", "bench"), "NAME@ROUND"),
        (("--chips", "wildcard@5"), "outside the plan"),
        (("--from", "nobody.csv"), "nobody.csv"),
        (("--why-not", "love Saka"), "sell NAME"),
        (("--captain-in", "1"), "NAME@ROUND"),
        (("--most-transfers", "many"), "is no number"),
        (("--not-chip", "magic"), "no booster 'magic'"),
    ],
)
def test_what_cannot_be_planned_is_said(options: tuple[str, ...], words: str) -> None:
    refused(words, "plan", *NAMED, *options)
