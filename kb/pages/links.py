"""Where each record has its page and its anchor, and the way from one page to another."""

from __future__ import annotations

import functools
import posixpath
import re

from kb.corpus import Corpus, ResultEntry

HOME = "index.md"
CHOOSE = "comparisons/choose.md"
ANY_TWO = "comparisons/two-products.md"
CITE = "cite/index.md"
COMPARISONS = "comparisons/index.md"
DECISIONS = "decisions/index.md"
TIMELINE = "decisions/timeline.md"
EVIDENCE = "evidence/index.md"
MISTAKES = "mistakes/index.md"
PRODUCTS = "products/index.md"
RESULTS = "results/index.md"
READER = "reader/index.md"
RULES = "rules/index.md"
SEARCH = "find/index.md"
SOURCES = "sources/index.md"
WORDS = "words/index.md"
DICTIONARY = "words/dictionary.md"

_NO_ANCHOR = re.compile(r"[^a-z0-9.-]+")


def product_path(product: str) -> str:
    """The page of a product."""
    return f"products/{product}.md"


def decision_path(decision: str) -> str:
    """The page of a decision; by number, so that a new title breaks no link."""
    return f"decisions/{decision}.md"


def evidence_path(record: str) -> str:
    """The page of an evidence record."""
    return f"evidence/{record}.md"


def results_path(benchmark: str) -> str:
    """The page of a benchmark's published results."""
    return f"results/{anchor(benchmark)}.md"


def result_target(entry: ResultEntry) -> str:
    """Page and anchor of one published result."""
    return f"{results_path(entry.result.benchmark)}#{anchor(entry.id)}"


def result_pair_path(left: str, right: str) -> str:
    """The page that sets two published results side by side."""
    sides = (anchor(name.rpartition("/")[2]) for name in (left, right))
    return f"results/{'--'.join(sides)}.md"


def rule_path(slug: str) -> str:
    """The page of a rule."""
    return f"rules/{slug}.md"


def mistake_path(slug: str) -> str:
    """The page of a kind of mistake in prose."""
    return f"mistakes/{slug}.md"


def pair_path(left: str, right: str) -> str:
    """The page that sets two products side by side."""
    return f"comparisons/{left}--{right}.md"


def claim_target(claim: str) -> str:
    """Page and anchor of a claim id."""
    product, _, slot = claim.partition("/")
    return f"{product_path(product)}#{slot}"


def word_target(axis: str, word: str = "") -> str:
    """Page and anchor of an axis, or of one word on it."""
    return f"{WORDS}#{anchor(f'{axis}-{word}' if word else axis)}"


def source_target(source: str) -> str:
    """Page and anchor of a source."""
    return f"{SOURCES}#{source}"


def pair_anchor(left: str, right: str) -> str:
    """The anchor of one comparison of two claims, on whatever page it stands."""
    return anchor(f"{left}--{right}")


def anchor(text: str) -> str:
    """A text as an anchor: lower case, hyphens, nothing that needs escaping."""
    return _NO_ANCHOR.sub("-", text.lower()).strip("-")


def way(page: str, target: str) -> str:
    """The relative link from `page` to `target`, which may end in `#anchor`."""
    path, hash_, name = target.partition("#")
    if path == page and hash_:
        return f"#{name}"
    return _between(posixpath.dirname(page), path) + hash_ + name


@functools.lru_cache(maxsize=50_000)
def _between(folder: str, path: str) -> str:
    return posixpath.relpath(path, folder or ".")


def address(target: str) -> str:
    """Where a page is served, from the root of the site: `products/tpu-v6e/#chip-hbm-capacity`."""
    path, hash_, name = target.partition("#")
    place = path.removesuffix(".md").removesuffix("index")
    return (f"{place}/" if place and not place.endswith("/") else place) + hash_ + name


def record_target(name: str, corpus: Corpus) -> str | None:
    """Where the record with this id has its place; None where there is none."""
    if name in corpus.claims:
        return claim_target(name)
    if name in corpus.products:
        return product_path(name)
    if name in corpus.decisions:
        return decision_path(name)
    if name in corpus.records:
        return evidence_path(name)
    if name in corpus.results:
        return result_target(corpus.results[name])
    return source_target(name) if name in corpus.sources else None
