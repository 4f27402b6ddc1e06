"""A decision keeps an option whose compiled program does not fit the memory of its device.

**Why.** A compiler plans every buffer of one device. For a TPU it refuses what exceeds the
memory; for a GPU it refuses nothing, and the program would fail on its first day. An option
that can't be loaded is none.

**Refused**

```yaml artefact
id: matmul-bolt-b8-8-1
variants:
  0: {plan: {peak: 200000000000}}
```

```yaml decision
options:
  - {id: bolt, title: JAX on Bolt B8, framework: JAX, accelerator: bolt-b8}
evidence: [matmul-bolt-b8-8-1]
```

**Accepted**

```yaml artefact
id: matmul-bolt-b8-8-1
```

```yaml decision
options:
  - {id: bolt, title: JAX on Bolt B8, framework: JAX, accelerator: bolt-b8}
evidence: [matmul-bolt-b8-8-1]
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.finding import Label
from kb.model.decision import Decision
from kb.model.share import memory_verdict
from kb.rules import Problem, rule

LIVE = ("draft", "hypothesis", "accepted")


@rule(over="decision", needs=("evidence",))
def memory_does_not_fit(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield compiled records that show an option of a live decision not to fit."""
    decision = entry.value
    if decision.status not in LIVE:
        return
    wanted = {
        option.accelerator
        for option in decision.options
        if option.accelerator and decision.chosen in (None, option.id)
    }
    for index, name in enumerate(decision.evidence):
        found = corpus.artefacts.get(name)
        if found is None or found.value.target.product not in wanted:
            continue
        verdict = memory_verdict(found.value)
        if verdict.word == "does_not_fit":
            at = ("refusal",) if found.value.refusal else ("variants",)
            yield Problem(
                entry.place.at("evidence", index),
                f"{name} does not fit one {found.value.target.device_kind}: "
                f"{verdict.why.rstrip('.')}",
                "split the program over more devices and compile it again, or drop the option",
                label=f"an option of decision {decision.id}",
                related=(Label(found.place.at(*at), "what the compiler planned"),),
            )
