"""Bytes become cells, whatever program wrote them; what cannot be read is refused with its row."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from data.errors import TableError, ThetaXIError
from data.sources.own.delimited import Sheet, TableLimits, decoded, numbers, percent_signs, read_sheet

TABLE = "Name,Team,xev\nØdegaard,ARS,5.2\nMüller,BAY,4.1\n"


def a_column(*cells: str) -> Sheet:
    return Sheet(("xev",), {"xev": list(cells)}, list(range(2, len(cells) + 2)))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_accents_survive_every_encoding_spreadsheets_write(encoding: str) -> None:
    assert read_sheet(TABLE.encode(encoding)).cells["Name"] == ["Ødegaard", "Müller"]


def test_utf_16_of_either_byte_order_is_read_by_its_mark() -> None:
    assert decoded(b"\xfe\xff" + TABLE.encode("utf-16-be")) == TABLE
    assert decoded(b"\xff\xfe" + TABLE.encode("utf-16-le")) == TABLE


def test_a_pasted_byte_order_mark_is_no_part_of_the_first_header() -> None:
    assert read_sheet("\ufeff" + TABLE).header == ("Name", "Team", "xev")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter: str) -> None:
    assert read_sheet(TABLE.replace(",", delimiter)).cells["Team"] == ["ARS", "BAY"]


def test_decimal_commas_do_not_part_cells_of_a_semicolon_table() -> None:
    sheet = read_sheet("Name;Team;xev\nSaka;ARS;5,25\nSon, Heung-Min;TOT;4,5\n")
    assert sheet.cells["Name"] == ["Saka", "Son, Heung-Min"]
    assert numbers(sheet, "xev", low=0, high=10).tolist() == [5.25, 4.5]


def test_a_comma_in_the_header_of_a_tab_table_does_not_mislead() -> None:
    assert read_sheet("Name\tTeam\tPts (5, 6, 7)\nSaka\tARS\t5,2\n").header == ("Name", "Team", "Pts (5, 6, 7)")


def test_the_line_a_spreadsheet_writes_to_name_its_delimiter_is_obeyed() -> None:
    sheet = read_sheet("sep=;\r\nName;xev\r\nSaka;5,2\r\n")
    assert (sheet.header, sheet.rows) == (("Name", "xev"), [3])


def test_a_markdown_table_loses_its_frame() -> None:
    sheet = read_sheet("| Name | xev |\n|------|----:|\n| Saka | 5.2 |\n")
    assert (sheet.header, sheet.cells) == (("Name", "xev"), {"Name": ["Saka"], "xev": ["5.2"]})


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_line_end_is_understood(newline: str) -> None:
    assert len(read_sheet(TABLE.replace("\n", newline))) == 2


def test_quoted_cells_may_hold_delimiters_and_lines() -> None:
    assert read_sheet('Name,xev\n"Saka, ""B""\nukayo",5\n').cells["Name"] == ['Saka, "B"\nukayo']


def test_blank_rows_are_skipped_but_counted() -> None:
    assert read_sheet("Name,xev\n\nSaka,5\n,,\n  , \nRice,4\n\n").rows == [3, 6]


def test_trailing_empty_cells_are_no_ragged_row() -> None:
    assert read_sheet("Name,xev\nSaka,5,,\n").cells == {"Name": ["Saka"], "xev": ["5"]}


def test_a_column_without_header_is_named_by_its_place() -> None:
    assert read_sheet(",Name,\n0,Saka,x\n").header == ("(no header, column 1)", "Name", "(no header, column 3)")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        ("  \n\n \t \n", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        ("Name,xev\n", "no row under it"),
        ("Name,xev\nSaka,5\nRice\n", "Row 3 has 1 cells where the header has 2"),
        ("Name,xev\nSaka,5,6\n", "Row 2 has 3 cells where the header has 2"),
        ("Name;xev\n\nSaka;5\nRice\n", "Row 4 has 1 cells"),
        ("Name,xev,name\nSaka,5,x\n", "twice: Name, name"),
        ('Name,xev\n"Saka,5\nRice,4\n', "quotation mark"),
        ('Name,xev\n"Saka"x,5\n', "Line 2 cannot be parted"),
        (b"Name,xev\nSa\x00ka,5\n", "NUL bytes"),
        ("Name,xev\nSa\x00ka,5\n", "NUL bytes"),
        (TABLE.encode("utf-16-le"), "NUL bytes"),
        (TABLE.encode("utf-32"), "NUL bytes"),
        (b"\xff\xfeN", "is marked as utf-16 but is not"),
        (b"Name,xev\nSa\x81ka,5\n", "Byte 12 of the table is text in neither"),
        ("Name,xev\nSa\ud800ka,5\n", "half characters"),
    ],
)
def test_what_is_no_table_is_refused_with_the_reason(content: bytes | str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        read_sheet(content)


def test_a_table_beyond_the_limits_is_refused_unread() -> None:
    with pytest.raises(TableError, match="5,000,001 bytes"):
        read_sheet(b"x" * 5_000_001)
    with pytest.raises(TableError, match="more than 3 rows"):
        read_sheet("a,b\n" + "1,2\n" * 4, TableLimits(rows=3))
    assert len(read_sheet("a,b\n" + "1,2\n" * 3, TableLimits(rows=3))) == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a," * 990_000, "Row 1 has 990,001 cells; 500 is the limit"),
        ("a,b\n" + "," * 600, "Row 2 has 601 cells"),
        ('a,b\n"' + "x" * 1_001 + '",1', "Row 2 has a cell of 1,001 characters; 1,000 is the limit"),
        ("x" * 131_072 + ",b\n1,2", "Row 1 has a cell of 131,072 characters"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_rows_of_too_many_cells_and_cells_of_too_many_characters_are_refused(content: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        read_sheet(content)


def test_a_table_as_wide_and_cells_as_long_as_allowed_are_read() -> None:
    header = ",".join(f"c{number}" for number in range(500))
    sheet = read_sheet(f"{header}\n{'x' * 1_000}{',' * 499}\n")
    assert (len(sheet.header), len(sheet.cells["c0"][0])) == (500, 1_000)


def test_limits_leave_room() -> None:
    with pytest.raises(ValidationError, match="rows"):
        TableLimits(rows=0)


@pytest.mark.parametrize(
    ("cell", "value"),
    [("5", 5), ("5.25", 5.25), ("5,25", 5.25), ("-1.5", -1.5), ("−1,5", -1.5), ("+2", 2), (".5", 0.5), ("1e1", 10)],
)
def test_numbers_are_read_as_people_write_them(cell: str, value: float) -> None:
    assert numbers(a_column(cell), "xev", low=-20, high=150)[0] == value


@pytest.mark.parametrize("cell", ["=A1+2", "=5", "+A1", "-A1", "@SUM(A1)", "=cmd|' /C calc'!A0"])
def test_a_formula_among_numbers_is_named_by_row_and_column(cell: str) -> None:
    with pytest.raises(TableError, match=r"Row 3, column 'xev': .* is a spreadsheet formula"):
        numbers(a_column("5", cell), "xev", low=-20, high=150)


@pytest.mark.parametrize("cell", ["NaN", "nan", "inf", "-inf", "five", "5 2", "1.234,5", "٣", "0x10", "5%", "1_0"])
def test_what_is_no_number_is_named_by_row_and_column(cell: str) -> None:
    with pytest.raises(TableError, match=r"Row 2, column 'xev': "):
        numbers(a_column(cell), "xev", low=-20, high=150)


@pytest.mark.parametrize("cell", ["10000", "-21", "1e300", "1e999"])
def test_a_number_out_of_range_is_named_with_the_range(cell: str) -> None:
    with pytest.raises(TableError, match="is not between -20 and 150"):
        numbers(a_column(cell), "xev", low=-20, high=150)


def test_percent_signs_are_read_where_they_are_expected_and_an_empty_cell_is_no_number_and_no_error() -> None:
    assert np.isnan(numbers(a_column("5", ""), "xev", low=0, high=10)[1])
    sheet = a_column("12,5 %", "3%", "0")
    assert numbers(sheet, "xev", low=0, high=100, percent=True).tolist() == [12.5, 3, 0]
    assert percent_signs(sheet, "xev").tolist() == [True, True, False]


CELLS = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters='"\\|'), min_size=1, max_size=8)


@given(st.integers(2, 5).flatmap(lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1)))
def test_what_a_csv_writer_writes_is_read_back(rows: list[list[str]]) -> None:
    header = [f"column{i}" for i in range(len(rows[0]))]
    lines = ["\t".join(f'"{cell}"' for cell in row) for row in [header, *rows]]
    sheet = read_sheet("\n".join(lines).encode())
    assert [list(row) for row in zip(*sheet.cells.values(), strict=True)] == rows


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_no_content_makes_anything_but_our_own_error(content: bytes | str) -> None:
    with suppress(ThetaXIError):
        sheet = read_sheet(content)
        assert all(len(cells) == len(sheet) for cells in sheet.cells.values())
