"""A sentence takes one trade's word for another's.

**Why.** A TPU Pod is a system of chips and no Kubernetes pod; a CUDA block is a group of
threads and no pod; a B200 has two dies and is one GPU. Who mixes them counts the wrong
things. The guide's page on words that mislead has the list.

**Refused**

```markdown decision
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
---

We give each TPU Pod to a Kubernetes pod of the same size.
```

**Accepted**

```markdown decision
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
---

A TPU Pod is not a Kubernetes pod: the service asks for a slice.
```
"""

import re
from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.finding import Severity
from kb.model.decision import Decision
from kb.rules import Problem, rule
from kb.source import Part, Place, Position, Span

MIXED = (
    (("tpu", "kubernetes"), "pod", "a TPU Pod is a system of chips, no Kubernetes pod"),
    (("cuda", "block"), "pod", "a CUDA block is a group of threads, no pod"),
    (("two", "die"), "gpus", "two dies of one package are one GPU"),
    (("two", "dies"), "gpus", "two dies of one package are one GPU"),
)
"""Words that stand in one sentence, the word they mislead about, and what is so."""

DENIALS = frozenset(("no", "not", "never", "isn't", "aren't", "one"))
"""A sentence with one of these keeps the two apart."""

_WORD = re.compile(r"[A-Za-z']+")
_MISLEADING = re.compile("|".join({word for _, word, _ in MIXED}), re.IGNORECASE)


@rule(over="decision", severity=Severity.NOTE)
def confusable_word(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield sentences of a decision in which the words of two trades are mixed."""
    document = corpus.documents[entry.place.path]
    if not _MISLEADING.search(document.body):
        return
    for number, line in enumerate(document.body.split("\n"), start=document.body_line):
        for sentence in re.finditer(r"[^.;:]+", line):
            yield from _mixed(sentence, number, entry.place.path)


def _mixed(sentence: re.Match[str], number: int, path: str) -> Iterator[Problem]:
    found = {match[0].casefold(): match for match in _WORD.finditer(sentence[0])}
    said = set(found) | {word.removesuffix("s") for word in found}
    if said & DENIALS:
        return
    for marks, word, truth in MIXED:
        if word in said and said.issuperset(marks):
            match = found.get(word) or found[f"{word}s"]
            start = sentence.start() + match.start()
            span = Span(Position(number, start + 1), Position(number, start + 1 + len(match[0])))
            yield Problem(
                Place(path, (), Part.VALUE, span),
                f"'{match[0]}' is taken for something else here: {truth}",
                "say which of the two is meant, as the guide's page on misleading words does",
                label="of which trade?",
            )
            return
