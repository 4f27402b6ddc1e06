"""A hypothesis does not say what has to be measured next.

**Why.** A decision without sufficient evidence is honest as a hypothesis. It stays one for
ever unless the record names the measurement that would confirm or refute it.

**Refused**

```yaml decision
status: hypothesis
question: Does the forecast fit one accelerator?
```

**Accepted**

```yaml decision
status: hypothesis
question: Does the forecast fit one accelerator?
next_measurement: Peak memory of one training step on Acme X1.
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.records.placeholders import answered
from kb.rules import Problem, rule


@rule(over="decision")
def hypothesis_without_next_measurement(entry: Entry[Decision], _: Corpus) -> Iterator[Problem]:
    """Yield hypotheses that name no measurement."""
    decision = entry.value
    if decision.status == "hypothesis" and not answered(
        "next_measurement", decision.next_measurement
    ):
        yield Problem(
            entry.place.at("next_measurement" if decision.next_measurement else "status"),
            f"decision {decision.id} is a hypothesis and names no next measurement",
            "write 'next_measurement: …' with workload, product and what would be seen",
            label="until when?",
        )
