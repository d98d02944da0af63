"""A visitor's own projections: read for the round, names settled, differences shown."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from data.errors import TableError
from data.naming.matching import PlayerNames
from data.rules import load_rules
from data.sources.own.projections import Projections
from models.signals import Signals, build_signals
from tests.cases.judged_worlds import awkward_signals
from tests.cases.page_runs import opened, sentences
from tests.cases.small_world import awkward_cup, kept_cup, quick_settings
from ui.web.choice.projection_desk import LEAVE_OUT, choices, differences, read_table, usable

SNAPSHOT = awkward_cup().at(1)


@pytest.fixture(scope="module")
def signals() -> Signals:
    return awkward_signals()


def test_only_what_the_models_take_is_used() -> None:
    table = read_table("id,xev,xmins,p_start,shoe size\n100,4.5,80,0.9,44\n101,3,70,,45", SNAPSHOT, {})
    assert list(usable(table).columns) == ["xev", "p_start"]
    assert "Columns not used: shoe size." in table.report.lines()


def test_a_row_that_fits_nobody_offers_its_candidates_first_and_is_settled_by_the_answer() -> None:
    content = "name,xev\nOdegard,5\nFirst GK0 A2,3"
    first = read_table(content, SNAPSHOT, {})
    (entry,) = first.report.unplaced
    names = PlayerNames(SNAPSHOT.players, SNAPSHOT.teams)
    labels = [names.label(int(number)) for number in SNAPSHOT.players["player_id"]]
    offered = choices(entry, labels)
    assert offered[0] == LEAVE_OUT
    assert offered[1].startswith("Ødegaard (")
    assert len(offered) == len(labels) + 1
    meant = int(SNAPSHOT.players.set_index("known_name").loc["Ødegaard", "player_id"])
    assert meant in read_table(content, SNAPSHOT, {entry.written: meant}).frame.index


def test_the_largest_differences_from_the_model_come_first(signals: Signals) -> None:
    model = float(signals.xev[signals.row_of(100)])
    table = read_table(f"id,xev\n100,{model + 1:.3f}\n101,40", SNAPSHOT, {})
    found = differences(table, signals)
    assert found["Player"].iloc[0] == str(signals.name[signals.row_of(101)])
    assert found["Difference"].iloc[1] == pytest.approx(1, abs=0.001)
    assert len(differences(table, signals, count=1)) == 1


def test_a_table_of_ownership_alone_is_enough(signals: Signals) -> None:
    table = read_table("id,owned_percent\n100,31\n101,4.5", SNAPSHOT, {})
    assert usable(table).to_dict("list") == {"owned": pytest.approx([0.31, 0.045])}
    assert differences(table, signals).empty
    rules = load_rules("wc2026")
    after = build_signals(SNAPSHOT, rules, quick_settings(rules), overrides=usable(table))
    assert {name: int(given.sum()) for name, given in after.overridden.items() if given.any()} == {"owned": 2}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id,xev\n100,=1+1", r"Row 2, column 'xev': '=1\+1' is a spreadsheet formula"),
        ("id,xev\n100,many", "Row 2, column 'xev': 'many' is not a number"),
        ("id,price\n100,5", "needs a column of expected points"),
        (b"x" * 2_000_001, "2,000,000 is the limit"),
    ],
)
def test_a_bad_table_is_a_sentence_with_row_and_column(content: bytes | str, said: str) -> None:
    with pytest.raises(TableError, match=said):
        read_table(content, SNAPSHOT, {})


TABLES_PAGE = """
from ui.web.choice.frame import choose_round, guarded
from ui.web.choice.projection_desk import draw_projections
guarded(lambda: draw_projections(choose_round()))()
"""


def test_a_table_is_read_once_however_often_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes | str] = []

    def counting(content: bytes | str, *rest: object) -> Projections:
        read.append(content)
        return read_table(content, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("ui.web.choice.projection_desk.read_table", counting)
    page = opened(AppTest.from_string(TABLES_PAGE, default_timeout=60), world=kept_cup(), round="1")
    page.text_area(key="own_paste").set_value("id,xev\n100,4.5\n101,3").run()
    assert "2 of 2 rows fit a player." in sentences(page.run().run())
    page.text_area(key="own_paste").set_value("id,xev\n100,4.5\n101,4").run()
    assert "2 of 2 rows fit a player." in sentences(page.run())
    assert [text[-1] for text in read] == ["3", "4"]
