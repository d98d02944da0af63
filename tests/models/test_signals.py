"""Rules of the signals: aligned, finite, decomposed, the same for the same seed, and bad input never passes unseen."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.errors import InputError, ModelError, TableError, UnknownError
from data.importing.season_facts import import_fpl_season
from data.rules import GameRules, load_rules
from data.worlds.snapshot import Snapshot
from data.worlds.world import World
from models.players.overrides import OVERRIDE_LINE
from models.players.points import GRID
from models.signals import Signals, build_signals
from tests.cases.chances_cases import matrix_of
from tests.cases.small_world import (
    BLANK,
    CLUBS,
    DOUBLE,
    EMPTY,
    IDLE_CLUBS,
    bytes_of,
    changed,
    float_arrays,
    own_table,
    player_of,
    quick_settings,
    row_in,
    small_cup,
    small_league,
    with_status,
)
from tests.conftest import SOAKING, in_a_soak

CUP, LEAGUE, LEAGUE_2026 = load_rules("wc2026"), load_rules("fpl2024"), load_rules("fpl2026")
STAR = player_of("A1", "FWD")
RESERVE = player_of("B4", "DEF", 5)


def cup_signals(
    world: World | None = None, round_number: int = 2, rules: GameRules = CUP, **options: object
) -> Signals:
    return build_signals((world or small_cup()).at(round_number), rules, quick_settings(rules), **options)  # type: ignore[arg-type]


def league_signals(round_number: int, world: World | None = None, rules: GameRules = LEAGUE) -> Signals:
    return build_signals((world or small_league()).at(round_number), rules, quick_settings(rules))


@cache
def usual() -> Signals:
    return cup_signals()


@pytest.fixture(scope="module")
def first_round(world_cup: World) -> Snapshot:
    return world_cup.at(1)


@pytest.fixture(scope="module")
def first_signals(first_round: Snapshot) -> Signals:
    return build_signals(first_round, CUP)


def assert_sound(signals: Signals) -> None:
    """Everything finite, aligned, and the sum of its parts."""
    for name, array in float_arrays(signals).items():
        assert np.isfinite(array).all(), name
    for name in ("xev", "variance", "floor", "ceiling", "typical_xev", "plays", "clean_sheet", "confidence", "eo"):
        column = signals.exposure.eo if name == "eo" else getattr(signals, name)
        assert len(column) == len(signals), name
    lines = np.sum(list(signals.points.lines.values()), axis=0)
    np.testing.assert_allclose(lines, signals.xev, rtol=0, atol=1e-9)
    mass = signals.points.mass
    mean = mass @ GRID
    np.testing.assert_allclose(mean, signals.xev, rtol=0, atol=1e-9)
    spread = (mass * (GRID - mean[:, None]) ** 2).sum(axis=1)
    np.testing.assert_allclose(spread, signals.variance, rtol=0, atol=1e-9)
    np.testing.assert_allclose(matrix_of(signals.covariance).diagonal(), signals.variance, rtol=0, atol=1e-6)
    assert ((signals.p_play >= 0) & (signals.p_play <= 1)).all()
    assert ((signals.confidence >= 0) & (signals.confidence <= 1)).all()
    assert signals.exposure.eo.sum() == pytest.approx(12.0)
    assert signals.owned.sum() == pytest.approx(15.0)


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


# The user's own figures


def test_an_own_projection_is_used_marked_and_shown_as_a_line() -> None:
    signals = cup_signals(overrides=own_table("xev", {STAR: 9.5, RESERVE: 0.1}))
    assert_sound(signals)
    star = signals.row_of(STAR)
    assert signals.xev[star] == pytest.approx(9.5, abs=1e-6)
    assert signals.points.lines[OVERRIDE_LINE][star] == pytest.approx(9.5 - usual().xev[star], abs=1e-6)
    assert set(signals.overridden) == {"xev"}
    assert set(signals.player_id[signals.overridden["xev"]]) == {STAR, RESERVE}
    others = ~signals.overridden["xev"]
    assert signals.xev[others].tobytes() == usual().xev[others].tobytes()
    assert signals.ceiling[star] > usual().ceiling[star]


@settings(max_examples=100 if SOAKING else 4)
@given(st.dictionaries(st.sampled_from(usual().player_id.tolist()), st.floats(-20, 60), min_size=1, max_size=12))
def test_any_own_projections_within_the_limits_leave_the_signals_sound(wanted: dict[int, float]) -> None:
    signals = cup_signals(overrides=own_table("xev", dict(wanted)))
    assert_sound(signals)
    for player, xev in wanted.items():
        row = signals.row_of(player)
        used = abs(signals.xev[row] - xev) <= 1e-6
        assert used or any("not used" in note and signals.name[row] in note for note in signals.notes)


@pytest.mark.parametrize(("column", "value"), [("xev", 4.0), ("p_start", 0.5), ("ceiling", 9.0), ("floor", 0.0)])
@pytest.mark.daily("p_start")
def test_a_table_of_all_players_is_sound(column: str, value: float) -> None:
    signals = cup_signals(overrides=own_table(column, dict.fromkeys(usual().player_id.tolist(), value)))
    assert_sound(signals)
    assert signals.overridden[column].all()


def test_own_ceiling_and_floor_replace_ours() -> None:
    both = own_table("ceiling", {STAR: 17.5}).assign(floor=1.5)
    signals = cup_signals(overrides=both)
    assert signals.ceiling[signals.row_of(STAR)] == 17.5
    assert signals.floor[signals.row_of(STAR)] == 1.5
    assert signals.xev.tobytes() == usual().xev.tobytes()


def test_an_own_start_moves_the_points() -> None:
    signals = cup_signals(overrides=own_table("p_start", {RESERVE: 0.95}))
    row = signals.row_of(RESERVE)
    assert signals.start[row] == 0.95
    assert signals.xev[row] > usual().xev[row] + 1


def test_a_manager_may_know_that_a_suspended_man_plays_and_one_start_leaves_the_others_as_they_were() -> None:
    world, row = with_status(small_cup(), STAR, "suspended"), usual().row_of(STAR)
    signals = cup_signals(world, overrides=own_table("p_start", {STAR: 0.9}))
    assert signals.start[row] == 0.9
    assert signals.xev[row] > 0.9 * usual().xev[row]
    other = cup_signals(world, overrides=own_table("p_start", {RESERVE: 0.5}))
    assert other.p_play[row] == pytest.approx(cup_signals(world).p_play[row])


def test_own_captain_shares_replace_the_estimate() -> None:
    signals = cup_signals(overrides=own_table("captain_share", {STAR: 0.7, player_of("B1", "FWD"): 0.3}))
    assert signals.exposure.captained[signals.row_of(STAR)] == pytest.approx(0.7)
    assert signals.exposure.captained.sum() == pytest.approx(1.0)


def test_captain_shares_that_lack_most_armbands_are_refused() -> None:
    with pytest.raises(ModelError, match=r"captain_share sums to 0\.3, but every manager gives one armband"):
        cup_signals(overrides=own_table("captain_share", {STAR: 0.3}))


def test_own_ownership_is_marked_and_scaled_aloud() -> None:
    owned = min(1.0, float(usual().owned[usual().row_of(STAR)]) + 0.2)
    signals = cup_signals(overrides=own_table("owned", {STAR: owned}))
    assert signals.overridden["owned"].sum() == 1
    assert signals.owned[signals.row_of(STAR)] > usual().owned[usual().row_of(STAR)]
    assert any("Ownership sums to" in note for note in signals.notes)


# Bad input


def test_a_nan_projection_keeps_ours_and_says_so() -> None:
    signals = cup_signals(overrides=own_table("xev", {STAR: np.nan, RESERVE: 2.0}))
    assert_sound(signals)
    assert signals.xev[signals.row_of(STAR)] == usual().xev[usual().row_of(STAR)]
    assert not signals.overridden["xev"][signals.row_of(STAR)]
    assert "Your xev is empty for 1 of 2 players: the model's is kept." in signals.notes


@pytest.mark.parametrize("value", [10_000, -10_000, np.inf, "many"])
def test_an_absurd_projection_is_refused_by_player(value: object) -> None:
    with pytest.raises(InputError, match=f"Your xev of player {STAR} is .*a number from -20 to 60"):
        cup_signals(overrides=own_table("xev", {STAR: value}))


def test_a_projection_nobody_can_reach_is_not_used_and_named() -> None:
    signals = cup_signals(overrides=own_table("xev", {STAR: 59.0}))
    assert_sound(signals)
    assert signals.xev[signals.row_of(STAR)] == pytest.approx(usual().xev[usual().row_of(STAR)])
    (note,) = [note for note in signals.notes if "not used" in note]
    assert signals.name[signals.row_of(STAR)] in note


def test_a_projection_for_a_man_without_a_match_is_not_used_but_nought_is_right() -> None:
    star, keeper = player_of("LIV", "FWD", 0, CLUBS), player_of("FUL", "GK", 0, CLUBS)
    overrides = own_table("xev", {star: 6.0, keeper: 0.0})
    signals = build_signals(small_league().at(BLANK), LEAGUE, quick_settings(LEAGUE), overrides=overrides)
    assert_sound(signals)
    (note,) = [note for note in signals.notes if "not used" in note]
    assert signals.name[signals.row_of(star)] in note
    assert signals.name[signals.row_of(keeper)] not in note


def test_a_suspended_star_is_hardly_expected_to_play_and_noted() -> None:
    signals = cup_signals(with_status(small_cup(), STAR, "suspended"))
    assert_sound(signals)
    row = signals.row_of(STAR)
    assert signals.xev[row] < 0.05 * usual().xev[row]
    assert signals.typical_xev[row] > 0.9 * usual().typical_xev[row]
    assert f"Injured or suspended, so hardly expected to start: {signals.name[row]}." in signals.notes


def test_a_nation_without_history_is_refused_by_name() -> None:
    world = changed(
        small_cup(), "teams", lambda teams: teams.assign(results_name=teams["name"].replace("Team B2", "Nowhere"))
    )
    with pytest.raises(UnknownError, match="B2 is called 'Nowhere' in the results"):
        cup_signals(world)


def test_a_club_without_history_is_average_and_noted() -> None:
    world = changed(
        small_league(), "teams", lambda teams: teams.assign(results_name=teams["name"].replace("Team LIV", "New"))
    )
    signals = league_signals(1, world)
    assert_sound(signals)
    assert "No result of LIV is known: judged by what the squad costs." in signals.notes


def test_a_league_without_any_history_is_sound() -> None:
    signals = league_signals(1, changed(small_league(), "results", lambda results: results.iloc[:0]))
    assert_sound(signals)
    assert any("ARS, BHA, CHE, EVE, FUL, LIV" in note for note in signals.notes)


def test_an_empty_round_is_refused_with_the_way_out() -> None:
    with pytest.raises(ModelError, match=r"Round 5 of small league has no match yet.*Choose a round"):
        league_signals(EMPTY)


def test_ownership_that_sums_to_three_is_refused_with_the_sum() -> None:
    world = changed(small_cup(), "market", lambda market: market.assign(owned=market["owned"] / 5))
    with pytest.raises(ModelError, match=r"owned sums to 3, but managers own 15 players each"):
        cup_signals(world)


def test_ownership_in_percent_never_becomes_a_world_and_is_refused_and_named() -> None:
    with pytest.raises(TableError, match="owned"):
        changed(small_cup(), "market", lambda market: market.assign(owned=market["owned"] * 100))
    snapshot = small_cup().at(2)
    percent = replace(snapshot, players=snapshot.players.assign(owned=snapshot.players["owned"] * 100))
    with pytest.raises(ModelError, match=r"percent: divide by 100"):
        build_signals(percent, CUP, quick_settings(CUP))


def test_own_ownership_in_percent_is_refused_and_named() -> None:
    with pytest.raises(InputError, match=r"Your owned of player .* is 35\.0.*Percent\? Divide by 100"):
        cup_signals(overrides=own_table("owned", {STAR: 35.0}))


def test_a_pool_smaller_than_a_squad_is_refused_by_position() -> None:
    def only_one_keeper(market: pd.DataFrame) -> pd.DataFrame:
        keepers = market["player_id"].isin(usual().player_id[usual().position == 0][1:])
        return market[~keepers]

    with pytest.raises(ModelError, match="Round 2 of small cup has 1 GK to choose from, but a squad needs 2"):
        cup_signals(changed(small_cup(), "market", only_one_keeper))


def test_players_who_left_do_not_fill_a_pool() -> None:
    snapshot = small_cup().at(2)
    gone = snapshot.players["position"].eq("FWD") & (snapshot.players["player_id"] != STAR)
    left = replace(snapshot, players=snapshot.players.assign(status=np.where(gone, "transferred", "playing")))
    with pytest.raises(ModelError, match="1 FWD to choose from, but a squad needs 3"):
        build_signals(left, CUP, quick_settings(CUP))


def test_a_player_without_a_team_mate_still_gets_finite_signals() -> None:
    snapshot = small_league().at(2)
    alone = ~snapshot.players["team"].eq("LIV") | (snapshot.players["player_id"] == player_of("LIV", "FWD", 0, CLUBS))
    players = snapshot.players[alone].reset_index(drop=True)
    signals = build_signals(replace(snapshot, players=players), LEAGUE, quick_settings(LEAGUE))
    assert_sound(signals)
    assert signals.xev[row_in(replace(snapshot, players=players), player_of("LIV", "FWD", 0, CLUBS))] > 0


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


def test_a_round_of_few_teams_names_those_that_play(world_cup: World) -> None:
    notes = build_signals(world_cup.at(8), CUP, quick_settings(CUP)).notes
    assert "Only ARG, ENG, FRA, ESP play in round 8: all others are expected to score 0." in notes
    assert not any(note.startswith("No match") for note in notes)
