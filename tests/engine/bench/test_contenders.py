"""Every contender keeps to the rules of the race: legal answers, honest values, an end in time, the same luck."""

from __future__ import annotations

import random
import sys
from itertools import combinations

import numpy as np
import pytest

from data.errors import InputError, UnknownError
from engine.bench.contenders import (
    APART,
    Contender,
    Race,
    competing,
    contenders,
    find_contenders,
    installed,
    never_enough,
    settled_value,
)
from engine.bench.genetic import DeapGenetic, PymooGenetic
from engine.rules.legality import legal
from tests.cases.form_cases import a_form, all_squads, best_value

ALL = contenders()
SEARCHING = [one for one in ALL if one.name not in {"greedy", "pulp-linear"}]


def by_name(contender: Contender) -> str:
    return contender.name


class Listener:
    """Writes down every new best, and has enough at a value."""

    def __init__(self, enough: float = np.inf, most: int = sys.maxsize) -> None:
        self.enough, self.most = enough, most
        self.told: list[tuple[float, float, tuple[int, ...]]] = []

    def __call__(self, seconds: float, value: float, squad: np.ndarray) -> bool:
        self.told.append((seconds, value, tuple(squad.tolist())))
        return value >= self.enough or len(self.told) >= self.most


def test_nine_compete_and_each_says_how_it_is_set_up() -> None:
    assert [one.name for one in ALL] == [
        "ours", "random", "greedy", "pulp-linear", "pymoo-ga", "deap-ga", "pymoo-ga-lent", "deap-ga-lent", "annealing",
    ]  # fmt: skip
    assert all(len(one.configuration) > 20 for one in ALL)


def test_the_peers_say_which_craft_they_have() -> None:
    said = {one.name: one.configuration for one in ALL}
    for library in ("pymoo-ga", "deap-ga"):
        assert "drawn blindly, repair greedily" in said[library]
        assert "all elevens tried" in said[library]
        assert "drawn by worth (heat 1 points), repair by least loss" in said[f"{library}-lent"]


@pytest.mark.parametrize("contender", ALL, ids=by_name)
def test_answers_are_legal_different_and_the_best_comes_first(contender: Contender) -> None:
    form = a_form(3, players=40)
    heard = Listener()
    answers = contender.solve(form, np.random.default_rng(0), 0.15, heard)
    assert legal(answers, form.pool).all()
    assert len({tuple(sorted(squad)) for squad in answers.tolist()}) == len(answers)
    assert settled_value(form, answers[0]) == pytest.approx(heard.told[-1][1])
    assert settled_value(form, answers[0]) >= max(settled_value(form, squad) for squad in answers) - 1e-9


@pytest.mark.parametrize("contender", ALL, ids=by_name)
def test_each_report_beats_the_one_before_and_is_worth_what_it_says(contender: Contender) -> None:
    form, heard = a_form(5, players=40), Listener()
    contender.solve(form, np.random.default_rng(1), 0.15, heard)
    seconds, values = [told[0] for told in heard.told], [told[1] for told in heard.told]
    assert seconds == sorted(seconds)
    assert values == sorted(set(values))
    for _, value, squad in heard.told:
        assert value == pytest.approx(settled_value(form, np.array(squad)))


@pytest.mark.parametrize("contender", SEARCHING, ids=by_name)
def test_a_search_finds_the_best_squad_of_a_small_pool_and_stops_there(contender: Contender) -> None:
    form = a_form(11)
    best = best_value(form, all_squads(form.pool))
    heard = Listener(enough=best - 1e-6)
    contender.solve(form, np.random.default_rng(2), 20.0, heard)
    assert heard.told[-1][1] == pytest.approx(best)
    assert heard.told[-1][0] < 20.0


@pytest.mark.parametrize("contender", SEARCHING, ids=by_name)
def test_the_same_seed_goes_the_same_way_whatever_the_global_generators_do(contender: Contender) -> None:
    form = a_form(7, players=60)
    ways = []
    for disturbed in (1, 99):
        random.seed(disturbed)
        np.random.seed(disturbed)
        heard = Listener(most=3)
        contender.solve(form, np.random.default_rng(4), 0.3, heard)
        ways.append([told[1:] for told in heard.told])
    both = min(map(len, ways))  # a busy machine may end one of them earlier
    assert both
    assert ways[0][:both] == ways[1][:both]


def test_deap_leaves_the_global_generator_as_it_was() -> None:
    random.seed(5)
    expected = random.random()
    random.seed(5)
    DeapGenetic().solve(a_form(3, players=40), np.random.default_rng(0), 0.1, never_enough)
    assert random.random() == expected


@pytest.mark.parametrize("contender", [PymooGenetic(), DeapGenetic()], ids=by_name)
def test_a_missing_library_is_a_sentence_with_a_way_out(contender: Contender, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr("engine.bench.genetic.import_module", missing)
    with pytest.raises(InputError, match=rf"{contender.library} is not installed.*thetaxi\[peers\]"):
        contender.solve(a_form(3), np.random.default_rng(0), 0.1, never_enough)


def test_who_needs_a_library_says_so() -> None:
    assert {one.library for one in ALL} == {"", "pymoo", "deap"}
    assert all(installed(one) for one in ALL)


def test_without_a_library_its_contender_stays_away_unless_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.bench.contenders.find_spec", lambda name: None if name == "deap" else name)
    assert "deap-ga" not in [one.name for one in competing()]
    assert len(competing()) == len(ALL) - 2
    with pytest.raises(InputError, match="deap is not installed"):
        competing(["ours", "deap-ga"])


def test_contenders_are_found_by_name_in_the_order_asked_for() -> None:
    assert [one.name for one in find_contenders(["greedy", "ours", "greedy"])] == ["greedy", "ours"]
    assert len(find_contenders()) == len(ALL)
    with pytest.raises(UnknownError, match="Did you mean deap-ga"):
        find_contenders(["deap"])


def test_a_race_is_over_when_its_time_is() -> None:
    now = [0.0]
    race = Race(a_form(3), 2.0, never_enough, clock=lambda: now[0])
    assert not race.over
    now[0] = 2.0
    assert race.over


def test_a_race_reports_only_what_is_better() -> None:
    form = a_form(3)
    squads = all_squads(form.pool)[:2]
    heard = Listener()
    race = Race(form, 1.0, heard)
    race.offer(squads, np.array([1e6, 0.0]))
    race.offer(squads, np.array([5.0, 4.0]))
    assert len(heard.told) == 1


def test_squads_handed_in_differ_in_three_men_and_the_best_comes_first() -> None:
    form = a_form(3)
    squads = all_squads(form.pool)
    race = Race(form, 1.0, never_enough)
    race.offer(squads, np.arange(float(len(squads))))
    answers = race.answers()
    assert np.array_equal(answers[0], squads[-1])
    assert len(answers) > 1
    shared = [len(set(one) & set(two)) for one, two in combinations(answers.tolist(), 2)]
    assert max(shared) <= form.pool.size - APART


def test_a_race_without_a_squad_hands_in_nothing() -> None:
    form = a_form(3)
    assert Race(form, 1.0, never_enough).answers().shape == (0, form.pool.size)
