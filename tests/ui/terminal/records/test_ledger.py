"""The ledger on the command line: decide before a deadline, list, export and import, and look back after it."""

from __future__ import annotations

from pathlib import Path

from data.storage.files import user_folder
from tests.tools.run_here import done, refused

ROUND = ("--world", "wc2026", "--round", "1")


def test_a_decision_is_kept_listed_taken_elsewhere_and_looked_back_on(tmp_path: Path) -> None:
    refused("has no decision for a round of wc2026 that is over", "review")
    kept = done("decide", *ROUND, "--theta", "protect", "--take", "2", "--json").json
    assert kept["taken"] != kept["advised"]
    listed = done("ledger", "--export", tmp_path / "all.jsonl", "--json").json["decisions"]
    assert [(one["world"], one["round"], one["took_advice"]) for one in listed] == [("wc2026", 1, False)]
    (user_folder() / "ledger.sqlite").unlink()
    assert done("ledger", "--import", tmp_path / "all.jsonl", "--json").json["decisions"] == listed
    (found,) = done("review", "--json").json["decisions"]
    assert (found["round"], found["took_advice"]) == (1, False)
    assert found["luck"] == found["happened"] - found["expected"]


def test_a_file_that_is_no_ledger_is_refused(tmp_path: Path) -> None:
    (tmp_path / "odd.jsonl").write_text("{}\n")
    refused("line 1", "ledger", "--import", tmp_path / "odd.jsonl")
    refused("cannot be read as an exported ledger", "ledger", "--import", tmp_path / "nowhere.jsonl")
