"""The rule of a decision no longer gives the option that was chosen.

**Why.** A record that states its rule can be asked again with today's figures. When the
answer is another option, the decision or the rule is out of date.

**Refused**

```yaml decision
options:
  - {id: acme, title: Acme X1, accelerator: acme-x1}
  - {id: bolt, title: Bolt B8, accelerator: bolt-b8}
chosen: acme
rule:
  choose: bolt
  when: bandwidth_bolt >= 1.3 * bandwidth_acme
  otherwise: acme
  inputs:
    bandwidth_bolt: bolt-b8/gpu-hbm-bandwidth
    bandwidth_acme: acme-x1/chip-hbm-bandwidth
```

**Accepted**

```yaml decision
options:
  - {id: acme, title: Acme X1, accelerator: acme-x1}
  - {id: bolt, title: Bolt B8, accelerator: bolt-b8}
chosen: bolt
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
def rule_gives_another_option(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield decisions whose rule and choice differ on the values that are cited now."""
    decision, outcome = entry.value, apply(entry, corpus)
    if outcome is None or outcome.option is None or decision.chosen in (None, outcome.option):
        return
    inputs = "; ".join(f"{point.input.name} {point.text()}" for point in outcome.break_evens)
    yield Problem(
        entry.place.at("chosen"),
        f"decision {decision.id} chose {decision.chosen}, and its rule gives {outcome.option} "
        f"({inputs})",
        f"look at it again: write 'chosen: {outcome.option}' while it is open, or "
        f"kb supersede {decision.id} <new id>",
        label=f"the rule gives {outcome.option}",
    )
