"""Payloads as the game really served them become worlds with signals."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from data.rules import load_rules
from data.sources.fetching import refresh
from data.sources.report import SourceReport
from data.worlds.world import World, open_world
from engine.desk import check_world
from models.signals import build_signals
from tests.tools.loopback import serving

pytestmark = pytest.mark.facts

JANUARY, AUGUST, MORE = "2026-01-03_before_gw20", "2026-08-22_gw1_live", "2026-08-22_gw1_live_more"
ADDRESSES = {"bootstrap-static": "bootstrap-static/", "fixtures": "fixtures/", "event-status": "event-status/"}


def capture(facts: Path, folder: str, name: str) -> Any:
    return json.loads(gzip.decompress((facts / "fpl" / "captures" / folder / f"{name}.json.gz").read_bytes()))


def routes_of(facts: Path, *folders: str) -> dict[str, bytes]:
    """The captured documents at their addresses; a server has nothing else."""
    return dict(_routes_of(facts, *folders))


@cache
def _routes_of(facts: Path, *folders: str) -> dict[str, bytes]:
    documents: dict[str, Any] = {}
    for folder in folders:
        for file in sorted((facts / "fpl" / "captures" / folder).glob("*.json.gz")):
            name = file.name.removesuffix(".json.gz")
            if name in ADDRESSES:
                documents[ADDRESSES[name]] = capture(facts, folder, name)
            elif name == "live":
                documents["event/1/live/"] = capture(facts, folder, name)
            elif name == "element_summaries":
                pages = capture(facts, folder, name)
                documents |= {f"element-summary/{player}/": page for player, page in pages.items()}
    return {name: json.dumps(value).encode() for name, value in documents.items()}


def fetched(routes: dict[str, bytes], folder: Path, *, details: bool = False) -> tuple[SourceReport, World]:
    with serving(routes) as server:
        report = refresh("fpl", server.url, folder, details, lambda _: None, check=check_world)
        assert len(server.requests) < 50 or details
    assert report.ok, report.error
    return report, open_world(folder)


def best_of(world: World) -> str:
    """The man of whom most is expected against an average opponent, whomever his club meets next."""
    signals = build_signals(world.at(world.rounds[-1]), load_rules(world.rulebook))
    assert 4 < signals.xev.max() < 12
    return str(signals.short[signals.typical_xev.argmax()])


def test_a_bootstrap_of_mid_season_alone_is_completed_by_what_is_bundled(facts: Path, tmp_path: Path) -> None:
    report, world = fetched(routes_of(facts, JANUARY), tmp_path / "live")
    assert "The game does not list its matches" in " ".join(report.warnings)
    assert "Gameweeks 1, 2, 3, 4" in " ".join(report.warnings)
    assert (world.rulebook, world.rounds) == ("fpl2025", tuple(range(1, 21)))
    players = world.at(20).players.set_index("known_name")
    assert players.loc["Raya", ["price", "start_price", "expected_next"]].to_list() == [6.0, 5.5, 4.0]
    assert players["news"].str.len().gt(0).sum() > 100
    assert best_of(world) == "Haaland"


def test_a_second_refresh_asks_for_a_handful_of_documents_only(facts: Path, tmp_path: Path) -> None:
    with serving(routes_of(facts, AUGUST)) as server:
        for _ in range(2):
            before = len(server.requests)
            assert refresh("fpl", server.url, tmp_path / "live", False, lambda _: None, check=check_world).ok
        assert len(server.requests) - before < 5


@pytest.mark.soak
def test_in_the_middle_of_the_first_gameweek_the_second_one_is_open(facts: Path, tmp_path: Path) -> None:
    report, world = fetched(routes_of(facts, AUGUST), tmp_path / "live")
    assert report.warnings[-1] == "Gameweek 1 is still being played: its points are not part of this world yet."
    assert (world.rulebook, world.rounds) == ("fpl2026", (2,))
    assert len(world.at(2).past_matches) > 90_000
    assert world.at(2).players["price_change"].notna().all()
    assert world.tables["differences"].empty
    players = world.at(2).players.set_index("player_id")
    assert set(players.loc[world.at(2).totals["player_id"], "team"]) == {"ARS", "COV"}
    assert best_of(world) == "Haaland"


@pytest.mark.soak
def test_what_is_over_in_a_gameweek_in_play_is_known(facts: Path, tmp_path: Path) -> None:
    _, world = fetched(routes_of(facts, AUGUST, MORE), tmp_path / "live")
    then = world.at(2)
    assert then.totals.empty
    assert set(then.events["match_id"]) == {1}
    assert then.appearances["started"].sum() == 22
    assert then.points.empty
    assert best_of(world) == "Haaland"


@pytest.mark.parametrize("details", [False, True])
@pytest.mark.soak
def test_once_it_is_over_its_counts_are_read(facts: Path, tmp_path: Path, details: bool) -> None:
    routes = routes_of(facts, AUGUST, MORE)
    bootstrap = json.loads(routes["bootstrap-static/"])
    bootstrap["events"][0].update(finished=True, data_checked=True)
    days = [{"event": 1, "bonus_added": True, "points": "r"}]
    routes |= {
        "bootstrap-static/": json.dumps(bootstrap).encode(),
        "event-status/": json.dumps({"status": days}).encode(),
    }
    _, world = fetched(routes, tmp_path / "live", details=details)
    then = world.at(2)
    assert len(then.appearances) == len(then.points) > 150
    raya = then.players.set_index("known_name").loc["Raya", "player_id"]
    own = then.events.set_index("player_id").loc[raya]
    assert len(then.past_seasons) > 500 if details else then.past_seasons.empty
    assert own[["minutes", "clean_sheet", "saves", "bps", "points", "team"]].to_list() == [90, 1, 1, 24, 6, "ARS"]
    assert best_of(world) == "Haaland"


@pytest.mark.soak
def test_real_shapes_of_a_double_and_a_blank_stand_in_a_season_whose_other_gameweeks_are_missing(
    facts: Path, tmp_path: Path
) -> None:
    routes = routes_of(facts, JANUARY)
    bootstrap = json.loads(routes["bootstrap-static/"])
    for event in bootstrap["events"]:
        over = event["id"] <= 34
        event.update(finished=over, data_checked=over, is_current=event["id"] == 34, is_next=event["id"] == 35)
    shapes = {f"event/{week}/live/": capture(facts, "shapes_shuffled", f"live-gw{week}") for week in (26, 34)}
    routes |= {"bootstrap-static/": json.dumps(bootstrap).encode()}
    report, world = fetched(routes | {name: json.dumps(v).encode() for name, v in shapes.items()}, tmp_path / "live")
    told = next(warning for warning in report.warnings if "totals stand in" in warning)
    assert told.startswith("Gameweeks 20, 21, 22, 23, 24, 25, 27,")
    assert {26, 34} <= set(world.tables["points"]["round"])
    assert len(world.at(35).totals) > 700
    assert build_signals(world.at(35), load_rules(world.rulebook)).xev.max() > 3
