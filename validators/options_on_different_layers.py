"""The options of a decision lie on different layers of the stack.

**Why.** JAX against an H100 is no choice: one expresses a program, the other runs it. Each
option is a whole stack, and options can be weighed only on a layer that all of them name.

**Refused**

```yaml decision
options:
  - {id: jax, title: JAX, framework: JAX}
  - {id: bolt, title: Bolt B8, accelerator: bolt-b8}
```

**Accepted**

```yaml decision
options:
  - {id: acme, title: JAX on Acme X1, framework: JAX, accelerator: acme-x1}
  - {id: bolt, title: JAX on Bolt B8, framework: JAX, accelerator: bolt-b8}
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.finding import Label
from kb.model.decision import Decision, Option
from kb.rules import Problem, rule

LAYERS = ("framework", "compute_api", "kernel", "accelerator")


@rule(over="decision", needs=("options",))
def options_on_different_layers(entry: Entry[Decision], _: Corpus) -> Iterator[Problem]:
    """Yield the first option that shares no layer with all the options before it."""
    shared = set(LAYERS)
    for index, option in enumerate(entry.value.options):
        named = _layers(option)
        if named and not shared & named:
            first = entry.value.options[0]
            yield Problem(
                entry.place.at("options", index),
                f"option '{option.id}' names {_words(named)}, and the options before it share "
                f"{_words(shared)}",
                f"ask two questions in two records: which {_words(shared)}, with {_words(named)} "
                f"held equal; and which {_words(named)}, with {_words(shared)} held equal. Write "
                "each option as a whole stack: framework, compute_api, kernel, accelerator",
                label="no layer in common",
                related=(Label(entry.place.at("options", 0), f"names {_words(_layers(first))}"),),
            )
            return
        shared &= named or shared


def _layers(option: Option) -> set[str]:
    return {layer for layer in LAYERS if getattr(option, layer) is not None}


def _words(layers: set[str]) -> str:
    return " and ".join(layer for layer in LAYERS if layer in layers) or "no layer"
