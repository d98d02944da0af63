"""A state is what a manager really can bring into a round; anything else gets an error that says so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.errors import InputError, UnknownError
from data.rules import load_rules
from data.sources.fpl.managers.account import Account
from engine.plan.linear.frame import NO_TEAM, frame_of, free_transfer_steps
from engine.plan.moves.state import State, boosters_from, check_state
from models.signals import Signals
from tests.cases.small_world import small_cup, squad_ids


@pytest.fixture(scope="module")
def squad() -> tuple[int, ...]:
    return tuple(squad_ids(small_cup()))


@pytest.fixture(scope="module")
def state(squad: tuple[int, ...], beliefs: Signals) -> State:
    return State.of_squad(squad, beliefs)


def test_a_squad_without_an_account_has_the_stage_s_money_and_every_booster(state: State, beliefs: Signals) -> None:
    check_state(state, beliefs)
    assert state.wealth == pytest.approx(max(beliefs.rules.stage(1).budget, sum(state.selling.values())))
    assert state.boosters == tuple(beliefs.rules.boosters)
    assert state.free is None  # no limit before the first round


def test_an_account_is_taken_over_to_the_penny(squad: tuple[int, ...]) -> None:
    prices = dict.fromkeys(squad, 5.5)
    account = Account(players=squad, paid=prices, selling=prices, bank=0.3, free_transfers=2, chips=("wildcard",))
    state = State.of_account(account)
    assert (state.squad, state.bank, state.free, state.boosters) == (squad, 0.3, 2, ("wildcard",))
    assert state.wealth == pytest.approx(15 * 5.5 + 0.3)


def test_who_has_nobody_starts_with_the_whole_budget(beliefs: Signals) -> None:
    frame = frame_of(State.first(beliefs.rules, 1), beliefs, 2)
    assert frame.first_squad
    assert frame.wealth[0] == beliefs.rules.stage(1).budget
    assert frame.transfers.free(frame.transfers.first) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"bank": -0.1}, "bank of -0.1"),
        ({"bank": float("nan")}, "bank of nan"),
        ({"free": -1}, "-1 free transfers"),
        ({"selling": {}}, "one price for each man"),
    ],
)
def test_a_senseless_state_is_refused_at_birth(state: State, change: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        replace(state, **change)  # type: ignore[arg-type]


def test_a_man_twice_is_refused(state: State) -> None:
    with pytest.raises(InputError, match="twice"):
        replace(state, squad=(*state.squad[:-1], state.squad[0]))


def test_sixteen_men_are_refused(state: State, beliefs: Signals) -> None:
    stranger = int(np.setdiff1d(beliefs.player_id, state.squad)[0])
    sixteen = replace(state, squad=(*state.squad, stranger), selling={**state.selling, stranger: 5.0})
    with pytest.raises(InputError, match="15 players, yours has 16"):
        check_state(sixteen, beliefs)


def test_a_wrong_shape_is_refused(state: State, beliefs: Signals) -> None:
    keeper = next(man for man in state.squad if beliefs.position[beliefs.row_of(man)] == 0)
    forwards = beliefs.player_id[beliefs.position == 3].tolist()
    forward = next(man for man in forwards if man not in state.squad)
    squad = tuple(forward if man == keeper else man for man in state.squad)
    with pytest.raises(InputError, match="1 GK instead of 2, 4 FWD instead of 3"):
        check_state(replace(state, squad=squad, selling=dict.fromkeys(squad, 5.0)), beliefs)


def test_an_unknown_player_is_refused_unless_he_is_said_to_have_left(state: State, beliefs: Signals) -> None:
    keeper = next(man for man in state.squad if beliefs.position[beliefs.row_of(man)] == 0)
    squad = tuple(987_654 if man == keeper else man for man in state.squad)
    unknown = replace(state, squad=squad, selling=dict.fromkeys(squad, 5.0))
    with pytest.raises(UnknownError, match="987654"):
        check_state(unknown, beliefs)
    frame = frame_of(replace(unknown, left={987_654: "GK"}), beliefs, 1)
    assert (len(frame), frame.team[-1], frame.position[-1]) == (len(beliefs) + 1, NO_TEAM, 0)
    assert frame.owned[-1]
    assert not frame.buyable[-1]


def test_a_booster_is_known_and_not_left_more_often_than_it_may_be_played(state: State, beliefs: Signals) -> None:
    with pytest.raises(UnknownError, match="Did you mean wildcard"):
        check_state(replace(state, boosters=("wildcart",)), beliefs)
    with pytest.raises(InputError, match="Wildcard can be played 1×, not 2×"):
        check_state(replace(state, boosters=("wildcard", "wildcard")), beliefs)


def test_the_premier_league_carries_to_five_and_gameweek_16_fills_up() -> None:
    squad = State(squad=(1,), selling={1: 5.0}, free=2)
    steps = free_transfer_steps(load_rules("fpl2025"), (14, 15, 16, 17), squad)
    assert steps.first == 2
    assert steps.after[0, 2, :4].tolist() == [3, 2, 1, 1]
    assert set(steps.after[1].ravel().tolist()) == {5}  # whatever was made before gameweek 16
    assert steps.after[2, 5, :6].tolist() == [5, 5, 4, 3, 2, 1]
    assert steps.after_chip[0, 3] == 3


def test_the_world_cup_carries_one_in_the_groups_and_frees_the_round_of_32() -> None:
    squad = State(squad=(1,), selling={1: 5.0}, free=2)
    steps = free_transfer_steps(load_rules("wc2026"), tuple(range(2, 9)), squad)
    free = [
        steps.free(int(steps.after[column, steps.no_limit if number == 4 else 2, 0]))
        for column, number in enumerate(range(2, 9))
    ]
    assert free == [3, None, 4, 4, 5, 6, 0]


def test_boosters_whose_window_is_over_are_not_at_hand() -> None:
    assert "wildcard_1" not in boosters_from(load_rules("fpl2025"), 20)
    assert "wildcard_2" in boosters_from(load_rules("fpl2025"), 8)
