"""A decision says that something is portable and counts none of the three numbers.

**Why.** Source that compiles elsewhere is not performance that carries over. Three numbers
settle it: shares of run time by who wrote the kernels, kernels to rewrite, days of a switch.
Without them, "portable" is a hope. A count that the cited record contradicts is none either.

**Refused**

```markdown decision
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
portability: open
---

With JAX the model is fully portable.
```

**Accepted**

```markdown decision
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
portability: open
---

Whether the model is portable is not counted yet.
```
"""

import re
from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.finding import Label
from kb.model.decision import Decision
from kb.model.share import hand_written
from kb.rules import Problem, rule
from kb.rules.citing import said

CLAIM = re.compile(
    r"\b(?:is|are|stays?|remains?|becomes?|keeps?(?: \w+){1,3}|makes?(?: \w+){1,3})"
    r" (?:\w+ly )?portable\b"
    r"|\b(?:vendor|hardware|accelerator)[- ](?:neutral|agnostic|independent)\b"
    r"|\b(?:no|without|free of|avoids?|ends?|removes?|closes?) (?:any |the |all )?"
    r"(?:vendor )?lock-?in\b"
    r"|\b(?:ports?|moves?|runs?) (?:\w+ )?(?:for free|unchanged|unmodified)\b"
    r"|\bwithout (?:any |a )?(?:rewrites?|rewriting|porting)\b",
    re.IGNORECASE,
)
STEMS = (
    "portable", "neutral", "agnostic", "independent", "lock-in", "lockin", "free", "unchanged",
    "unmodified", "rewrit", "porting",
)  # fmt: skip
"""Every match has one of these."""
DENIED = re.compile(
    r"\b(?:not|nothing|never|neither|nor|cannot|whether|if|unless|until|would|may|might|could"
    r"|hope|claim|claims|claimed)\b|n't\b|\?",
    re.IGNORECASE,
)
"""A sentence with one of these denies it, or leaves it open."""


@rule(over="decision")
def portability_claim_without_numbers(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield sentences that claim portability, and counts that their own record contradicts."""
    portability = entry.value.portability
    if portability is not None and portability.state == "counted":
        yield from _contradicted(entry, corpus)
        return
    for sentence in said(entry, corpus, CLAIM, STEMS):
        claim = CLAIM.search(sentence.plain)
        if claim is not None and not DENIED.search(sentence.plain):
            yield Problem(
                sentence.place(claim.start(), claim.end()),
                f"decision {entry.value.id} says '{' '.join(claim[0].split())}', and its three "
                "numbers of portability are not counted",
                "count them with `kb audit` and write 'portability: {state: counted, …}', or say "
                "what is still open",
                label="counted where?",
            )


def _contradicted(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """A number of kernels that is smaller than what the cited record counts."""
    stated = entry.value.portability.rewrites if entry.value.portability else None
    if stated is None or stated.evidence not in corpus.artefacts:
        return
    found = corpus.artefacts[stated.evidence]
    counted = len(hand_written(found.value))
    if stated.count < counted:
        yield Problem(
            entry.place.at("portability", "rewrites", "count"),
            f"{stated.count} kernels are to be rewritten by this decision, and "
            f"{found.value.id} holds {counted}",
            "take the number from `kb audit`",
            label=f"the record counts {counted}",
            related=(Label(found.place.at("program"), "the compiled program"),),
        )
