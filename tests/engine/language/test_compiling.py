"""What a name means where it stands, and every fault found before a squad is scored."""

from __future__ import annotations

import pytest

from data.errors import SpecError
from engine.language.compiling import FEASIBILITY, TERM_ORDER, compile_spec
from engine.language.parsing import parse_spec
from tests.cases.objectives.spec_cases import WORDS, a_spec


def refused(body: str) -> str:
    with pytest.raises(SpecError) as caught:
        a_spec(body)
    return str(caught.value).split("\n")[0]


def test_the_same_name_twice_is_refused() -> None:
    assert "k is declared twice, first in line 2" in refused("parameter k = 1\nmetric k = 2\nmaximize k: 1")
    assert "feasible is declared twice, first in line 2" in refused("gate feasible\ngate feasible = 2")


def test_a_gate_may_share_its_name_with_a_metric() -> None:
    assert a_spec("gate price = 2 metric price = squad.price maximize price: 1").terms == (FEASIBILITY, "price")


@pytest.mark.parametrize("name", ["value", "dt"])
def test_words_with_a_meaning_of_their_own_are_no_names(name: str) -> None:
    assert "meaning of its own" in refused(f"parameter {name} = 1")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("metric a = dt maximize a: 1", "Unknown name dt"),
        ("metric a { per record starter: dt aggregate: sum } maximize a: 1", "Unknown name dt"),
        ("metric a { per tick: value aggregate: sum } maximize a: 1", "Unknown name value"),
        ("metric a { per tick: xev aggregate: sum } maximize a: 1", "written squad.xev"),
        ("metric a = starter.xev maximize a: 1", "starter.xev cannot be read here"),
        ("metric a = xev maximize a: 1", "Unknown name xev"),
        ("metric a = squad.price gate g = a maximize a: 1", "Unknown name a"),
        ("metric a = a maximize a: 1", "Unknown name a"),
        ("metric a = squad.price maximize a: 1 terminate when a", "Unknown name a"),
        ("maximize price: price", "Unknown name price"),
        ("maximize price: engine.nodes", "Only numbers and parameters can"),
        ("maximize world.lenght: 1", "Did you mean length?"),
        ("maximize engine.stall: 1", "Did you mean stalled?"),
        ("terminate when squad.price > 1 maximize price: 1", "round by round"),
        ("parameter k = squad.price maximize price: k", "cannot be read here"),
        ("parameter k = 1 / 0 maximize price: k", "Division by zero"),
        ("metric a = price(1) maximize a: 1", "Unknown function price"),
    ],
)
def test_a_name_counts_only_where_it_means_something(body: str, words: str) -> None:
    assert words in refused(body)


def test_a_field_hides_a_parameter_and_a_metric_of_its_name() -> None:
    program = compile_spec(
        parse_spec(
            "fitness T { parameter eo = 9 metric xev = 9 metric m { per record starter: eo * xev aggregate: sum } "
            "maximize m: 1 }",
            "t.fitness",
        ),
        WORDS,
    )
    assert [metric.record for metric in program.metrics] == ["", "starter"]


def test_a_parameter_may_be_declared_below_its_use() -> None:
    assert dict(a_spec("maximize price: k parameter k = 3").parameters) == {"k": 3.0}


def test_terms_stand_in_reading_order_with_the_feasibility_always_there() -> None:
    body = " ".join(f"penalize price: 1 as {term}" for term in ("zeta", *reversed(TERM_ORDER)) if term != FEASIBILITY)
    assert a_spec(body).terms == (*TERM_ORDER, "zeta")


def test_squad_state_names_its_term_without_its_space_and_built_ins_with_it() -> None:
    body = "maximize squad.price: 1 maximize agent.variance: 1 penalize engine.nodes: 1 reward world.round: 1"
    assert a_spec(body).terms == (FEASIBILITY, "price", "variance", "engine.nodes", "world.round")


def test_only_figures_of_the_search_end_it() -> None:
    def stops(condition: str) -> tuple[int, int]:
        program = a_spec(f"parameter k = 1 maximize price: 1 terminate when {condition}").program
        return len(program.search_stops), len(program.squad_stops)

    assert stops("engine.stalled > k and engine.generation > 3") == (1, 0)
    assert stops("engine.stalled > 3 and squad.xev > 2") == (0, 1)
    assert stops("engine.complexity > 3") == (0, 1)
    assert stops("world.round > 3") == (0, 1)
    assert stops("1") == (0, 1)


def test_a_weight_names_a_metric_once_however_often() -> None:
    program = a_spec("maximize price: 1 penalize price: 2 reward squad.price: 3 reward agent.price: 4").program
    assert [metric.name for metric in program.metrics] == ["price", "squad.price"]
