"""A judgement settles something and rests on nothing.

**Why.** An assessment stands in for a vendor's word that is missing. It may do so because
a source or an evidence record carries it; without one it is a habit.

**Refused**

```yaml spec
claims:
  - id: gpu-link-bandwidth
    metric: link_bandwidth
    interface: nvlink
    scope: gpu
    direction: unstated
    basis: vendor_peak
    statements:
      - {published: "1.8 TB/s", source: bolt-datasheet, locator: links}
    assessments:
      - axis: direction
        value: bidirectional_sum
        reasoning: Link figures usually add both directions.
```

**Accepted**

```yaml spec
claims:
  - id: gpu-link-bandwidth
    metric: link_bandwidth
    interface: nvlink
    scope: gpu
    direction: unstated
    basis: vendor_peak
    statements:
      - {published: "1.8 TB/s", source: bolt-datasheet, locator: links}
    assessments:
      - axis: direction
        value: bidirectional_sum
        reasoning: The guide calls link figures the sum of two directions.
        sources: [bolt-guide]
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.product import Product
from kb.rules import Problem, rule


@rule(over="product")
def unsourced_assessment(entry: Entry[Product], corpus: Corpus) -> Iterator[Problem]:
    """Yield assessments, and a sparse mode, that nothing carries."""
    product = entry.value
    mode = product.sparse_mode
    if mode is not None and mode.source is None and mode.assessment is None:
        yield Problem(
            entry.place.at("sparse_mode"),
            f"{product.product} is said to have the sparse mode '{mode.mode}' without source",
            "add 'source: …', or 'assessment: …' with the reasoning",
            label="who says so?",
        )
    for owner in corpus.claims_of(product.product):
        for index, assessment in enumerate(owner.claim.assessments):
            if not (assessment.sources or assessment.evidence):
                yield Problem(
                    owner.place.at("assessments", index, "reasoning"),
                    f"{owner.id} assesses {assessment.axis} as {assessment.value} on no source "
                    "and no evidence",
                    "add 'sources: […]' or 'evidence: […]'",
                    label="what carries this?",
                )
