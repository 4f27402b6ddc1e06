"""Adoption: the files that a knowledge base in another repository begins with.

Nothing here writes. What a repository holds already is looked at in `surroundings`.
"""

from kb.adopt.begin import (
    CITED,
    IGNORES,
    PARTS,
    Setting,
    beginnings,
    figures_of,
    not_ignored,
    with_table,
)
from kb.adopt.surroundings import Surroundings, look

__all__ = [
    "CITED",
    "IGNORES",
    "PARTS",
    "Setting",
    "Surroundings",
    "beginnings",
    "figures_of",
    "look",
    "not_ignored",
    "with_table",
]
