"""The rule of a decision can't be applied: it mixes units, or names what is not there.

**Why.** "Choose B if it gives more for the money" settles something only if a machine can
apply it again tomorrow. Seconds against dollars, a board against a chip, or an input that
nobody cites give an answer that means nothing.

**Refused**

```yaml decision
options:
  - {id: acme, title: Acme X1, accelerator: acme-x1}
  - {id: bolt, title: Bolt B8, accelerator: bolt-b8}
rule:
  choose: bolt
  when: bandwidth + capacity > 1
  otherwise: acme
  inputs: {bandwidth: bolt-b8/gpu-hbm-bandwidth, capacity: bolt-b8/gpu-hbm-capacity}
```

**Accepted**

```yaml decision
options:
  - {id: acme, title: Acme X1, accelerator: acme-x1}
  - {id: bolt, title: Bolt B8, accelerator: bolt-b8}
rule:
  choose: bolt
  when: bandwidth_bolt >= 1.3 * bandwidth_acme
  otherwise: acme
  inputs:
    bandwidth_bolt: bolt-b8/gpu-hbm-bandwidth
    bandwidth_acme: acme-x1/chip-hbm-bandwidth
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.records.sensitivity import apply
from kb.rules import Problem, rule


@rule(over="decision", needs=("rule",))
def inapplicable_rule(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield what keeps a decision's rule from giving an option."""
    outcome = apply(entry, corpus)
    for fault in outcome.faults if outcome else ():
        yield Problem(
            entry.place.at(*fault.route),
            f"the rule of decision {entry.value.id} can't be applied: {fault.message}",
            fault.remedy,
            label="not applicable",
            within=fault.within,
        )
