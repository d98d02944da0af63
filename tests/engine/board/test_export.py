"""Exports are text that spreadsheets cannot run and that we can read again."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from data.sources.own.delimited import safe_cell
from engine.board.board import Board, make_board
from engine.board.export import LINEUP_COLUMNS, board_json, lineup_csv, plans_csv
from engine.fitness.judge import Judge, named_objective
from tests.engine.board.test_squad_input import read


@pytest.fixture(scope="module")
def board(judge: Judge) -> Board:
    return make_board(judge, named_objective("gain", judge.view), judge.pool[[-1, 0]])


def test_a_lineup_has_a_row_per_player_and_the_terms_below(board: Board) -> None:
    lineup, _, terms = lineup_csv(board.recommended).partition("\n\n")
    rows = list(csv.DictReader(io.StringIO(lineup)))
    assert list(rows[0]) == list(LINEUP_COLUMNS)
    assert [row["order"] for row in rows] == [str(number) for number in range(1, 16)]
    told = {row["term"]: float(row["points"]) for row in csv.DictReader(io.StringIO(terms))}
    assert told.pop("expected") == pytest.approx(board.recommended.expected, abs=1e-3)
    assert told.pop("fitness") == pytest.approx(sum(told.values()), abs=1e-3)
    assert told["raw_xev"] == pytest.approx(board.recommended.decomposition.terms["raw_xev"], abs=1e-4)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_an_exported_lineup_can_be_read_again(board: Board, encoding: str, line_end: str) -> None:
    content = lineup_csv(board.recommended).replace("\n", line_end).encode(encoding)
    rows, remarks = read(content)
    assert sorted(rows) == sorted(board.recommended.rows)
    assert not any("not" in remark and "fit" in remark for remark in remarks)


def test_several_plans_are_one_text_that_reads_back_as_the_first(board: Board) -> None:
    first, second = board.options
    text = plans_csv({"=Protect": first, "Gain": second})
    one, other, terms = (list(csv.DictReader(io.StringIO(part))) for part in text.split("\n\n"))
    assert {row["plan"] for row in one} == {"'=Protect"}
    assert [int(row["id"]) for row in other] == [man.player_id for man in second.men]
    assert float(terms[-2]["Gain"]) == pytest.approx(second.decomposition.fitness, abs=1e-3)
    assert float(terms[-1]["Gain"]) == pytest.approx(second.expected, abs=1e-3)
    rows, remarks = read(text.encode("utf-8-sig"))
    assert sorted(rows) == sorted(first.rows)
    assert not remarks


@pytest.mark.parametrize(
    ("name", "quote"),
    [
        *((name, "'") for name in ("=1+1", "+cmd", "-2", "@SUM(A1)", "\tx", " =1", "＝1+1", "＋1", "－1", "＠SUM(A1)")),
        *((name, "") for name in ("Ødegaard", "<script>", "a,b", 'say "hi"', "⚽", "x" * 200)),
    ],
)
def test_a_name_that_looks_like_a_formula_is_only_text_and_others_pass_unchanged(
    board: Board, name: str, quote: str
) -> None:
    man = replace(board.recommended.men[0], name=name)
    option = replace(board.recommended, men=(man, *board.recommended.men[1:]))
    assert next(csv.DictReader(io.StringIO(lineup_csv(option))))["name"] == safe_cell(name) == quote + name


@pytest.mark.parametrize(
    ("name", "shown"),
    [("\n=1+1", "' =1+1"), ("\r＠A1", "' ＠A1"), ("Kane\r\n=1+1", "Kane =1+1"), ("\n\nKane", " Kane")],
)
def test_a_line_feed_neither_ends_a_row_nor_hides_a_formula(board: Board, name: str, shown: str) -> None:
    man = replace(board.recommended.men[0], name=name, team=name, opponent=name)
    text = lineup_csv(replace(board.recommended, men=(man, *board.recommended.men[1:])))
    first, second = text.split("\n")[1:3]
    assert next(csv.reader([first]))[4:7] == [shown] * 3
    assert next(csv.reader([second]))[0] == "2"


def test_a_board_is_one_json_object(board: Board) -> None:
    content = json.loads(board_json(board))
    assert set(content) == {"world", "round", "title", "aim", "proof", "flags", "options"}
    first = content["options"][0]
    assert sum(first["decomposition"].values()) == pytest.approx(first["fitness"], abs=1e-9)
    assert len(first["men"]) == 15
