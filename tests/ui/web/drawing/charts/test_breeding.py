"""Best, mean and likeness of a search, generation by generation."""

from __future__ import annotations

from tests.cases.judged_worlds import small_history
from ui.web.drawing.charts.breeding import BEST, MEAN, draw_alike, draw_scores, progress_table, progress_words


def test_there_is_a_row_per_generation_and_the_best_never_falls() -> None:
    history = small_history()
    table = progress_table(history)
    assert list(table["generation"]) == [step.generation for step in history]
    assert table[BEST].is_monotonic_increasing
    assert (table[MEAN] <= table[BEST]).all()
    assert table["alike"].between(0, 100).all()


def test_the_words_are_those_of_the_latest_generation() -> None:
    history = small_history()
    assert progress_words(()) == "The first squads are being solved."
    assert progress_words(history).startswith(f"Generation {history[-1].generation}: ")
    assert f"best {history[-1].best:.2f}" in progress_words(history)


def test_lines_are_told_apart_by_dash_as_well_as_colour() -> None:
    spec = draw_scores(progress_table(small_history()), False).to_dict()
    assert {"color", "strokeDash"} <= set(spec["encoding"])
    assert draw_alike(progress_table(()), True).to_dict()["mark"]["type"] == "area"
