"""Figures that could be judged and aren't: their product is not in the catalogue or not named.

An amount of data or a power without a word of memory and without a product is that of a file or
a house, so it isn't counted.
"""

from __future__ import annotations

from collections.abc import Iterable

from kb.prose.bind import Bound
from kb.prose.known import Known

_RATES = frozenset({"operations", "information_rate"})
_KINDS = _RATES | {"information", "power"}
_OTHERS = frozenset({"use", "deny"})
"""Remarks that make a number one that no data sheet gives: `needs 70 GB`, `never 3 TB/s`."""
_OWN = frozenset({"measured", "achieved"})


def unjudged(bound: Iterable[Bound], known: Known) -> set[int]:
    """Where such figures begin."""
    items = list(bound)
    judged = {item.amount.start for item in items if not _without(item, known)}
    return {item.amount.start for item in items} - judged


def _without(item: Bound, known: Known) -> bool:
    """Whether the catalogue could hold such a figure and has none for what the words name."""
    if item.amount.kind not in _KINDS or item.tags & _OTHERS or item.values("basis") & _OWN:
        return False
    if item.products:
        return not known.of(item.products, item.amount.kind)
    if any(name.software for name in item.names) or item.values("software"):
        return False
    told = any(item.strong(axis) for axis in ("interface", "memory", "rated"))
    return bool(item.names) or told or item.amount.kind in _RATES
