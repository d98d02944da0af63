"""The table that ships reads back as it was written, and says what the README says of it."""

from __future__ import annotations

from engine.rank.published_table import published_table, read_table, table_csv
from engine.rank.rank_table import COLUMNS, MEASURED, USUAL
from engine.rank.recommendation import PROTECT


def test_a_table_reads_back_as_it_was_written() -> None:
    cells = published_table()
    assert read_table(table_csv(cells)) == cells


def test_the_table_has_every_round_field_and_number_of_rounds_left() -> None:
    cells = published_table()
    assert {cell.round for cell in cells} == {1, 2, 4, 6}
    assert {cell.field for cell in cells} == {"observed", "EV-aware", "naive", "named rival"}
    assert {cell.rounds_left for cell in cells if cell.round == 1} == {1, 3, 8}
    assert {cell.column for cell in cells} == set(COLUMNS)


def test_at_the_measured_strength_nothing_is_worse_and_protect_never_at_its_usual_one() -> None:
    cells = published_table()
    assert all(cell.verdict != "worse" for cell in cells if cell.column == MEASURED)
    assert all(cell.verdict != "worse" for cell in cells if (cell.column, cell.objective) == (USUAL, PROTECT))
