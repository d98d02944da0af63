"""The ledger keeps every decision it confirmed, whatever happens, and refuses files that are not its own."""

from __future__ import annotations

import json
import os
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from data.errors import InputError
from data.ledger.book import DecisionLedger
from data.ledger.decision import read_decision
from tests.cases.hostile.killed_calls import can_trace, killed_at
from tests.cases.league.decisions import DEADLINE, a_decision, a_lineup


@pytest.fixture
def ledger(tmp_path: Path) -> DecisionLedger:
    return DecisionLedger(tmp_path / "folder" / "ledger.sqlite")


def test_a_ledger_that_does_not_exist_is_empty_and_is_not_made_by_looking(ledger: DecisionLedger) -> None:
    assert list(ledger.decisions()) == []
    assert not ledger.path.exists()


def test_decisions_come_back_as_they_were_recorded_by_world_and_round(ledger: DecisionLedger) -> None:
    later, other = a_decision(2), a_decision(1, world="fpl2025-26")
    for decision in (later, a_decision(1), other):
        ledger.record(decision)
    assert list(ledger.decisions()) == [other, a_decision(1), later]
    assert list(ledger.decisions("wc2026")) == [a_decision(1), later]


def test_the_last_decision_of_a_round_counts(ledger: DecisionLedger) -> None:
    last = a_decision(1, made_at=DEADLINE - timedelta(hours=1), objective="gain")
    for decision in (last, a_decision(1)):
        ledger.record(decision)
    assert ledger.last_of_each_round("wc2026") == (last,)


def test_what_was_taken_stands_beside_what_was_advised(ledger: DecisionLedger) -> None:
    ledger.record(a_decision(1))
    taken = ledger.take("wc2026", 1, a_lineup(5, expected=51.0))
    assert taken.advised == a_lineup()
    assert taken.followed == a_lineup(5, expected=51.0)
    assert list(ledger.decisions()) == [taken]


def test_taking_without_advice_is_refused(ledger: DecisionLedger) -> None:
    with pytest.raises(InputError, match="No advice for round 3 of wc2026"):
        ledger.take("wc2026", 3, a_lineup())


def test_an_export_fills_another_ledger_once(ledger: DecisionLedger, tmp_path: Path) -> None:
    for number in (1, 2):
        ledger.record(a_decision(number))
    other = DecisionLedger(tmp_path / "other.sqlite")
    assert [other.import_(ledger.export()) for _ in range(2)] == [2, 2]
    assert list(other.decisions()) == list(ledger.decisions())


def test_an_import_with_one_wrong_line_changes_nothing(ledger: DecisionLedger) -> None:
    text = a_decision(1).model_dump_json() + "\n" + a_decision(2).model_dump_json().replace('"round":2', '"round":-2')
    with pytest.raises(InputError, match=r"line 2: round: .*greater than or equal to 1"):
        ledger.import_(text)
    assert list(ledger.decisions()) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"advised": a_lineup().model_dump() | {"captain": 12}}, "armband is with nobody"),
        ({"advised": a_lineup().model_dump() | {"bench": (1, 2)}}, "stands in the line-up twice"),
        ({"advised": a_lineup(30).model_dump()}, "has no forecast"),
        ({"spread": float("nan")}, "spread"),
        ({"terms": {f"term {number}": 0.0 for number in range(99)}}, "terms"),
    ],
)
def test_a_decision_that_cannot_be_is_refused(changed: dict[str, object], said: str) -> None:
    text = a_decision().model_dump_json()
    with pytest.raises(InputError, match=said):
        read_decision(json.dumps(json.loads(text) | changed), "line 1")


def test_files_of_others_and_of_later_versions_are_refused_and_left_alone(ledger: DecisionLedger) -> None:
    ledger.record(a_decision(1))
    with sqlite3.connect(ledger.path) as connection:
        connection.execute("PRAGMA user_version = 9")
    content = ledger.path.read_bytes()
    with pytest.raises(InputError, match="version 9 of the ledger"):
        ledger.record(a_decision(2))
    assert ledger.path.read_bytes() == content
    foreign = DecisionLedger(ledger.path.with_name("other.sqlite"))
    with sqlite3.connect(foreign.path) as connection:
        connection.execute("CREATE TABLE mine (x)")
    with pytest.raises(InputError, match="another program"):
        list(foreign.decisions())
    noise = DecisionLedger(ledger.path.with_name("noise.sqlite"))
    noise.path.write_bytes(os.urandom(5000))
    with pytest.raises(InputError, match="cannot be used"):
        list(noise.decisions())


@pytest.mark.skipif(not can_trace, reason="system calls are traced on Linux with an x86-64 processor only")
def test_a_kill_at_any_write_loses_nothing_that_was_confirmed(tmp_path: Path) -> None:
    call, killed = 0, True
    while killed:
        ledger = DecisionLedger(tmp_path / f"{call}" / "ledger.sqlite")
        confirmed = tmp_path / f"{call}.confirmed"
        ledger.record(a_decision(1))

        def work(ledger: DecisionLedger = ledger, confirmed: Path = confirmed) -> None:
            for number in (2, 3):
                ledger.record(a_decision(number))
                with confirmed.open("a") as file:
                    file.write(f"{number}\n")

        killed = killed_at(call, work)
        known = {1, *map(int, confirmed.read_text().split())} if confirmed.exists() else {1}
        held = [decision.round for decision in ledger.decisions()]
        assert known <= set(held)
        assert held == sorted(set(held))
        call += 1
    assert call > 20
    assert held == [1, 2, 3]
