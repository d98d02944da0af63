"""Standing and the rank table on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.fitness.view import SquadView
from tests.cases.judged_worlds import cup_signals
from tests.cases.small_world import small_cup
from tests.tools.run_here import here
from ui.terminal.standing import aim_for

SMALL = ("--managers", "120", "--simulations", "200")


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("worlds") / "cup"
    small_cup().save(folder)
    return folder


@pytest.fixture(scope="module")
def squad(cup: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("squads") / "mine.csv"
    answer = here(
        "pick", "--world", cup, "--round", "2", "--theta", "gain", "--generations", "1", "--no-prove", "--csv", file
    )
    assert answer.code == 0, answer.notes
    return file


def test_standing_gives_every_chance_with_its_interval(cup: Path, squad: Path) -> None:
    answer = here(
        "standing",
        "--world",
        cup,
        "--round",
        "2",
        "--squad",
        squad,
        "--theta",
        "rank",
        "--lead",
        "15",
        *SMALL,
        "--json",
    )
    assert answer.code == 0, answer.notes
    content = answer.json
    assert (content["lead"], content["deficit"], content["field"]) == (15.0, 25.0, "observed")
    squads: list[dict[str, Any]] = content["squads"]  # type: ignore[assignment]
    assert [one["name"] for one in squads] == ["mine", "rank"]
    for one in squads:
        for outlook in (one["round"], one["finish"]):
            for chance in ("hold", "erase", "percentile", "top"):
                figures = outlook[chance]
                assert 0.0 <= figures["low"] <= figures["value"] <= figures["high"] <= 1.0
        assert one["round"]["hold"]["value"] > one["round"]["erase"]["value"]


def test_a_rival_stands_in_for_the_field(cup: Path, squad: Path) -> None:
    answer = here(
        "standing", "--world", cup, "--round", "2", "--squad", squad, "--rival", squad, "--lead", "-5", *SMALL
    )
    assert answer.code == 0, answer.notes
    assert "After this round, against mine" in answer.output
    assert "erase 5" in answer.output
    assert "top 1 %" in answer.output


@pytest.mark.parametrize("text", ["protect", "neutral", "gain", "rank"])
def test_the_last_round_pays_for_no_later_one(text: str) -> None:
    view = SquadView(cup_signals(2))
    assert aim_for(text, view, None, last=False).parameters["c"] > 0
    assert aim_for(text, view, None, last=True).parameters["c"] == 0.0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("standing", "--round", "1"),
            "There is no squad to look at. Give --squad FILE, or --theta with an objective.",
        ),
        (("standing", "--round", "1", "--theta", "gain", "--lead", "-5", "--deficit", "5"), "is a deficit already"),
        (("rank-table", "--rounds", "1,9"), "9"),
        (("standing", "--round", "1", "--theta", "gain", "--lead", "nan"), "A lead of nan points makes no sense"),
    ],
)
def test_an_unclear_request_is_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    answer = here(*arguments)
    assert answer.code == 1
    assert sentence in " ".join(answer.notes.split())
    assert "Traceback" not in answer.notes


@pytest.mark.soak
def test_the_rank_table_is_markdown_and_may_be_kept(cup: Path, tmp_path: Path) -> None:
    file = tmp_path / "table.md"
    answer = here("rank-table", "--world", cup, "--rounds", "2", "--quick", "--out", file)
    assert answer.code == 0, answer.notes
    assert "| goal | max-EV | protect | gain | rank |" in answer.output
    assert "Holm-corrected over 60 of them" in answer.output
    assert file.read_text(encoding="utf-8") == answer.output


@pytest.mark.parametrize("rounds", ["1,x", "1²", "1-99999999"])
def test_rounds_that_are_none_are_wrong_usage(rounds: str) -> None:
    answer = here("rank-table", "--rounds", rounds)
    assert answer.code == 2
    assert "does not name rounds" in answer.notes


def test_two_squads_of_one_name_are_both_looked_at_and_rank_follows_the_standing(
    cup: Path, squad: Path, tmp_path: Path
) -> None:
    twin = tmp_path / "mine.csv"
    twin.write_bytes(squad.read_bytes())
    files = ("--squad", squad, "--squad", twin)
    answer = here(
        "standing", "--world", cup, "--round", "2", *files, "--theta", "rank", "--lead", "-30", *SMALL, "--json"
    )
    assert answer.code == 0, answer.notes
    assert [one["name"] for one in answer.json["squads"]] == ["mine", "mine (2)", "rank"]  # type: ignore[attr-defined]
    assert "Searching a squad for rank with κ = -0.0" in answer.notes
