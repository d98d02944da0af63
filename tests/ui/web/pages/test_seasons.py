"""The page of whole seasons: points, places and parts of the planner in tables that the record is read into."""

from __future__ import annotations

from tests.cases.page_runs import a_page, sentences, tables
from ui.web.pages.seasons import gap_of, gap_rows, gap_words, part_rows, policy_rows, rank_words

GAP = {"value": 12.4, "low": -3.0, "high": 27.8, "p": 0.1}
PLACE = {"rank": 2_000_000, "low": 1_800_000, "high": 2_300_000, "beyond": ""}
SEASON = {
    "policies": [
        {"name": "neutral", "mean": 1000.4, "spread": 12.0, "runs": 2, "expected": 1100.0, "rank": PLACE}
        | {"behind": None, "by_round": None},
        {"name": "one round", "mean": 900.0, "spread": 0.0, "runs": 1, "expected": 1050.0, "rank": None}
        | {"behind": None, "by_round": GAP},
    ],
    "ablation": [{"part": "horizon", "without": "one round", "gain": None, "by_round": GAP}],
    "lines": {"neutral": [[1, 2], [50.0, 110.0]], "average manager": [[1, 2], [54.0, 105.0]]},
}


def test_the_page_shows_the_published_season() -> None:
    page = a_page("seasons")
    assert "at each deadline a plan with what was known then" in sentences(page)
    assert tables(page)[0][0][0] == "Policy"
    assert tables(page)[0][1][0] == "Neutral"


def test_every_policy_has_its_points_and_its_place() -> None:
    rows = policy_rows(SEASON).to_dict("records")
    assert rows[0]["Points"] == "1000 ± 12"
    assert rows[0]["Real rank"] == "2,000,000 (1,800,000 to 2,300,000)"
    assert (rows[1]["Points"], rows[1]["Real rank"]) == ("900", "–")
    assert rows[1]["Ours more by"] == "+12 (-3 to +28)"


def test_a_place_beyond_the_record_says_so() -> None:
    assert rank_words(PLACE | {"beyond": "better"}) == "better than 2,000,000"


def test_lines_are_drawn_beside_the_average_manager() -> None:
    lines = gap_rows(SEASON)
    assert lines["gap"].tolist() == [-4.0, 5.0]
    assert gap_words(lines) == "Points beside the average manager after gameweek 2: neutral +5."


def test_parts_come_with_their_intervals() -> None:
    row = part_rows(SEASON).to_dict("records")[0]
    assert (row["Part"], row["Brings, over runs"]) == ("Horizon", "")
    assert row["Brings, over gameweeks"] == gap_of(GAP)
