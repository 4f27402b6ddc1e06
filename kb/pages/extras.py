"""Pages about the site itself: choosing two claims or two products, searching, and how to cite."""

from __future__ import annotations

from collections.abc import Sequence

from kb.corpus import Corpus
from kb.pages import links
from kb.pages.feed import PATH as FEED
from kb.pages.pairs import Matrix
from kb.pages.shards import chosen, is_whole
from kb.pages.text import blocks, bullets, code, esc, html_text, link, page

PREFERRED = ("hgx-b200/gpu-hbm-bandwidth", "tpu-v6e/chip-hbm-bandwidth")
"""The pair that the chooser opens with, where the catalogue has it."""


def extra_pages(corpus: Corpus, pairs: Sequence[Matrix]) -> dict[str, str]:
    """The four pages."""
    return {
        links.CHOOSE: _choose(corpus, pairs),
        links.ANY_TWO: _any_two(corpus, pairs),
        links.SEARCH: _search(),
        links.CITE: _cite(),
    }


def _choose(corpus: Corpus, pairs: Sequence[Matrix]) -> str:
    sides = chosen(corpus)
    known = {entry.id for members in sides.values() for entry, _ in members}
    first = next(iter(sides.values()), [])
    pair = PREFERRED if known.issuperset(PREFERRED) else tuple(e.id for e, _ in first[:2])
    listed = [
        link(
            " against ".join(esc(corpus.products[key].value.name) for key in (m.left, m.right)),
            links.way(links.CHOOSE, links.pair_path(m.left, m.right)),
        )
        for m in pairs
    ]
    without = blocks(
        "Choosing here needs JavaScript. Without it, these pages show every verdict of two "
        "products:",
        bullets(listed) or "None yet.",
        f"For any two claims: {code('kb compare LEFT RIGHT')}.",
    )
    return page(
        "# Choose two claims",
        "Any two claims of one metric, and the verdict about them. The verdicts were judged when "
        "this site was built; your browser only looks them up.",
        _limit(corpus),
        f'<div class="kb-choose" data-pair="{html_text("..".join(pair))}" markdown="1">\n\n'
        f"{without}\n\n</div>"
        if pair
        else "There are no two claims of one metric yet.",
    )


def _any_two(corpus: Corpus, pairs: Sequence[Matrix]) -> str:
    products = sorted({e.product.product for side in chosen(corpus).values() for e, _ in side})
    known = [(m.left, m.right) for m in pairs if {m.left, m.right} <= set(products)]
    pair = known[0] if known else tuple(products[:2])
    index = links.way(links.ANY_TWO, links.COMPARISONS)
    return page(
        "# Any two products",
        "The whole matrix of any two products, put together by your browser from verdicts that "
        "were judged when this site was built.",
        _limit(corpus),
        f'<div class="kb-two" data-pair="{html_text("..".join(pair))}" markdown="1">\n\n'
        f"Choosing here needs JavaScript. Without it, [these pages]({index}) hold whole "
        "matrices; `kb compare LEFT RIGHT` answers for any two claims.\n\n</div>"
        if len(pair) > 1
        else "There are no two products with figures yet.",
    )


def _limit(corpus: Corpus) -> str:
    """What a catalogue that is too large for verdicts in files leaves out."""
    if is_whole(corpus):
        return ""
    return (
        "The catalogue holds too many pairs for files of this kind, so that only products "
        "which decisions name can be chosen. `kb compare` knows them all."
    )


def _search() -> str:
    return page(
        "# Search",
        "Find a claim by its printed value (`1638`, `180 GB`), a product by any of its names, a "
        "rule by its slug. It works without a network: the index is part of the site.",
        '<div class="kb-search" markdown="1">\n\nThis page needs JavaScript and an index that the '
        "build makes where Pagefind is installed. Otherwise use the search at the top of the page, "
        "or `kb index search WORDS` on the command line.\n\n</div>",
    )


def _cite() -> str:
    api = links.way(links.CITE, "api/index.json")
    return page(
        "# How to cite",
        "Cite the **claim**, with its printed value, and the **source** that printed it. The "
        "claim's address is permanent: product and claim id never change, a new figure becomes a "
        "new statement of the same claim.",
        "> 1638 GBps (HBM bandwidth, one chip, vendor's peak), Google Cloud, “TPU v6e”; claim "
        "`tpu-v6e/chip-hbm-bandwidth` of accelerator-kb.",
        "A verdict is cited by its two claims: `compare:LEFT..RIGHT`. Its cautions go with it.",
        "## Files",
        bullets(
            (
                f"[List of all files with their hashes]({api})",
                f"[Every source as BibTeX]({links.way(links.CITE, 'api/sources.bib')})",
                (
                    f"[Every statement as CSV]({links.way(links.CITE, 'api/statements.csv')}), "
                    f"[claims]({links.way(links.CITE, 'api/claims.csv')}), "
                    f"[decisions]({links.way(links.CITE, 'api/decisions.csv')}), "
                    f"[comparisons]({links.way(links.CITE, 'api/comparisons.csv')})"
                ),
                f"[Decisions and changed claims as a feed]({links.way(links.CITE, FEED)})",
            )
        ),
        "The list names `catalogue.sqlite` too, where the build made one: it opens in Datasette "
        "and any other reader of SQLite. Single samples of a measurement are in the JSON of its "
        "record.",
        "Vendors' figures are facts with their sources; who quotes them quotes the source. The "
        "software is under the Apache License 2.0.",
    )
