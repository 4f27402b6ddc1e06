"""The seal of an accepted decision: a hash of what was decided, which stays as it was.

Pins, links, the log and a marked erratum may change; the text, the options, the evidence
and the tolerance may not. Blanks and line breaks never count, and neither does the figure
on a typed citation: the catalogue says what it must be, and `kb fix` may renew it.
"""

from __future__ import annotations

import re

from kb.model.decision import Decision
from kb.records.pins import digest

SEALED = (
    "kind",
    "title",
    "question",
    "options",
    "workload",
    "varied",
    "controlled",
    "comparisons",
    "evidence",
    "bottleneck",
    "rule",
    "chosen",
    "tolerance",
    "quality_target",
    "deployment",
    "portability",
    "cost",
    "confirmation",
)
"""Fields that may not change once a decision is accepted."""

_ERRATUM = re.compile(r"^> \*\*Erratum \d{4}-\d{2}-\d{2}\b.*(?:\n>.*)*\n?", re.MULTILINE)
_CITED = re.compile(r"\[[^\[\]]*\]\((?P<target>(?:claim|compare|evidence|result):[^\s()]+)\)")
_TARGET = re.compile(r"\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")


def sealed_text(body: str) -> str:
    """A body as the seal sees it: without errata, link targets and differences of blanks."""
    bare = _ERRATUM.sub("", body.replace("\r\n", "\n"))
    bare = _CITED.sub(r"<\g<target>>", bare)
    return " ".join(_TARGET.sub("]()", bare).split())


def seal_of(decision: Decision, body: str) -> str:
    """The seal that a decision and its body give."""
    fields = decision.model_dump(mode="json", include=set(SEALED), exclude_defaults=True)
    return digest({"fields": fields, "body": sealed_text(body)})


def changed(before: Decision, old_body: str, after: Decision, new_body: str) -> list[str]:
    """Names of the sealed parts in which two versions of a record differ."""
    found = [name for name in SEALED if getattr(before, name) != getattr(after, name)]
    return found + (["the text"] if sealed_text(old_body) != sealed_text(new_body) else [])
