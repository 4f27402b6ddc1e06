"""A decision calls itself one about the project and weighs accelerators or frameworks.

**Why.** A decision about how a repository is built needs no measurement. That must not
become the way around evidence for a decision about what to run on what.

**Refused**

```yaml decision
kind: project
options:
  - {id: acme, title: JAX on Acme X1, framework: JAX, accelerator: acme-x1}
```

**Accepted**

```yaml decision
kind: project
options:
  - {id: yaml, title: Specifications in YAML}
  - {id: toml, title: Specifications in TOML}
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.rules import Problem, rule

_REMEDY = "take 'kind: project' out; a decision about a stack needs evidence"
_CITE = (
    "cite the record in the prose, '[text](evidence:<id>)', where it is pinned, and take "
    "'evidence' out; or "
)
LAYERS = ("framework", "compute_api", "kernel", "accelerator")


@rule(over="decision")
def project_decision_about_a_stack(entry: Entry[Decision], _: Corpus) -> Iterator[Problem]:
    """Yield project decisions that hold what only a decision about a stack has."""
    decision = entry.value
    if decision.kind != "project":
        return
    for index, option in enumerate(decision.options):
        layers = [layer for layer in LAYERS if getattr(option, layer) is not None]
        if layers:
            yield Problem(
                entry.place.at("options", index),
                f"decision {decision.id} is of kind project, and option '{option.id}' names "
                f"{' and '.join(layers)}",
                _REMEDY,
                label="a stack",
            )
    for field in ("evidence", "varied", "bottleneck"):
        if getattr(decision, field):
            yield Problem(
                entry.place.at(field).key(),
                f"decision {decision.id} is of kind project and has the field '{field}'",
                f"{_CITE if field == 'evidence' else ''}{_REMEDY}",
                label="a stack",
            )
