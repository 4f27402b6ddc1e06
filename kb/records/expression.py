"""Typed expressions over named quantities: `rate_b / price_b >= 1.3 * rate_a / price_a`.

A small grammar of its own: names, numbers (with a unit in brackets: `20 [ms]`), `+ - * /`,
parentheses, comparisons, `and` and `or`. Every part has a dimension, and seconds are never
added to dollars. Values are exact fractions. Nothing is ever handed to Python's `eval`.
`kb.records.evaluate` says what an expression comes to.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from kb.records.dimension import PLAIN, ExpressionError, Value, dimension_of
from kb.units import ambiguous, labels, suggest

MAX_LENGTH = 400
MAX_DEPTH = 40

_KINDS: tuple[Literal["number", "name", "unit", "op"], ...] = ("number", "name", "unit", "op")

_TOKEN = re.compile(
    r"(?P<blank>\s+)|(?P<number>\d+(?:\.\d+)?)|(?P<name>[a-z][a-z0-9_]*)"
    r"|\[(?P<unit>[^\[\]]*)\]|(?P<op>>=|<=|>|<|[-+*/()])"
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word of an expression."""

    kind: Literal["number", "name", "unit", "op", "end"]
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Constant:
    """A number that is written out."""

    value: Value
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Name:
    """An input."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`+ - * /` of two parts."""

    op: str
    left: Part
    right: Part
    start: int
    end: int


Part = Constant | Name | Arithmetic


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two parts of one dimension, and how they have to stand to each other."""

    op: str
    left: Part
    right: Part
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Expression:
    """Alternatives (`or`), each a list of comparisons that all have to hold (`and`)."""

    text: str
    ways: tuple[tuple[Comparison, ...], ...]

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Every comparison, in the order of the text."""
        return tuple(item for way in self.ways for item in way)

    @property
    def names(self) -> tuple[str, ...]:
        """Every input that is named, each once."""
        found: dict[str, None] = {}
        queue: list[Part] = [p for c in self.comparisons for p in (c.left, c.right)]
        while queue:
            part = queue.pop(0)
            if isinstance(part, Name):
                found[part.name] = None
            elif isinstance(part, Arithmetic):
                queue = [part.left, part.right, *queue]
        return tuple(found)


def parse(text: str) -> Expression:
    """Read an expression; raises `ExpressionError` with the place and what to write."""
    if len(text) > MAX_LENGTH:
        message = f"the rule has {len(text)} characters"
        raise ExpressionError(message, f"write at most {MAX_LENGTH}", 0, len(text))
    reader = _Reader(_tokens(text))
    ways = [reader.every()]
    while reader.takes("name", "or"):
        ways.append(reader.every())
    reader.expect_end()
    return Expression(text, tuple(ways))


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            message = f"{text[at]!r} has no meaning here"
            remedy = "use names, numbers, [units], + - * / ( ) and one of >= <= > <"
            raise ExpressionError(message, remedy, at, at + 1)
        found += [
            Token(kind, match[kind], at, match.end()) for kind in _KINDS if match[kind] is not None
        ]
        at = match.end()
    return [*found, Token("end", "the end", at, at)]


class _Reader:
    """A descent through the grammar, one token ahead."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def takes(self, kind: str, *texts: str) -> Token | None:
        token = self.next
        if token.kind != kind or (texts and token.text not in texts):
            return None
        self.at += 1
        return token

    def expect_end(self) -> None:
        if self.next.kind != "end":
            raise self.refusal("'and', 'or' or the end")

    def refusal(self, wanted: str) -> ExpressionError:
        token = self.next
        message = f"{wanted} is expected before {token.text!r}"
        return ExpressionError(message, f"write {wanted} here", token.start, max(token.end, 1))

    def every(self) -> tuple[Comparison, ...]:
        found = [self.comparison()]
        while self.takes("name", "and"):
            found.append(self.comparison())
        return tuple(found)

    def comparison(self) -> Comparison:
        start = self.next.start
        left = self.sum()
        op = self.takes("op", ">=", "<=", ">", "<")
        if op is None:
            raise self.refusal("one of >= <= > <")
        right = self.sum()
        return Comparison(op.text, left, right, start, self.tokens[self.at - 1].end)

    def sum(self) -> Part:
        return self.chain(self.product, "+", "-")

    def product(self) -> Part:
        return self.chain(self.atom, "*", "/")

    def chain(self, inner: Callable[[], Part], *ops: str) -> Part:
        start = self.next.start
        left = inner()
        while op := self.takes("op", *ops):
            right = inner()
            left = Arithmetic(op.text, left, right, start, self.tokens[self.at - 1].end)
        return left

    def atom(self) -> Part:
        if number := self.takes("number"):
            return self.constant(number)
        name = self.next
        if name.text not in ("and", "or") and self.takes("name"):
            return Name(name.text, name.start, name.end)
        if not self.takes("op", "("):
            raise self.refusal("a name, a number or '('")
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.refusal("an end of the nesting")
        inside = self.sum()
        self.depth -= 1
        if not self.takes("op", ")"):
            raise self.refusal("')'")
        return inside

    def constant(self, number: Token) -> Constant:
        plain = Fraction(number.text)
        token = self.takes("unit")
        if token is None:
            return Constant(Value(plain, PLAIN), number.start, number.end)
        label = token.text.strip()
        unit = labels().get(label)
        if unit is None or not label:
            near = ambiguous().get(label, suggest(label))
            remedy = f"did you mean {' or '.join(near)}?" if near else "see `kb list units`"
            message = f"'{label}' is no unit of the vocabulary"
            raise ExpressionError(message, remedy, token.start, token.end)
        value = Value(plain * unit.factor, dimension_of(unit.dimension))
        return Constant(value, number.start, token.end)
