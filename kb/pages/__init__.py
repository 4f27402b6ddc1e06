"""Pages: a corpus goes in, Markdown, SVG, JSON and CSV come out. Pure; no files are touched.

Two renderings of equal content are equal to the byte.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.corpus import Corpus
    from kb.rules.collect import Rule

__all__ = ["render"]


def render(
    corpus: Corpus, rules: Sequence[Rule] = (), schemas: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Every page and file of the site by its path, sorted by path.

    `schemas` holds the text of each schema file by its name.

    The corpus must have passed the check: what can't be read is left out without a word.
    """
    from kb.pages.assemble import assemble  # late: `kb show` needs the words of this room only

    return assemble(corpus, rules, schemas or {})
