"""A decision cites a scale-up link for more accelerators than the link joins.

**Why.** NVLink joins the eight GPUs of a board, and ICI the chips of one pod. Beyond that
domain the traffic takes another network, so the link's figure says nothing about it.

**Refused**

```yaml decision
deployment: {accelerators: 16}
comparisons:
  - {left: bolt-b8/gpu-link-bandwidth, right: bolt-b8/gpu-link-bandwidth}
```

**Accepted**

```yaml decision
deployment: {accelerators: 8}
comparisons:
  - {left: bolt-b8/gpu-link-bandwidth, right: bolt-b8/gpu-link-bandwidth}
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.finding import Label
from kb.model.decision import Decision
from kb.model.product import Product
from kb.qualifiers import Metric, Role, Scope
from kb.records.reliance import relied_on
from kb.rules import Problem, operand_of, rule


@rule(over="decision", needs=("deployment",))
def link_beyond_its_domain(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield links that are cited for a deployment larger than the link's own domain."""
    decision = entry.value
    wanted = decision.deployment.accelerators if decision.deployment else None
    if wanted is None:
        return
    for name in relied_on(entry, corpus):
        claim = corpus.claims.get(name)
        if claim is None or claim.claim.metric is not Metric.LINK_BANDWIDTH:
            continue
        domain, what = _domain(claim.product)
        if operand_of(claim).get("role") is Role.SCALE_UP_LINK and domain and wanted > domain:
            yield Problem(
                entry.place.at("deployment", "accelerators"),
                f"{name} joins {domain} accelerators (one {what}), and {wanted} are deployed",
                "cite the network between them as well and say so, or deploy on "
                f"{domain} accelerators",
                label=f"the link ends at {domain}",
                related=(Label(claim.place.at("id"), "the link"),),
            )


def _domain(product: Product) -> tuple[int, str]:
    """How many accelerators the largest group has that the product is composed of."""
    counts = [
        (count, scope.value)
        for scope in product.composition
        if scope is not Scope.HOST and (count := product.count_in(scope, Scope.CHIP)) is not None
    ]
    return max(counts, default=(0, ""))
