"""Scenes and vocabularies check themselves at birth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from data.errors import SpecError
from engine.language.vocabulary import SEARCH_FIGURES, SQUAD_FIGURES, RecordSet, Scene, Vocabulary

TWO = np.array([1.0, 2.0])


def test_a_scene_counts_its_squads_and_ticks() -> None:
    scene = Scene({"x": TWO}, ticks={"x": np.ones((2, 5))})
    assert (scene.size, scene.horizon) == (2, 5)
    assert (Scene({}).size, Scene({}).horizon) == (1, 0)


def test_flags_and_whole_numbers_become_floats() -> None:
    scene = Scene({"x": np.array([True, False])}, engine={"stalled": 3})
    assert scene.squad["x"].dtype == np.float64
    assert scene.engine["stalled"] == 3.0


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"squad": {"x": TWO, "y": np.ones(3)}}, r"squad\.y has the shape \(3,\); the scene holds 2"),
        ({"squad": {"x": np.ones((2, 1))}}, r"squad\.x has the shape"),
        ({"ticks": {"x": TWO}}, r"ticks\.x has the shape"),
        ({"ticks": {"x": np.ones((2, 2)), "y": np.ones((2, 3))}}, "differ in length"),
        ({"engine": {"nodes": np.ones(3)}}, r"engine\.nodes has the shape"),
        ({"records": {"starter": RecordSet({}, np.ones((3, 1)))}}, "Records starter hold 3 squads, the scene 2"),
    ],
)
def test_columns_of_another_height_are_refused(parts: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        Scene(**({"squad": {"x": TWO}} | parts))


def test_record_fields_share_the_masks_shape() -> None:
    with pytest.raises(SpecError, match="Record field xev has the shape"):
        RecordSet({"xev": np.ones((2, 3))}, np.ones((2, 2)))
    with pytest.raises(SpecError, match="mask of a record set"):
        RecordSet({}, np.ones(2))


def test_a_vocabulary_is_read_off_a_scene() -> None:
    scene = Scene({"x": TWO}, {"starter": RecordSet({"xev": np.ones((2, 1))}, np.ones((2, 1)))}, world={"round": 1.0})
    words = Vocabulary.of(scene)
    assert words.squad == {"x"}
    assert words.records == {"starter": {"xev"}}
    assert words.world == {"round"}
    assert words.engine == frozenset()


def test_the_engine_is_always_known() -> None:
    words = Vocabulary(squad=frozenset(), records={}, ticks=frozenset(), world=frozenset())
    assert words.engine == SEARCH_FIGURES | SQUAD_FIGURES


@pytest.mark.parametrize("name", ["__class__", "per", "a-b", "", "1a", "é"])
def test_a_name_no_spec_could_write_is_refused(name: str) -> None:
    with pytest.raises(SpecError, match="cannot be a name"):
        Vocabulary(squad=frozenset(), records={"starter": frozenset({name})}, ticks=frozenset(), world=frozenset())
