"""A record keeps a comparison as refused, and the rules don't refuse it so.

**Why.** A refused comparison is written down so that nobody makes it again. Where the two do
compare, or differ in something else, the warning is wrong and a reader learns nothing.

**Refused**

```yaml decision
refused:
  - left: bolt-b8/gpu-hbm-bandwidth
    right: acme-x1/chip-hbm-bandwidth
    axes: [scope]
```

**Accepted**

```yaml decision
refused:
  - left: bolt-b8/gpu-hbm-bandwidth
    right: acme-x1/chip-hbm-capacity
    axes: [metric]
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.rules import Problem, Verdict, bare_verdict, rule


@rule(over="decision", needs=("refused",))
def refusal_without_ground(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield kept refusals whose axes are not among those that stand in the way."""
    for index, kept in enumerate(entry.value.refused):
        verdict = bare_verdict(kept.left, kept.right, corpus)
        if verdict is None:
            continue  # dangling-reference says so
        found = _in_the_way(verdict)
        for number, axis in enumerate(kept.axes):
            if axis in found:
                continue
            why = f"differ in {', '.join(found)}" if found else "compare"
            yield Problem(
                entry.place.at("refused", index, "axes", number),
                f"{kept.left} and {kept.right} are kept as refused for {axis}, and they {why}",
                f"write axes: [{', '.join(found)}]" if found else "move it to 'comparisons'",
                label="nothing refuses it for this",
            )


def _in_the_way(verdict: Verdict) -> tuple[str, ...]:
    """Axes that differ or are open, each once."""
    return tuple(dict.fromkeys(reason.axis for reason in verdict.reasons))
