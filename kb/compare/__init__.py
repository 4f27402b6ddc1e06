"""Comparing two numbers: verdict, reasons, cautions, licensed steps, conditional ratios."""

from kb.compare.judge import compare

__all__ = ["compare"]
