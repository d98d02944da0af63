"""The logic of the page SquadBench: the last board, every configuration, how scores are made, run and stop."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from engine.bench.contenders import RACED, find_contenders
from engine.bench.leaderboard import QUICK
from engine.bench.run import BOARD, bench_folder
from tests.cases.board_cases import a_placing, put_board
from tests.cases.page_runs import a_page, sentences, tables
from tests.ui.web.work.test_squadbench_job import ENDLESS, ended
from ui.web.pages.squadbench import scoring_words
from ui.web.work.scheduler import Scheduler
from ui.web.work.squadbench_job import bench_task


@pytest.fixture
def one_home(tmp_path: Path) -> Path:
    """A folder for each test: what was run in one is not seen in the next."""
    st.cache_resource.clear()
    return tmp_path


def opened() -> AppTest:
    return a_page("squadbench")


def test_without_a_bench_the_page_says_so_and_shows_the_published_one_with_every_contender() -> None:
    page = opened()
    said = sentences(page)
    assert "No bench has been run here yet" in said
    assert RACED in said
    assert "The full bench, as we ran it" in [title.value for title in page.subheader]
    (published,) = tables(page)
    assert published[1][1] == "ours"
    assert {row[1] for row in published[1:]} == {one.name for one in find_contenders()}
    for one in find_contenders():
        assert f"**{one.name}**" in said


def test_who_passes_by_keeps_his_plan() -> None:
    page = a_page("squadbench", theta="gain", round="2", locks="1")
    sentences(page)
    assert "".join(page.query_params["theta"]) == "gain"
    assert page.session_state["_plan"].locks == (1,)


def test_the_last_board_is_shown_with_its_configurations_as_plain_words() -> None:
    put_board(a_placing("ours", 0.95), a_placing("greedy", 0.2))
    page = opened()
    said = sentences(page)
    assert "wc2026, rounds 1, gain, quick, 4 s a run" in said
    assert r"as \<b\>it\</b\> was" in said
    assert [row[1] for row in tables(page)[0]] == ["contender", "ours", "greedy"]


def test_a_broken_board_is_a_sentence() -> None:
    put_board()
    (bench_folder(QUICK) / BOARD).write_text("[", encoding="utf-8")
    assert "cannot be read" in sentences(opened())


def test_the_scoring_says_the_weights_that_are_in_force() -> None:
    words = scoring_words()
    assert "plain: 0.40 success rate + 0.30 efficiency + 0.20 learning speed + 0.10 stability" in words
    assert "0.10 comfort" in words
    assert "Exceptional from 0.9" in words


def test_a_bench_is_started_and_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler = Scheduler()
    monkeypatch.setattr("ui.web.work.squadbench_job.COMMAND", ENDLESS)
    monkeypatch.setattr("ui.web.pages.squadbench.background", lambda: scheduler)
    page = opened()
    try:
        page.button(key="run_bench").click().run()
        assert scheduler.state(bench_task()).running
        page.button(key="stop_bench").click().run()
    finally:
        scheduler.stop(bench_task())
        ended(scheduler)
    assert page.run().button(key="run_bench")
    assert not page.error
    assert not page.exception
