"""Ids of results and the round of a benchmark."""

from __future__ import annotations

import re

from kb.mlperf.fields import UnusableError
from kb.model.result import SkipReason
from kb.qualifiers import Scenario

_OUTSIDE = re.compile(r"[^a-z0-9.]+")
_DOTS = re.compile(r"(?:^|-)\.+|\.+(?:-|$)|\.{2,}")
_ROUND = re.compile(r"v?(\d+\.\d+)(?:\.\d+)?\Z", re.I)


def slug(text: str) -> str:
    """A text as part of an id: lower case, words joined by hyphens."""
    plain = _OUTSIDE.sub("-", text.lower())
    return _DOTS.sub("-", plain).strip("-.") or "unnamed"


def result_id(system: str, benchmark: str, scenario: Scenario) -> str:
    """The id of a result inside its import: entry or system, benchmark, scenario."""
    return slug(f"{system}-{benchmark}-{scenario.value}")


def round_of(text: str) -> str:
    """The round as `v5.1`; raises `UnusableError` for anything else."""
    found = _ROUND.match(text)
    if found is None:
        raise UnusableError(SkipReason.UNKNOWN_WORD, f"version {text!r} is none such as v5.1")
    return f"v{found[1]}"
