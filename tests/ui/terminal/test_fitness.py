"""Commands about the objective, run as a user runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.judged_worlds import ANSWERED
from tests.cases.small_world import player_of
from tests.tools.run_here import a_file, done, here, refused

pytestmark = pytest.mark.usefixtures("worlds_at_hand")

SCORE = ("score", "--world", "cup", "--round", "1")


def test_score_prints_the_decomposition_of_any_squad(squad: Path) -> None:
    answer = done(*SCORE, "--theta", "gain", "--squad", squad, "--json")
    content = answer.json
    terms: dict[str, float] = content["decomposition"]
    assert list(terms)[:3] == ["raw_xev", "captaincy_uplift", "cs_corr_bonus"]
    assert sum(terms.values()) == pytest.approx(content["fitness"], abs=1e-9)
    assert content["objective"] == {"spec": "gain", "c": 0.1, "w": 1.0, "k": 0.01}
    assert content["provisional"] == ["captaincy_uplift", "variance_term"]
    assert len(content["squad"]) == 15


def test_score_as_a_table_shows_zeros_and_the_band(squad: Path) -> None:
    answer = done(*SCORE, "--theta", "protect", "--squad", squad, "--captaincy", "locked")
    assert "transfer cost" in answer.output
    assert "beside 2,000 reference squads" in answer.notes


def test_the_same_seed_prints_the_same_bytes(squad: Path) -> None:
    first = here(*SCORE, "--theta", "rank", "--squad", squad, "--json")
    ANSWERED.clear()
    assert here(*SCORE, "--theta", "rank", "--squad", squad, "--json").output == first.output


def test_theta_is_never_defaulted(squad: Path) -> None:
    refused("The objective θ is missing. State one of: protect", *SCORE, "--squad", squad)


def test_a_shipped_spec_is_shown_checked_and_used(squad: Path, tmp_path: Path) -> None:
    shown = here("fitness", "show", "protect")
    mine = a_file(tmp_path / "mine.fitness", shown.output.replace("fitness Protect", "fitness Mine"))
    checked = done("fitness", "check", mine, "--json")
    assert checked.json["parameters"] == {"c": 0.1, "w": 1.0, "k": 0.02}
    assert checked.json["not_climbed"] == []
    ours = here(*SCORE, "--theta", "protect", "--squad", squad, "--json").json
    theirs = here(*SCORE, "--theta", mine, "--squad", squad, "--json").json
    assert theirs["decomposition"] == ours["decomposition"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [("penalize price: 0.1", "Searched and proved like the shipped specs"), ("reward teams: 1", "because of teams.")],
)
def test_a_check_says_whether_a_spec_is_climbed(tmp_path: Path, line: str, sentence: str) -> None:
    file = a_file(tmp_path / "x.fitness", f"fitness X {{ maximize raw_xev: 1 {line} }}")
    answer = here("fitness", "check", file)
    assert sentence in " ".join((answer.output + answer.notes).split())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("fitness X { maximize raw_xevv: 1 }", "x.fitness:1:22:"),
        ("fitness X { maximize raw_xev: 1 / 0 }", "x.fitness:1:"),
        ("", "x.fitness"),
    ],
)
def test_a_bad_spec_names_line_and_column(tmp_path: Path, text: str, sentence: str) -> None:
    file = a_file(tmp_path / "x.fitness", text)
    refused(sentence, "fitness", "check", file)


def test_preferences_tilt_the_score(squad: Path, tmp_path: Path) -> None:
    wishes = a_file(tmp_path / "preferences.toml", '[[preference]]\ntitle = "+ mid"\npoints = 0.1\nposition = "MID"\n')
    answer = here(*SCORE, "--theta", "neutral", "--squad", squad, "--preferences", wishes, "--json")
    assert answer.json["decomposition"]["preferences"] == pytest.approx(0.5)


def test_a_squad_that_breaks_the_rules_is_told_which(squad: Path, tmp_path: Path) -> None:
    lines = squad.read_text(encoding="utf-8").splitlines()
    forwards = [str(player_of(team, "FWD")) for team in ("A1", "A2", "A3")]
    dear = a_file(tmp_path / "dear.csv", "\n".join([*lines[:-3], *forwards]))
    answer = here(*SCORE, "--theta", "gain", "--squad", dear, "--json")
    assert answer.json["disqualified"] is True
    assert "is allowed" in answer.json["reasons"][0]
    assert answer.json["fitness"] == 0


def test_a_managers_own_budget_decides_what_is_legal(squad: Path) -> None:
    poor = here(*SCORE, "--theta", "neutral", "--squad", squad, "--budget", "95", "--json")
    assert poor.json["disqualified"]
    assert any("95 is allowed" in str(reason) for reason in poor.json["reasons"])


def test_a_standing_is_measured_and_gives_theta_and_k(squad: Path) -> None:
    answer = done(*SCORE, "--lead", "-60", "--rounds-left", "1", "--squad", squad, "--json")
    objective = answer.json["objective"]
    assert f"So this is for {objective['spec']}" in answer.said
    assert "to erase a deficit of 60" in answer.said.lower()
    assert objective["spec"] in ("gain", "neutral")


@pytest.mark.soak
def test_an_objective_that_is_stated_takes_its_strength_from_the_standing(squad: Path) -> None:
    answer = done(*SCORE, "--theta", "protect", "--lead", "25", "--rounds-left", "1", "--squad", squad, "--json")
    assert answer.json["objective"]["spec"] == "protect"
    assert f"So this is for protect with k = {answer.json['objective']['k']:g}" in answer.said


def test_the_users_own_projections_reach_the_score(squad: Path, tmp_path: Path) -> None:
    own = a_file(tmp_path / "mine.csv", f"id,xev\n{squad.read_text(encoding='utf-8').splitlines()[-1]},12\n")
    plain, moved = (
        here(*SCORE, "--theta", "neutral", "--squad", squad, *more, "--json").json
        for more in ((), ("--projections", own))
    )
    assert moved["decomposition"]["raw_xev"] > plain["decomposition"]["raw_xev"] + 3
