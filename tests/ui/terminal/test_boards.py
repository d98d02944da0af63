"""A line-up that cannot be written is a sentence, not a traceback; what is written can be read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.errors import InputError
from engine.board.board import Board, make_board
from engine.board.comparison import compare
from engine.fitness.judge import Judge, named_objective
from tests.cases.judged_worlds import a_judge, cup_signals
from ui.terminal.boards import plain, print_board, print_comparison, print_comparison_json, write_csv


@pytest.fixture(scope="module")
def judge() -> Judge:
    return a_judge(cup_signals(1))


@pytest.fixture(scope="module")
def board(judge: Judge) -> Board:
    return make_board(judge, named_objective("neutral", judge.view), judge.pool[-2:])


def test_a_line_up_is_written_for_spreadsheets(board: Board, tmp_path: Path) -> None:
    file = tmp_path / "lineup.csv"
    write_csv(file, board.recommended)
    assert file.read_text(encoding="utf-8-sig").count("\n") >= 16


def test_a_file_that_cannot_be_written_is_a_sentence(board: Board, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: "):
        write_csv(tmp_path, board.recommended)


def test_a_board_shows_every_option_and_term(board: Board, capsys: pytest.CaptureFixture[str]) -> None:
    print_board(board)
    shown = capsys.readouterr().out
    assert "option 2" in shown
    assert all(plain(term) in shown for term in board.recommended.decomposition.terms)
    assert "raw_xev" not in shown


def test_a_comparison_is_a_table_or_json(judge: Judge, board: Board, capsys: pytest.CaptureFixture[str]) -> None:
    objectives = named_objective("protect", judge.view), named_objective("gain", judge.view)
    result = compare(judge, (board.options[0], objectives[0]), (board.options[-1], objectives[1]))
    print_comparison(result, ("protect", "gain"), ("protect", "gain"))
    assert "The same squads under both objectives" in " ".join(capsys.readouterr().out.split())
    print_comparison_json(result, board)
    assert '"under_both"' in capsys.readouterr().out
