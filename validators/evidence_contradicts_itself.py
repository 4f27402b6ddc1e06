"""An evidence record stores a verdict or a summary that the rest of it contradicts.

**Why.** Stored verdicts are never believed: gates, medians and bounds are computed again
from the samples. Where they differ, one of the two was changed, and nobody knows which.

**Refused**

```yaml evidence
measurements: {"0": {median: 0.0001}}
```

**Accepted**

```yaml evidence
command: kb measure run matmul-512-f32 --samples 40
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.evidence import Evidence
from kb.model.gates import disagreements
from kb.rules import Problem, rule


@rule(over="evidence")
def evidence_contradicts_itself(entry: Entry[Evidence], _: Corpus) -> Iterator[Problem]:
    """Yield every stored value that the record itself refutes; the hash has its own rule."""
    for disagreement in disagreements(entry.value):
        if disagreement.route != ("content_hash",):
            yield Problem(
                entry.place.at(*disagreement.route),
                f"{entry.value.id} contradicts itself: {disagreement.message}",
                "restore the file as it was written, or measure again; evidence is never edited",
                label="not what the record gives",
            )
