"""Rules of the signals: whole, aligned, finite, decomposed, the same for the same seed, sure where facts are."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from data.errors import ModelError
from data.importing.season_facts import import_fpl_season
from data.rules import GameRules
from data.worlds.snapshot import Snapshot
from data.worlds.world import World
from models.signals import Signals, build_signals
from tests.cases.small_world import (
    BLANK,
    CLUBS,
    DOUBLE,
    IDLE_CLUBS,
    bytes_of,
    own_table,
    player_of,
    quick_settings,
    small_cup,
    small_league,
    with_status,
)
from tests.cases.sound_signals import CUP, LEAGUE, LEAGUE_2026, STAR, assert_sound, cup_signals, league_signals, usual
from tests.conftest import in_a_soak


@pytest.fixture(scope="module")
def first_round(world_cup: World) -> Snapshot:
    return world_cup.at(1)


@pytest.fixture(scope="module")
def first_signals(first_round: Snapshot) -> Signals:
    return build_signals(first_round, CUP)


# Whole and sound


def test_the_world_cups_first_round_is_complete_and_sound(first_signals: Signals, first_round: Snapshot) -> None:
    assert_sound(first_signals)
    assert first_signals.player_id.tolist() == first_round.players["player_id"].tolist()
    assert (first_signals.xev[first_signals.status == "transferred"] == 0).all()
    assert first_signals.checksum == first_round.checksum


@pytest.mark.parametrize("round_number", [4, 8, *in_a_soak([3, 5, 6, 7])])
@pytest.mark.daily("8")
def test_later_rounds_of_the_world_cup_are_sound(world_cup: World, round_number: int) -> None:
    signals = build_signals(world_cup.at(round_number), CUP, quick_settings(CUP))
    assert_sound(signals)
    assert (signals.xev[np.isnat(signals.kickoff)] == 0).all()


@pytest.mark.parametrize("round_number", [1, 2, 3])
@pytest.mark.daily("2")
def test_a_small_cup_is_sound(round_number: int) -> None:
    assert_sound(cup_signals(round_number=round_number))


@pytest.mark.parametrize("rules", [LEAGUE, *in_a_soak([LEAGUE_2026])])
@pytest.mark.parametrize("round_number", [1, 2, BLANK, DOUBLE])
@pytest.mark.daily("4-")
def test_a_small_league_is_sound(rules: GameRules, round_number: int) -> None:
    assert_sound(league_signals(round_number, rules=rules))


def test_the_table_has_a_row_for_every_player(first_signals: Signals) -> None:
    table = first_signals.table()
    assert len(table) == len(first_signals)
    assert not table.isna().any().any()
    assert table["xev"].max() > 4


def test_a_player_is_found_by_his_id() -> None:
    assert usual().player_id[usual().row_of(STAR)] == STAR
    with pytest.raises(ModelError, match="Player 99999 cannot be picked in round 2 of small cup"):
        usual().row_of(99_999)


def test_the_best_known_forward_of_a_favourite_is_among_the_dearest_expectations(first_signals: Signals) -> None:
    best = np.argsort(-first_signals.xev)[:20]
    assert first_signals.price[best].mean() > first_signals.price.mean() + 2
    assert first_signals.owned[best].mean() > 5 * first_signals.owned.mean()


def test_a_line_that_the_rulebook_does_not_pay_is_not_there() -> None:
    assert set(usual().points.lines) == set(CUP.scoring)
    paid = set(LEAGUE_2026.scoring) - set(LEAGUE.scoring)
    contributions = league_signals(2, rules=LEAGUE_2026).points.lines
    assert len(paid) == 1
    assert contributions[paid.pop()].sum() > 1


def test_nobody_earns_a_bonus_without_playing() -> None:
    world = with_status(small_league(), player_of("ARS", "FWD", 0, CLUBS), "transferred")
    signals = league_signals(2, world)
    row = signals.row_of(player_of("ARS", "FWD", 0, CLUBS))
    assert signals.xev[row] == 0
    assert all(line[row] == 0 for line in signals.points.lines.values())


# A blank and a double gameweek


def test_a_blank_scores_nought_and_is_noted() -> None:
    signals = league_signals(BLANK)
    idle = np.isin(signals.codes, IDLE_CLUBS)
    assert (signals.xev[idle] == 0).all()
    assert (signals.p_play[idle] == 0).all()
    assert (signals.start[idle] == 0).all()
    assert (signals.confidence[idle] == 0).all()
    assert (signals.opponents[idle] == "–").all()
    assert (signals.typical_xev[idle] > 0).any()
    assert "No match in round 3: FUL, LIV. Their players are expected to score 0." in signals.notes


def test_a_double_counts_both_matches() -> None:
    signals, single = league_signals(DOUBLE), league_signals(1)
    star = signals.row_of(player_of("LIV", "FWD", 0, CLUBS))
    assert signals.opponents[star] == "FUL (H), FUL (A)"
    assert signals.xev[star] > 1.6 * single.xev[star]
    assert signals.p_play[star] > single.p_play[star]
    assert (signals.clean_sheet[star] > 0).sum() == 2
    assert signals.plays[star, signals.rounds.index(DOUBLE)] == 2


# Determinism


def test_the_same_seed_gives_the_same_bytes_whatever_the_global_generators_do(
    first_round: Snapshot, first_signals: Signals
) -> None:
    np.random.seed(99)
    random.seed(99)
    again = build_signals(first_round, CUP, rng=np.random.default_rng(0))
    assert bytes_of(again) == bytes_of(first_signals)


def test_a_league_is_the_same_for_the_same_seed_and_the_global_generators_are_left_alone() -> None:
    one = league_signals(DOUBLE)
    np.random.seed(99)
    random.seed(99)
    before = np.random.get_state()[1].tobytes(), random.getstate()  # type: ignore[union-attr]
    assert bytes_of(league_signals(DOUBLE)) == bytes_of(one)
    cup_signals()
    assert (np.random.get_state()[1].tobytes(), random.getstate()) == before  # type: ignore[union-attr]


def test_another_seed_moves_only_the_rest_of_the_tournament() -> None:
    other = cup_signals(rng=np.random.default_rng(5))
    assert other.xev.tobytes() == usual().xev.tobytes()
    assert other.plays.tobytes() != usual().plays.tobytes()


def test_building_does_not_touch_the_snapshot() -> None:
    snapshot = small_cup().at(2)
    before = snapshot.to_bytes()
    build_signals(snapshot, CUP, quick_settings(CUP), overrides=own_table("xev", {STAR: 5.0}))
    assert snapshot.to_bytes() == before


# Provisional, confidence


def test_an_unconfirmed_armband_marks_only_its_own_figures() -> None:
    assert usual().provisional == CUP.unconfirmed() == ("captaincy",)
    assert not usual().scoring_provisional


def test_an_unconfirmed_scoring_line_makes_everything_provisional() -> None:
    name, line = next(iter(CUP.scoring.items()))
    doubted = CUP.model_copy(
        update={"scoring": dict(CUP.scoring) | {name: line.model_copy(update={"confirmed": False})}}
    )
    signals = cup_signals(rules=doubted)
    assert f"scoring.{name}" in signals.provisional
    assert signals.scoring_provisional


@pytest.mark.soak
def test_confirmed_rules_give_final_figures() -> None:
    sure = LEAGUE.model_copy(update={"boosters": {}})
    assert league_signals(1, rules=sure).provisional == ()
    assert not league_signals(1).scoring_provisional


def test_confidence_falls_when_a_start_is_uncertain() -> None:
    chances = (0.98, 0.9, 0.75, 0.5)
    found = [cup_signals(overrides=own_table("p_start", {STAR: chance})) for chance in chances]
    confidence = [signals.confidence[signals.row_of(STAR)] for signals in found]
    assert confidence == sorted(confidence, reverse=True)
    assert confidence[0] > confidence[-1] + 0.3


def test_confidence_grows_with_the_matches_seen() -> None:
    before, after = cup_signals(round_number=1), cup_signals(round_number=2)
    assert after.confidence.mean() > before.confidence.mean() + 0.05


def test_a_doubt_lowers_confidence() -> None:
    doubtful = cup_signals(with_status(small_cup(), STAR, "doubtful"))
    assert doubtful.confidence[doubtful.row_of(STAR)] < usual().confidence[usual().row_of(STAR)]


# A real season, walked forward


ORDINARY, DOUBLES, BLANKS = 20, 25, 29


@pytest.fixture(scope="module")
def season(facts: Path) -> World:
    folder = facts / "fpl"
    return import_fpl_season(folder / "2024-25", name="fpl", title="FPL", history=[folder / "2023-24"]).world


def official_points(season: World, gameweek: int) -> pd.DataFrame:
    """Price, matches and points of every player on the market; who did not appear has 0."""
    market, points, fixtures = (season.tables[name] for name in ("market", "points", "fixtures"))
    now = market[market["round"] == gameweek].set_index("player_id").sort_index()
    earned = points[points["round"] == gameweek].set_index("player_id")["points"].reindex(now.index).fillna(0)
    coming = fixtures[fixtures["round"] == gameweek]
    matches = now["team"].map(pd.concat([coming["home"], coming["away"]]).value_counts()).fillna(0)
    return pd.DataFrame({"price": now["price"], "matches": matches.astype(float), "points": earned.astype(float)})


def rmse(forecast: np.ndarray | float, points: pd.Series) -> float:
    return float(np.sqrt(np.mean((forecast - points.to_numpy()) ** 2)))


@pytest.mark.facts
@pytest.mark.parametrize(("gameweek", "fewest", "most"), [(ORDINARY, 1, 1), (DOUBLES, 1, 2), (BLANKS, 0, 1)])
@pytest.mark.daily("20-1-1")
def test_a_real_gameweek_is_sound_and_better_than_price(season: World, gameweek: int, fewest: int, most: int) -> None:
    signals = build_signals(season.at(gameweek), LEAGUE)
    assert_sound(signals)
    earlier = pd.concat([official_points(season, number) for number in range(1, gameweek)])
    now = official_points(season, gameweek)
    assert (now["matches"].min(), now["matches"].max()) == (fewest, most)
    assert now.index.tolist() == signals.player_id.tolist()
    slope, level = np.polyfit(earlier["price"], earlier["points"], 1)
    line = (level + slope * now["price"]).to_numpy()
    price = min(rmse(line, now["points"]), rmse(line * now["matches"].to_numpy(), now["points"]))
    constant = rmse(earlier["points"].mean(), now["points"])
    assert rmse(signals.xev, now["points"]) < price < constant
