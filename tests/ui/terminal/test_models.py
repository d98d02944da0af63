"""Commands about what is likely, run as a user runs them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import typer

from engine.board.bred_boards import bundled_boards
from engine.fitness.objective import MEANINGS
from tests.tools.run_here import a_file, done, refused
from ui.terminal.options import parse_rounds


def test_signals_as_json_carry_lines_that_sum_to_the_expectation() -> None:
    answer = done("signals", "--round", "1", "--position", "MID", "--sort", "value", "--limit", "5", "--json")
    players: list[dict[str, Any]] = answer.json["players"]
    assert len(players) == 5
    for player in players:
        lines: dict[str, float] = player["lines"]
        assert sum(lines.values()) == pytest.approx(player["xev"], abs=1e-9)
        assert player["position"] == "MID"
    values = [float(str(player["value"])) for player in players]
    assert values == sorted(values, reverse=True)


@pytest.mark.soak
def test_signals_take_the_users_own_projections(tmp_path: Path) -> None:
    own = a_file(tmp_path / "mine.csv", "name,team,xev\nKylian Mbappé,FRA,9.5\nNobody Known,FRA,3\n")
    answer = done("signals", "--round", "1", "--limit", "1", "--projections", own, "--json")
    first: dict[str, Any] = answer.json["players"][0]
    assert first["name"] == "Kylian Mbappé"
    assert first["xev"] == pytest.approx(9.5)
    assert first["lines"]["your_projection"] != 0
    assert "Nobody Known" in answer.notes


def test_signals_fit_the_terminal_and_say_what_to_know() -> None:
    answer = done("signals", "--round", "4", "--limit", "3")
    assert max(len(line) for line in answer.output.splitlines()) <= 100
    assert "No match in round 4: CUW" in answer.notes


def test_the_exposure_of_a_leagues_best_is_another_and_no_tournament_has_it() -> None:
    asked = ("signals", "--world", "fpl2025-26", "--round", "12", "--limit", "1000", "--json")
    everybody, best = (done(*asked, *more).json["players"] for more in ((), ("--crowd", "best")))
    shares = [{player["player_id"]: player["eo"] for player in players} for players in (everybody, best)]
    assert shares[0] != shares[1]
    assert [sum(share.values()) for share in shares] == pytest.approx([12, 12])
    refused("not known in wc2026", "signals", "--round", "1", "--crowd", "best")


def test_boards_of_a_worlds_coming_round_are_bred_into_a_file_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "boards.json"
    done("breed-boards", "--out", file, "wc2026")
    boards = bundled_boards(file)
    assert set(boards) == {("wc2026", 1, theta) for theta in MEANINGS}
    assert all(len(option.squad) == 15 for board in boards.values() for option in board.options)
    refused("no world 'wc2027'", "breed-boards", "--out", file, "wc2027")


def test_calibrate_prints_figures_and_draws_a_picture(tmp_path: Path) -> None:
    answer = done("calibrate", "--rounds", "1", "--plot", tmp_path / "plots" / "cal.png", "--json")
    content = answer.json
    assert content["rounds"] == [1]
    assert {row["forecast"] for row in content["points"]} == {"model", "constant", "price", "crowd"}
    assert content["points"][1]["spearman"] is None
    assert (tmp_path / "plots" / "cal.png").read_bytes().startswith(b"\x89PNG")


FIGURES = {
    "points": {"players", "forecast", "rounds", "horizon", "rmse", "spearman", "mae", "rows"},
    "slopes": {"players", "forecast", "horizon", "slope"},
    "coverage": {"position", "all", "relevant"},
    "top": {"forecast", "points", "rows"},
    "elevens": {"forecast", "points", "error", "above", "above_error", "rounds", "runs"},
    "reliability": {"expected", "official", "error", "rows"},
}
"""Keys of the rows of each table that `calibrate --json` tells."""
MATCHES = {
    *("matches", "log_loss", "rps", "clean_sheet_brier", "clean_sheet_base", "market_matches"),
    *("market_log_loss", "log_loss_there", "market_sheet_brier", "sheet_brier_there"),
}
MINUTES = {"rows", "log_loss", "sixty_brier", "sixty_gap", "groups", "tenths"}


def test_calibrate_tells_every_figure_of_a_league_by_the_keys_that_its_help_lists() -> None:
    content = done("calibrate", "--world", "fpl2025-26", "--rounds", "12", "--horizon", "2", "--json").json
    assert set(content) == {*FIGURES, "world", "checksum", "rounds", "matches", "minutes", "advance_brier", "transform"}
    for table, keys in FIGURES.items():
        assert content[table]
        assert all(set(row) == keys for row in content[table])
    assert (set(content["matches"]), set(content["minutes"])) == (MATCHES, MINUTES)
    help_text = done("calibrate", "--help").output
    named = {*content, *MATCHES, *MINUTES}.union(*FIGURES.values())
    assert all(f'"{key}"' in help_text for key in named)

    ahead = [row for row in content["points"] if row["horizon"] == 2]
    assert {row["forecast"] for row in ahead} == {"model", "carried"}
    assert {row["rounds"] for row in ahead} == {"12-12"}
    assert {row["forecast"] for row in content["points"] if row["horizon"] == 1} > {"model", "ep_next"}
    assert {row["forecast"] for row in content["elevens"]} == {"model", "price", "crowd", "ep_next"}


@pytest.mark.parametrize(
    ("text", "rounds"), [("1-4", (1, 2, 3, 4)), ("2,3", (2, 3)), ("4, 1-2", (1, 2, 4)), ("3", (3,))]
)
def test_rounds_are_read_as_people_write_them(text: str, rounds: tuple[int, ...]) -> None:
    assert parse_rounds(text) == rounds


@pytest.mark.parametrize("text", ["", "a", "1-", "-3", "1;2", "1-99999999999", "²", "1-9999", "1²", "4-1", "1,4-2"])
def test_a_text_that_names_no_rounds_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        parse_rounds(text)


def test_signals_say_why_so_much_is_expected_of_a_player() -> None:
    asked = ("signals", "--round", "4", "--player", "Kylian Mbappé")
    answer = done(*asked)
    assert "Why Kylian Mbappé" in answer.output
    assert "52% of his team’s goals" in " ".join(answer.output.split())
    (player,) = done(*asked, "--json").json["players"]
    told = [reason["about"] for reason in player["reasons"]]
    assert told == ["minutes", "fixture", "share", "status", "history", "certainty"]
    refused("Nobody at All", "signals", "--round", "4", "--player", "Nobody at All")
