"""Citations of compiled records: what such a record can be cited for, and what it can't.

It holds counts, shares and sizes. A share that only a device could settle is a range, so a
citation of it has to print both ends. There is no time in it to cite.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from kb.prose.rounding import faithful, printed
from kb.qualifiers import Boundary

if TYPE_CHECKING:
    from kb.model.artefact import Artefact

Flaw = Literal[
    "broken-citation", "stale-citation", "bracket-ignored", "compiled-evidence-cited-for-speed"
]
Group = Literal["generated", "library", "hand_written"]
GROUPS: tuple[Group, ...] = ("generated", "library", "hand_written")
SIZES = ("planned_bytes", "wire_bytes")
FIELDS = (*GROUPS, *SIZES, "flops", "kernels")
"""What stands behind the `#` of a citation."""

SPEED = (*(str(boundary) for boundary in Boundary), "median", "time", "seconds", "speed")
"""Words that ask a record for a time."""

_RANGE = re.compile(
    r"(\d+(?:\.\d+)?)\s*(?:%|percent)?\s*(?:to|and|–|—|-)\s*(\d+(?:\.\d+)?)\s*(?:%|percent)"
)
_SHARE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:%|percent)")


@dataclass(frozen=True, slots=True)
class Told:
    """What is wrong with a citation of a compiled record."""

    flaw: Flaw
    message: str
    remedy: str
    right: str = ""
    """What the text should say; empty where it is not known."""


def told(text: str, field: str, record: Artefact) -> Told | None:
    """What is wrong with a citation of `field` of a compiled record that says `text`."""
    if field.partition(".")[0] in SPEED:
        return Told(
            "compiled-evidence-cited-for-speed",
            f"{record.id} was compiled and never ran, so it holds no '{field}'",
            "cite a record that was executed, or say what the compiler planned: "
            f"{', '.join(FIELDS)}",
        )
    if field not in FIELDS:
        return Told(
            "broken-citation",
            f"the compiled record {record.id} has no '{field}'",
            f"cite one of {', '.join(FIELDS)}",
        )
    group = next((each for each in GROUPS if each == field), None)
    return None if group is None else _share(text, group, record)


def value(field: str, record: Artefact) -> int | None:
    """A number of bytes, operations or kernels; None where variants differ or none is known.

    `planned_bytes` is the largest plan of the variants, as the verdict on memory takes it.
    """
    variants = record.variants
    if field == "planned_bytes":
        return max((v.plan.needed for v in variants), default=None)
    if field == "flops":
        return record.program.flops.contraction
    if field == "wire_bytes":
        found = {sum(c.wire_bytes for c in v.collectives) for v in variants}
    else:
        found = {len(v.kernels) for v in variants}
    return found.pop() if len(found) == 1 else None


def _share(text: str, group: Group, record: Artefact) -> Told | None:
    from kb.model.share import shares  # late: most texts cite no compiled record

    low, high = (Fraction(each) * 100 for each in shares(record, group))
    ends = " to ".join(_percent(end) for end in dict.fromkeys((low, high)))
    right = f"{ends} %"
    both, one = _RANGE.search(text), _SHARE.search(text)
    if one is None:
        return None
    if both is not None:
        fits = _fits(both[1], low) and _fits(both[2], high)
    else:
        fits = _fits(one[1], low) and _fits(one[1], high)
        if not fits and low != high:
            return Told(
                "bracket-ignored",
                f"the text says '{one[0]}', and {record.id} only brackets the share between "
                f"{_percent(low)} and {_percent(high)} %",
                f"write both ends: [{right}]",
                _put(text, one, right),
            )
    if fits:
        return None
    seen = both or one
    message = f"the text says '{seen[0]}', the record gives {right}"
    return Told("stale-citation", message, f"write [{right}]", _put(text, seen, right))


def _percent(share: Fraction) -> str:
    """A share in percent: one decimal, and more where one would print too few digits."""
    return f"{float(share):.1f}" if not share or share >= 1 else printed(share, 2)


def _put(text: str, seen: re.Match[str], right: str) -> str:
    return text[: seen.start()] + right + text[seen.end() :]


def _fits(text: str, share: Fraction) -> bool:
    """Whether printed digits are what a share rounds to, and enough of them."""
    decimals = len(text.partition(".")[2])
    return faithful(share, Fraction(text), Fraction(1, 2 * 10**decimals))
