"""Everything that reads what strangers write: each parser with a good text of its own, to be spoilt in every way."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import NamedTuple

import pandas as pd

from data.errors import InputError, TableError
from data.naming.names import folded
from data.sources.fpl.managers.wire import WirePicks
from data.sources.odds import read_table
from data.sources.own.delimited import TableLimits, decoded
from data.sources.own.projections import read_projections
from data.sources.wire import validated
from data.storage.json_text import read_json
from data.tables import Column, Kind, TableSchema, typed
from data.toml_text import parse_toml
from engine.fitness.preferences import Preferences
from engine.language.spec import load_spec, shipped_text
from engine.rank.rivals import Rival
from tests.cases.judged_worlds import awkward_signals
from tests.cases.league.live_worlds import a_feed, payloads_of, read_cup, read_league, small_league
from tests.cases.objectives.spec_cases import WORDS
from tests.cases.small_world import awkward_cup, squad_ids
from tests.tools.fpl_writer import to_fpl_api
from ui.web.choice.plan import read_link
from ui.web.choice.rival_link import rivals_text
from ui.web.drawing.escaping import as_markdown
from ui.web.squads.rival_squads import read_rivals
from ui.web.squads.uploads import read_squad

SNAPSHOT = awkward_cup().at(1)
UPLOAD = TableLimits(size=2_000_000, rows=20_000)
WISHES = '[[preference]]\ntitle = "young"\npoints = 0.1\nteam = "A1"\n'
ODDS = "Div,Date,HomeTeam,AwayTeam,HS,AvgH,AvgD,AvgA\nE0,12/09/2026,Team CHE,Team ARS,9,2.5,3.3,2.8\n"
COLUMNS = tuple(Column(kind.name.lower(), kind, empty=True) for kind in Kind)


class Parser(NamedTuple):
    """What reads a text, and a text that it likes."""

    read: Callable[[bytes], object]
    good: Callable[[], bytes]


def _text(content: bytes) -> str:
    return decoded(content, TableLimits(size=10_000_000))


def _cells(content: bytes) -> None:
    """Read every line as a cell of every kind."""
    lines = _text(content).split("\n")
    for column in COLUMNS:
        with suppress(TableError):
            typed(pd.DataFrame({column.name: lines}, dtype="str"), TableSchema("any", (column,)), "any.csv")


def _own(content: bytes) -> object:
    return read_projections(
        content, SNAPSHOT.players, teams=SNAPSHOT.teams, round_number=1, settling=True, limits=UPLOAD
    ).report.lines()


def _names() -> str:
    players = SNAPSHOT.players.set_index("player_id")
    return "\n".join(f"{players.loc[one, 'name']}, {players.loc[one, 'team']}" for one in squad_ids(awkward_cup()))


def _table() -> str:
    players = SNAPSHOT.players.head(40)
    rows = zip(players["name"], players["team"], strict=True)
    return "name,team,xev,owned\n" + "".join(f'"{name}",{team},4.5,0.1\n' for name, team in rows)


def _fpl_feed() -> dict[str, object]:
    return payloads_of(to_fpl_api(small_league(), 4))


def _picks() -> dict[str, object]:
    picks = [
        {"element": place, "position": place, "is_captain": place == 1, "is_vice_captain": place == 2}
        for place in range(1, 16)
    ]
    return {"active_chip": None, "entry_history": {"bank": 5}, "picks": picks}


def _fed(read: Callable[[Mapping[str, object]], object]) -> Callable[[bytes], object]:
    def reading(content: bytes) -> object:
        payloads = read_json(content, "feed")
        return read(payloads if isinstance(payloads, dict) else {})

    return reading


def _dumped(make: Callable[[], object]) -> Callable[[], bytes]:
    return cache(lambda: json.dumps(make()).encode())


PARSERS: Mapping[str, Parser] = {
    "squad": Parser(lambda content: read_squad(content, SNAPSHOT, size=15), lambda: _names().encode()),
    "team": Parser(lambda content: read_squad(content, SNAPSHOT, size=15), _dumped(_picks)),
    "rivals": Parser(
        lambda content: read_rivals(_text(content), SNAPSHOT, awkward_signals()), lambda: f"Anna:\n{_names()}".encode()
    ),
    "rivals of a link": Parser(
        lambda content: read_link({"rivals": _text(content)}),
        lambda: rivals_text([Rival("Anna", tuple(range(11)), 3, ahead=-12)]).encode(),
    ),
    "own table": Parser(_own, lambda: _table().encode()),
    "quoted cell": Parser(
        lambda content: _own(b'name,xev\n"' + content.replace(b'"', b'""') + b'",1'), lambda: "Ødegaard".encode()
    ),
    "name": Parser(lambda content: folded(_text(content)), lambda: "Martin Ødegaard".encode()),
    "markdown": Parser(lambda content: as_markdown(_text(content)), lambda: b"# Row 3, :x: **b** fits nobody"),
    "cells": Parser(_cells, lambda: b"2026-06-11\n1.5\n7\ntrue\n2026-06-11T19:00Z\n"),
    "spec": Parser(
        lambda content: load_spec(_text(content), file="own.fitness", vocabulary=WORDS),
        lambda: shipped_text("gain").encode(),
    ),
    "expression": Parser(
        lambda content: load_spec(f"fitness A {{ maximize raw_xev: {_text(content)} }}", file="a", vocabulary=WORDS),
        lambda: b"max(1, 2 * (3 + 4)) > 2 ? 1 : 0.5",
    ),
    "preferences": Parser(
        lambda content: parse_toml(_text(content), Preferences, "own.toml", InputError), lambda: WISHES.encode()
    ),
    "JSON": Parser(lambda content: read_json(content, "any"), _dumped(_picks)),
    "World Cup feed": Parser(_fed(read_cup), _dumped(lambda: a_feed(2))),
    "odds": Parser(lambda content: read_table(content, "odds", {"Team CHE", "Team ARS"}), lambda: ODDS.encode()),
    "Premier League feed": Parser(_fed(read_league), _dumped(_fpl_feed)),
    "manager": Parser(lambda content: validated(WirePicks, read_json(content, "picks"), "picks"), _dumped(_picks)),
}
