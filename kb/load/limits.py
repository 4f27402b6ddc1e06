"""How large a record of evidence may be: its objects and its fields, by what it holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from kb.load.json_text import Size, fields_below

MOST_OBJECTS = 10_000
MOST_FIELDS = 20_000
MOST_RESULTS = 100_000
"""Objects in a record of published results, of which one file holds thousands."""
MOST_KERNELS = 20_000
"""Kernels of compiled programs for which a record may hold more; a file of 8 MB has as many."""
OF_A_KERNEL = 2, 20
"""Objects and fields of one kernel at most: it has 13 fields, and its matrix instructions."""
OF_A_RESULT = 100
"""Fields of one published result at most: the largest so far has 69."""


def oversized(size: Size, data: object) -> str:
    """What a record holds more of than is read; empty where nothing."""
    kind = data.get("evidence_class") if isinstance(data, dict) else None
    most, most_fields = MOST_OBJECTS, MOST_FIELDS
    if kind == "imported":
        most = MOST_RESULTS
        most_fields += sum(_capped(_listed(data, "results"), OF_A_RESULT))
    elif kind == "compiled_not_executed":
        sizes = _capped(islice(_kernels(data), MOST_KERNELS), OF_A_KERNEL[1])
        most += OF_A_KERNEL[0] * len(sizes)
        most_fields += sum(sizes)
    if size.objects <= most and size.fields <= most_fields:
        return ""
    limit = f"{most:,} objects" if size.objects > most else f"{most_fields:,} fields"
    held = f"{size.objects:,} objects and {size.fields:,} fields"
    return f"the record holds {held}; {limit} at most"


def _kernels(data: object) -> Iterator[object]:
    """What stands where a compiled record has its kernels."""
    return (kernel for each in _listed(data, "variants") for kernel in _listed(each, "kernels"))


def _capped(rows: Iterable[object], most: int) -> list[int]:
    """How many fields each row has, but no more than a sound one may."""
    return [min(fields_below(row), most) for row in rows]


def _listed(data: object, name: str) -> list[Any]:
    """The list of a name in a mapping; empty where there is none."""
    found = data.get(name) if isinstance(data, dict) else None
    return found if isinstance(found, list) else []
