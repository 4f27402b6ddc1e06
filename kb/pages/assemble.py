"""The whole site put together: every page and file from one corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from kb.compare import compare
from kb.corpus import Corpus
from kb.finding import CheckError
from kb.pages import links
from kb.pages.api import LISTING, api_files, listing
from kb.pages.artefact import artefact_pages, with_compiled
from kb.pages.comparison import comparison_pages
from kb.pages.data import data_files
from kb.pages.decision import decision_pages
from kb.pages.dictionary import dictionary_page
from kb.pages.evidence import evidence_pages
from kb.pages.extras import extra_pages
from kb.pages.feed import feed
from kb.pages.index import home_page
from kb.pages.kernels import kernel_pages, with_kernels
from kb.pages.mistake import mistake_pages
from kb.pages.pairs import matrices, remembering
from kb.pages.product import product_pages
from kb.pages.published import imported_pages, with_imported
from kb.pages.reader import reader_pages
from kb.pages.result_pair import result_pair_pages
from kb.pages.results import results_pages
from kb.pages.rule import rule_pages
from kb.pages.shards import shard_files
from kb.pages.source import source_pages
from kb.pages.study import study_pages, with_studies
from kb.pages.words import glossary
from kb.rules.collect import Rule

SCRIPTS = ("common", "reader", "chooser", "matrix", "decisions", "search", "start")
"""The parts of the script in the order in which it holds them, each one concern."""

SECTION = "index"
"""The name of every section's own page, which no record may have."""


def assemble(corpus: Corpus, rules: Sequence[Rule], schemas: Mapping[str, str]) -> dict[str, str]:
    """Every page and file of the site by its path, sorted by path."""
    _refuse_index(corpus, rules)
    pairs, judge = matrices(corpus), remembering(compare)
    files = _merged(
        home_page(corpus, pairs, rules),
        product_pages(corpus),
        comparison_pages(corpus, pairs, judge),
        decision_pages(corpus),
        evidence_pages(corpus),
        artefact_pages(corpus),
        kernel_pages(corpus),
        imported_pages(corpus),
        results_pages(corpus),
        result_pair_pages(corpus),
        study_pages(corpus),
        reader_pages(corpus),
        rule_pages(rules),
        mistake_pages(),
        glossary(),
        dictionary_page(),
        source_pages(corpus),
        data_files(corpus, pairs),
        extra_pages(corpus, pairs),
        feed(corpus),
        shard_files(corpus, judge),
        api_files(corpus, pairs, rules, schemas),
        _assets(),
    )
    index = with_compiled(with_studies(files[links.EVIDENCE], corpus), corpus)
    files[links.EVIDENCE] = with_imported(with_kernels(index, corpus), corpus)
    files[LISTING] = listing(files)
    return dict(sorted(files.items()))


def _assets() -> dict[str, str]:
    """Style sheets and script, which ship with this room; a page asks for one script."""
    room = Path(__file__).parent
    files = {f"assets/{path.name}": path.read_text("utf-8") for path in (room / "assets").iterdir()}
    parts = ((room / "script" / f"{name}.js").read_text("utf-8") for name in SCRIPTS)
    return files | {"assets/kb.js": "\n".join(parts)}


def _refuse_index(corpus: Corpus, rules: Sequence[Rule]) -> None:
    """Raise `CheckError` where a record's page would take the place of its section's."""
    ids = {
        "product": corpus.products,
        "decision": corpus.decisions,
        "evidence record": corpus.evidence,
        "compiled record": {**corpus.artefacts, **corpus.kernels},
        "imported record": corpus.imports,
        "study": corpus.studies,
        "rule": {rule.slug for rule in rules},
    }
    for what, known in ids.items():
        if SECTION in known:
            raise CheckError(
                f"the {what} '{SECTION}' has the name of its section's page",
                "give it another id",
            )


def _merged(*groups: Mapping[str, str]) -> dict[str, str]:
    """All groups of pages as one; raises `CheckError` where two have a page of one name."""
    files: dict[str, str] = {}
    for group in groups:
        twice = sorted(files.keys() & group.keys())
        if twice:
            raise CheckError(
                f"two records have the page {twice[0]!r}", "rename one of them: an id is a page"
            )
        files |= group
    return files
