"""Every time of a season through a loopback server: a world with signals, or a sentence that says why there is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from data.errors import ModelError
from data.rules import load_rules
from data.sources.fetching import refresh
from data.sources.fpl import source as fpl
from data.sources.report import Reading
from data.web.client import open_client
from data.worlds.library import BUNDLED
from data.worlds.world import World, open_world
from engine.desk import check_world
from models.signals import Signals, build_signals
from tests.cases.league.live_worlds import payloads_of
from tests.cases.small_world import BLANK, DOUBLE, EMPTY, IDLE_CLUBS, small_league
from tests.tools.fpl_writer import to_fpl_api
from tests.tools.loopback import serving

BOOTSTRAP, FIXTURES = "bootstrap-static/", "fixtures/"


def served(round_number: int) -> dict[str, Any]:
    return payloads_of(to_fpl_api(small_league(), round_number))


def fetched(api: dict[str, Any]) -> Reading:
    """Fetch and read, without the years before."""
    served_bytes = {name: json.dumps(value).encode() for name, value in api.items()}
    with serving(served_bytes) as server, open_client(server.url) as client:
        payloads = {step.answer.path: step.answer.value for step in fpl.fetch(client) if not step.failure}
    return fpl.parse(payloads, name="live", title="Live", sources="a test")


def refreshed(api: dict[str, Any], folder: Path) -> World:
    """Fetch as a user does, with the bundled season at hand."""
    with serving({name: json.dumps(value).encode() for name, value in api.items()}) as server:
        report = refresh("fpl", server.url, folder, False, lambda _: None, check=check_world)
    assert report.ok, report.error
    return open_world(folder)


def signals_of(world: World) -> Signals:
    return build_signals(world.at(world.rounds[-1]), load_rules(world.rulebook))


def test_before_the_season_without_matches_a_sentence_says_so() -> None:
    api = served(1) | {FIXTURES: []}
    world, warnings = fetched(api)
    assert warnings == ("The game has no matches yet: until they are published nobody can be expected to score.",)
    assert len(world.at(1).players) == len(api[BOOTSTRAP]["elements"])
    with pytest.raises(ModelError, match="has no match yet, so nothing can be expected"):
        signals_of(world)


def test_before_the_season_with_matches_there_are_signals() -> None:
    world, warnings = fetched(served(1))
    assert warnings == ()
    assert signals_of(world).xev.max() > 1


def test_in_the_middle_of_a_gameweek_the_next_one_is_judged_by_what_is_over() -> None:
    api = served(3)
    api[BOOTSTRAP]["events"][1].update(finished=False, data_checked=False)
    api[FIXTURES][3].update(finished=False, finished_provisional=True)
    api[FIXTURES][4].update(finished=False, started=True, minutes=30)
    world, warnings = fetched(api)
    assert warnings == ("Gameweek 2 is still being played: its points are not part of this world yet.",)
    assert set(world.tables["points"]["round"]) == {1}
    assert signals_of(world).xev.max() > 1


def test_before_the_bonus_is_added_the_points_are_called_provisional() -> None:
    documents = to_fpl_api(small_league(), 3, final=False)
    _, warnings = fetched(payloads_of(documents))
    assert warnings == ("Gameweek 2 is not final yet: its points may change.",)


@pytest.mark.parametrize("number", [BLANK, DOUBLE])
def test_a_blank_and_a_double_are_known(number: int) -> None:
    world, _ = fetched(served(number))
    signals = signals_of(world)
    idle = np.isin(signals.codes, IDLE_CLUBS)
    if number == BLANK:
        assert (signals.xev[idle] == 0).all()
    else:
        assert all(text.count(",") == 1 for text in signals.opponents[idle])


def test_a_gameweek_without_any_match_is_told() -> None:
    world, warnings = fetched(served(EMPTY))
    assert f"Gameweek {EMPTY} has no match: every club is idle." in warnings
    with pytest.raises(ModelError, match="has no match yet"):
        signals_of(world)


def test_after_the_season_the_last_gameweek_stays_and_a_sentence_says_so() -> None:
    api = served(DOUBLE)
    del api[BOOTSTRAP]["events"][DOUBLE:]
    for event in api[BOOTSTRAP]["events"]:
        event.update(finished=True, data_checked=True, is_next=False, is_current=event["id"] == DOUBLE)
    world, warnings = fetched(api)
    assert f"The season is over: gameweek {DOUBLE} is shown as it stood, and none is open." in warnings
    assert signals_of(world).xev.max() > 1


@pytest.mark.soak
def test_what_is_bundled_of_the_years_before_is_part_of_a_live_world_of_the_same_clubs(tmp_path: Path) -> None:
    bundled = open_world(BUNDLED / "fpl2025-26")
    api = served(1)
    names = dict(zip(bundled.tables["teams"]["code"], bundled.tables["teams"]["name"], strict=True))
    strange = refreshed(api, tmp_path / "strange")
    for team in api[BOOTSTRAP]["teams"]:
        team["name"] = names[team["short_name"]]
    world = refreshed(api, tmp_path / "live")
    first = world.at(1)
    assert strange.tables["past_matches"].empty
    assert (first.past_matches["season"] < 2026).all()
    assert len(first.past_matches) >= len(bundled.tables["past_matches"])
    assert set(names.values()) <= {*first.results["home_team"], *first.results["away_team"]}
