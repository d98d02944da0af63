"""Places in a spec and the errors they give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from engine.language.parsing import parse_spec
from engine.language.syntax import EXCERPT, Metric, SpecSource, Spot, names_in


def test_an_error_shows_file_line_column_and_a_caret() -> None:
    error = Spot(SpecSource("a.fitness", "one\n  two three"), 2, 7, 5).error("No.")
    assert str(error) == "a.fitness:2:7: No.\n    two three\n        ^^^^^"
    assert (error.line, error.column) == (2, 7)
    assert isinstance(error, InputError)


def test_a_long_line_is_cut_around_its_place() -> None:
    source = SpecSource("a.fitness", "x" * 1_000 + "!" + "x" * 1_000)
    line, carets = str(Spot(source, 1, 1_001).error("No.")).split("\n")[1:]
    assert len(line) == EXCERPT + 2
    assert line[carets.index("^")] == "!"


def test_carets_end_with_the_line() -> None:
    assert str(Spot(SpecSource("a", "ab"), 1, 2, 50).error("No.")).endswith("\n   ^")


def test_what_cannot_be_printed_is_shown_blank() -> None:
    assert str(Spot(SpecSource("a", "\tb\ud800c"), 1, 2).error("No.")).split("\n")[1] == "   b c"


@pytest.mark.parametrize(("index", "place"), [(0, (1, 1)), (2, (1, 3)), (3, (2, 1)), (99, (2, 2)), (-5, (1, 1))])
def test_an_index_has_a_line_and_a_column(index: int, place: tuple[int, int]) -> None:
    spot = SpecSource("a", "ab\ncd").spot_at(index)
    assert (spot.line, spot.column) == place


@given(st.text(alphabet="a\n", max_size=30), st.integers(0, 40))
def test_every_index_lies_in_the_text(text: str, index: int) -> None:
    source = SpecSource("a", text)
    spot = source.spot_at(index)
    assert 1 <= spot.column <= len(source.line(spot.line)) + 1


def test_names_come_as_they_are_written() -> None:
    metric = parse_spec("fitness T { metric m = squad.a + max(k, 1) > 2 ? world.b : c }", "t").statements[0]
    assert isinstance(metric, Metric)
    assert [str(name) for name in names_in(metric.expression)] == ["squad.a", "k", "world.b", "c"]
