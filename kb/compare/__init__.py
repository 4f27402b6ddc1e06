"""Comparing two numbers: verdict, reasons, cautions, licensed steps, conditional ratios."""

import sys

from kb.compare.alternatives import Alternative, alternatives, explained
from kb.compare.judge import compare
from kb.room import Room

__all__ = ["Alternative", "alternatives", "compare", "explained"]

sys.modules[__name__].__class__ = Room  # so that kb.compare(…) works for programs
