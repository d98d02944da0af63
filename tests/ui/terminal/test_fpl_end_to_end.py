"""The Premier League game from its public pages to a line-up: fetch, entry, signals, pick, compare, and back again.

A loopback server answers in the shape of the public API. Two clubs have no match in gameweek 3 and two in gameweek 4.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from data.importing.season_facts import import_fpl_season
from data.rules import load_rules
from data.storage.files import HOME_VARIABLE
from data.worlds.library import find_world
from data.worlds.world import World
from engine.board.squad_input import read_account, read_squad
from engine.board.weak_links import weak_links
from engine.fitness.judge import Judge, named_objective
from engine.fitness.reference import linear_squad, pool_of
from engine.fitness.squad_view import SceneSettings, SquadView
from engine.rules.legality import legal
from models.signals import build_signals
from tests.cases.judged_worlds import REFERENCE_SQUADS, once
from tests.cases.small_world import BLANK, CLUBS, DOUBLE, IDLE_CLUBS, player_of, small_league
from tests.tools.fpl_writer import entry_documents, to_fpl_api
from tests.tools.loopback import serving
from tests.tools.run_here import done

ENTRY = 77
BANK = 0.7
OWNED = tuple(
    player_of(club, position, place, CLUBS)
    for club, position, place in (
        ("CHE", "FWD", 0), ("ARS", "MID", 1), ("BHA", "GK", 0), ("ARS", "DEF", 1), ("BHA", "DEF", 1),
        ("CHE", "DEF", 1), ("CHE", "MID", 3), ("BHA", "MID", 4), ("FUL", "MID", 1), ("LIV", "FWD", 1),
        ("EVE", "DEF", 4), ("LIV", "GK", 0), ("EVE", "DEF", 5), ("EVE", "MID", 5), ("ARS", "FWD", 3),
    )
)  # fmt: skip
"""A squad below its budget, captain and vice first: a few men of the clubs with a blank and a double."""


@dataclass(frozen=True, slots=True)
class Live:
    """A manager at his desk: the fetched world and his own squad's file."""

    home: Path
    round: int
    squad: Path
    picked: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)  # what was asked before

    @property
    def world(self) -> World:
        return find_world("fpl-live")

    @property
    def named(self) -> tuple[str, ...]:
        return "--world", "fpl-live", "--round", str(self.round)

    def pick(self, theta: str, free: int, *more: str | Path) -> dict[str, Any]:
        """Return the recommended option from the squad he has; the same question is not asked twice."""
        if not more and (theta, free) in self.picked:
            return self.picked[theta, free]
        answer = done(
            "pick", *self.named, "--theta", theta, "--from", self.squad, "--free-transfers", str(free), "--no-prove",
            "--generations", "2", "--json", *more,
        )  # fmt: skip
        self.picked[theta, free] = answer.json["options"][0]
        return self.picked[theta, free]


def fetched(home: Path, world: World, number: int, owned: tuple[int, ...]) -> Live:
    """Fetch a world and a manager's squad before a gameweek, as a user does."""
    documents = to_fpl_api(world, number) | entry_documents(ENTRY, number - 1, owned, bank=BANK)
    squad = home / "mine.csv"
    with serving(documents) as server:
        answer = done("fetch", "fpl", "--base-url", server.url, "--json")
        assert answer.json["rounds"][-1] == number
        entry = done("entry", str(ENTRY), "--base-url", server.url, "--out", squad, "--json")
    assert entry.json["players"] == list(owned)
    return Live(home, number, squad)


