"""What a decision relies on: every claim and every evidence record that it cites."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.spans import without_code

_TARGET = re.compile(r"\]\(\s*<?(?P<kind>claim|compare|evidence|result):(?P<rest>[^\s)<>\"']+)")


@functools.lru_cache(maxsize=64)
def cited_in(body: str) -> tuple[tuple[str, str], ...]:
    """The typed citations of a prose outside code, as kind and target."""
    # A prose is asked once for each record that it relies on, one after another.
    found = _TARGET.finditer(without_code(body))
    return tuple((match["kind"], match["rest"]) for match in found)


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
    for refused in decision.refused:
        yield refused.left
        yield refused.right
    yield from decision.evidence
    if decision.bottleneck and decision.bottleneck.evidence:
        yield decision.bottleneck.evidence
    if decision.rule:
        for target in decision.rule.inputs.values():
            if not target.startswith("cost:"):
                yield target.partition("#")[0]
    for kind, rest in cited_in(body):
        sides = rest.split("..") if kind == "compare" else (rest,)
        yield from (side.partition("#")[0] for side in sides)
