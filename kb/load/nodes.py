"""YAML text to plain data with positions, under our own scalar rules.

libyaml composes the text to a graph of nodes; nothing is constructed from it. A plain
scalar is a text, a whole number, a decimal, `true`/`false` or nothing. Whatever YAML 1.1
would quietly turn into something else (`010`, `1e3`, `12:30`, `no`) is refused with the
spelling to use, so that no value is ever changed on its way in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, ClassVar

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from kb.characters import HIDDEN, hidden_character
from kb.finding import Finding, Severity
from kb.load.plain import MAX_DEPTH, MAX_NODES, UnusualError, may_hide, plain_data, read_scalar
from kb.source import Part, Place, Position, Route, Span

MAX_MISTAKES = 1_000

_CORE_TAGS = {
    ScalarNode: {
        f"tag:yaml.org,2002:{name}"
        for name in ("str", "int", "float", "bool", "null", "timestamp", "value", "merge")
    },
    MappingNode: {"tag:yaml.org,2002:map"},
    SequenceNode: {"tag:yaml.org,2002:seq"},
}


class Spans(Mapping[Route, Span]):
    """Where each route stands; a span is made only when somebody asks for it."""

    def __init__(self, first_line: int) -> None:
        self._marks: dict[Route, tuple[Any, Any]] = {}
        self._first_line = first_line

    def add(self, route: Route, node: Node) -> None:
        """Remember where the node stands that `route` leads to, but not the node."""
        self._marks[route] = (node.start_mark, node.end_mark)

    def __getitem__(self, route: Route) -> Span:
        return _span(*self._marks[route], self._first_line)

    def __iter__(self) -> Iterator[Route]:
        return iter(self._marks)

    def __len__(self) -> int:
        return len(self._marks)


class LaterSpans(Mapping[Route, Span]):
    """Where each route of a sound text stands, found out when somebody asks for the first time."""

    def __init__(self, find: Callable[[], Mapping[Route, Span]]) -> None:
        self._find = find

    @cached_property
    def _spans(self) -> Mapping[Route, Span]:
        return self._find()

    def __getitem__(self, route: Route) -> Span:
        return self._spans[route]

    def __iter__(self) -> Iterator[Route]:
        return iter(self._spans)

    def __len__(self) -> int:
        return len(self._spans)


def span_of(node: Node, first_line: int) -> Span:
    """Where a node stands in the file whose line `first_line` its text begins on."""
    return _span(node.start_mark, node.end_mark, first_line)


def _span(start: Any, end: Any, first_line: int) -> Span:
    return Span(
        Position(start.line + first_line, start.column + 1),
        Position(end.line + first_line, end.column + 1),
    )


@dataclass
class Composed:
    """What was read from one YAML text."""

    values: Mapping[Route, Span]
    keys: Mapping[Route, Span]
    data: Any = None
    findings: list[Finding] = field(default_factory=list)
    lost: list[Route] = field(default_factory=list)
    """Routes whose value was refused, so that `data` has nothing there."""

    def sound(self, findings: list[Finding]) -> list[Finding]:
        """`findings` without those that only follow from a refused value."""
        return [f for f in findings if not any(f.place.route[: len(r)] == r for r in self.lost)]


def compose(text: str, path: str, first_line: int = 1) -> Composed:
    """Read one YAML document; every mistake in it becomes a finding.

    `first_line` is the line of the file on which `text` begins (front matter begins on
    line 2). With a syntax error, or in a document that is too large, `data` is None.
    """
    try:
        data = plain_data(text)
    except UnusualError:
        return compose_at_once(text, path, first_line)
    return places_later(text, path, first_line, data)


def places_later(text: str, path: str, first_line: int = 1, data: Any = None) -> Composed:
    """What is composed of a text whose data are known, and about which nothing is to be said."""

    @cache
    def composed() -> Composed:
        return compose_at_once(text, path, first_line)

    values = LaterSpans(lambda: composed().values)
    return Composed(values, LaterSpans(lambda: composed().keys), data)


def compose_at_once(text: str, path: str, first_line: int = 1) -> Composed:
    """As `compose`, with all places found out, whether or not anybody asks for one."""
    reader = _Reader(path, first_line)
    reader.hides = may_hide(text)
    try:
        if text.count("!") > MAX_NODES:
            raise OversizedError(MAX_NODES)  # the resolver never sees a node with a tag
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
        finally:
            loader.dispose()
    except OversizedError:
        reader.oversized(Span(Position(first_line, 1), Position(first_line, 1)))
        return reader.result
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = (mark.line, mark.column) if mark is not None else (0, 0)
        reader.syntax(*at, str(error.problem or error.context))
        return reader.result
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reader.syntax(0, 0, str(error).split("\n")[0] or type(error).__name__)
        return reader.result
    if node is not None:
        data = reader.build(node, ())
        reader.result.data = None if reader.full else data
    return reader.result


class OversizedError(Exception):
    """A text with more values than are composed."""


class _Resolver:
    """Gives every plain node its plain tag: our own scalar rules look at the text itself.

    YAML's own resolver tries a dozen patterns on each scalar, for an answer nobody reads.
    """

    _PLAIN: ClassVar[dict[type[Node], str]] = {
        ScalarNode: "tag:yaml.org,2002:str",
        MappingNode: "tag:yaml.org,2002:map",
        SequenceNode: "tag:yaml.org,2002:seq",
    }

    met = 0
    """Nodes so far; keys are nodes too."""

    def resolve(self, kind: type[Node], value: object, implicit: object) -> str:  # noqa: ARG002
        self.met += 1
        if self.met > 2 * MAX_NODES:
            raise OversizedError(MAX_NODES)
        return self._PLAIN[kind]

    def descend_resolver(self, node: object, index: object) -> None:
        """Nothing depends on the path."""

    def ascend_resolver(self) -> None:
        """Nothing depends on the path."""


_BASE: Any = getattr(yaml, "CLoader", yaml.Loader)


class _Loader(_Resolver, _BASE):  # type: ignore[misc]  # libyaml's loader where it is there
    """A loader of which only the composer is used, without YAML's own scalar rules."""


