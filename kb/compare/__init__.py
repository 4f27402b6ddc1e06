"""Comparing two numbers: verdict, reasons, cautions, licensed steps, conditional ratios."""

from kb.compare.alternatives import Alternative, alternatives, explained
from kb.compare.judge import compare

__all__ = ["Alternative", "alternatives", "compare", "explained"]
