"""From the text of a fitness spec to its tree, within bounds, or an error that points at the place.

Lark's LALR parser and its non-recursive transformer keep their own stacks, so no text can exhaust Python's.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cache
from typing import Any, cast

from lark import Lark, Token, Transformer_NonRecursive, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken, VisitError

from data.errors import SpecError, nearest_meant
from engine.language.syntax import (
    Expression,
    Fitness,
    Gate,
    Metric,
    Name,
    Number,
    Operation,
    Parameter,
    SpecSource,
    Spot,
    Statement,
    Stop,
    Verb,
    Weight,
)

MAX_CHARACTERS = 65_536  # the longest shipped spec is under 3,000
MAX_DEPTH = 100  # levels of an expression: well inside Python's own limit of 1,000 calls
MAX_NODES = 4_000  # numbers, names and operations of a spec: bounds the time of an evaluation
MAX_NAME = 60
MAX_NUMBER = 1e12  # written, set or scored: squads score hundreds, and above it tenths of a point are lost

GRAMMAR = r"""
start: "fitness" NAME "{" (parameter | gate | metric | weight | stop)* "}"

parameter: "parameter" NAME "=" expression
gate: "gate" NAME ["=" expression]
metric: "metric" NAME "=" expression
      | "metric" NAME "{" "per" (record | tick) ":" expression aggregate [transform] "}" -> block_metric
?record: "record" bare
tick: "tick"
?aggregate: "aggregate" ":" bare
?transform: "transform" ":" expression
weight: VERB name ":" expression ["as" bare]
stop: "terminate" "when" expression

?expression: either
           | either QUESTION expression ":" expression -> infix
?either: both | either OR both -> infix
?both: denial | both AND denial -> infix
?denial: comparison | NOT denial -> call
?comparison: sum | sum COMPARE sum -> infix
?sum: product | sum (PLUS | MINUS) product -> infix
?product: signed | product (TIMES | OVER) signed -> infix
?signed: atom | MINUS signed -> call
?atom: number | name | call | "(" expression ")" -> group
number: NUMBER
name: NAME ["." NAME]
bare: NAME -> name
call: NAME "(" expression ("," expression)* ")"