@pytest.fixture(scope="module", params=[BLANK, DOUBLE])
def stored(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    home = tmp_path_factory.mktemp("manager")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(HOME_VARIABLE, str(home))
        yield fetched(home, small_league(), request.param, OWNED)


@pytest.fixture
def live(stored: Live, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Live:
    """The desk of the module, whatever home the test would have had."""
    monkeypatch.setenv(HOME_VARIABLE, str(stored.home))
    return stored


def changes(option: dict[str, Any], owned: tuple[int, ...] = OWNED) -> set[int]:
    return {man["player_id"] for man in option["men"]} - set(owned)


def cost(option: dict[str, Any]) -> float:
    return float(option["decomposition"]["transfer_cost"])


def judged(live: Live, free: int) -> tuple[Judge, np.ndarray]:
    """Return a judge of the fetched world and the rows of the squad he has."""
    snapshot = live.world.at(live.round)
    signals = once(build_signals)(snapshot, load_rules(snapshot.rulebook))
    rows, _ = read_squad(live.squad, snapshot, signals)
    account, _ = read_account(live.squad, live.round)
    settings = SceneSettings(current=tuple(rows.tolist()), free_transfers=free, budget=account.budget)
    return Judge(SquadView(signals, settings), np.random.default_rng(0), pool_size=REFERENCE_SQUADS), rows


def test_the_account_tells_budget_and_free_transfers(live: Live) -> None:
    prices = live.world.at(live.round).players.set_index("player_id")["price"]
    account = dict(csv.reader(live.squad.read_text(encoding="utf-8-sig").partition("\n\n")[2].splitlines()))
    assert float(account["budget"]) == pytest.approx(BANK + sum(prices[list(OWNED)]))
    assert account["free_transfers"] == str(live.round - 1)


def test_signals_know_blanks_and_doubles(live: Live) -> None:
    answer = done("signals", *live.named, "--limit", "200", "--json")
    players: list[dict[str, Any]] = answer.json["players"]
    shown = {player["opponent"] for player in players if player["team"] in IDLE_CLUBS}
    if live.round == BLANK:
        assert shown == {"–"}
        assert {player["xev"] for player in players if player["team"] in IDLE_CLUBS} == {0.0}
    else:
        assert all(str(opponents).count(",") == 1 for opponents in shown)
        assert {player["team"] for player in players[:5]} <= set(IDLE_CLUBS)


@pytest.mark.daily("4")
def test_a_line_up_comes_back_from_its_file_with_the_same_score(live: Live, tmp_path: Path) -> None:
    file = tmp_path / "lineup.csv"
    option = live.pick("neutral", 5, "--csv", file)
    scored = done("score", *live.named, "--theta", "neutral", "--squad", file, "--json")
    assert not scored.json["disqualified"]
    assert scored.json["fitness"] == pytest.approx(option["fitness"] - cost(option))
    kept_all = ("--from", file, "--changes", "0", "--generations", "1", "--no-prove", "--json")
    again = done("pick", *live.named, "--theta", "neutral", *kept_all)
    kept = again.json["options"][0]
    assert {man["player_id"] for man in kept["men"]} == {man["player_id"] for man in option["men"]}


@pytest.mark.parametrize("free", [1, 5])
@pytest.mark.daily("4-1")
def test_hits_are_priced_and_worth_their_price(live: Live, free: int) -> None:
    option = live.pick("neutral", free)
    made = changes(option)
    assert cost(option) == pytest.approx(-4 * max(0, len(made) - free))
    judge, rows = judged(live, free)
    objective = named_objective("neutral", judge.view)
    kept = float(judge.score(rows[None, :], objective).fitness[0])
    best_single = weak_links(judge, objective, rows)[0].gain
    assert option["fitness"] >= kept + max(0.0, best_single) - 1e-6


@pytest.mark.soak
def test_more_free_transfers_are_used_where_they_help(live: Live) -> None:
    few, many = live.pick("neutral", 1), live.pick("neutral", 5)
    assert many["fitness"] >= few["fitness"] - 1e-6
    teams = live.world.at(live.round).players.set_index("player_id")["team"]
    before = sum(teams[player] in IDLE_CLUBS for player in OWNED)
    after = sum(man["team"] in IDLE_CLUBS for man in many["men"])
    assert after <= before if live.round == BLANK else after > before


@pytest.mark.daily("3")
@pytest.mark.soak
def test_two_plans_are_compared_from_the_same_squad(live: Live) -> None:
    answer = done("compare", *live.named, "--from", live.squad, "--free-transfers", "3", "--generations", "2", "--json")
    assert len(answer.json["shared"]) + len(answer.json["swaps"]) == 15
    for plan in ("first", "second"):
        option: dict[str, Any] = answer.json[plan]
        assert cost(option) == pytest.approx(-4 * max(0, len(changes(option)) - 3))


def test_the_file_s_own_account_counts_unless_the_user_says_otherwise(live: Live) -> None:
    answer = done("why", "First FWD0 LIV", *live.named, "--theta", "gain", "--from", live.squad, "--json")
    assert f"and {live.round - 1} free transfers" in answer.said
    squads = [answer.json["players"][0][side] for side in ("best", "other")]
    for option in squads:
        assert cost(option) == pytest.approx(-4 * max(0, len(changes(option)) - (live.round - 1)))


@pytest.mark.soak
@pytest.mark.parametrize("theta", ["protect", "neutral", "gain", "rank"])
@pytest.mark.parametrize("free", [1, 2, 3, 4, 5])
def test_from_one_to_five_free_transfers_under_every_objective(live: Live, theta: str, free: int) -> None:
    option = live.pick(theta, free)
    assert cost(option) == pytest.approx(-4 * max(0, len(changes(option)) - free))
    judge, rows = judged(live, free)
    objective = named_objective(theta, judge.view)
    picked = np.array([judge.view.signals.row_of(man["player_id"]) for man in option["men"]])
    assert legal(picked[None, :], judge.view.pool)[0]
    assert option["fitness"] >= judge.score(rows[None, :], objective).fitness[0] - 1e-6


@pytest.mark.soak
@pytest.mark.facts
@pytest.mark.parametrize(("number", "idle"), [(25, 0), (29, 8)])
def test_a_real_double_and_a_real_blank_gameweek(facts: Path, own_home: Path, number: int, idle: int) -> None:
    season = import_fpl_season(facts / "fpl" / "2024-25", name="season", title="A season", rulebook="fpl2024").world
    rules = load_rules("fpl2024")
    before = build_signals(season.at(number - 1), rules)
    owned = tuple(int(before.player_id[row]) for row in linear_squad(before, pool_of(before)))
    live = fetched(own_home, season, number, owned)
    for free in (1, 2, 5):
        option = live.pick("neutral", free)
        assert cost(option) == pytest.approx(-4 * max(0, len(changes(option, owned)) - free))
        playing = [man for man in option["men"] if man["role"] == "starter" and man["opponent"] != "–"]
        assert len(playing) >= 11 - (idle if free == 1 else idle // 2)
