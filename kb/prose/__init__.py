"""Prose: quantities and citations in text, and whether they agree with the catalogue."""
