"""A file is replaced whole or not at all, and read only where it has an end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from data.errors import InputError
from data.storage.files import (
    HOME_VARIABLE,
    LARGEST_OWN,
    UNFINISHED,
    read_bounded,
    read_own,
    replace_file,
    sweep_home,
    user_folder,
)


def test_the_home_variable_decides_where_data_lives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "elsewhere"))
    assert user_folder() == tmp_path / "elsewhere"
    monkeypatch.delenv(HOME_VARIABLE)
    assert user_folder().name == "thetaxi"


def test_a_replaced_file_has_the_new_content_and_leaves_nothing_behind(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "file.bin"
    replace_file(target, b"old")
    replace_file(target, b"new")
    assert target.read_bytes() == b"new"
    assert [path.name for path in target.parent.iterdir()] == ["file.bin"]


def test_a_write_that_fails_keeps_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "file.bin"
    replace_file(target, b"old")

    def disk_full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", disk_full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(target, b"new")
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["file.bin"]


def test_a_link_is_followed_and_a_pipe_is_written_to(tmp_path: Path) -> None:
    real, link, pipe = tmp_path / "real.csv", tmp_path / "link.csv", tmp_path / "pipe"
    real.write_bytes(b"old")
    link.symlink_to(real)
    replace_file(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    replace_file(pipe, b"told")
    assert os.read(reader, 10) == b"told"
    os.close(reader)
    assert pipe.is_fifo()


def test_what_has_no_end_or_no_beginning_is_not_opened(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link.csv"
    os.mkfifo(pipe)
    link.symlink_to("/dev/zero")
    for path in (pipe, link, Path("/dev/zero"), Path("/dev/stdin"), tmp_path):
        with pytest.raises(InputError, match=f"{path.name} cannot be read: it is not a regular file"):
            read_own(path)


def test_a_file_is_read_up_to_its_limit_and_a_link_to_one_is_followed(tmp_path: Path) -> None:
    file, link = tmp_path / "real.csv", tmp_path / "link.csv"
    file.write_bytes(b"12345")
    link.symlink_to(file)
    assert read_bounded(link, 5) == b"12345"
    with pytest.raises(OSError, match="more than 4 bytes"):
        read_bounded(link, 4)
    with file.open("wb") as large:
        large.truncate(100 * LARGEST_OWN)  # a file of holes: nothing of it is on the disk
    with pytest.raises(InputError, match=r"real\.csv cannot be read: it has more than 5,000,000 bytes"):
        read_own(file)


def test_the_folder_is_known_to_the_disk_after_the_rename(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def watched(handle: int) -> None:
        path = Path(f"/proc/self/fd/{handle}").resolve()
        seen.append(path.name if path.is_dir() else "file")
        real(handle)

    real = os.fsync
    monkeypatch.setattr(os, "fsync", watched)
    replace_file(tmp_path / "deep" / "er" / "file.bin", b"new")
    assert seen == [tmp_path.name, "deep", "file", "er"]


def test_what_a_killed_writer_left_is_swept_at_the_start_but_not_what_is_being_written(own_home: Path) -> None:
    old, new, mine = (own_home / "cache" / name for name in (f".a.x{UNFINISHED}", f".b.y{UNFINISHED}", ".keep"))
    for path in (old, new, mine):
        replace_file(path, b"half")
    os.utime(old, (0, 0))
    os.utime(mine, (0, 0))
    sweep_home()
    assert sorted(path.name for path in own_home.rglob("*") if path.is_file()) == [".b.y.part", ".keep"]
