"""From nothing to a squad: legal, near the optimum, within every wish, the same for the same seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.fitness.standard_form import form_value
from engine.rules.legality import legal
from engine.rules.pool import TeamLimit
from engine.search.climbing.limits import Limits
from engine.search.climbing.start import QuickSettings, first_squads, search_form
from tests.cases.objectives.form_cases import a_form, a_start, all_squads, best_value

SHORT = QuickSettings(limits=Limits(kicks=30, heat=2.0, patience=1.0), starts=4)


def test_it_finds_the_best_squad_of_small_pools_from_nothing() -> None:
    reached = []
    for seed in range(20):
        form = a_form(seed)
        found = search_form(form, np.random.default_rng(seed), SHORT)
        reached.append(best_value(form, all_squads(form.pool)) - found.value[0] < 1e-6)
    assert sum(reached) >= 17


def test_the_best_comes_first_and_all_are_different_legal_and_worth_what_is_said() -> None:
    form = a_form(3, players=60)
    found = search_form(form, np.random.default_rng(0), SHORT)
    assert found.best == 0
    assert 1 < len(found.value) <= SHORT.elite
    assert legal(found.squads, form.pool).all()
    assert len(np.unique(np.sort(found.squads, axis=1), axis=0)) == len(found.squads)
    assert found.value == pytest.approx(form_value(form, found.squads, found.starts, found.captain))


def test_every_new_best_is_told_and_each_is_better_than_the_one_before() -> None:
    form, told = a_form(5, players=60), []
    found = search_form(form, np.random.default_rng(0), SHORT, on_best=lambda _, value: told.append(value))
    assert told == sorted(set(told))
    assert told[-1] == pytest.approx(found.value[0])


def test_who_is_wanted_is_in_who_is_not_stays_out_and_limits_are_kept() -> None:
    for seed in range(8):
        form, (squad,) = a_start(seed, players=40)
        team = int(form.pool.team[squad[2]])
        form = replace(form, pool=replace(form.pool, limits=(TeamLimit(team, least=1),)), leader=int(squad[6]))
        allowed = np.ones(len(form), dtype=bool)
        allowed[np.setdiff1d(np.arange(0, 40, 5), squad)] = False
        found = search_form(form, np.random.default_rng(0), SHORT, allowed=allowed, kept=(int(squad[0]),))
        assert legal(found.squads, form.pool).all()
        assert (found.squads == squad[0]).any(axis=1).all()
        assert (found.squads[np.arange(len(found.squads)), found.captain] == squad[6]).all()
        assert allowed[found.squads].all()


def test_a_squad_to_begin_with_is_never_beaten_by_the_answer() -> None:
    form = a_form(9)
    squads = all_squads(form.pool)
    best = search_form(form, np.random.default_rng(0), SHORT).squads[:1]
    none = QuickSettings(limits=Limits(kicks=0), starts=1)
    found = search_form(form, np.random.default_rng(1), none, begin=np.concatenate([best, squads[:1]]))
    assert found.value[0] >= search_form(form, np.random.default_rng(0), SHORT).value[0] - 1e-9


def test_first_squads_are_legal_by_position_and_differ() -> None:
    form = a_form(2, players=60)
    found = first_squads(form, np.random.default_rng(0), QuickSettings(), np.ones(len(form), dtype=bool), ())
    assert legal(found, form.pool).all()
    assert (form.pool.position[found] == form.pool.place_of).all()
    assert len(np.unique(found, axis=0)) > 1


def test_the_same_seed_gives_the_same_bytes_and_a_stop_is_heard() -> None:
    form = a_form(11, players=60)
    runs = []
    for disturbed in (0, 99):
        np.random.seed(disturbed)
        runs.append(search_form(form, np.random.default_rng(4), SHORT).squads.tobytes())
    assert runs[0] == runs[1]
    still = search_form(form, np.random.default_rng(4), SHORT, stop=lambda: True)
    assert still.squads.tobytes() != runs[0]


def test_a_herd_that_is_lost_starts_anew_and_what_it_found_is_kept() -> None:
    gains = []
    for seed in range(6):
        form = a_form(seed, players=80)
        limits = Limits(kicks=60, heat=0.05, patience=0.01)
        patient, restless = (QuickSettings(limits=limits, starts=2, anew_after=after) for after in (1_000, 3))
        one, other = (search_form(form, np.random.default_rng(seed), asked) for asked in (patient, restless))
        assert (np.diff(other.value[1:]) <= 1e-9).all()
        gains.append(other.value[0] - one.value[0])
    assert max(gains) > 0.0
    assert np.mean(gains) > 0.0


def test_a_captain_who_cannot_start_leaves_a_squad_all_the_same() -> None:
    form = a_form(4, players=40)
    lineups = tuple(lineup for lineup in form.lineups if lineup[3] == min(other[3] for other in form.lineups))
    keeper = int(np.flatnonzero(form.pool.position == 0)[0])
    barred = replace(form, lineups=((0, *lineups[0][1:]),), leader=keeper)
    found = search_form(barred, np.random.default_rng(0), SHORT)
    assert legal(found.squads, form.pool).all()
    assert found.value[0] == -np.inf
