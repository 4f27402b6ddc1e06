"""The two numbers that a factor is the ratio of, by the noun behind it: `1.6x the bandwidth`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.prose.bind import Bound
from kb.prose.context import Sentence
from kb.prose.factors import Factor
from kb.prose.slots import ratio_holds


def is_ratio(factor: Factor, one: Bound, two: Bound) -> bool:
    """Whether two different numbers of one kind have the stated ratio, in any order."""
    left, right = one.amount, two.amount
    return (
        left.kind == right.kind
        and left.base != right.base
        and any(
            ratio_holds(factor.value, factor.half_step, a, b)
            for a, b in ((left.base, right.base), (right.base, left.base))
        )
    )


_NOUN = re.compile(
    r"\s(?:(?:the|more|of the|in|its|as much)\s)?(?:(?:HBM|GPU|memory|on-board)\s)?"
    r"(?:(?P<information>capacity|memory(?!\s(?:bandwidth|speed|use)))|(?P<information_rate>bandwidth)"
    r"|(?P<operations>compute|FLOPS|peak)|as (?:much|many)(?=[.,;)]|\s*\Z|\s(?:memory|HBM)\b))",
    re.IGNORECASE,
)


_AS_MUCH = re.compile(
    r"\s(?:as|so)\s(?:much|large|big|viel|groß)\s(?:(?:memory|HBM|bandwidth|Speicher)\s)?(?:as|wie)\s",
    re.IGNORECASE,
)


def _as_much(
    factor: Factor, sentence: Sentence, bound: Sequence[Bound]
) -> tuple[Bound, Bound] | None:
    """`With 288 GB A holds twice as much as B with 192 GB`: the only two numbers of the kind."""
    if _AS_MUCH.match(sentence.text, factor.end, sentence.end) is None or len(bound) != 2:
        return None
    one, two = bound
    around = one.amount.end <= factor.start and factor.end <= two.amount.start
    alike = one.amount.kind == two.amount.kind and one.amount.base != two.amount.base
    apart = one.products and two.products and one.products != two.products
    return (one, two) if around and alike and apart else None


def by_noun(
    factor: Factor, sentence: Sentence, bound: Sequence[Bound]
) -> tuple[Bound, Bound] | None:
    """The two numbers of the kind that the noun behind a factor asks for: `1.6x the bandwidth`."""
    if factor.word:
        return _as_much(factor, sentence, bound)
    match = _NOUN.match(sentence.text, factor.end, sentence.end)
    if match is None:
        return None
    kind = match.lastgroup
    found = [b for b in bound if kind is None or b.amount.kind == kind]
    if len(found) != 2 or found[0].amount.kind != found[1].amount.kind:
        return None
    one, two = found
    apart = one.products != two.products and one.products and two.products
    if not apart or one.amount.base == two.amount.base or two.amount.end > factor.start:
        return None
    return one, two
