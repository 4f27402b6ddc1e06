"""An accepted decision has no evidence that speaks for one of its options.

**Why.** Acceptance says that something was measured on what will be used. A run on a CPU,
a compilation, or a run on a third product shows nothing about the options; without
evidence the honest status is `hypothesis`.

**Refused**

```yaml decision
status: accepted
options:
  - {id: bolt, title: JAX on Bolt B8, framework: JAX, accelerator: bolt-b8}
evidence: [matmul-acme-x1-1]
```

**Accepted**

```yaml decision
status: accepted
decision-makers: [Ada]
approvals: [{by: Ada, date: 2026-11-30}]
seal: "5aac8d9ca48c1434e1ee97f3460ef3476c6e03bde75f1b1d85ca0a82228b784d"
options:
  - {id: acme, title: JAX on Acme X1, framework: JAX, accelerator: acme-x1}
  - {id: bolt, title: JAX on Bolt B8, framework: JAX, accelerator: bolt-b8}
varied: [accelerator]
chosen: acme
evidence: [matmul-acme-x1-1]
bottleneck: {boundary: warm_host, observed: arithmetic}
tolerance: 10 %
quality_target: norm error within the bound of the reference
deployment:
  accelerators: 1
  shapes: ["512x512, 512x512"]
  narrow: The service only ever multiplies these two.
  service_objective: 2 ms at the median
  failure_domain: one chip
portability: open
cost:
  engineering: {low: 1, high: 2, by: Ada}
  operation:
    - {option: acme, price: 2.70 USD/h, currency: USD, region: here, term: on demand,
       date: 2026-11-30, source: price list}
pins:
  - id: matmul-acme-x1-1
    hash: "0e83bfd42ee66b266454e084a97b932b20b3b7e7723203a4ed57e48f44d128cc"
    values: {warm_host.median: 0.00132 s}
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.finding import Label
from kb.model.decision import Decision
from kb.model.evidence import Evidence
from kb.model.gates import refusal
from kb.rules import Problem, rule


@rule(over="decision")
def accepted_without_evidence(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield accepted decisions of which no cited record ran on an option's accelerator."""
    decision = entry.value
    if decision.status != "accepted" or decision.kind == "project":
        return
    cited = [corpus.evidence[name].value for name in decision.evidence if name in corpus.evidence]
    products = [option.accelerator for option in decision.options if option.accelerator]
    if any(refusal(record, product) is None for record in cited for product in products):
        return
    why = "cites no evidence" if not cited else "cites no evidence that speaks for its options"
    yield Problem(
        entry.place.at("status"),
        f"decision {decision.id} is accepted and {why}",
        "cite a record that was executed on an option's accelerator (`kb measure device` says "
        "how a device of your own becomes one), or write 'status: hypothesis' and name the next "
        "measurement",
        label="on what grounds?",
        related=tuple(_labels(entry, decision, corpus, products)),
    )


def _labels(
    entry: Entry[Decision], decision: Decision, corpus: Corpus, products: list[str]
) -> Iterator[Label]:
    for index, name in enumerate(decision.evidence):
        if name in corpus.evidence:
            why = _why(corpus.evidence[name].value, products)
            yield Label(entry.place.at("evidence", index), why)


def _why(record: Evidence, products: list[str]) -> str:
    if not products:
        return "no option names an accelerator that this could speak for"
    return refusal(record, products[0]) or ""
