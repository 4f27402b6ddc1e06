"""Prose: quantities and citations in text, and whether they agree with the catalogue."""

from kb.prose.answer import Answer, answer
from kb.prose.kinds import LINT_KINDS, LintKind
from kb.prose.known import Known, known
from kb.prose.readings import Reading, readings
from kb.prose.remark import Remark

__all__ = [
    "LINT_KINDS",
    "Answer",
    "Known",
    "LintKind",
    "Reading",
    "Remark",
    "answer",
    "known",
    "readings",
]
