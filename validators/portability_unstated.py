"""A decision between frameworks says nothing about portability.

**Why.** Adopting a framework doesn't close the question of lock-in; it moves it one layer
down, to library calls, kernels written by hand and tooling. Three numbers settle it: the
share of run time by who wrote the kernels, the kernels to rewrite, the days of a switch.
Until they are counted, `open` is the honest word, and silence is none.

**Refused**

```yaml decision
varied: [framework]
options:
  - {id: jax, title: JAX on Acme X1, framework: JAX, accelerator: acme-x1}
  - {id: torch, title: PyTorch on Acme X1, framework: PyTorch, accelerator: acme-x1}
```

**Accepted**

```yaml decision
varied: [framework]
options:
  - {id: jax, title: JAX on Acme X1, framework: JAX, accelerator: acme-x1}
  - {id: torch, title: PyTorch on Acme X1, framework: PyTorch, accelerator: acme-x1}
portability: open
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.rules import Problem, rule


@rule(over="decision", needs=("options",))
def portability_unstated(entry: Entry[Decision], _: Corpus) -> Iterator[Problem]:
    """Yield decisions that vary the framework and carry no word on portability."""
    decision = entry.value
    frameworks = {option.framework for option in decision.options}
    named = sorted(framework for framework in frameworks if framework)
    differ = len(named) > 1 or ("framework" in decision.varied and len(frameworks) > 1)
    if decision.portability is None and differ:
        yield Problem(
            entry.place.at("options").key(),
            f"decision {decision.id} is about {' and '.join(named)} and "
            "says nothing about portability",
            "add 'portability: open', or 'counted' with the three numbers of `kb audit`",
            label="what stays bound?",
        )
