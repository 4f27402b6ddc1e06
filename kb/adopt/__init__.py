"""Adoption: the files that a knowledge base in another repository begins with.

Nothing here writes. What a repository holds already is looked at in `surroundings`.
"""

from kb.adopt.begin import (
    CI,
    CITED,
    IGNORES,
    PARTS,
    SITE,
    TABLE,
    Setting,
    beginnings,
    figures_of,
    with_table,
)
from kb.adopt.origin import DISTRIBUTION, EXAMPLE, installed_from, is_bare, is_open, told, with_name
from kb.adopt.plan import Plan, is_own, lacked, plan_of, present, source_of
from kb.adopt.surroundings import ABOUT, Surroundings, look

__all__ = [
    "ABOUT",
    "CI",
    "CITED",
    "DISTRIBUTION",
    "EXAMPLE",
    "IGNORES",
    "PARTS",
    "SITE",
    "TABLE",
    "Plan",
    "Setting",
    "Surroundings",
    "beginnings",
    "figures_of",
    "installed_from",
    "is_bare",
    "is_open",
    "is_own",
    "lacked",
    "look",
    "plan_of",
    "present",
    "source_of",
    "told",
    "with_name",
    "with_table",
]
