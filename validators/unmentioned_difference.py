"""Two results differ in something that has to be said beside them.

**Why.** Version, division, category, verified or unverified, and chip count have to be
named where results are compared (MLPerf Results Messaging Guidelines, section 5). Number
formats and nodes belong to it as well: without them a reader takes a submission for a chip.

**Refused**

```yaml results
- {id: one}
- {id: two, availability: preview}
```

```yaml decision
comparisons:
  - left: published/one
    right: published/two
```

**Accepted**

```yaml results
- {id: one}
- {id: two, availability: preview}
```

```yaml decision
comparisons:
  - left: published/one
    right: published/two
    differences: [availability]
```
"""

from collections.abc import Iterator

from kb.qualifiers import words
from kb.rules import JudgedResults, Problem, published_at, rule


@rule(over="result_comparison")
def unmentioned_difference(judged: JudgedResults) -> Iterator[Problem]:
    """Yield differences that the record doesn't name."""
    if judged.unsaid:
        named = ", ".join(judged.unsaid)
        yield Problem(
            judged.place.at("right"),
            f"{judged.left.id} and {judged.right.id} differ in "
            f"{words(named)}, which the record doesn't say",
            f"write differences: [{', '.join((*judged.comparison.differences, *judged.unsaid))}]",
            label=f"differs in {words(named)}",
            related=tuple(published_at(judged)),
        )
