"""A bench goes on where it ended: no finished session is held again, none is lost, however it was stopped."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from data.errors import InputError, ThetaXIError, UnreachableError
from data.storage.files import HOME_VARIABLE
from engine.bench.contenders import find_contenders
from engine.bench.leaderboard import Placing, Size
from engine.bench.run import Bench, BenchSettings, bench_folder, last_board, sessions_done
from engine.bench.sessions import Session, SessionTask, hold
from engine.jobs import JobStep
from tests.cases.bench_cases import stand_in
from tests.conftest import in_a_soak

SETTINGS = BenchSettings(rounds=(1,), thetas=("gain",), size=Size(name="tiny", sessions=3, runs=2, cap=1.0))


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bench:
    """A bench on one small problem, on one core."""
    problem = stand_in(monkeypatch)
    monkeypatch.setattr("engine.bench.run.pose", lambda _place: problem)
    return Bench(tmp_path / "bench", SETTINGS, find_contenders(["ours", "greedy"]), cores=1)


def board_of(bench: Bench, now: str = "2026-06-10T12:00:00+00:00") -> tuple[Placing, ...]:
    *_, board = bench.run(now)
    assert not isinstance(board, JobStep)
    return board


def test_a_bench_ends_with_a_leaderboard_in_json_and_markdown(bench: Bench) -> None:
    board = board_of(bench)
    assert [one.contender for one in board] == ["ours", "greedy"]
    assert [(one.sessions, one.runs) for one in board] == [(3, 6), (3, 6)]
    content = json.loads((bench.folder / "leaderboard.json").read_text())
    assert [row["contender"] for row in content["entries"]] == ["ours", "greedy"]
    assert "| 1 | ours |" in (bench.folder / "leaderboard.md").read_text()


def test_every_step_counts_towards_the_total(bench: Bench) -> None:
    steps = [step for step in bench.run("2026-06-10") if isinstance(step, JobStep)]
    assert (steps[-1].done, steps[-1].total) == (6, 6)
    assert [step.done for step in steps if step.total == 6] == list(range(7))


@pytest.mark.parametrize("seen", [1, 4, 7, *in_a_soak([2, 3, 5, 6])])
@pytest.mark.daily("4")
def test_a_bench_left_at_any_step_goes_on_from_there(bench: Bench, seen: int, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = bench.run("2026-06-10")
    for _ in range(seen):
        next(steps)
    steps.close()  # type: ignore[attr-defined]
    before = {path.name: path.read_bytes() for path in (bench.folder / "sessions").glob("*.json")}
    held: list[str] = []

    def counted(task: SessionTask) -> Session:
        held.append(task.file_name)
        return hold(task)

    monkeypatch.setattr("engine.bench.run.hold", counted)
    assert len(board_of(bench)) == 2
    after = {path.name: path.read_bytes() for path in (bench.folder / "sessions").glob("*.json")}
    assert len(after) == 6
    assert not set(held) & set(before)
    assert {name: after[name] for name in before} == before


def test_a_finished_bench_only_reads_and_keeps_its_dates(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    first = board_of(bench)

    def never(_task: object) -> None:
        raise AssertionError("held again")

    monkeypatch.setattr("engine.bench.run.hold", never)
    monkeypatch.setattr("engine.bench.run.pose", never)
    assert board_of(bench, "2026-07-01T12:00:00+00:00") == first


@pytest.mark.soak
def test_other_settings_do_not_mix_with_what_is_there(bench: Bench) -> None:
    board_of(bench)
    other = replace(bench, settings=replace(SETTINGS, seed=1))
    with pytest.raises(InputError, match="other settings or other data"):
        board_of(other)
    other.clear()
    assert len(board_of(other)) == 2


@pytest.mark.soak
def test_who_comes_later_is_measured_by_the_same_yardstick(bench: Bench) -> None:
    together = {one.contender: one.score for one in board_of(bench)}
    bench.clear()
    for name in ("greedy", "ours"):
        board = board_of(replace(bench, contenders=find_contenders([name])))
    assert {one.contender for one in board} == set(together)
    alone = {one.contender: one for one in board}
    again = {one.contender: one for one in board_of(bench)}
    assert {name: one.score for name, one in alone.items()} == {name: one.score for name, one in again.items()}


def test_another_configuration_takes_the_place_only_if_it_is_better(bench: Bench) -> None:
    before = {one.contender: one for one in board_of(bench)}
    file = bench.folder / "leaderboard.json"
    content = json.loads(file.read_text())
    for row in content["entries"]:
        row |= {"configuration": "as it was", "score": 2.0 if row["contender"] == "ours" else -1.0}
    file.write_text(json.dumps(content))
    later = "2026-07-01T12:00:00+00:00"
    after = {one.contender: one for one in board_of(bench, later)}
    assert (after["ours"].configuration, after["ours"].score) == ("as it was", 2.0)
    assert after["greedy"] == replace(before["greedy"], submitted=later)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [({"world": "wc2062"}, "wc2062"), ({"rounds": (9,)}, "9"), ({"thetas": ("brave",)}, "brave")],
    ids=["world", "round", "theta"],
)
@pytest.mark.daily("theta")
def test_a_bench_that_cannot_be_held_clears_nothing(bench: Bench, change: dict[str, object], sentence: str) -> None:
    board_of(bench)
    there = sorted(path.name for path in bench.folder.rglob("*"))
    with pytest.raises(ThetaXIError, match=sentence):
        replace(bench, settings=replace(SETTINGS, **change)).clear()  # type: ignore[arg-type]
    with pytest.raises(UnreachableError, match="No Dask cluster"):
        replace(bench, cluster="not an address").clear()
    assert sorted(path.name for path in bench.folder.rglob("*")) == there


def test_setting_aside_begins_anew_and_removes_nothing(bench: Bench) -> None:
    boards = []
    for day in ("2026-06-10", "2026-06-11"):
        boards.append(board_of(bench, day))
        bench.set_aside()
    bench.set_aside()  # nothing is left to move
    for number, board in enumerate(boards, 1):
        earlier = replace(bench, folder=bench.folder.with_name(f"bench-{number}"))
        assert len(list((earlier.folder / "sessions").glob("*.json"))) == 6
        assert {one.submitted for one in board_of(earlier)} == {one.submitted for one in board}
    assert sorted(path.name for path in bench.folder.parent.glob("bench*")) == ["bench", "bench-1", "bench-2"]
    assert sessions_done(bench.folder) is None


@pytest.mark.soak
def test_who_sets_aside_again_and_again_is_stopped_and_nothing_is_lost(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.bench.run.MOST_ASIDE", 1)
    board_of(bench)
    bench.set_aside()
    board = board_of(bench)
    with pytest.raises(InputError, match="1 benches are set aside"):
        bench.set_aside()
    assert board_of(bench) == board


def test_clearing_leaves_foreign_files_alone(bench: Bench) -> None:
    board_of(bench)
    (bench.folder / "notes.txt").write_text("mine")
    bench.clear()
    assert [path.name for path in bench.folder.rglob("*") if path.is_file()] == ["notes.txt"]


@pytest.mark.parametrize("content", ["", "[]"])
def test_a_broken_settings_file_is_named(bench: Bench, content: str) -> None:
    bench.folder.mkdir()
    (bench.folder / "bench.json").write_text(content)
    with pytest.raises(InputError, match=r"bench\.json.*--fresh"):
        board_of(bench)


def test_a_bench_without_time_is_refused() -> None:
    with pytest.raises(InputError, match="find nothing"):
        replace(SETTINGS.size, cap=0.0)


def test_the_last_board_of_the_users_folder_is_found(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    assert last_board() == ()
    kept = replace(bench, folder=bench_folder(SETTINGS.size))
    assert sessions_done(kept.folder) is None
    assert last_board() == () != board_of(kept)
    assert [one.contender for one in last_board()] == ["ours", "greedy"]
    assert sessions_done(kept.folder) == 6