VERB.2: /(maximize|reward|penalize)\b/
OR: "or"
AND: "and"
NOT: "not"
QUESTION: "?"
PLUS: "+"
MINUS: "-"
TIMES: "*"
OVER: "/"
COMPARE: /[<>]=?|[=!]=/
NUMBER: /([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?/
NAME: /[A-Za-z][A-Za-z0-9_]*/
COMMENT.2: /--[^\n]*/
BLANK: /[ \t\n]+/
%ignore COMMENT
%ignore BLANK
"""

STATEMENTS = ("parameter", "gate", "metric", "maximize", "reward", "penalize", "terminate")
KEYWORDS = frozenset(
    {*STATEMENTS, "fitness", "per", "record", "tick", "aggregate", "transform", "as", "when", "and", "or", "not"}
)
"""Words that cannot be names."""

_FAMILIES = (
    (("NUMBER", "NAME", "MINUS", "NOT", "LPAR"), "an expression"),
    (("PLUS", "MINUS", "TIMES", "OVER", "COMPARE", "AND", "OR", "QUESTION"), "an operator"),
    (("GATE", "PARAMETER", "METRIC", "VERB", "TERMINATE"), f"a statement ({', '.join(STATEMENTS)})"),
)
_TOKEN_WORDS = {
    "LBRACE": "{", "RBRACE": "}", "LPAR": "(", "RPAR": ")", "COLON": ":", "EQUAL": "=", "COMMA": ",", "DOT": ".",
    "NAME": "a name", "$END": "the end of the file",
}  # fmt: skip


def parse_spec(text: str, file: str) -> Fitness:
    """Return the tree of a spec; whatever the text, the only exception is a `SpecError`."""
    source = SpecSource(file, text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    if len(source.text) > MAX_CHARACTERS:
        raise source.spot_at(MAX_CHARACTERS).error(
            f"The spec has {len(source.text):,} characters; {MAX_CHARACTERS:,} are allowed. Shorten it."
        )
    try:
        return cast(Fitness, _Builder(source).transform(_parser().parse(source.text)))
    except UnexpectedInput as unexpected:
        raise _syntax_error(source, unexpected) from None
    except VisitError as visit:
        raise visit.orig_exc from None


@cache
def _parser() -> Lark:
    # The basic lexer reserves keywords everywhere; the contextual one would read `maximizeraw_xev` as two words.
    return Lark(GRAMMAR, parser="lalr", lexer="basic")


@v_args(inline=True)
class _Builder(Transformer_NonRecursive[Token, Any]):
    """Makes our tree of Lark's, innermost first."""

    def __init__(self, source: SpecSource) -> None:
        super().__init__()
        self._source = source
        self._nodes = 0

    def start(self, name: Token, *statements: Statement) -> Fitness:
        """Make the whole spec."""
        return Fitness(self._spot(name), self._named(name), statements)

    def parameter(self, name: Token, default: Expression) -> Parameter:
        """Make a parameter."""
        return Parameter(self._spot(name), self._named(name), default)

    def gate(self, name: Token, expression: Expression | None) -> Gate:
        """Make a gate."""
        return Gate(self._spot(name), self._named(name), expression)

    def metric(self, name: Token, expression: Expression) -> Metric:
        """Make a simple metric."""
        return Metric(self._spot(name), self._named(name), expression)

    def block_metric(
        self, name: Token, record: Name | None, expression: Expression, aggregate: Name, transform: Expression | None
    ) -> Metric:
        """Make a metric per record or per tick."""
        return Metric(self._spot(name), self._named(name), expression, aggregate, record, transform)

    def tick(self) -> None:
        """Name no kind of records."""

    def weight(self, verb: Token, metric: Name, weight: Expression, term: Name | None) -> Weight:
        """Make a weight line."""
        return Weight(self._spot(verb), cast(Verb, str(verb)), metric, weight, term)

    def stop(self, condition: Expression) -> Stop:
        """Make a termination."""
        return Stop(condition.spot, condition)

    def infix(self, first: Expression, symbol: Token, *others: Expression) -> Operation:
        """Make an operation written between its operands."""
        return self.call(symbol, first, *others)

    def call(self, symbol: Token, *operands: Expression) -> Operation:
        """Make a function applied to its arguments, or an operation written before its operand."""
        spot = self._counted(self._spot(symbol))
        depth = self._level(spot, 1 + max(operand.depth for operand in operands))
        return Operation(spot, self._named(symbol), operands, depth)

    def group(self, inner: Expression) -> Expression:
        """Count parentheses as a level, though they leave nothing in the tree."""
        return replace(inner, depth=self._level(inner.spot, inner.depth + 1))

    def number(self, written: Token) -> Number:
        """Read a number."""
        value, spot = float(written), self._spot(written)
        if value > MAX_NUMBER:
            raise spot.error(f"This number is too large to compute with; {MAX_NUMBER:g} is the most.")
        return Number(self._counted(spot), value)

    def name(self, first: Token, second: Token | None = None) -> Name:
        """Read a name, with or without its space."""
        spot = self._counted(self._spot(first))
        if second is None:
            return Name(spot, "", self._named(first))
        width = int(second.column or 1) + len(second) - spot.column if second.line == first.line else len(first)
        return Name(replace(spot, width=width), self._named(first), self._named(second))

    def _spot(self, token: Token) -> Spot:
        return Spot(self._source, token.line or 1, token.column or 1, len(token))

    def _named(self, token: Token) -> str:
        if len(token) > MAX_NAME:
            raise self._spot(token).error(f"A name of {len(token):,} characters; {MAX_NAME} are allowed.")
        return str(token)

    def _level(self, spot: Spot, depth: int) -> int:
        if depth > MAX_DEPTH:
            raise spot.error(f"The expression is nested more than {MAX_DEPTH} deep. Split it into several metrics.")
        return depth

    def _counted(self, spot: Spot) -> Spot:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise spot.error(f"The spec has more than {MAX_NODES:,} numbers, names and operations. Shorten it.")
        return spot


def _syntax_error(source: SpecSource, unexpected: UnexpectedInput) -> SpecError:
    if isinstance(unexpected, UnexpectedCharacters):
        return _character_error(Spot(source, unexpected.line, unexpected.column))
    assert isinstance(unexpected, UnexpectedToken)
    expected = _expected_words(unexpected.accepts or unexpected.expected)
    if unexpected.token.type == "$END":
        end = source.spot_at(len(source.text.rstrip()) - 1)
        return end.error(f"The file ends too early. Expected {expected}.")
    token = unexpected.token
    spot = Spot(source, token.line or 1, token.column or 1, len(token))
    return spot.error(f"'{token[:MAX_NAME]}' cannot stand here. Expected {expected}.{_hint(token, unexpected.accepts)}")


def _character_error(spot: Spot) -> SpecError:
    character = spot.source.line(spot.line)[spot.column - 1]
    shown = f"'{character}'" if character.isprintable() else f"U+{ord(character):04X}"
    hint = " A name begins with a letter." if character == "_" else ""
    return spot.error(f"The character {shown} has no meaning in a spec.{hint}")


def _expected_words(tokens: Collection[str]) -> str:
    """Name what could stand here, a whole family by one word when its first member could."""
    left, words = set(tokens), []
    for family, word in _FAMILIES:
        if family[0] in left:
            words.append(word)
            left -= set(family)
    words += sorted(_TOKEN_WORDS.get(token, token.lower()) for token in left)
    return " or ".join(words)


def _hint(token: Token, accepted: Collection[str]) -> str:
    if token in KEYWORDS:
        return f" {token} is a word of the language and cannot be a name." if "NAME" in accepted else ""
    words = [word for word in KEYWORDS if word.upper() in accepted or ("VERB" in accepted and word in STATEMENTS)]
    near = nearest_meant(token[:MAX_NAME], words)
    return f" {near}" if near else ""
