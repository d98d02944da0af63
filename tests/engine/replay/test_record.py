"""The records that come with the project: read back as they were written, of the facts whose checksum they name."""

from __future__ import annotations

import json
from dataclasses import replace
from math import isclose
from typing import Any

import pytest

from data.errors import InputError
from data.rules import load_rules
from data.worlds.library import find_world
from data.worlds.world import World
from engine.jobs import last_of
from engine.replay.record import (
    PUBLISHED,
    Record,
    measure,
    published_record,
    published_records,
    read_record,
    usual_horizon,
)

CLOSE = 1e-6


def test_a_record_is_read_back_as_it_was_written() -> None:
    for record in published_records():
        assert read_record(record.text()) == record
        assert json.loads(record.text())["world"] == record.world


@pytest.mark.parametrize("name", ["wc2026", "fpl2025-26"])
def test_the_record_of_a_bundled_world_belongs_to_its_facts(name: str) -> None:
    world = find_world(name)
    record = published_record(world)
    assert record is not None, f"{name} has changed: thetaxi calibrate --world {name} --out {PUBLISHED / name}.json"
    assert record.checksum == world.checksum()
    points = world.tables["points"]
    other = replace(world, tables={**world.tables, "points": points.assign(points=points["points"] + 1)})
    assert published_record(other) is None


def test_a_league_is_followed_six_rounds_and_a_tournament_one() -> None:
    assert (usual_horizon(load_rules("fpl2025")), usual_horizon(load_rules("wc2026"))) == (6, 1)


def test_a_world_without_points_has_no_record(world_cup: World) -> None:
    tables = {**world_cup.tables, "points": world_cup.tables["points"].iloc[:0]}
    with pytest.raises(InputError, match=r"No round of .* has official points yet"):
        next(iter(measure(replace(world_cup, tables=tables), load_rules("wc2026"))))


@pytest.mark.soak
@pytest.mark.parametrize("name", ["wc2026", "fpl2025-26"])
def test_the_published_record_is_what_is_measured(name: str) -> None:
    """`thetaxi calibrate --world NAME --out engine/replay/records/NAME.json` writes it anew."""
    world = find_world(name)
    found = last_of(measure(world, load_rules(world.rulebook)), Record)
    assert alike(json.loads(found.text()), json.loads(_published(world).text()))


def _published(world: World) -> Record:
    record = published_record(world)
    assert record is not None
    return record


def alike(one: Any, other: Any) -> bool:
    """Return whether two values of JSON are the same up to the last digits of their figures."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE)
    return bool(one == other)
