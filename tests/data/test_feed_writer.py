"""The written feed has the shape, and the traps, of the real one."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from data.worlds.world import World
from tests.cases.feed_writer import to_feed
from tests.cases.live_worlds import small_cup


def documents(world: World, round_number: int) -> dict[str, Any]:
    return {name: json.loads(content) for name, content in to_feed(world, round_number).items()}


def test_before_the_first_round_nobody_has_points_and_no_match_a_score() -> None:
    feed = documents(small_cup(), 1)
    assert all(player["stats"]["roundPoints"] == [] for player in feed["players.json"])
    assert all(match["homeScore"] is None for match in feed["rounds.json"][0]["tournaments"])
    assert [entry["status"] for entry in feed["rounds.json"]] == ["scheduled"] * 8
    assert feed["rounds.json"][7]["tournaments"] == []


def test_later_the_points_are_an_object_and_the_scores_are_there() -> None:
    feed = documents(small_cup(), 3)
    assert any(isinstance(player["stats"]["roundPoints"], dict) for player in feed["players.json"])
    first = feed["rounds.json"][0]
    assert (first["status"], first["startDate"]) == ("complete", "2026-06-11T20:00:00+01:00")
    assert all(match["homePenaltyScore"] == 0 and match["minutes"] == 97 for match in first["tournaments"])


def test_extra_time_and_shoot_outs_are_marked(world_cup: World) -> None:
    feed = documents(world_cup, 5)
    matches = {match["id"]: match for match in feed["rounds.json"][3]["tournaments"]}
    assert (matches[84]["homeScore"], matches[84]["awayScore"], matches[84]["minutes"]) == (3, 2, 127)
    shoot_outs = [match for match in matches.values() if match["period"] == "penalty_shoot_out"]
    assert shoot_outs
    assert all(match["homePenaltyScore"] != match["awayPenaltyScore"] for match in shoot_outs)


def test_checksums_are_those_of_the_documents() -> None:
    feed = to_feed(small_cup(), 2)
    checksums = json.loads(feed.pop("checksums.json"))
    assert checksums == {name: hashlib.md5(content).hexdigest() for name, content in feed.items()}


def test_the_same_world_gives_the_same_bytes() -> None:
    assert to_feed(small_cup(), 2) == to_feed(small_cup(), 2)


@pytest.mark.facts
@pytest.mark.parametrize("name", ["players", "squads", "rounds"])
def test_every_written_key_is_one_of_the_real_feed(facts: Path, world_cup: World, name: str) -> None:
    path = facts / "wc2026" / "feed" / "captured_before_round_3" / f"{name}.json.gz"
    real, written = json.loads(gzip.decompress(path.read_bytes())), documents(world_cup, 3)[f"{name}.json"]
    assert set(written[0]) <= set(real[0])
    if name == "rounds":
        assert set(written[0]["tournaments"][0]) <= set(real[0]["tournaments"][0])
