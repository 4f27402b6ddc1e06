"""Results of two rounds are set side by side, and nobody says that they are compatible.

**Why.** Which rounds compare is MLCommons' to say (MLPerf Results Messaging Guidelines,
section 4, and the compatibility table). Where its table is silent, an assessment may settle
it, and the record has to accept that by name.

**Refused**

```yaml results
- {id: one}
- {id: two, version: v6.1}
```

```yaml decision
comparisons:
  - left: published/one
    right: published/two
```

**Accepted**

```yaml results
- {id: one}
- {id: two, version: v4.1}
```

```yaml decision
comparisons:
  - left: published/one
    right: published/two
    derivation: [assessed]
    differences: [version]
```
"""

from collections.abc import Iterator

from kb.rules import JudgedResults, Problem, published_at, refused_results, rule


@rule(over="result_comparison")
def results_of_incompatible_rounds(judged: JudgedResults) -> Iterator[Problem]:
    """Yield rounds that are incompatible, unknown, or assessed without the record's word."""
    yield from refused_results(judged, "version", remedy="compare two results of one round")
    if judged.unnamed_assessment:
        yield Problem(
            judged.place.at("right"),
            f"{judged.left.id} and {judged.right.id} compare only by an assessment that the "
            f"record doesn't accept: {judged.unnamed_assessment}",
            "write derivation: [assessed], or compare two results of one round",
            label="rounds are assessed",
            related=tuple(published_at(judged)),
        )
