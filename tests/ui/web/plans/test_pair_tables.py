"""Two plans as tables, chart and files: gaps add up, ranges widen, exposure sums to the field's, files read again."""

from __future__ import annotations

import csv
import io

import pytest

from engine.fitness.judge import named_objective
from engine.plan.answer.comparison import PlanComparison, compare_plans
from engine.plan.answer.plan_board import PlanOption, plan_options
from engine.plan.fitness.rounds import PlanRounds
from engine.rank.intervals import Estimate
from tests.cases.plans.planned_rounds import a_swap, held, rounds_of
from ui.web.drawing.charts.chance_lines import chance_lines_words, draw_chance_lines
from ui.web.drawing.charts.cumulative import cumulative_words, draw_cumulative
from ui.web.plans.exports import both_csv, plans_text, round_csv
from ui.web.plans.pair_chances import chance_table, from_words
from ui.web.plans.pair_tables import ahead_table, crossed_plans, exposure_table, field_points, weeks_table
from ui.web.plans.pair_view import part_words

LABELS = ("Protect", "Gain")


@pytest.fixture(scope="module")
def rounds() -> PlanRounds:
    return rounds_of("league")


@pytest.fixture(scope="module")
def options(rounds: PlanRounds) -> list[PlanOption]:
    plans = [held(rounds), held(rounds, swap={rounds.rounds[1]: a_swap(rounds)})]
    return [
        plan_options(rounds, named_objective(theta, rounds.views[0]), [plan])[0]
        for theta, plan in zip(("protect", "gain"), plans, strict=True)
    ]


@pytest.fixture(scope="module")
def found(rounds: PlanRounds, options: list[PlanOption]) -> PlanComparison:
    first, second = (named_objective(theta, rounds.views[0]) for theta in ("protect", "gain"))
    return compare_plans(rounds, (options[0], first), (options[1], second))


def test_weeks_that_are_the_same_say_so_and_the_gaps_add_up(found: PlanComparison, options: list[PlanOption]) -> None:
    table = weeks_table(found, LABELS)
    assert table["Gain"][0] == "the same"
    assert "→" in table["Gain"][1]
    assert "Only here" in table["Gain"][2]
    assert table["Gap so far"].iloc[-1] == pytest.approx(options[0].table.points - options[1].table.points)
    assert part_words(found, LABELS).startswith(f"They part in {table['Round'][1]}. Protect expects ")


def test_both_plans_stand_under_both_objectives_with_their_sums(found: PlanComparison) -> None:
    table = crossed_plans(found, LABELS).set_index("Term")
    assert list(table.columns) == [f"{label} under {name}" for label in LABELS for name in ("protect", "gain")]
    sums = table.drop(index="Score").sum()
    assert sums.tolist() == pytest.approx(table.loc["Score"].tolist(), abs=0.05)


def test_a_plan_is_ahead_of_the_field_by_the_sum_of_its_rounds_and_the_range_widens(
    rounds: PlanRounds, options: list[PlanOption]
) -> None:
    table = ahead_table(rounds, dict(zip(LABELS, options, strict=True)))
    last = table[(table["plan"] == "Gain")].iloc[-1]
    assert last["ahead"] == pytest.approx(options[1].table.points - sum(field_points(rounds)))
    widths = (table["high"] - table["low"])[table["plan"] == "Gain"].tolist()
    assert widths == sorted(widths)
    assert "Gain:" in cumulative_words(table)
    assert "layer" in draw_cumulative(table, dark=True).to_dict()


def test_chances_stand_round_by_round_for_each_plan(options: list[PlanOption]) -> None:
    found = tuple(tuple(Estimate(0.5 + step / 10, 0.4, 0.9) for step in range(3)) for _ in LABELS)
    table = chance_table(dict(zip(LABELS, options, strict=True)), found)
    assert table["plan"].tolist() == [LABELS[0]] * 3 + [LABELS[1]] * 3
    assert "Protect: 70% to be ahead after" in chance_lines_words(table)
    assert "layer" in draw_chance_lines(table, dark=False).to_dict()
    assert (from_words(None), from_words(-12.0)) == ("From level points.", "From 12 points behind.")


def test_exposure_counts_the_captain_twice_and_shows_who_is_missed(
    rounds: PlanRounds, options: list[PlanOption]
) -> None:
    table = exposure_table(rounds, options[0]).pivot_table(index="term", columns="plan", values="points", sort=False)
    card = options[0].cards[0]
    assert table["You"].max() == 200
    assert table["You"].idxmax() == card.captain.short
    missed = table[table["You"] == 0]
    assert not missed.empty
    assert (missed["The field"] > 0).all()


def test_files_have_every_man_of_every_round_with_start_chance_and_exposure(options: list[PlanOption]) -> None:
    rows = list(csv.DictReader(io.StringIO(both_csv(dict(zip(LABELS, options, strict=True))))))
    assert len(rows) == 2 * 3 * 15
    assert {row["plan"] for row in rows} == set(LABELS)
    card = options[0].cards[0]
    flat = list(csv.DictReader(io.StringIO(round_csv(card.men, ("Start with him.", "Keep him.")))))
    assert [int(row["id"]) for row in flat] == [man.player_id for man in card.men]
    assert [row["captain"] for row in flat].count("C") == 1
    assert {row["armband_rule"] for row in flat} == {"", "Start with him. Keep him."}
    assert float(flat[0]["start_percent"]) == pytest.approx(100 * card.men[0].start, abs=0.5)
    text = plans_text({"Mine": options[0]}, "http://here/plan?theta=gain")
    assert text.endswith("http://here/plan?theta=gain")
    assert text.count("Captain") == 3