class _Reader:
    def __init__(self, path: str, first_line: int) -> None:
        self.path = path
        self.offset = first_line
        self.values, self.keys = Spans(first_line), Spans(first_line)
        self.result = Composed(self.values, self.keys)
        self.nodes = 0
        self.full = False
        self.hides = True
        """Whether the text may hold a hidden character at all."""
        self.open: set[int] = set()

    def span(self, node: Node) -> Span:
        return span_of(node, self.offset)

    def syntax(self, line: int, column: int, problem: str) -> None:
        at = Position(line + self.offset, column + 1)
        self.add(
            "invalid-yaml",
            f"this is no valid YAML: {problem}",
            Span(at, at),
            "correct the syntax; a text with ': ' or '#' in it needs quotes",
        )

    def add(self, rule: str, message: str, span: Span, remedy: str) -> None:
        place = Place(self.path, (), Part.VALUE, span)
        self.append(Finding(rule, Severity.ERROR, message, place, remedy))

    def append(self, finding: Finding) -> None:
        """Keep a finding; after too many, read no further."""
        self.result.findings.append(finding)
        if len(self.result.findings) == MAX_MISTAKES and not self.full:
            self.full = True
            message = f"the document has {MAX_MISTAKES} mistakes; the rest of it was not read"
            remedy = "correct those above and check again"
            place = finding.place
            self.append(Finding("oversized-document", Severity.ERROR, message, place, remedy))

    def oversized(self, span: Span) -> None:
        self.full = True
        message = "the number of values, aliases or nesting make this document too large"
        limits = f"stay under {MAX_NODES} values and {MAX_DEPTH} levels"
        remedy = f"{limits}, and don't let an alias contain itself"
        self.add("oversized-document", message, span, remedy)

    def build(self, node: Node, route: Route) -> Any:
        self.nodes += 1
        if self.full:
            return None
        if self.nodes > MAX_NODES or len(route) > MAX_DEPTH or id(node) in self.open:
            self.oversized(self.span(node))
            return None
        self.values.add(route, node)
        if node.tag not in _CORE_TAGS.get(type(node), ()):
            self.result.lost.append(route)
            self.add(
                "tagged-value",
                f"the tag {node.tag!r} is not allowed",
                self.span(node),
                "remove the tag and write a plain value",
            )
            return None
        if isinstance(node, ScalarNode):
            return self.scalar(node)
        self.open.add(id(node))
        try:
            if isinstance(node, MappingNode):
                return self.mapping(node, route)
            return [self.build(item, (*route, i)) for i, item in enumerate(node.value)]
        finally:
            self.open.discard(id(node))

    def mapping(self, node: MappingNode, route: Route) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, key_node, value in self.pairs(node):
            if self.full:
                break
            if key in result:
                first = self.keys[(*route, key)].start
                self.add(
                    "duplicate-key",
                    f"{key!r} is written twice; the first is on line {first.line}",
                    self.span(key_node),
                    "keep one of the two",
                )
                continue
            self.keys.add((*route, key), key_node)
            result[key] = self.build(value, (*route, key))
        return result

    def pairs(self, node: MappingNode) -> Iterator[tuple[str, Node, Node]]:
        for key_node, value in node.value:
            if self.full:
                return
            if not isinstance(key_node, ScalarNode):
                message, remedy = "a key must be a plain word", "write a text as key"
            elif not key_node.style and key_node.value == "<<":
                message, remedy = "merge keys ('<<') are not allowed", "write the fields out"
            else:
                yield key_node.value, key_node, value
                continue
            self.add("odd-key", message, self.span(key_node), remedy)

    def scalar(self, node: ScalarNode) -> Any:
        text = node.value
        if self.hides and (bad := HIDDEN.search(text)):
            self.hidden(node, bad[0])
        if node.style:
            return text
        value, odd = read_scalar(text)
        if odd:
            self.add(
                "ambiguous-scalar",
                f"{_short(text)} is read in different ways by different YAML readers",
                self.span(node),
                f"put it in quotes if it is a text: '{_short(text)}'",
            )
        return value

    def hidden(self, node: ScalarNode, character: str) -> None:
        self.append(hidden_character(character, self.path, self.span(node)))


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "…"
