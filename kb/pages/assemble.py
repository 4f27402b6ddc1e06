"""The whole site put together: every page and file from one corpus."""

from __future__ import annotations

from collections.abc import Sequence

from kb.corpus import Corpus
from kb.pages import links
from kb.pages.artefact import artefact_pages, with_compiled
from kb.pages.comparison import comparison_pages
from kb.pages.data import data_files
from kb.pages.decision import decision_pages
from kb.pages.dictionary import dictionary_page
from kb.pages.evidence import evidence_pages
from kb.pages.index import home_page
from kb.pages.pairs import matrices
from kb.pages.product import product_pages
from kb.pages.rule import rule_pages
from kb.pages.source import source_pages
from kb.pages.words import glossary
from kb.rules.collect import Rule


def assemble(corpus: Corpus, rules: Sequence[Rule]) -> dict[str, str]:
    """Every page and file of the site by its path, sorted by path."""
    pairs = matrices(corpus)
    files = {
        **home_page(corpus, pairs, rules),
        **product_pages(corpus),
        **comparison_pages(corpus, pairs),
        **decision_pages(corpus),
        **evidence_pages(corpus),
        **artefact_pages(corpus),
        **rule_pages(rules),
        **glossary(),
        **dictionary_page(),
        **source_pages(corpus),
        **data_files(corpus, pairs),
    }
    files[links.EVIDENCE] = with_compiled(files[links.EVIDENCE], corpus)
    return dict(sorted(files.items()))
