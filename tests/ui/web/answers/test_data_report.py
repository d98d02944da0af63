"""What is said about facts and rules: never more than is known."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from data.rules import load_rules
from data.sources.refresh import span_in_words
from data.worlds.world import World
from tests.cases.small_world import BLANK, EMPTY, changed, small_cup, small_league
from ui.web.answers.data_report import (
    WorldFacts,
    age_in_words,
    missing_facts,
    rulebook_table,
    stale_warnings,
    world_facts,
)

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def facts_of(world: World, fetched: datetime | None = None) -> WorldFacts:
    live = f"Fetched: {fetched.isoformat()}\n" if fetched else "a test"
    return world_facts("x", World.of(world.name, world.title, world.rulebook, live, world.tables), "m", bundled=False)


def test_a_world_in_figures_has_a_checksum_of_its_manifest() -> None:
    facts = facts_of(small_cup())
    assert (facts.players, facts.teams, facts.rounds, facts.origin) == (144, 8, (1, 2, 3), "Imported")
    assert facts.checksum == "62c66a7a5dd7"
    assert facts_of(small_cup(), NOW).origin == "Fetched"
    assert world_facts("x", small_cup(), "other", bundled=True).checksum != facts.checksum


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (timedelta(seconds=30), "less than a minute"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(hours=2.9), "2 hours"),
        (timedelta(days=-9), "9 days"),
    ],
)
def test_a_span_is_told_in_its_largest_unit(span: timedelta, words: str) -> None:
    assert span_in_words(span) == words


def test_facts_a_day_old_are_stale_before_a_deadline_and_not_before() -> None:
    snapshot = small_cup().at(1)
    fresh, old = (facts_of(small_cup(), NOW - timedelta(hours=hours)) for hours in (23, 9 * 24))
    assert stale_warnings(fresh, snapshot, "Matchday 1", NOW) == ()
    (said,) = stale_warnings(old, snapshot, "Matchday 1", NOW)
    assert said == "These facts are 9 days old and the deadline of Matchday 1 is in 10 days. Refresh them below."
    assert age_in_words(old, NOW) == "fetched 9 days ago"


def test_after_the_last_deadline_nothing_is_known() -> None:
    later = NOW + timedelta(days=90)
    (said,) = stale_warnings(facts_of(small_cup()), small_cup().at(1), "Matchday 1", later)
    assert said.startswith("The last deadline in these facts passed 65 days ago: nothing after it is known.")
    assert stale_warnings(facts_of(small_cup()), small_cup().at(1), "Matchday 1", NOW) == ()


def test_what_is_missing_is_named_and_what_is_there_is_not() -> None:
    assert list(missing_facts(small_cup().at(2))) == []
    unplayed = changed(small_cup(), "events", lambda events: events.iloc[:0])
    assert list(missing_facts(unplayed.at(2))) == ["Event counts of round 1 are not known."]
    assert "Teams without a match in this round: FUL, LIV." in missing_facts(small_league().at(BLANK))
    assert "No match of this round is known yet." in missing_facts(small_league().at(EMPTY))


def test_unknown_ownership_and_results_are_missed() -> None:
    snapshot = small_cup().at(1)
    bare = replace(snapshot, players=snapshot.players.assign(owned=0.0), results=snapshot.results.iloc[:0])
    assert [sentence.split(" ")[0] for sentence in missing_facts(bare)] == ["Nobody's", "No"]


@pytest.mark.parametrize("name", ["wc2026", "fpl2026"])
def test_every_section_of_a_rulebook_stands_in_the_table_with_its_flag(name: str) -> None:
    rules = load_rules(name)
    table = rulebook_table(rules)
    sections = 4 + len(rules.stages) + len(rules.scoring) + len(rules.boosters) + (rules.scouting is not None)
    assert len(table) == sections
    assert (table["Confirmed"] == "No").sum() == len(rules.unconfirmed())
    assert table["Source"].str.len().gt(2).all()
