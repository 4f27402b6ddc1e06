"""What a decision relies on: every claim and every evidence record that it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision

_FENCE = re.compile(
    r"^(?P<mark>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^(?P=mark)[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_TICKS = re.compile(r"`+")
_TARGET = re.compile(r"\]\(\s*<?(?P<kind>claim|compare|evidence):(?P<rest>[^\s)<>\"']+)")


def cited_in(body: str) -> Iterator[tuple[str, str]]:
    """The typed citations of a prose outside code, as kind and target."""
    bare = _without_code(_FENCE.sub("", body))
    for match in _TARGET.finditer(bare):
        yield match["kind"], match["rest"]


def _without_code(text: str) -> str:
    """Leave code spans out: a run of backticks ends at the next run of the same length."""
    ticks = list(_TICKS.finditer(text))
    closing: dict[int, re.Match[str]] = {}
    ends: list[int] = []
    for match in reversed(ticks):
        after = closing.get(len(match[0]))
        ends.append(after.end() if after else -1)
        closing[len(match[0])] = match
    parts, done = [], 0
    for match, end in zip(ticks, reversed(ends), strict=True):
        if match.start() >= done and end >= 0:
            parts.append(text[done : match.start()])
            done = end
    return "".join([*parts, text[done:]])


def body_of(entry: Entry[Decision], corpus: Corpus) -> str:
    """The prose of a decision."""
    document = corpus.documents.get(entry.place.path)
    return document.body if document else ""


def relied_on(entry: Entry[Decision], corpus: Corpus) -> tuple[str, ...]:
    """Ids of claims and evidence records, each once, in the order in which they are cited."""
    return tuple(dict.fromkeys(_relied_on(entry.value, body_of(entry, corpus))))


def _relied_on(decision: Decision, body: str) -> Iterator[str]:
    for comparison in decision.comparisons:
        yield comparison.left
        yield comparison.right
        yield from (name.partition("#")[0] for name in comparison.assessments)
    yield from decision.evidence
    if decision.bottleneck and decision.bottleneck.evidence:
        yield decision.bottleneck.evidence
    if decision.rule:
        for target in decision.rule.inputs.values():
            if not target.startswith("cost:"):
                yield target.partition("#")[0]
    for kind, rest in cited_in(body):
        yield from rest.split("..") if kind == "compare" else (rest.partition("#")[0],)
