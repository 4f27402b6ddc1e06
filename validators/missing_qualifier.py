"""A claim leaves out an axis that its metric needs.

**Why.** A compute rate without a number format, or a link figure without a direction,
can't be compared with anything. A source that is silent is legal: `unstated` says so and
is carried through to every verdict. Leaving the axis out says nothing.

**Refused**

```yaml spec
claims:
  - id: gpu-link-bandwidth
    metric: link_bandwidth
    interface: nvlink
    scope: gpu
    aggregation: total
    basis: vendor_peak
    statements:
      - {published: "1.8 TB/s", source: bolt-datasheet, locator: links}
```

**Accepted**

```yaml spec
claims:
  - id: gpu-link-bandwidth
    metric: link_bandwidth
    interface: nvlink
    scope: gpu
    aggregation: total
    direction: unstated
    basis: vendor_peak
    statements:
      - {published: "1.8 TB/s", source: bolt-datasheet, locator: links}
```
"""

from collections.abc import Iterator

from kb.corpus import ClaimEntry, Corpus
from kb.model.claim import AXES, Statement, words_on
from kb.qualifiers import ROLES_OF_METRIC, Interface, Role, interfaces_of
from kb.rules import Problem, needed_axes, rule


@rule(over="claim")
def missing_qualifier(entry: ClaimEntry, _: Corpus) -> Iterator[Problem]:
    """Yield the needed axes that neither the claim nor a statement has."""
    missing = [_missing(entry, statement) for statement in entry.claim.statements]
    everywhere = set.intersection(*missing)
    if everywhere:
        yield _problem(entry, everywhere, None)
    for index, axes in enumerate(missing):
        if rest := axes - everywhere:
            yield _problem(entry, rest, index)


def _missing(entry: ClaimEntry, statement: Statement) -> set[str]:
    claim = entry.claim
    axes = {a: value for a in AXES if (value := claim.value_of(a, statement)) is not None}
    return needed_axes(claim.metric, axes, entry.product) - set(axes)


def _problem(entry: ClaimEntry, missing: set[str], index: int | None) -> Problem:
    axes = [axis for axis in AXES if axis in missing]
    what = "the claim" if index is None else "one statement of the claim"
    place = entry.place.at("id") if index is None else entry.place.at("statements", index)
    return Problem(
        place,
        f"{what} {entry.id} is {entry.claim.metric} and has no {' and no '.join(axes)}",
        "; ".join(f"add '{axis}: …' with one of {_words(axis, entry)}" for axis in axes),
        label=f"no {', no '.join(axes)}",
    )


def _words(axis: str, entry: ClaimEntry) -> str:
    """What the axis of this claim takes: a link is no memory, and has no role of one."""
    allowed = {str(one) for one in interfaces_of(entry.claim.metric)}
    roles = {str(one) for one in ROLES_OF_METRIC.get(entry.claim.metric, Role)}
    every = {"interface": [str(i) for i in Interface if str(i) not in allowed],
             "role": [str(role) for role in Role if str(role) not in roles]}  # fmt: skip
    unfit = every.get(axis, [])
    fitting = (word for word, _ in words_on(axis) if word not in unfit)
    told = {"unstated": "`unstated` where the source is silent",
            "other NAME": "`other NAME` for another one, by its printed name"}  # fmt: skip
    return ", ".join(told.get(word, word) for word in fitting)
