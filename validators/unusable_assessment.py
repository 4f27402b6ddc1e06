"""An assessment can settle nothing: its value is no word of the axis, or the axis is not open.

**Why.** An assessment fills in what a source leaves `unstated`. On an axis that the source
does state it would contradict the source unseen; a word that the axis doesn't know, or
`unstated` again, settles nothing.

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
      - {axis: direction, value: both, reasoning: See the guide., sources: [bolt-guide]}
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
        reasoning: See the guide.
        sources: [bolt-guide]
```
"""

from collections.abc import Iterator

from kb.corpus import ClaimEntry, Corpus
from kb.finding import Label
from kb.model.claim import AXIS_WORDS
from kb.qualifiers import UNSTATED
from kb.rules import Problem, axis_place, rule


@rule(over="claim")
def unusable_assessment(entry: ClaimEntry, _: Corpus) -> Iterator[Problem]:
    """Yield assessments with a word that the axis lacks, and those of a stated axis."""
    for index, assessment in enumerate(entry.claim.assessments):
        axis = assessment.axis
        place = entry.place.at("assessments", index)
        words = [word.value for word in AXIS_WORDS[axis] if word.value != UNSTATED]
        stated = entry.claim.value_of(axis)
        if assessment.value not in words:
            yield Problem(
                place.at("value"),
                f"{entry.id} assesses {axis} as '{assessment.value}', which settles nothing",
                f"use one of {', '.join(words)}",
                label=f"no word of {axis}",
            )
        elif stated not in (None, UNSTATED):
            yield Problem(
                place.at("axis"),
                f"{entry.id} assesses {axis} as {assessment.value}, but it is stated as {stated}",
                f"remove the assessment, or write '{axis}: unstated' if the source is silent",
                label="this axis is not open",
                related=(Label(axis_place(entry, axis), f"{axis} is stated here"),),
            )
