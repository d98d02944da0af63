"""Every contender keeps to the rules of the race: legal answers, honest values, an end in time, the same luck."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from data.errors import InputError, UnknownError
from engine.bench.contenders import APART, Contender, Race, competing, find_contenders
from engine.proof.bound import settled_value
from engine.rules.legality import legal
from tests.cases.objectives.form_cases import a_form, all_squads, best_value

ALL = find_contenders()


def each(contenders: Sequence[Contender]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("contender", contenders, ids=[one.name for one in contenders])


everybody = each(ALL)
searching = each([one for one in ALL if one.name not in {"greedy", "pulp-linear"}])


class Listener:
    """Writes down every new best, and has enough at a value or after so many of them."""

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
    said = {one.name: one.configuration for one in ALL}
    assert all(len(words) > 20 for words in said.values())
    for library in ("pymoo-ga", "deap-ga"):
        assert "drawn blindly, repair greedily" in said[library]
        assert "all elevens tried" in said[library]
        assert "drawn by worth (heat 1 points), repair by least loss" in said[f"{library}-lent"]


@everybody
def test_answers_are_legal_and_different_and_every_report_is_true_and_better(contender: Contender) -> None:
    form, heard = a_form(3, players=40), Listener()
    answers = contender.solve(form, np.random.default_rng(0), 0.15, heard)
    assert legal(answers, form.pool).all()
    assert len({tuple(sorted(squad)) for squad in answers.tolist()}) == len(answers)
    worth = [settled_value(form, squad) for squad in answers]
    assert worth[0] == pytest.approx(heard.told[-1][1])
    assert worth[0] >= max(worth) - 1e-9
    seconds, values, squads = zip(*heard.told, strict=True)
    assert list(seconds) == sorted(seconds)
    assert list(values) == sorted(set(values))
    assert values == pytest.approx([settled_value(form, np.array(squad)) for squad in squads])


@searching
def test_a_search_finds_the_best_squad_of_a_small_pool_and_stops_there(contender: Contender) -> None:
    form = a_form(11)
    best = best_value(form, all_squads(form.pool))
    heard = Listener(enough=best - 1e-6)
    contender.solve(form, np.random.default_rng(2), 20.0, heard)
    assert heard.told[-1][1] == pytest.approx(best)
    assert heard.told[-1][0] < 20.0


@searching
def test_the_same_seed_goes_the_same_way_whatever_the_global_generators_do(contender: Contender) -> None:
    form, ways = a_form(7, players=60), []
    for disturbed in (1, 99):
        random.seed(disturbed)
        np.random.seed(disturbed)
        heard = Listener(most=3)
        contender.solve(form, np.random.default_rng(4), 0.3, heard)
        ways.append([told[1:] for told in heard.told])
        assert random.random() == random.Random(disturbed).random()  # a library's own draws leave no trace
    both = min(map(len, ways))  # a busy machine may end one of them earlier
    assert both
    assert ways[0][:both] == ways[1][:both]


@each(find_contenders(["pymoo-ga", "deap-ga"]))
def test_a_missing_library_is_a_sentence_with_a_way_out(contender: Contender, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr("engine.bench.contenders.import_module", missing)
    with pytest.raises(InputError, match=rf"{contender.library} is not installed.*thetaxi\[peers\]"):
        contender.solve(a_form(3), np.random.default_rng(0), 0.1, Listener())


def test_without_a_library_its_contender_stays_away_unless_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert competing() == ALL
    monkeypatch.setattr("engine.bench.contenders.find_spec", lambda name: None if name == "deap" else name)
    assert {one.name for one in ALL} - {one.name for one in competing()} == {"deap-ga", "deap-ga-lent"}
    with pytest.raises(InputError, match="deap is not installed"):
        competing(["ours", "deap-ga"])


def test_contenders_are_found_by_name_in_the_order_asked_for() -> None:
    assert [one.name for one in find_contenders(["greedy", "ours", "greedy"])] == ["greedy", "ours"]
    with pytest.raises(UnknownError, match="Did you mean deap-ga"):
        find_contenders(["deap"])


def test_a_race_is_over_when_its_time_is() -> None:
    now = [0.0]
    race = Race(a_form(3), 2.0, Listener(), clock=lambda: now[0])
    assert not race.over
    now[0] = 2.0
    assert race.over


def test_a_race_reports_only_what_is_better() -> None:
    form, heard = a_form(3), Listener()
    squads, race = all_squads(form.pool)[:2], Race(form, 1.0, heard)
    for values in ([1e6, 0.0], [5.0, 4.0]):
        race.offer(squads, np.array(values))
    assert len(heard.told) == 1


def test_squads_handed_in_differ_in_three_men_and_the_best_comes_first() -> None:
    form = a_form(3)
    squads, race = all_squads(form.pool), Race(form, 1.0, Listener())
    assert race.answers().shape == (0, form.pool.size)
    race.offer(squads, np.arange(float(len(squads))))
    answers = race.answers()
    assert np.array_equal(answers[0], squads[-1])
    assert len(answers) > 1
    shared = [len(set(one) & set(two)) for one, two in combinations(answers.tolist(), 2)]
    assert max(shared) <= form.pool.size - APART
