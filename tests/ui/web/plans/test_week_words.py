"""The sentence of the week says what to do, and of three plans what they share or that they differ."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.board.board import Option
from engine.board.transfers import Transfer, TransferCard
from engine.fitness.judge import named_objective
from engine.plan.advice.chips import BoosterRow
from engine.plan.answer.plan_board import plan_options
from models.armband.ladder import Rung
from tests.cases.board_cases import a_ladder, a_man, an_option
from tests.cases.plans.planned_rounds import a_swap, held, rounds_of
from ui.web.plans.week import WEIGHED, Move, Week, ladder_of, week_of_board, week_of_plan
from ui.web.plans.week_words import answer_rows, figures_of, firm_short, headline, shared_headline, shared_rows

MOVE = Transfer("MID", "Enzo", "CHE", "Semenyo", "BOU", 7, 1.2, 1.84, 4.0, "")


def a_week(option: Option | None = None, **changes: object) -> Week:
    return replace(week_of_board(option or an_option()), **changes)  # type: ignore[arg-type]


def test_without_a_team_the_sentence_names_whom_to_build_around() -> None:
    assert headline(a_week()).startswith("Build around ")
    assert headline(a_week()).endswith(f"Captain {an_option().captain.short}.")


def test_transfers_are_named_and_priced_in_points() -> None:
    week = a_week(replace(an_option(), transfers=TransferCard((MOVE,), 1, 0, 0.0, 1.8)))
    assert headline(week).startswith("Sell Enzo for Semenyo. Captain ")
    assert next((row.told, row.worth) for row in answer_rows(week)) == ("Enzo → Semenyo", "+1.8 this week")
    assert figures_of("gain", week).moves == "Enzo → Semenyo"
    assert headline(a_week(replace(an_option(), transfers=TransferCard((), 1, 0, 0.0, 0.0)))).startswith("Keep your")


def test_of_many_transfers_those_that_bring_most_are_named_the_others_counted_and_hits_told() -> None:
    moves = tuple(Move(f"Old{number}", f"New{number}", float(number)) for number in range(5))
    week = a_week(moves=moves, hits=8.0, booster="Wildcard")
    assert headline(week).startswith("Play Wildcard. Make 5 transfers. ")
    told = [(row.told, row.worth) for row in answer_rows(week)]
    assert told[:2] == [("Old4 → New4", "+4.0 this week"), ("Old3 → New3", "+3.0 this week")]
    assert told[2][0] == "and 3 more"
    assert told[3][1].startswith("−8 points")
    assert figures_of("gain", week).moves == "5 transfers"


def test_an_armband_that_moves_is_no_captain_but_a_first_wearer_with_his_rule() -> None:
    first = Rung(player=9, slot=0, onward=6.0, keep_from=7, move_to=8)
    week = a_week(replace(an_option(), armband=a_ladder(captain=first)))
    assert headline(week).endswith("Armband first on P9.")
    row = next(row for row in answer_rows(week) if row.about == "Armband")
    assert (row.told, row.worth) == ("P9 first", "keep at 7+ points, else P8")
    assert headline(a_week(replace(an_option(), armband=a_ladder(setting="locked", captain=first)))).endswith("P9.")


def test_three_plans_are_the_same_agree_on_the_captain_or_differ() -> None:
    one = a_week()
    other = replace(one, men=(replace(a_man(0), player_id=999, short="Else"), *one.men[1:]))
    swapped = replace(one, men=tuple(replace(man, armband="C" if man is one.men[0] else "") for man in one.men))
    assert "same squad" in shared_headline({"protect": one, "neutral": one, "gain": one})
    assert "agree, and on 14 of 15" in shared_headline({"protect": one, "neutral": one, "gain": other})
    assert "differ" in shared_headline({"protect": one, "neutral": one, "gain": swapped})
    told = {row.about: row.told for row in shared_rows({"protect": one, "gain": other})}
    assert told["Gain"] == "adds Else"
    alone = shared_rows({"protect": one, "gain": swapped})
    assert [row.told for row in alone] == ["adds nobody"] * 2
    assert [row.worth for row in alone] == [f"captain {week.captain.short}" for week in (one, swapped)]


def test_a_plan_that_is_still_searched_tells_nothing() -> None:
    assert figures_of("gain", None).expected is None


def test_a_plan_tells_points_over_its_rounds_what_a_transfer_brings_and_what_waits() -> None:
    rounds = rounds_of("league")
    first, objective = rounds.rounds[0], named_objective("neutral", rounds.views[0])
    plan = held(rounds, swap={first: a_swap(rounds)})
    (option,) = plan_options(rounds, objective, [plan])
    boosters = [BoosterRow("wildcard", "Wildcard", (3.1, 4.0, 14.6), 2.0, None)]
    week = week_of_plan(option, ladder_of(rounds.signals[0], option.cards[0].men), boosters)
    assert week.expected == option.cards[0].expected
    assert figures_of("neutral", week).over == f"Next 3: {option.table.points:.1f}"
    rows = {row.about: row for row in answer_rows(week)}
    assert rows["Transfer"].worth.endswith(f"{option.cards[0].moves[0].points:+.1f} over 3")
    assert rows["Boosters"].worth == f"Keep Wildcard: worth 14.6 in {option.cards[2].title}, 3.1 now"
    unknown = week_of_plan(option, ladder_of(rounds.signals[0], option.cards[0].men))
    assert next(row.worth for row in answer_rows(unknown) if row.about == "Boosters") == WEIGHED
    assert rows["Points"].told == f"{week.expected:.1f} expected, {option.table.points:.1f} over 3 rounds"
    assert firm_short(0.86) == "Safe: best in 86% of tries"
    assert week.fresh == {option.cards[0].moves[0].into.player_id}
    assert sum(week.terms.values()) == pytest.approx(sum(option.cards[0].terms.values()))
