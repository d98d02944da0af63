"""A season played blind: legal state from round to round, official points, and no finished round played twice."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from data.errors import InputError, UnknownError
from data.rules import GameRules
from data.worlds.library import find_world
from data.worlds.world import World
from engine.desk import rules_for
from engine.jobs import JobStep, last_of
from engine.season import walk
from engine.season.booster_rules import BoosterChoice
from engine.season.policies import TRUTH, season_policies
from engine.season.record.published import record_text, season_digest, season_record
from engine.season.record.report import ablations, records, season_json
from engine.season.walk import Season, SeasonSettings, play_season
from engine.season.week import Deadline, PlayedWeek, WeekTask, play_week
from tests.cases.brief_searches import search_briefly
from tests.cases.hostile.killed_calls import can_trace, killed_at
from tests.cases.judged_worlds import share_beliefs
from tests.conftest import in_a_soak

ROUNDS = (1, 2)
BEST_LINE = "rank 10,000"


@pytest.fixture(scope="module")
def world() -> World:
    return find_world("fpl2025-26")


@pytest.fixture(autouse=True)
def beliefs_built_once(monkeypatch: pytest.MonkeyPatch, built: dict[object, Deadline]) -> None:
    """Build the beliefs of a deadline once for all tests: seasons that go on ask for the same again and again."""
    real = walk.deadline_of

    def once(world: World, rules: GameRules, settings: SeasonSettings, number: int) -> Deadline:
        key = (number, rules.captaincy.mode, [policy.forecasts for policy in settings.policies].count(TRUTH))
        if key not in built:
            built[key] = real(world, rules, settings, number)
        return built[key]

    monkeypatch.setattr(walk, "deadline_of", once)


@pytest.fixture(scope="module")
def built() -> dict[object, Deadline]:
    return {}


def settings(runs: int = 2) -> SeasonSettings:
    against = ["game's forecast", "template", "hindsight"]
    return SeasonSettings(rounds=ROUNDS, policies=season_policies("neutral", 1, BoosterChoice.NONE, against), runs=runs)


@pytest.fixture(scope="module")
def played(world: World, tmp_path_factory: pytest.TempPathFactory) -> Season:
    folder = tmp_path_factory.mktemp("season")
    with pytest.MonkeyPatch.context() as patch:
        share_beliefs(patch)
        search_briefly(patch)
        return last_of(play_season(world, rules_for(world.rulebook), settings(), folder, cores=1), Season)


def test_every_run_keeps_to_its_money_and_transfers(world: World, played: Season) -> None:
    rules = rules_for(world.rulebook)
    for weeks in played.weeks:
        assert [week.round for week in weeks] == list(ROUNDS)
        assert weeks[0].transfers == 0
        for before, after in pairwise(weeks):
            changed = set(after.squad) - set(before.squad)
            free = before.holding.free
            assert free is not None
            assert len(changed) == after.transfers <= free
            assert after.holding.free == rules.free_transfers_after(after.round, free, after.transfers)
            assert after.holding.bank >= 0


def test_run_zero_is_plain_and_another_run_has_views_of_its_own(played: Season) -> None:
    first, second = played.weeks[:2]
    assert first[0].squad != second[0].squad


def test_the_record_has_a_place_among_real_managers(world: World, played: Season) -> None:
    ours, game, *_ = records(world, played)
    assert ours.rank is not None
    assert ours.behind is None
    assert game.behind is not None
    assert game.behind.value == pytest.approx(ours.mean - game.mean)


def test_keys_of_the_json_are_fixed(world: World, played: Season) -> None:
    told = season_json(world, played)
    assert set(told) == {"world", "runs", "rank", "ablation", "caveat"}
    first = told["runs"][0]  # type: ignore[index]
    assert set(first) == {"seed", "policy", "rounds", "total"}
    assert set(first["rounds"][0]) == {
        *("round", "points", "expected", "hits", "transfers", "chip", "captain", "squad"),
        *("crowd_captain", "no_bench"),
    }


def test_a_template_is_set_and_forgotten(played: Season) -> None:
    for weeks in played.weeks_of("template"):
        assert len({frozenset(week.squad) for week in weeks}) == 1


def test_hindsight_plays_once_and_beats_everybody(world: World, played: Season) -> None:
    found = {one.name: one for one in records(world, played)}
    assert found["hindsight"].runs == 1
    assert found["hindsight"].behind is None
    assert found["hindsight"].mean > 1.5 * max(one.mean for name, one in found.items() if name != "hindsight")


def test_parts_of_the_planner_are_switched_off_one_by_one(played: Season) -> None:
    found = {one.part: one for one in ablations(played)}
    assert set(found) == {"forecasts", "captain", "bench"}
    gaps = [sum(week.points - week.no_bench for week in weeks) for weeks in played.weeks_of("neutral")]
    assert found["bench"].gain is not None
    assert found["bench"].gain.value == pytest.approx(np.mean(gaps))
    assert found["bench"].by_round.value == pytest.approx(np.mean(gaps))


def test_the_record_is_the_same_text_again_and_names_its_runs_by_a_digest(world: World, played: Season) -> None:
    record = season_record(world, played)
    assert json.loads(record_text(record))["digest"] == season_digest(season_json(world, played))
    assert record_text(season_record(world, played)) == record_text(record)
    assert set(record["lines"]) == {"neutral", "game's forecast", "template", "hindsight", "average manager", BEST_LINE}


def test_who_is_named_once_plays_the_plain_run_alone() -> None:
    policies = season_policies("neutral", 1, BoosterChoice.NONE, ["crowd"], once=["crowd", "template"])
    asked = SeasonSettings(rounds=ROUNDS, policies=policies, runs=3)
    assert [(policy.name, run) for policy, run in asked.tasks][3:] == [
        *(("crowd", run) for run in range(3)),
        ("template", 0),
    ]
    with pytest.raises(UnknownError, match="templat"):
        season_policies("neutral", 1, BoosterChoice.NONE, [], once=["templat"])


def test_rounds_that_do_not_follow_one_another_are_refused() -> None:
    with pytest.raises(InputError, match="follow one another"):
        SeasonSettings(rounds=(1, 3), policies=season_policies("neutral", 1, BoosterChoice.NONE, []))


@pytest.mark.soak
def test_a_policy_asked_for_later_joins_those_that_were_played(world: World, played: Season, tmp_path: Path) -> None:
    rules, policies = rules_for(world.rulebook), season_policies("neutral", 1, BoosterChoice.NONE, ["template"])
    fewer = SeasonSettings(rounds=ROUNDS, policies=policies[:1], runs=1)
    last_of(play_season(world, rules, fewer, tmp_path, cores=1), Season)
    (kept,) = tmp_path.rglob("*.json")
    before = kept.stat().st_mtime_ns
    more = SeasonSettings(rounds=ROUNDS, policies=policies, runs=2)
    joined = last_of(play_season(world, rules, more, tmp_path, cores=1), Season)
    assert kept.stat().st_mtime_ns == before
    assert [weeks[:2] for weeks in played.weeks_of("template")] == joined.weeks_of("template")
    assert [weeks[:2] for weeks in played.weeks_of("neutral")] == joined.weeks_of("neutral")


@pytest.mark.soak
def test_other_rules_are_another_season(world: World, tmp_path: Path) -> None:
    asked = SeasonSettings(
        rounds=ROUNDS[:1], policies=season_policies("neutral", 1, BoosterChoice.NONE, ["template"])[1:], runs=1
    )
    for mode in (None, "one_switch"):
        last_of(play_season(world, rules_for(world.rulebook, mode), asked, tmp_path, cores=1), Season)
    assert len(list(tmp_path.rglob("*.json"))) == 2


@pytest.mark.skipif(not can_trace, reason="system calls are traced on Linux with an x86-64 processor only")
@pytest.mark.parametrize("call", [9, *in_a_soak((*range(9), *range(10, 20)))])
def test_a_killed_season_goes_on_without_repeating_or_losing_a_week(
    call: int, world: World, played: Season, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = rules_for(world.rulebook)
    asked = SeasonSettings(
        rounds=ROUNDS, policies=season_policies("neutral", 1, BoosterChoice.NONE, ["template"]), runs=2
    )
    steps = play_season(world, rules, asked, tmp_path, cores=1)
    next(step for step in steps if isinstance(step, JobStep))  # one week is kept
    steps.close()  # type: ignore[attr-defined]
    assert killed_at(call, lambda: list(play_season(world, rules, asked, tmp_path, cores=1)) and None)
    before = {path: json.loads(path.read_text()) for path in tmp_path.rglob("*.json")}
    weeks_played = list[WeekTask]()

    def counted(deadline: Deadline, task: WeekTask) -> PlayedWeek:
        weeks_played.append(task)
        return play_week(deadline, task)

    monkeypatch.setattr(walk, "play_week", counted)
    again = last_of(play_season(world, rules, asked, tmp_path, cores=1), Season)
    assert len(weeks_played) == len(asked.tasks) * 2 - sum(map(len, before.values()))
    assert all(json.loads(path.read_text())[: len(weeks)] == weeks for path, weeks in before.items())
    for policy in asked.policies:
        assert again.weeks_of(policy.name) == [weeks[:2] for weeks in played.weeks_of(policy.name)]
