"""From text to tree: what binds closer, what is bounded, what an error says."""

from __future__ import annotations

import pytest

from data.errors import SpecError
from engine.language.parsing import KEYWORDS, MAX_DEPTH, parse_spec
from engine.language.syntax import Expression, Gate, Metric, Name, Number, Parameter, Stop, Weight


def expression_of(text: str) -> Expression:
    metric = parse_spec(f"fitness T {{ metric m = {text} }}", "t.fitness").statements[0]
    assert isinstance(metric, Metric)
    return metric.expression


def tree_of(expression: str) -> str:
    return shown(expression_of(expression))


def shown(expression: Expression) -> str:
    if isinstance(expression, Number):
        return f"{expression.value:g}"
    if isinstance(expression, Name):
        return str(expression)
    return f"({' '.join([expression.symbol, *map(shown, expression.operands)])})"


def refused(text: str) -> str:
    with pytest.raises(SpecError) as caught:
        parse_spec(text, "t.fitness")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1 + 2 * 3", "(+ 1 (* 2 3))"),
        ("1 - 2 - 3", "(- (- 1 2) 3)"),
        ("8 / 4 / 2", "(/ (/ 8 4) 2)"),
        ("(1 + 2) * 3", "(* (+ 1 2) 3)"),
        ("-a * - b", "(* (- a) (- b))"),
        ("a - -b", "(- a (- b))"),
        ("a < b + 1", "(< a (+ b 1))"),
        ("not a == b", "(not (== a b))"),
        ("a or b and not c", "(or a (and b (not c)))"),
        ("a ? b : c ? d : e", "(? a b (? c d e))"),
        ("a ? b ? c : d : e", "(? a (? b c d) e)"),
        ("a > 0 ? 1 : 0", "(? (> a 0) 1 0)"),
        ("max(1, squad.x, k)", "(max 1 squad.x k)"),
        (".5 + 1. + 2e-3 + 1E2", "(+ (+ (+ 0.5 1) 0.002) 100)"),
        ("notes + order + android", "(+ (+ notes order) android)"),
    ],
)
def test_operators_bind_as_in_school(text: str, tree: str) -> None:
    assert tree_of(text) == tree


def test_every_statement_has_its_node() -> None:
    fitness = parse_spec(
        """-- remark
        fitness All {
          parameter k = 1 gate a gate b = 2 metric c = 3
          metric d { per record r: e aggregate: sum transform: value }
          metric f { per tick: g aggregate: avg }
          reward c: k as h terminate when c }""",
        "t.fitness",
    )
    assert [type(one) for one in fitness.statements] == [Parameter, Gate, Gate, Metric, Metric, Metric, Weight, Stop]
    assert fitness.name == "All"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_end_as_any_system_ends_them(newline: str) -> None:
    text = newline.join(["\ufefffitness T { -- remark", "gate a", "  gate ! }"])
    assert refused(text).startswith("t.fitness:3:8: The character '!' has no meaning")


def test_a_megabyte_is_refused_unread() -> None:
    assert "1,000,000 characters; 65,536 are allowed" in refused("(" * 1_000_000)


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 10_000 + "1" + ")" * 10_000,
        "- " * 10_000 + "1",
        "not " * 10_000 + "1",
        "1 + " * 1_000 + "1",
        "abs(" * 10_000 + "1" + ")" * 10_000,
        "a ? b : " * 900 + "c",
        "a ? " * 1_000 + "1" + ": 2" * 1_000,
    ],
)
def test_deep_nesting_is_refused(expression: str) -> None:
    assert "deep" in refused(f"fitness T {{ metric m = {expression} }}")


def test_nesting_up_to_the_limit_is_read() -> None:
    assert tree_of("(" * (MAX_DEPTH - 1) + "1" + ")" * (MAX_DEPTH - 1)) == "1"
    assert "deep" in refused(f"fitness T {{ metric m = {'(' * MAX_DEPTH}1{')' * MAX_DEPTH} }}")


def test_too_many_statements_are_refused() -> None:
    assert "more than 4,000 numbers" in refused("fitness T {" + "reward a: 1 " * 2_001 + "}")


def test_endless_names_and_numbers_are_refused() -> None:
    assert "A name of 61 characters" in refused(f"fitness {'x' * 61} {{ }}")
    assert "A name of 5,001 characters" in refused(f"fitness A {{ maximize raw_xev: m{'9' * 5_000}(1) }}")
    assert "too large" in refused(f"fitness T {{ reward a: {'9' * 5_000} }}")


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_words_of_the_language_are_no_names(word: str) -> None:
    assert f"{word} is a word of the language" in refused(f"fitness T {{ metric {word} = 1 }}")


def test_words_are_not_glued() -> None:
    assert "'maximizeraw' cannot stand here" in refused("fitness T { maximizeraw: 1 }")


def test_the_end_of_the_file_is_pointed_at() -> None:
    assert refused("fitness T {\n  gate a\n\n") == (
        "t.fitness:2:8: The file ends too early. Expected a statement "
        "(parameter, gate, metric, maximize, reward, penalize, terminate) or = or }.\n    gate a\n         ^"
    )
    assert refused("").startswith("t.fitness:1:1: The file ends too early. Expected fitness.")


def test_a_character_that_cannot_be_shown_is_named_by_its_number() -> None:
    assert "The character U+0000 has no meaning" in refused("fitness T { \0 }")
