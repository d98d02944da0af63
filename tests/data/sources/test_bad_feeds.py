"""Whatever a server sends, the answer is a clean world or a clear error, in time, with the last good world intact."""

from __future__ import annotations

import copy
import gzip
import json
import shutil
import time
from collections.abc import Callable, Sequence
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.errors import ThetaXIError
from data.sources.report import Reading, SourceReport
from data.web.client import WebSettings
from data.worlds.world import World, open_world
from tests.cases.league.live_worlds import a_feed, payloads_of, read_cup, read_league, small_feed, small_league
from tests.conftest import SOAKING
from tests.data.sources.test_refresh import PATIENT
from tests.data.sources.test_refresh import refreshed as refresh
from tests.tools.fpl_writer import to_fpl_api
from tests.tools.loopback import Loopback, Reply, serving

HASTY = WebSettings(connect=0.5, read=0.3, total=1.0, attempts=3, backoff=0.0)
"""For servers that never come to an end: the limits of others leave room for a busy machine."""

HANG = 60.0  # seconds in which one refresh ends, however the server behaves; a second or two where nothing else runs
Route = bytes | Reply | Sequence[Reply]


def refreshed(server: Loopback, folder: Path, settings: WebSettings = PATIENT) -> SourceReport:
    started = time.monotonic()
    report = refresh(server, folder, settings=settings)
    assert time.monotonic() - started < HANG
    return report


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The world of a good feed, fetched once."""
    folder = tmp_path_factory.mktemp("good") / "live"
    with serving(small_feed(2)) as server:
        assert refreshed(server, folder).ok
    return folder


def refused_after_good(
    route: Route, document: str, folder: Path, good: Path, settings: WebSettings = PATIENT
) -> SourceReport:
    """Fetch a feed with a document replaced, which has to be refused: of the last good world no byte may change."""
    shutil.copytree(good, folder)
    with serving(small_feed(2) | {document: route}) as server:
        report = refreshed(server, folder, settings)
    assert not report.ok
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == {
        file.name: file.read_bytes() for file in good.iterdir()
    }
    return report


def changed(document: str, change: Callable[[Any], object]) -> bytes:
    """Return a document after a change made in place; NaN is written as Python writes it."""
    value = json.loads(small_feed(2)[document])
    change(value)
    return json.dumps(value).encode()


def first_player(**changes: object) -> bytes:
    return changed("players.json", lambda players: players[0].update(changes))


def first_match(**changes: object) -> bytes:
    return changed("rounds.json", lambda rounds: rounds[0]["tournaments"][0].update(changes))


def as_gzip(body: bytes) -> Reply:
    return Reply(body=body, headers={"Content-Encoding": "gzip"})


GOOD_PLAYERS = small_feed(2)["players.json"]
FIRST_HOST = a_feed(2)["rounds.json"][0]["tournaments"][0]["homeSquadId"]
RECOVERABLE: dict[str, Route] = {
    "500 twice": [Reply(status=500), Reply(status=500), Reply(body=GOOD_PLAYERS)],
    "429 with Retry-After": [Reply(status=429, headers={"Retry-After": "0"}), Reply(body=GOOD_PLAYERS)],
    "cut once": [Reply(body=GOOD_PLAYERS[:500], promised=len(GOOD_PLAYERS)), Reply(body=GOOD_PLAYERS)],
    "redirect on the host": Reply(status=307, headers={"Location": "/players.json?again"}),
    "new keys": first_player(shirtNumber=10, stats={"roundPoints": [], "xG": 0.3}),
}


@pytest.mark.parametrize("case", RECOVERABLE)
def test_what_passes_is_waited_for(tmp_path: Path, case: str) -> None:
    with serving({**small_feed(2), "players.json": RECOVERABLE[case], "players.json?again": GOOD_PLAYERS}) as server:
        report = refreshed(server, tmp_path / "live")
    assert report.ok, report.error
    assert open_world(tmp_path / "live").rounds == (1, 2)


BAD_TRANSPORT: dict[str, tuple[Route, str]] = {
    "500 for ever": (Reply(status=500), "answered 500"),
    "hangs": (Reply(hang=True), "did not answer in time"),
    "drips": (Reply(body=GOOD_PLAYERS, drip=0.02), "did not answer in time"),
    "cuts the body": (Reply(body=GOOD_PLAYERS[:500], promised=len(GOOD_PLAYERS)), "broke off"),
    "cuts the zip": (as_gzip(gzip.compress(GOOD_PLAYERS)[:-20]), "broke off"),
    "breaks the zip": (as_gzip(b"\x1f\x8b" + GOOD_PLAYERS), "gzip body is broken"),
    "sends 50 MB": (Reply(body=b" " * 1_000_000, repeat=50), "more than 20 MB"),
    "sends a zip bomb": (as_gzip(gzip.compress(b" " * 50_000_000)), "more than 20 MB"),
    "leads away": (Reply(status=302, headers={"Location": "http://localhost:9/players.json"}), "another host"),
    "asks for an hour": (Reply(status=429, headers={"Retry-After": "3600"}), "come back in 3600 seconds"),
    "is gone": (Reply(status=404), "answered 404"),
    "says nothing": (Reply(status=204), "answered 204"),
}
ENDLESS = ("hangs", "drips")


@pytest.mark.parametrize("case", BAD_TRANSPORT)
def test_a_server_that_misbehaves_is_reported(tmp_path: Path, good: Path, case: str) -> None:
    route, said = BAD_TRANSPORT[case]
    patience = HASTY if case in ENDLESS else PATIENT
    report = refused_after_good(route, "players.json", tmp_path / "live", good, patience)
    assert said in report.error
    assert "players.json" in report.error
    assert "rounds 1 to 2" in report.kept


def twice(entries: list[Any]) -> None:
    entries.append(entries[0])


NAN, HUGE = float("nan"), 10**400
BAD_PAYLOADS: dict[str, tuple[str, bytes, str]] = {
    "HTML": ("players.json", b"<!DOCTYPE html><p>Maintenance</p>", "is not JSON"),
    "an empty body": ("players.json", b"", "is not JSON"),
    "an empty list of players": ("players.json", b"[]", "players.json is empty"),
    "an empty list of squads": ("squads.json", b"[]", "squads.json is empty"),
    "an empty list of rounds": ("rounds.json", b"[]", "rounds.json is empty"),
    "a list for an object": ("players.json", first_player(stats=[1, 2]), "'stats': [1, 2] is refused"),
    "an object for a list": ("players.json", b'{"players": []}', "players.json: {'players': []} is refused"),
    "null": ("rounds.json", b"null", "rounds.json: None is refused"),
    "NaN for a price": ("players.json", first_player(price=NAN), "NaN is not a number"),
    "Infinity for a price": ("players.json", first_player(price=float("inf")), "Infinity is not a number"),
    "a negative price": ("players.json", first_player(price=-4.5), "'price': -4.5 is refused"),
    "a price of 1e308": ("players.json", first_player(price=1e308), "'price': 1e+308 is refused"),
    "a price beyond all numbers": ("players.json", b'[{"price": 1e400}]', "1e400 is too large"),
    "a price as text": ("players.json", first_player(price="4.5"), "'price': '4.5' is refused"),
    "percent above 100": ("players.json", first_player(percentSelected=101), "'percentSelected': 101 is refused"),
    "a huge whole number": ("players.json", first_player(squadId=HUGE), "'squadId'"),
    "more digits than we count": ("players.json", b"[" + b"9" * 5000 + b"]", "is not JSON"),
    "points as text": (
        "players.json",
        first_player(stats={"roundPoints": {"1": "7"}}),
        "'roundPoints', '1': '7' is refused",
    ),
    "points of no round": ("players.json", first_player(stats={"roundPoints": {"first": 7}}), "'first' is refused"),
    "duplicate players": ("players.json", changed("players.json", twice), "stands there 2 times"),
    "duplicate squads": ("squads.json", changed("squads.json", twice), "stands there 2 times"),
    "duplicate rounds": ("rounds.json", changed("rounds.json", twice), "stands there 2 times"),
    "duplicate matches": (
        "rounds.json",
        changed("rounds.json", lambda rounds: twice(rounds[0]["tournaments"])),
        "match id",
    ),
    "one code for two squads": (
        "squads.json",
        changed("squads.json", lambda squads: squads[0].update(abbr=squads[1]["abbr"].lower())),
        "abbr",
    ),
    "an unknown position": ("players.json", first_player(position="LIB"), "'position': 'LIB' is refused"),
    "a team that does not exist": ("players.json", first_player(squadId=4711), "there is no squad 4711"),
    "a match of nobody": ("rounds.json", first_match(homeSquadId=4711), "there is no squad 4711"),
    "a team against itself": ("rounds.json", first_match(awaySquadId=FIRST_HOST), "cannot play itself"),
    "a result without a score": ("rounds.json", first_match(homeScore=None), "complete but has no score"),
    "a round beyond the tournament": (
        "rounds.json",
        changed("rounds.json", lambda rounds: rounds[7].update(id=40, startDate="2026-07-30T20:00:00+01:00")),
        "40",
    ),
    "a time without offset": ("rounds.json", first_match(date="2026-06-11T20:00:00"), "offset"),
    "invalid UTF-8": ("players.json", GOOD_PLAYERS[:100] + b"\xff\xfe" + GOOD_PLAYERS[100:], "is not UTF-8"),
    "deep nesting": ("players.json", b'[{"a":' * 50_000, "nested too deeply"),
    "half a surrogate pair": ("players.json", first_player(lastName="\ud800"), "'lastName'"),
    "the wrong unit of ownership": (
        "players.json",
        changed("players.json", lambda players: [player.update(percentSelected=0.3) for player in players]),
        "shares",
    ),
}


@pytest.mark.parametrize("case", BAD_PAYLOADS)
def test_a_payload_that_breaks_its_promise_is_refused_by_name(tmp_path: Path, good: Path, case: str) -> None:
    document, content, said = BAD_PAYLOADS[case]
    report = refused_after_good(content, document, tmp_path / "live", good)
    assert said in report.error
    assert len(report.error) < 500
    assert "rounds 1 to 2" in report.kept


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(), max_size=8)
    | st.sampled_from(["GK", "complete", "2026-06-11T20:00:00+01:00", "1", 0, 1, 10**30, -1, 1e308]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place inside a payload."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [path, *(place for key in keys for place in places(value[key], (*path, key)))]


def at(value: Any, path: tuple[Any, ...]) -> Any:
    return reduce(getitem, path, value)


def damaged(draw: Callable[[st.SearchStrategy[Any]], Any], payloads: dict[str, Any]) -> dict[str, Any]:
    """Return payloads with up to three places removed, or replaced by any JSON or by a value from elsewhere in them."""
    for _ in range(draw(st.integers(1, 3))):
        every = places(payloads)[1:]
        place, how = draw(st.sampled_from(every)), draw(st.sampled_from(["remove", "any", "other", "other"]))
        parent, key = at(payloads, place[:-1]), place[-1]
        if how == "remove" and len(place) > 1:
            del parent[key]
        else:
            other = st.sampled_from(every).map(lambda path: copy.deepcopy(at(payloads, path)))
            parent[key] = draw(JSON_VALUES if how == "any" else other)
    return payloads


def outcome(read: Callable[[], World]) -> World | ThetaXIError:
    """Return the world or the error that was meant for the user; anything else is a bug and escapes."""
    try:
        world = read()
    except ThetaXIError as error:
        return error
    for number in world.rounds:
        world.at(number).to_bytes()
    return world


def a_thin_cup() -> dict[str, Any]:
    """A feed of three players with the event counts of one: a change meets every kind of field about as often."""
    payloads = a_feed(3)
    del payloads["players.json"][3:]
    counts = f"player_stats/{payloads['players.json'][0]['id']}.json"
    return payloads | {counts: json.loads(small_feed(3)[counts])}


def a_thin_league() -> dict[str, Any]:
    """A feed of the four clubs with the histories of two players."""
    payloads = payloads_of(to_fpl_api(small_league(), 4))
    kept = {"bootstrap-static/", "fixtures/", "element-summary/10/", "element-summary/20/"}
    return {name: value for name, value in payloads.items() if name in kept}


FEEDS: dict[str, tuple[Callable[[dict[str, Any]], Reading], Callable[[], dict[str, Any]]]] = {
    "World Cup": (read_cup, a_thin_cup),
    "Premier League": (read_league, a_thin_league),
}


@pytest.mark.parametrize("game", FEEDS)
def test_a_thin_feed_is_good_before_it_is_changed(game: str) -> None:
    read, thin = FEEDS[game]
    assert isinstance(outcome(lambda: read(thin()).world), World)


@pytest.mark.parametrize("game", FEEDS)
@settings(max_examples=400 if SOAKING else 8)
@given(data=st.data())
@pytest.mark.daily("World Cup")
def test_no_change_to_a_feed_makes_anything_but_a_world_or_an_error(game: str, data: st.DataObject) -> None:
    read, thin = FEEDS[game]
    payloads = damaged(data.draw, thin())
    result = outcome(lambda: read(payloads).world)
    assert isinstance(result, World) or str(result)


@pytest.mark.parametrize("game", FEEDS)
@given(data=st.data())
def test_no_json_at_all_makes_a_parser_fall_over(game: str, data: st.DataObject) -> None:
    read, thin = FEEDS[game]
    payloads = data.draw(st.dictionaries(st.sampled_from(sorted(thin())), JSON_VALUES))
    assert isinstance(outcome(lambda: read(payloads).world), ThetaXIError)
