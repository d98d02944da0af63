"""Rules of the simulated tournament: what is certain is exactly so, and the rest agrees with exact probability."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from data.errors import ModelError
from data.worlds.snapshot import Snapshot
from data.worlds.world import World
from models.competition.groups import AT_HOME, AWAY
from models.competition.tournament import Progression, TournamentSettings, league_matches, simulate_tournament
from models.teams.goals import EXTRA_TIME_SHARE, score_grid
from tests.models.competition.test_bracket import Cup, a_fixture, a_small_cup, as_cup, even_rates, in_order_of_seats

FEW = TournamentSettings(simulations=400)
MANY = TournamentSettings(simulations=40_000)
PRICE_SLOPE = 0.668  # log ratio of expected goals per million between the elevens' mean prices
FOUR_ERRORS = 4 * 0.5 / np.sqrt(MANY.simulations)


def play(cup: Cup, rates: np.ndarray | None = None, seed: int = 1, **options: object) -> Progression:
    given_rates = even_rates(len(cup.teams)) if rates is None else rates
    options.setdefault("settings", FEW)
    return simulate_tournament(*cup.tables, given_rates, rng=np.random.default_rng(seed), **options)  # type: ignore[arg-type]


def rates_from_prices(known: Snapshot) -> np.ndarray:
    """A stand-in for ratings: the dearer eleven scores more."""
    dearest = known.players.sort_values("price", ascending=False).groupby("team").head(11)
    price = dearest.groupby("team")["price"].mean().loc[known.teams["code"]].to_numpy()
    log_ratio = PRICE_SLOPE * np.subtract.outer(price, price)
    return np.repeat(1.25 * np.exp(log_ratio / 2)[..., None], 3, axis=2)


def chance(progression: Progression, code: str, round_: int) -> float:
    return float(progression.advances[progression.codes.index(code), progression.column(round_)])


def knockout_chance(rate: float, opponent: float) -> float:
    """P(win a knock-out): in 90 minutes, in extra time, or by a coin."""
    regular = score_grid(rate, opponent).outcome()
    extra = score_grid(rate * EXTRA_TIME_SHARE, opponent * EXTRA_TIME_SHARE).outcome()
    return float(regular[0] + regular[1] * (extra[0] + extra[1] / 2))


def bytes_of(progression: Progression) -> list[bytes]:
    values = (getattr(progression, column.name) for column in fields(progression))
    return [value.tobytes() for value in values if isinstance(value, np.ndarray)]


@pytest.mark.parametrize("round_", [1, 3, 4, 5, 6, 7, 8])
def test_every_round_has_its_number_of_teams(world_cup: World, round_: int) -> None:
    played = play(as_cup(world_cup.at(round_)))
    assert played.rounds == (1, 2, 3, 4, 5, 6, 7, 8)
    assert played.plays.sum(axis=0) == pytest.approx([48, 48, 48, 32, 16, 8, 4, 4])
    assert played.advances.sum(axis=0) == pytest.approx([32, 32, 32, 16, 8, 4, 2, 1])
    assert ((played.plays >= 0) & (played.plays <= 1)).all()
    assert (played.advances[:, 3:] <= played.plays[:, 3:]).all()


def test_the_qualified_are_certain_and_the_eliminated_are_gone(world_cup: World) -> None:
    known = world_cup.at(5)
    played = play(as_cup(known), rates_from_prices(known))
    alive = set(known.coming["home"]) | set(known.coming["away"])
    in_round_of_16 = np.array([code in alive for code in played.codes])
    assert (played.plays[:, played.column(5)] == in_round_of_16).all()
    assert (played.advances[:, played.column(4)] == in_round_of_16).all()
    assert not played.plays[~in_round_of_16, played.column(6) :].any()


def test_losing_semifinalists_play_in_the_last_round_but_only_the_champion_goes_on() -> None:
    played = play(a_small_cup(in_order_of_seats()))
    assert played.rounds == (1, 2, 3, 7, 8)
    for code in ("A1", "A2", "B1", "B2"):
        row = played.codes.index(code)
        assert (played.plays[row] == 1).all()
        assert (played.advances[row, :3] == 1).all()
    assert played.plays[[2, 3, 6, 7], 3:].sum() == 0
    assert played.advances[:, 4].sum() == pytest.approx(1)


def test_a_knockout_is_won_as_often_as_probability_says() -> None:
    rates = even_rates(8)
    rates[0], rates[:, 0] = 1.9, 0.8
    played = play(a_small_cup(in_order_of_seats()), rates, settings=MANY)
    win = knockout_chance(1.9, 0.8)
    assert chance(played, "A1", 7) == pytest.approx(win, abs=FOUR_ERRORS)
    assert chance(played, "A1", 8) == pytest.approx(win**2, abs=FOUR_ERRORS)
    assert chance(played, "B1", 7) == pytest.approx(0.5, abs=FOUR_ERRORS)


def test_equal_teams_have_equal_chances(world_cup: World) -> None:
    played = play(as_cup(world_cup.at(1)), settings=MANY)
    assert played.advances[:, 0] == pytest.approx(32 / 48, abs=FOUR_ERRORS)
    assert played.advances[:, -1] == pytest.approx(1 / 48, abs=FOUR_ERRORS)


def test_a_shootout_favours_nobody_however_strong() -> None:
    cup = a_small_cup({**in_order_of_seats(), ("A1", "B2"): (1, 1, 2, 2)}, [a_fixture("A1", "B2", "SF", 7, 1)])
    rates = even_rates(8)
    rates[0] = 3 * rates[1]
    assert chance(play(cup, rates, settings=MANY), "A1", 7) == pytest.approx(0.5, abs=FOUR_ERRORS)


@pytest.mark.parametrize(
    ("score", "winner"),
    [
        ((1, 0), "A1"),
        ((0, 1), "B2"),
        ((2, 2, 3, 2), "A1"),
        ((1, 1, 1, 1, 3, 4), "B2"),
        ((1, 0, 1, 0, 0, 0), "A1"),
        ((2, 2, 3, 2, 0, 0), "A1"),
    ],
)
def test_a_played_knockout_has_the_winner_it_had(score: tuple[int, ...], winner: str) -> None:
    cup = a_small_cup({**in_order_of_seats(), ("A1", "B2"): score}, [a_fixture("A1", "B2", "SF", 7, 1)])
    played = play(cup)
    assert chance(played, winner, 7) == 1
    assert chance(played, "A1", 7) + chance(played, "B2", 7) == 1


def test_a_shootout_is_believed_even_where_extra_time_was_not_reported() -> None:
    cup = a_small_cup({**in_order_of_seats(), ("A1", "B2"): (1, 1)}, [a_fixture("A1", "B2", "SF", 7, 1)])
    cup.fixtures.loc[cup.fixtures["stage"] == "SF", ["home_pens", "away_pens"]] = [5, 4]
    assert chance(play(cup), "A1", 7) == 1


def test_a_draw_of_which_no_more_is_known_is_played_on() -> None:
    cup = a_small_cup({**in_order_of_seats(), ("A1", "B2"): (1, 1)}, [a_fixture("A1", "B2", "SF", 7, 1)])
    assert 0.4 < chance(play(cup, settings=MANY), "A1", 7) < 0.6


@pytest.mark.parametrize("round_", [4, 5, 6, 7, 8])
def test_fixtures_without_official_numbers_find_their_place(world_cup: World, round_: int) -> None:
    known = world_cup.at(round_)
    unnumbered = known.fixtures.assign(official_no=pd.array([pd.NA] * len(known.fixtures), dtype="Int64"))
    rates = rates_from_prices(known)
    numbered = play(as_cup(known), rates)
    found = play(Cup(known.teams, unnumbered, known.bracket, known.best_thirds), rates)
    assert bytes_of(found) == bytes_of(numbered)


def test_an_announced_pairing_overrules_the_lots_of_a_level_group() -> None:
    level = {**in_order_of_seats(), **dict.fromkeys([("A1", "A2"), ("A1", "A3"), ("A2", "A3")], (0, 0))}
    by_lot = play(a_small_cup(level))
    assert 0 < chance(by_lot, "A3", 1) < 1
    announced = [a_fixture("B2", "A3", "SF", 7, 1), a_fixture("B1", "A1", "SF", 7, 2)]
    played = play(a_small_cup(level, announced))
    assert [chance(played, code, 1) for code in ("A1", "A2", "A3")] == [1, 0, 1]
    half = play(a_small_cup(level, announced[:1]))
    assert chance(half, "A3", 1) == 1
    assert chance(half, "A1", 1) + chance(half, "A2", 1) == pytest.approx(1)


@pytest.mark.parametrize("number", [None, 9])
def test_an_announced_pairing_that_cannot_be_is_named(number: int | None) -> None:
    cup = a_small_cup(in_order_of_seats(), [a_fixture("A4", "B4", "SF", 7, number)])
    with pytest.raises(ModelError, match="SF fixture A4–B4 fits no match"):
        play(cup)


def test_an_announced_fixture_says_itself_who_is_at_home_and_the_venue_says_so_before() -> None:
    rates = even_rates(8)
    rates[..., AT_HOME], rates[..., AWAY] = 2.6, 0.6
    cup = a_small_cup(in_order_of_seats())
    neutral = play(cup, rates)
    tie = a_fixture("A1", "B2", "SF", 7, 1)
    hosted = play(a_small_cup(in_order_of_seats(), [tie | {"at_home": "B2"}]), rates)
    assert chance(hosted, "B2", 7) > chance(neutral, "B2", 7) + 0.2

    venues = cup.bracket.assign(host=["B2", "", "", ""])
    assert bytes_of(play(replace(cup, bracket=venues), rates)) == bytes_of(hosted)
    moved = replace(a_small_cup(in_order_of_seats(), [tie]), bracket=venues)
    assert bytes_of(play(moved, rates)) == bytes_of(neutral)
    elsewhere = cup.bracket.assign(host=["B1", "A1", "", ""])  # of two hosts neither plays at home
    assert bytes_of(play(replace(cup, bracket=elsewhere), rates)) == bytes_of(neutral)


@pytest.mark.parametrize("numbers", [(3, 4), (None, None)])
def test_third_place_and_final_under_one_stage_are_told_apart(numbers: tuple[int | None, int | None]) -> None:
    results = {**in_order_of_seats(), ("A1", "B2"): (1, 0), ("B1", "A2"): (0, 2), ("B2", "B1"): (3, 0)}
    semis = [a_fixture("A1", "B2", "SF", 7, 1), a_fixture("B1", "A2", "SF", 7, 2)]
    last = [a_fixture("A2", "A1", "FINAL", 8, numbers[1]), a_fixture("B2", "B1", "FINAL", 8, numbers[0])]
    played = play(a_small_cup(results, [*semis, *last]), settings=MANY)
    assert chance(played, "A1", 8) == pytest.approx(0.5, abs=FOUR_ERRORS)
    assert chance(played, "B2", 8) == 0
    assert played.plays[:, played.column(8)].tolist() == [1, 1, 0, 0, 1, 1, 0, 0]


def test_a_stage_without_a_round_is_named() -> None:
    cup = a_small_cup()
    with pytest.raises(ModelError, match="Stage 'LAST' has no round"):
        play(replace(cup, bracket=cup.bracket.replace({"stage": {"FINAL": "LAST"}})))


def test_the_same_seed_gives_the_same_bytes_whatever_the_global_generator_does(world_cup: World) -> None:
    known = world_cup.at(2)
    first = play(as_cup(known), rates_from_prices(known), seed=7)
    np.random.seed(99)
    assert bytes_of(play(as_cup(known), rates_from_prices(known), seed=7)) == bytes_of(first)
    assert bytes_of(play(as_cup(known), rates_from_prices(known), seed=8)) != bytes_of(first)


def test_before_the_first_match_prices_alone_tell_most_of_those_who_advance(world_cup: World) -> None:
    known, later = world_cup.at(1), world_cup.at(4)
    advanced = known.teams["code"].isin([*later.coming["home"], *later.coming["away"]]).to_numpy()
    played = play(as_cup(known), rates_from_prices(known), settings=TournamentSettings())
    assert advanced.sum() == 32
    assert np.mean((played.advances[:, 0] - advanced) ** 2) < 0.20


def test_settings_without_meaning_are_refused() -> None:
    with pytest.raises(ValidationError, match="simulations"):
        TournamentSettings(simulations=0)


def test_a_progression_is_read_only_and_knows_its_rounds() -> None:
    played = play(a_small_cup())
    with pytest.raises(ValueError, match="read-only"):
        played.plays[0, 0] = 0.5
    with pytest.raises(ModelError, match="Round 9 is not among the rounds 1, 2, 3, 7, 8"):
        played.column(9)
    with pytest.raises(ModelError, match="need shape"):
        Progression(("X",), (1,), np.ones(1), np.ones((1, 1)), np.zeros((1, 1, 3, 1)))


def test_whoever_plays_a_knockout_meets_somebody_and_is_met_by_him() -> None:
    played = play(a_small_cup())
    knockout = [played.column(number) for number in (7, 8)]
    np.testing.assert_allclose(played.meets.sum(axis=(1, 2))[:, knockout], played.plays[:, knockout], atol=1e-12)
    np.testing.assert_allclose(played.meets[:, :, 1], played.meets[:, :, 2].swapaxes(0, 1), atol=1e-12)
    np.testing.assert_allclose(played.meets[:, :, 0], played.meets[:, :, 0].swapaxes(0, 1), atol=1e-12)
    assert not played.meets[..., [played.column(number) for number in (1, 2, 3)]].any()
    assert not played.meets[np.arange(len(played.codes)), np.arange(len(played.codes))].any()


@given(goals=st.lists(st.integers(0, 3), min_size=24, max_size=24))
def test_whatever_the_results_two_of_each_group_go_on(goals: list[int]) -> None:
    cup = a_small_cup()
    cup.fixtures[["home_goals_90", "away_goals_90"]] = np.array(goals).reshape(-1, 2)
    played = play(cup, settings=TournamentSettings(simulations=20))
    assert played.advances[:4, 0].sum() == pytest.approx(2)
    assert played.advances[4:, 0].sum() == pytest.approx(2)


def a_league() -> tuple[pd.DataFrame, pd.DataFrame]:
    pairs = [("ARS", "CHE", 1), ("LIV", "MUN", 1), ("ARS", "LIV", 2), ("CHE", "ARS", 2), ("MUN", "CHE", 3)]
    rows = [{"home": home, "away": away, "at_home": home, "round": round_} for home, away, round_ in pairs]
    return pd.DataFrame(rows), pd.DataFrame({"code": ["ARS", "CHE", "LIV", "MUN"], "group": ""})


def test_in_a_league_a_team_has_no_match_one_or_two_and_always_goes_on_and_a_round_without_matches_is_a_blank() -> None:
    fixtures, teams = a_league()
    league = league_matches(fixtures, teams, rounds=[2, 1])
    assert league.rounds == (1, 2)
    assert league.plays.tolist() == [[1, 2], [1, 1], [1, 1], [1, 0]]
    assert (league.advances == 1).all()

    assert not league_matches(fixtures, teams, rounds=(7,)).plays.any()
