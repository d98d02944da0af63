"""The page of our record: what ships is there at once, for either game, and a world can be measured beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine.replay.record import Record, published_records
from tests.cases.page_runs import a_page, sentences, tables, until
from ui.web.pages.record import ahead_table, match_table, rounds_words
from ui.web.work.record_job import Measured

RECORDS = {record.world: record for record in published_records()}


def test_a_league_shows_points_rounds_ahead_minutes_choices_and_matches() -> None:
    page = a_page("record", world="fpl2025-26")
    points, coverage, ahead, minutes, choices, matches = tables(page)
    assert points[0] == ["Players", "Ours", "The game’s own", "Crowd only", "Price only", "Constant"]
    assert [row[0] for row in points[1:]] == ["All players", "Relevant", "Relevant and fit", "Owned by 5 %"]
    assert [row[0] for row in coverage[1:]] == ["GK", "DEF", "MID", "FWD"]
    assert ahead[0] == ["Rounds ahead", "Forecast", "RMSE", "Rank correlation", "Slope"]
    assert (minutes[1][0], choices[1][0], matches[2][0][:10]) == ("All players", "Ours", "Bookmakers")
    assert "rounds 1 to 19" in sentences(page)
    assert "What you see comes with the project" in sentences(page)
    page.segmented_control(key="record_measure").set_value("Rank correlation").run()
    ours, game = (float(tables(page)[0][1][column]) for column in (1, 2))
    assert ours > game > 0.5


def test_a_tournament_has_no_rounds_ahead_and_no_market() -> None:
    page = a_page("record", world="wc2026")
    assert len(tables(page)) == 5
    assert "Rounds ahead" not in [head.value for head in page.subheader]


def test_the_world_at_hand_is_measured_beside_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    record = RECORDS["wc2026"]
    seen = replace(record, rounds=[1, 2])

    def quick(*_: Any) -> Iterator[int | Record]:
        yield from (1, seen)

    monkeypatch.setattr("ui.web.work.record_job.measure", quick)
    page = a_page("record", world="wc2026")
    page.button(key="measure").click().run()
    until(page, lambda seen: "What you see was measured here" in sentences(seen))
    assert "rounds 1 to 2" in sentences(page)


def test_progress_is_told_in_rounds() -> None:
    assert Measured().words == "The measurement begins …"
    assert (Measured(3, 8).words, Measured(3, 8).share) == ("3 of 8 rounds are walked", pytest.approx(3 / 9))
    assert Measured(8, 8).words == "All rounds are walked; the elevens are chosen …"


def test_rounds_are_told_as_people_say_them() -> None:
    assert [rounds_words(rounds) for rounds in ([2, 3, 4], [3], [1, 4])] == ["rounds 2 to 4", "round 3", "rounds 1, 4"]


def test_tables_tell_the_figures_of_the_record() -> None:
    record = RECORDS["fpl2025-26"]
    ahead = ahead_table(record)
    assert sorted(set(ahead["Rounds ahead"])) == [1, 2, 3, 4, 5, 6]
    assert ahead["RMSE"].iloc[0] == next(
        row["rmse"] for row in record.points if (row["players"], row["forecast"]) == ("relevant", "model")
    )
    told = match_table(record.matches)
    assert told["1X2 log-loss"].tolist()[:2] == [record.matches["log_loss"], record.matches["market_log_loss"]]
