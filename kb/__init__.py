"""accelerator-kb: typed accelerator numbers, judged comparisons, decisions on evidence.

This is the one door for programs. A name is imported when it is first used, so that
`import kb` costs nothing and the command line starts at once. People who write validators
have a door of their own, `kb.rules`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.api import KnowledgeBase, compare, lint, load
    from kb.compare import compare as judge
    from kb.compare import explained
    from kb.corpus import ClaimEntry, Corpus, Identity
    from kb.finding import CheckError, Finding, Severity
    from kb.home import Project
    from kb.model.claim import Claim, Statement
    from kb.model.decision import Decision
    from kb.model.evidence import Evidence
    from kb.model.product import Product, Source
    from kb.operand import Given, Operand, operand_of_claim, operand_of_fields
    from kb.quantity import Quantity, QuantityError, parse_quantity
    from kb.source import Place
    from kb.verdict import Verdict, VerdictKind

_HOMES = {
    "kb.api": ("KnowledgeBase", "lint"),
    "kb.compare": ("explained",),
    "kb.corpus": ("ClaimEntry", "Corpus", "Identity"),
    "kb.finding": ("CheckError", "Finding", "Severity"),
    "kb.home": ("Project",),
    "kb.model.claim": ("Claim", "Statement"),
    "kb.model.decision": ("Decision",),
    "kb.model.evidence": ("Evidence",),
    "kb.model.product": ("Product", "Source"),
    "kb.operand": ("Given", "Operand", "operand_of_claim", "operand_of_fields"),
    "kb.quantity": ("Quantity", "QuantityError", "parse_quantity"),
    "kb.source": ("Place",),
    "kb.verdict": ("Verdict", "VerdictKind"),
}
_HOME_OF = {name: (home, name) for home, names in _HOMES.items() for name in names}
_HOME_OF |= {"judge": ("kb.compare", "compare")}
_ROOMS = ("compare", "load")
"""Rooms that are called like what they do: each can be called itself."""

__all__ = [
    "CheckError",
    "Claim",
    "ClaimEntry",
    "Corpus",
    "Decision",
    "Evidence",
    "Finding",
    "Given",
    "Identity",
    "KnowledgeBase",
    "Operand",
    "Place",
    "Product",
    "Project",
    "Quantity",
    "QuantityError",
    "Severity",
    "Source",
    "Statement",
    "Verdict",
    "VerdictKind",
    "compare",
    "explained",
    "judge",
    "lint",
    "load",
    "operand_of_claim",
    "operand_of_fields",
    "parse_quantity",
]


def __getattr__(name: str) -> object:
    """Import a public name on its first use."""
    if name in _ROOMS:
        return importlib.import_module(f"kb.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'kb' has no attribute {name!r}")
    home, attribute = _HOME_OF[name]
    value = getattr(importlib.import_module(home), attribute)
    globals()[name] = value
    return value
