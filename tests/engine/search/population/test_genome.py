"""A genome knows its fitness, its parents and its line, and is the same one whenever it is made."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from engine.search.population.genome import (
    OLDEST_SHOWN,
    YOUNGEST_SHOWN,
    Genome,
    extended_lineage,
    genome_id,
    lineage_text,
    squad_text,
)

NAMES = ("Alisson", "Marquinhos", "Pedri", "Rodri", "Kane", "Simón")
POSITION = np.array([0, 1, 2, 2, 3, 0])


def test_the_combined_score_is_the_fitness() -> None:
    assert Genome("a", scores={"combined_score": 0.87, "variance": 300.0}).fitness == 0.87


def test_without_a_combined_score_the_fitness_is_the_mean_of_the_numeric_ones() -> None:
    scores: dict[str, object] = {"cover": 2, "swing": np.float64(4.0), "legal": True, "note": "fine"}
    assert Genome("a", scores=scores).fitness == 3.0  # type: ignore[arg-type]


@pytest.mark.parametrize("scores", [{}, {"legal": True}])
def test_an_unscored_genome_is_worth_minus_infinity(scores: dict[str, float]) -> None:
    assert Genome("a", scores=scores).fitness == float("-inf")


def test_a_combined_score_of_zero_is_a_score() -> None:
    assert Genome("a", scores={"combined_score": 0.0, "variance": 300.0}).fitness == 0.0


def test_a_combined_score_that_is_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="'high'; it must be a number"):
        Genome("a", scores={"combined_score": "high"})  # type: ignore[dict-item]


def test_a_genome_without_content_is_refused() -> None:
    with pytest.raises(InputError, match="needs a content"):
        Genome("  ")


def test_a_genome_is_frozen_and_keeps_what_it_was_given() -> None:
    scores = {"combined_score": 1.0}
    genome = Genome("a", scores=scores)
    scores["combined_score"] = 2.0
    assert genome.fitness == 1.0
    with pytest.raises(FrozenInstanceError):
        genome.content = "b"  # type: ignore[misc]


def test_the_same_genome_has_the_same_id_and_another_has_another() -> None:
    parent = Genome("a")
    assert parent == Genome("a")
    assert len({Genome("a"), Genome("a"), Genome("b"), parent.child("a")}) == 3
    assert len({genome.id for genome in (parent, Genome("b"), parent.child("a"), parent.child("b"))}) == 4


def test_a_child_extends_the_line_and_inherits_the_metadata() -> None:
    parent = Genome("v1", id="g000001", metadata={"archetype": "template anchor", "generation": 0})
    kid = parent.child("v2", id="g000007", generation=1)
    grandchild = kid.child("v3", id="g000042")
    assert (parent.parent_id, parent.lineage) == (None, "")
    assert (kid.parent_id, kid.lineage) == ("g000001", "g000001")
    assert (grandchild.parent_id, grandchild.lineage) == ("g000007", "g000001 → g000007")
    assert kid.metadata == {"archetype": "template anchor", "generation": 1, "parents": ("g000001",)}
    assert grandchild.metadata["generation"] == 1


def test_a_child_of_two_names_both_and_follows_the_first() -> None:
    first, second = Genome("v1", id="g000001"), Genome("v2", id="g000002", metadata={"island": 3})
    kid = first.child("v3", second)
    assert (kid.parent_id, kid.metadata["parents"]) == ("g000001", ("g000001", "g000002"))
    assert "island" not in kid.metadata


def test_a_child_has_neither_its_parents_scores_nor_its_artifacts_nor_its_stamps() -> None:
    stamped = {"admitted": True, "eval_failed": False, "disqualified": True}
    parent = Genome("v1", scores={"combined_score": 9.0}, metadata=stamped, artifacts={"repair_log": ("a → b",)})
    kid = parent.child("v2")
    assert (kid.fitness, kid.artifacts, set(kid.metadata)) == (float("-inf"), {}, {"parents"})


@given(st.integers(0, 40))
def test_a_line_grown_child_by_child_reads_as_one_written_at_once(many: int) -> None:
    ids = [genome_id(row) for row in range(many)]
    grown = ""
    for name in ids:
        grown = extended_lineage(grown, name)
    assert grown == lineage_text(ids)


def test_a_very_long_line_keeps_both_ends_and_says_that_the_middle_is_left_out() -> None:
    shown = lineage_text([genome_id(row) for row in range(1_000)]).split(" → ")
    assert len(shown) == OLDEST_SHOWN + 1 + YOUNGEST_SHOWN
    assert (shown[0], shown[OLDEST_SHOWN], shown[-1]) == ("g000000", "…", "g000999")
    whole = lineage_text([genome_id(row) for row in range(OLDEST_SHOWN + YOUNGEST_SHOWN)])
    assert "…" not in whole


def test_an_id_is_a_g_and_six_digits() -> None:
    assert genome_id(123) == "g000123"


@given(st.permutations(range(6)))
def test_a_squad_reads_the_same_in_any_order(squad: list[int]) -> None:
    expected = "GK: Alisson, Simón; DEF: Marquinhos; MID: Pedri, Rodri; FWD: Kane; C: Kane"
    assert squad_text(np.array(squad), 4, NAMES, POSITION) == expected


def test_a_squad_without_a_known_captain_names_none() -> None:
    assert squad_text(np.array([0, 4]), None, NAMES, POSITION) == "GK: Alisson; DEF: ; MID: ; FWD: Kane"
