"""Rulebooks: each official rule stands once, and a rulebook that contradicts itself is refused."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError, RulebookError, UnknownError
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


SINGLE_CHIPS = {"free_hit": (2, 38), "bench_boost": (1, 38), "triple_captain": (1, 38)}
TWO_SETS = {name: chip.rounds for name, chip in load_rules("fpl2026").boosters.items()}


@pytest.mark.parametrize(
    ("rulebook", "chips"),
    [
        ("fpl2022", SINGLE_CHIPS | {"wildcard_1": (2, 16), "wildcard_2": (18, 38)}),
        ("fpl2023", SINGLE_CHIPS | {"wildcard_1": (2, 20), "wildcard_2": (21, 38)}),
        ("fpl2024", SINGLE_CHIPS | {"wildcard_1": (2, 19), "wildcard_2": (20, 38)}),
        ("fpl2025", TWO_SETS),
    ],
)
def test_every_season_has_its_own_chips(rulebook: str, chips: dict[str, tuple[int, int]]) -> None:
    rules = load_rules(rulebook)
    assert {name: chip.rounds for name, chip in rules.boosters.items()} == chips
    assert rules.unconfirmed() == ()


@pytest.mark.parametrize(
    ("rulebook", "gameweek", "free", "carry"),
    [
        ("fpl2022", 16, 1, 1),
        ("fpl2022", 17, UNLIMITED, 0),
        ("fpl2023", 17, 1, 1),
        ("fpl2024", 17, 1, 4),
        ("fpl2025", 16, 5, 0),
        ("fpl2025", 17, 1, 4),
    ],
)
def test_every_season_has_its_own_transfers(rulebook: str, gameweek: int, free: int | str, carry: int) -> None:
    stage = load_rules(rulebook).stage(gameweek)
    assert (stage.free_transfers, stage.carry_in) == (free, carry)


def test_a_rulebook_extends_another_section_by_section_and_its_scoring_line_by_line(tmp_path: Path) -> None:
    own = tmp_path / "house.toml"
    line = '[scoring.bonus]\nevent = "bonus"\npoints = 2\nconfirmed = true\nsource = "our house"\n'
    own.write_text(f'extends = "fpl2024"\ngame = "house"\ntitle = "House"\n{line}')
    house, shipped = load_rules(own), load_rules("fpl2024")
    assert house.scoring == shipped.scoring | {"bonus": house.scoring["bonus"]}
    assert (house.scoring["bonus"].points_for("MID"), house.stages) == (2, shipped.stages)


@pytest.mark.parametrize(("base", "message"), [("chess", "no rulebook 'chess'"), ("house.toml", "nested too deeply")])
def test_a_rulebook_that_extends_nothing_or_itself_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, base: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("house.toml").write_text(f'extends = "{base}"\n')
    with pytest.raises(InputError, match=message):
        load_rules("house.toml")


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
    ("rounds = 8", f"rounds = {'9' * 5000}", "a line of 5,009 characters"),
    ("rounds = 8", "rounds = " + "[\n" * 5000, "nested too deeply"),
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
