"""A decision cites a measurement of a device that none of its options would use.

**Why.** A record speaks for the one product it ran on. A time from a sibling, an older
generation or another board is no evidence about an option, however close their names.

**Refused**

```yaml evidence
id: matmul-bolt-b8-1
device: {platform: bolt, kind: Bolt B8, product: bolt-b8, speaks_for: Speaks for one Bolt B8.}
```

```yaml decision
options:
  - {id: acme, title: JAX on Acme X1, framework: JAX, accelerator: acme-x1}
evidence: [matmul-acme-x1-1, matmul-bolt-b8-1]
```

**Accepted**

```yaml decision
options:
  - {id: acme, title: JAX on Acme X1, framework: JAX, accelerator: acme-x1}
evidence: [matmul-acme-x1-1]
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.finding import Label
from kb.model.decision import Decision
from kb.model.gates import refusal
from kb.qualifiers import EvidenceClass
from kb.rules import Problem, rule


@rule(over="decision", needs=("evidence",))
def wrong_device(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield cited records that ran on a product which no option names.

    A run elsewhere (a CPU) shows a method and claims no product. Where an accepted decision
    has no fitting record at all, `accepted-without-evidence` says so.
    """
    decision = entry.value
    products = [option.accelerator for option in decision.options if option.accelerator]
    cited = [
        (index, corpus.evidence[name])
        for index, name in enumerate(decision.evidence)
        if name in corpus.evidence
    ]
    fitting = [
        record for _, record in cited if any(refusal(record.value, p) is None for p in products)
    ]
    if not products or (decision.status == "accepted" and not fitting):
        return
    for index, record in cited:
        ran = record.value
        if ran.evidence_class is not EvidenceClass.EXECUTED_ON_TARGET or record in fitting:
            continue
        yield Problem(
            entry.place.at("evidence", index),
            f"{ran.id} ran on {ran.device.product}, and the options use "
            f"{' and '.join(dict.fromkeys(products))}",
            "cite a record of an option's accelerator, or add the option that was measured",
            label=f"speaks for {ran.device.product}",
            related=(Label(record.place.at("device", "product"), f"ran on {ran.device.product}"),),
        )
