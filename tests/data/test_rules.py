"""Rulebooks: each official rule stands once, and a rulebook that contradicts itself is refused."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import RulebookError, UnknownError
from data.rules import RULEBOOKS, UNLIMITED, CaptaincyMode, GameRules, load_rules, shipped_rulebooks
from data.toml_text import parse_toml

WORLD_CUP = (RULEBOOKS / "wc2026.toml").read_text(encoding="utf-8")

STAGES = [  # round, budget, cap, free transfers, carried in
    (1, 100.0, 3, UNLIMITED, 0),
    (2, 100.0, 3, 2, 0),
    (3, 100.0, 3, 2, 1),
    (4, 105.0, 3, UNLIMITED, 0),
    (5, 105.0, 4, 4, 0),
    (6, 105.0, 5, 4, 0),
    (7, 105.0, 6, 5, 0),
    (8, 105.0, 8, 6, 0),
]


def parsed(text: str) -> GameRules:
    return parse_toml(text, GameRules, "mine.toml", RulebookError)


@pytest.mark.parametrize(("number", "budget", "cap", "free", "carry"), STAGES)
def test_world_cup_budget_cap_and_transfers_by_round(
    number: int, budget: float, cap: int, free: int | str, carry: int
) -> None:
    stage = load_rules("wc2026").stage(number)
    assert (stage.budget, stage.team_cap, stage.free_transfers, stage.carry_in) == (budget, cap, free, carry)


def test_world_cup_squad_and_formations() -> None:
    squad = load_rules("wc2026").squad
    assert squad.size == 15
    assert set(squad.formations) == {"4-4-2", "4-3-3", "4-5-1", "3-4-3", "3-5-2", "5-4-1", "5-3-2"}
    assert all(sum(lineup) == 11 for lineup in squad.lineups)


BOOSTERS = {
    "wildcard": {2, 3, 5, 6, 7, 8},
    "twelfth_man": set(range(1, 9)),
    "maximum_captain": set(range(1, 9)),
    "qualification": {4, 5, 6, 7, 8},
    "clean_sheet_shield": {4, 5, 6, 7, 8},
}


@pytest.mark.parametrize(("name", "rounds"), BOOSTERS.items())
def test_world_cup_boosters_are_legal_in_their_rounds(name: str, rounds: set[int]) -> None:
    booster = load_rules("wc2026").boosters[name]
    assert {number for number in range(1, 9) if booster.legal_in(number)} == rounds


def test_the_armband_setting_is_unconfirmed_and_one_click_from_locked() -> None:
    rules = load_rules("wc2026")
    assert rules.captaincy.mode is CaptaincyMode.UNLIMITED
    assert rules.unconfirmed() == ("captaincy",)
    locked = rules.with_captaincy(CaptaincyMode.LOCKED)
    assert locked.captaincy.mode is CaptaincyMode.LOCKED
    assert (locked.captaincy.confirmed, locked.captaincy.source) == (False, "your own setting")
    assert rules.with_captaincy(rules.captaincy.mode) is rules
    assert rules.captaincy.mode is CaptaincyMode.UNLIMITED


SCORING_2026 = [  # line, GK, DEF, MID, FWD
    ("goals", 10, 6, 5, 4),
    ("assists", 3, 3, 3, 3),
    ("clean_sheet", 4, 4, 1, 0),
    ("goals_conceded", -1, -1, 0, 0),
    ("saves", 1, 0, 0, 0),
    ("penalty_saved", 5, 0, 0, 0),
    ("penalty_missed", -2, -2, -2, -2),
    ("yellow_cards", -1, -1, -1, -1),
    ("red_cards", -3, -3, -3, -3),
    ("own_goals", -2, -2, -2, -2),
    ("defensive_contributions", 0, 2, 2, 2),
    ("bonus", 1, 1, 1, 1),
]


@pytest.mark.parametrize(("line", "gk", "defender", "mid", "fwd"), SCORING_2026)
def test_premier_league_points_by_position(line: str, gk: int, defender: int, mid: int, fwd: int) -> None:
    scoring = load_rules("fpl2026").scoring[line]
    assert [scoring.points_for(p) for p in ("GK", "DEF", "MID", "FWD")] == [gk, defender, mid, fwd]


def test_premier_league_squad_transfers_and_chips() -> None:
    rules = load_rules("fpl2026")
    week = rules.stage(20)
    assert (week.budget, week.team_cap, week.free_transfers, week.carry_in) == (100.0, 3, 1, 4)
    assert rules.transfers.hit_cost == 4
    assert rules.captaincy.mode is CaptaincyMode.LOCKED
    assert "5-2-3" in rules.squad.formations
    legal = {name for name, chip in rules.boosters.items() if chip.legal_in(19)}
    assert legal == {"wildcard_1", "free_hit_1", "bench_boost_1", "triple_captain_1"}
    assert not rules.boosters["wildcard_1"].legal_in(1)


def test_defensive_contributions_have_their_own_threshold_by_position() -> None:
    line = load_rules("fpl2026").scoring["defensive_contributions"]
    assert [line.threshold_for(p) for p in ("GK", "DEF", "MID", "FWD")] == [None, 10, 12, 12]
    assert "defensive_contributions" not in load_rules("fpl2024").scoring


def test_every_shipped_rulebook_loads_and_names_its_rounds() -> None:
    for name in shipped_rulebooks():
        rules = load_rules(name)
        assert all(rules.round_title(number) for number in range(1, rules.rounds + 1))


def test_a_title_may_hold_any_braces() -> None:
    text = WORLD_CUP.replace('title = "Matchday 2"', 'title = "{round} {of} {0} {"')
    assert parsed(text).round_title(2) == "2 {of} {0} {"


BROKEN = [  # what is replaced, by what, what the error must say
    ('name = "R32"', 'name = "R32"\nfoo = 1', "stages.3.foo: Extra inputs are not permitted"),
    ("rounds = [4, 4]\nbudget", "rounds = [5, 5]\nbudget", "round 4 of 8 belongs to no stage"),
    ("rounds = [8, 8]\nbudget", "rounds = [8, 9]\nbudget", "round 9 is beyond the last round 8"),
    ("rounds = [2, 2]\nbudget", "rounds = [2, 1]\nbudget", "ends in round 1 before it starts"),
    ('"4-4-2"', '"4-4-3"', "squad.formations: formation 4-4-3 with its goalkeeper has 12 players, not 11"),
    ('"4-4-2"', '"six"', "formation 'six' is not written like 4-4-2"),
    ('"4-4-2"', '"6-3-1"', "formation 6-3-1 needs more DEF than the squad has"),
    ("budget = 105.0", "budget = -105.0", "stages.3.budget: Input should be greater than 0 (got -105.0)"),
    ("hit_cost = 3", "hit_cost = -3", "transfers.hit_cost"),
    ('event = "saves"', 'event = "savs"', "event 'savs' is not recorded. Did you mean saves?"),
    ('mode = "unlimited"', 'mode = "free"', "captaincy.mode"),
    ("GK = 2, ", "", "squad: shape must give at least one player to each of"),
    ("kind = ", "kinds = ", "key kind: Field required"),
    ("rounds = 8", "rounds = [", "is not valid TOML"),
    ("rounds = 8", f"rounds = {'9' * 5000}", "is not valid TOML"),
    ("rounds = 8", f"rounds = {'[' * 5000}", "nested too deeply"),
]


@pytest.mark.parametrize(("old", "new", "reason"), BROKEN)
def test_a_broken_rulebook_is_refused_with_file_key_and_reason(old: str, new: str, reason: str) -> None:
    assert old in WORLD_CUP
    with pytest.raises(RulebookError) as caught:
        parsed(WORLD_CUP.replace(old, new, 1))
    assert str(caught.value).startswith("mine.toml")
    assert reason in str(caught.value)


def test_an_unknown_rulebook_names_the_known_ones() -> None:
    with pytest.raises(UnknownError, match=r"no rulebook 'wc2030'. Did you mean wc2026"):
        load_rules("wc2030")


@given(st.text(max_size=200))
def test_no_text_makes_anything_but_a_rulebook_error(text: str) -> None:
    with pytest.raises(RulebookError):
        parsed(text)


@given(st.integers(0, len(WORLD_CUP)))
def test_no_cut_of_a_real_rulebook_makes_anything_but_a_rulebook_error(cut: int) -> None:
    with suppress(RulebookError):  # any other exception fails the test
        assert parsed(WORLD_CUP[:cut]).game == "wc2026"
