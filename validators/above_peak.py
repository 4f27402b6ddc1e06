"""A decision cites a rate that is faster than the hardware can be.

**Why.** A measured rate above the product's dense peak is no fast program: it was not synchronised,
its operations are miscounted, or its zeros were counted as work. A product without a peak to
hold against the rate is refused too.

**Refused**

```yaml evidence
ceiling: {flops_per_second: 1000000000.0}
```

```yaml decision
evidence: [matmul-acme-x1-1]
```

**Accepted**

```yaml decision
evidence: [matmul-acme-x1-1]
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.model.evidence import GateName
from kb.rules import Problem, missed_gates, rule


@rule(over="decision", needs=("evidence",))
def above_peak(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield cited records whose rate is above the dense peak, or has none to be held against."""
    yield from missed_gates(
        entry,
        corpus,
        GateName.PHYSICALLY_POSSIBLE,
        field="ceiling",
        label="not possible",
        remedy="look for a missing wait or a wrong count of operations and measure again",
    )
