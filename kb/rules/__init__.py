"""Rules: how they are written, found, run and silenced. The door for authors of validators.

A validator is a file `validators/<slug>.py` with a docstring (one sentence, then **Why**,
**Refused** and **Accepted**) and one function under `@rule(…)` that yields `Problem`s.
"""

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
from kb.rules.declare import Problem, StatementEntry, rule
from kb.rules.judged import Judged
from kb.rules.judged_results import JudgedResults, bare_verdict
from kb.rules.printing import misprints
from kb.rules.published import evidence_of as published_at
from kb.rules.published import refused_results
from kb.rules.slots import current, current_place, in_unit, siblings
from kb.verdict import Reason, Side, StepKind, Verdict, VerdictKind

__all__ = [
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
