"""A record of a program that never ran is cited for a time, a speed or a share of run time.

**Why.** A compiler says which kernels, collectives and buffers it would use. How long they
take it doesn't know, and on a GPU it leaves the choice among products of matrices to a
device. Speed needs a record that was executed.

**Refused**

```yaml artefact
id: matmul-bolt-b8-8-1
```

```yaml decision
evidence: [matmul-bolt-b8-8-1]
bottleneck: {boundary: warm_host, observed: arithmetic, evidence: matmul-bolt-b8-8-1}
```

**Accepted**

```yaml artefact
id: matmul-bolt-b8-8-1
```

```yaml decision
evidence: [matmul-bolt-b8-8-1, matmul-acme-x1-1]
bottleneck: {boundary: warm_host, observed: arithmetic, evidence: matmul-acme-x1-1}
```
"""

import re
from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.finding import Label
from kb.model.decision import Decision
from kb.model.share import GROUPS, shares
from kb.rules import Problem, rule
from kb.rules.citing import Said, citation_problems, said

SPEED = re.compile(
    r"\b(?:faster|fastest|slower|slowest|quicker|quickest|speed-?ups?|sped up|outperforms?"
    r"|outruns?|as fast as|wins|winner)\b",
    re.IGNORECASE,
)
STEMS = ("fast", "slow", "quick", "speed", "sped", "outperform", "outrun", "wins", "winner")
"""Every match has one of these."""
DENIED = re.compile(
    r"\b(?:no|not|nothing|never|neither|nor|without|none|cannot|whether|if|unless|until|would"
    r"|which|who)\b|n't\b|\?",
    re.IGNORECASE,
)
"""A sentence with one of these says that speed is open, or asks."""

REMEDY = "cite a record that was executed on the product, or leave the speed open"


@rule(over="decision")
def compiled_evidence_cited_for_speed(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield what decisions draw from compiled records that only a run could show."""
    yield from citation_problems(entry, corpus, "compiled-evidence-cited-for-speed", "nothing ran")
    yield from _fields(entry, corpus)
    for sentence in said(entry, corpus, SPEED, STEMS):
        yield from _sentence(sentence, corpus)


def _fields(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    decision = entry.value
    seen = decision.bottleneck
    if seen is not None and seen.evidence and seen.evidence in corpus.artefacts:
        yield Problem(
            entry.place.at("bottleneck", "evidence"),
            f"{seen.evidence} was compiled and never ran, so no {seen.boundary.replace('_', ' ')} "
            "interval was observed in it",
            REMEDY,
            label="nothing ran",
            related=_class_of(seen.evidence, corpus),
        )
    counted = decision.portability.shares if decision.portability else None
    if counted is None or counted.evidence not in corpus.artefacts:
        return
    record = corpus.artefacts[counted.evidence].value
    if all(low == high for low, high in (shares(record, group) for group in GROUPS)):
        yield Problem(
            entry.place.at("portability", "shares", "evidence"),
            f"shares of run time are taken from {record.id}, which was compiled and never ran",
            "give a profile to `kb audit RECORD --profile FILE`, or leave portability open",
            label="no run time in it",
            related=_class_of(record.id, corpus),
        )


def _sentence(sentence: Said, corpus: Corpus) -> Iterator[Problem]:
    cited = [target for target in sentence.targets if target in corpus.artefacts]
    ran = any(target in corpus.evidence for target in sentence.targets)
    word = SPEED.search(sentence.plain)
    if not cited or ran or word is None or DENIED.search(sentence.plain):
        return
    yield Problem(
        sentence.place(word.start(), word.end()),
        f"'{word[0]}' is said of {cited[0]}, which was compiled and never ran",
        REMEDY,
        label="nothing ran",
        related=_class_of(cited[0], corpus),
    )


def _class_of(name: str, corpus: Corpus) -> tuple[Label, ...]:
    return (Label(corpus.artefacts[name].place.at("evidence_class"), "the class of the record"),)
