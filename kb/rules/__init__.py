"""Rules: how they are written, found, run and silenced. The door for authors of validators.

A validator is a file `validators/<slug>.py` with a docstring (one sentence, then **Why**,
**Refused** and **Accepted**) and one function under `@rule(…)` that yields
`Problem`s. A name is imported when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.compare import compare
    from kb.finding import Label, Severity
    from kb.operand import needed_axes
    from kb.operand import operand_of_claim as operand_of
    from kb.rules.cited import missed_gates
    from kb.rules.comparing import (
        axis_place,
        evidence_of,
        printed,
        refusals,
        unnamed_steps,
        way_out,
    )
    from kb.rules.declare import Item, Problem, StatementEntry, rule
    from kb.rules.judged import Judged
    from kb.rules.judged_results import JudgedResults, bare_verdict
    from kb.rules.printing import misprints
    from kb.rules.published import evidence_of as published_at
    from kb.rules.published import refused_results
    from kb.rules.slots import current, current_place, in_unit, siblings
    from kb.verdict import Reason, Side, StepKind, Verdict, VerdictKind

_HOMES = {
    "kb.compare": ("compare",),
    "kb.finding": (
        "Label",
        "Severity",
    ),
    "kb.operand": ("needed_axes",),
    "kb.rules.cited": ("missed_gates",),
    "kb.rules.comparing": (
        "axis_place",
        "evidence_of",
        "printed",
        "refusals",
        "unnamed_steps",
        "way_out",
    ),
    "kb.rules.declare": (
        "Item",
        "Problem",
        "StatementEntry",
        "rule",
    ),
    "kb.rules.judged": ("Judged",),
    "kb.rules.judged_results": ("JudgedResults", "bare_verdict"),
    "kb.rules.printing": ("misprints",),
    "kb.rules.published": ("refused_results",),
    "kb.rules.slots": (
        "current",
        "current_place",
        "in_unit",
        "siblings",
    ),
    "kb.verdict": (
        "Reason",
        "Side",
        "StepKind",
        "Verdict",
        "VerdictKind",
    ),
}
_HOME_OF = {name: (home, name) for home, names in _HOMES.items() for name in names}
_HOME_OF["operand_of"] = "kb.operand", "operand_of_claim"
_HOME_OF["published_at"] = "kb.rules.published", "evidence_of"

__all__ = [
    "Item",
    "Judged",
    "JudgedResults",
    "Label",
    "Problem",
    "Reason",
    "Severity",
    "Side",
    "StatementEntry",
    "StepKind",
    "Verdict",
    "VerdictKind",
    "axis_place",
    "bare_verdict",
    "compare",
    "current",
    "current_place",
    "evidence_of",
    "in_unit",
    "misprints",
    "missed_gates",
    "needed_axes",
    "operand_of",
    "printed",
    "published_at",
    "refusals",
    "refused_results",
    "rule",
    "siblings",
    "unnamed_steps",
    "way_out",
]


def __getattr__(name: str) -> object:
    """Import a name when it is first asked for: a report is drawn up without any model."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, there = _HOME_OF[name]
    value = globals()[name] = getattr(importlib.import_module(home), there)
    return value
