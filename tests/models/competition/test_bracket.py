"""Rules of the bracket: slots, the table of best thirds, and the real pairings of 2026. Small cups for all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import ModelError
from data.worlds.snapshot import Snapshot
from data.worlds.world import World
from models.competition.bracket import Bracket, Slot, read_bracket, read_slot
from models.competition.groups import rank_groups, read_group_stage

KNOCKOUT = ("SF", "THIRD", "FINAL")
MATCHDAYS = {(1, 2): 1, (3, 4): 1, (1, 3): 2, (2, 4): 2, (1, 4): 3, (2, 3): 3}
SCORES = ["home_goals_90", "away_goals_90", "home_goals_aet", "away_goals_aet", "home_pens", "away_pens"]
NO_THIRDS = pd.DataFrame({"thirds": []})
GROUPS = "ABCDEFGHIJKL"

Pairs = dict[int, tuple[str, str]]  # official match number → codes
Results = Mapping[tuple[str, str], tuple[int, ...]]


@dataclass(frozen=True)
class Cup:
    """The four tables of a small tournament."""

    teams: pd.DataFrame
    fixtures: pd.DataFrame
    bracket: pd.DataFrame
    best_thirds: pd.DataFrame

    @property
    def tables(self) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.DataFrame]:
        return self.teams, self.fixtures, self.bracket, self.best_thirds


def group_teams(groups: str) -> pd.DataFrame:
    rows = [{"code": f"{letter}{seat}", "group": letter} for letter in groups for seat in (1, 2, 3, 4)]
    return pd.DataFrame(rows)


def a_fixture(home: str, away: str, stage: str, round_: int, number: int | None = None) -> dict[str, object]:
    return {
        "match_id": 0,
        "official_no": number,
        "round": round_,
        "stage": stage,
        "home": home,
        "away": away,
        "at_home": "",
        **dict.fromkeys(SCORES),
    }


def as_fixtures(rows: list[dict[str, object]]) -> pd.DataFrame:
    frame = pd.DataFrame(rows).assign(match_id=range(1, len(rows) + 1))
    return frame.astype({"official_no": "Int64", **dict.fromkeys(SCORES, "Int64")})


def group_rows(teams: pd.DataFrame) -> list[dict[str, object]]:
    letters = dict.fromkeys(teams["group"])
    return [
        a_fixture(f"{letter}{one}", f"{letter}{other}", f"GROUP_MD{MATCHDAYS[one, other]}", MATCHDAYS[one, other])
        for letter in letters
        for one, other in combinations((1, 2, 3, 4), 2)
    ]


def group_fixtures(teams: pd.DataFrame) -> pd.DataFrame:
    return as_fixtures(group_rows(teams))


def with_results(fixtures: pd.DataFrame, results: Results) -> pd.DataFrame:
    """Write goals after 90 minutes (and extra time, and penalties) into the fixtures of these pairs."""
    played = fixtures.copy()
    for (home, away), score in results.items():
        row = (played["home"] == home) & (played["away"] == away)
        played.loc[row, SCORES[: len(score)]] = np.array(score)
    return played


def in_order_of_seats(groups: str = "AB") -> Results:
    """Results by which every group ends 1, 2, 3, 4."""
    pairs = combinations((1, 2, 3, 4), 2)
    return {(f"{x}{one}", f"{x}{other}"): (1, 0) for one, other in pairs for x in groups}


def a_small_cup(results: Results | None = None, ties: list[dict[str, object]] | None = None) -> Cup:
    """Two groups of four; the first two of each play semi-finals, a third-place match and a final."""
    teams = group_teams("AB")
    rows = [(1, "SF", "1A", "2B"), (2, "SF", "1B", "2A"), (3, "THIRD", "L1", "L2"), (4, "FINAL", "W1", "W2")]
    bracket = pd.DataFrame(rows, columns=["official_no", "stage", "slot_1", "slot_2"])
    fixtures = as_fixtures([*group_rows(teams), *(ties or [])])
    return Cup(teams, with_results(fixtures, results or {}), bracket, NO_THIRDS)


def first_pairs(tree: Bracket, codes: Sequence[str], order: np.ndarray, thirds: np.ndarray) -> Pairs:
    """Return the first knock-out pairings by official number, of one simulation."""
    pairs = tree.pairs(tree.rounds[0], tree.seat_field(order, thirds), {})[..., 0].tolist()
    numbers = [match.number for match in tree.of_round(tree.rounds[0])]
    return {number: (codes[one], codes[other]) for number, (one, other) in zip(numbers, pairs, strict=True)}


def pairs_of(cup: Cup) -> Pairs:
    """Return the first knock-out pairings that the played groups give."""
    stage = read_group_stage(cup.teams, cup.fixtures, set(cup.bracket["stage"]))
    order, thirds = rank_groups(stage, stage.goals[..., None], np.random.default_rng(0).random((len(cup.teams), 1)))
    tree = read_bracket(cup.bracket, cup.best_thirds, stage.letters)
    return first_pairs(tree, cup.teams["code"].tolist(), order, thirds)


def pairs_by_thirds(cup: Cup, ranking: Sequence[str]) -> Pairs:
    """Return the pairings of groups that end in order of seats, their thirds ranked so."""
    tree = read_bracket(cup.bracket, cup.best_thirds, GROUPS)
    codes = [f"{letter}{place}" for letter in GROUPS for place in (1, 2, 3, 4)]
    order = np.arange(48, dtype=np.int16).reshape(12, 4).T[..., None]
    return first_pairs(tree, codes, order, np.array([[ranking.index(f"{letter}3")] for letter in GROUPS]))


def as_cup(known: Snapshot) -> Cup:
    return Cup(known.teams, known.fixtures, known.bracket, known.best_thirds)


def real_pairs(fixtures: pd.DataFrame) -> dict[int, set[str]]:
    return {int(row.official_no): {row.home, row.away} for row in fixtures[fixtures["stage"] == "R32"].itertuples()}


def even_rates(teams: int, goals: float = 1.3) -> np.ndarray:
    return np.full((teams, teams, 3), goals)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("1A", Slot("1A", place=1, groups="A")),
        ("3ABCDF", Slot("3ABCDF", place=3, groups="ABCDF")),
        ("W74", Slot("W74", match=74)),
        ("L101", Slot("L101", match=101, winner=False)),
    ],
)
def test_a_slot_is_a_place_a_best_third_or_an_earlier_match(text: str, slot: Slot) -> None:
    assert read_slot(text) == slot


@pytest.mark.parametrize("text", ["", "A1", "0A", "1a", "W", "W0", "X74", "1A ", "W74L75"])
def test_any_other_slot_is_refused(text: str) -> None:
    with pytest.raises(ModelError, match="not like 1A, 3ABCDF, W74 or L101"):
        read_slot(text)


def test_the_real_group_results_give_the_sixteen_real_pairings(world_cup: World) -> None:
    known = world_cup.at(5)
    pairs = pairs_of(as_cup(known))
    assert {number: set(pair) for number, pair in pairs.items()} == real_pairs(known.fixtures)
    assert len(pairs) == 16


@pytest.mark.facts
def test_the_fact_tables_give_the_sixteen_real_pairings(facts: Path) -> None:
    tables = ("teams", "fixtures", "bracket", "best_thirds")
    cup = Cup(*(pd.read_csv(facts / "wc2026" / f"{name}.csv").assign(at_home="") for name in tables))
    assert {number: set(pair) for number, pair in pairs_of(cup).items()} == real_pairs(cup.fixtures)


@given(ranking=st.permutations([f"{letter}3" for letter in GROUPS]))
def test_whichever_thirds_go_through_all_are_seated_once_and_meet_another_group(
    world_cup: World, ranking: list[str]
) -> None:
    pairs = pairs_by_thirds(as_cup(world_cup.at(1)), ranking)
    seated = sorted(code for pair in pairs.values() for code in pair)
    assert seated == sorted([f"{letter}{place}" for letter in GROUPS for place in (1, 2)] + ranking[:8])
    assert all(first[0] != second[0] for first, second in pairs.values())


def test_a_cup_without_best_thirds_needs_no_table() -> None:
    assert pairs_of(a_small_cup(in_order_of_seats())) == {1: ("A1", "B2"), 2: ("B1", "A2")}


def test_the_bracket_knows_its_shape(world_cup: World) -> None:
    known = world_cup.at(1)
    tree = read_bracket(known.bracket, known.best_thirds, GROUPS)
    assert tree.rounds == (4, 5, 6, 7, 8)
    assert (tree.best_thirds, tree.direct_places) == (8, 2)
    assert [match.number for match in tree.matches if match.is_consolation] == [103]


@pytest.mark.parametrize(
    ("slot", "number"),
    [("1Z", 1), ("W2", 1), ("W4", 1), ("W99", 4), ("3AB", 2), ("2AB", 1)],
)
def test_a_slot_that_nobody_can_fill_is_refused(slot: str, number: int) -> None:
    bracket = a_small_cup().bracket
    bracket.loc[bracket["official_no"] == number, "slot_2"] = slot
    bracket.loc[bracket["official_no"] == 2, "slot_1"] = "2B"
    with pytest.raises(ModelError, match=f"Slot {slot} of match {number}"):
        read_bracket(bracket, NO_THIRDS, "AB")


def test_an_empty_bracket_is_refused() -> None:
    with pytest.raises(ModelError, match="is a league"):
        read_bracket(a_small_cup().bracket.iloc[:0], NO_THIRDS, "AB")


@pytest.mark.parametrize(
    "damage",
    [
        lambda table: table.assign(vs_1A=table["vs_1B"]),
        lambda table: table.assign(vs_1A="A"),
        lambda table: table.drop(columns="vs_1A"),
    ],
)
def test_a_row_of_best_thirds_that_breaks_the_bracket_is_refused(
    world_cup: World, damage: Callable[[pd.DataFrame], pd.DataFrame]
) -> None:
    known = world_cup.at(1)
    with pytest.raises(ModelError, match="Row ABCDEFGH of the best-thirds table"):
        read_bracket(known.bracket, damage(known.best_thirds), GROUPS)


def test_a_combination_missing_from_the_table_is_named(world_cup: World) -> None:
    cup = as_cup(world_cup.at(1))
    without = replace(cup, best_thirds=cup.best_thirds[cup.best_thirds["thirds"] != "ABCDEFGH"])
    with pytest.raises(ModelError, match="no row for thirds of the groups ABCDEFGH"):
        pairs_by_thirds(without, [f"{letter}3" for letter in GROUPS])
