"""The home page: what stands first for whoever opens the site."""

from __future__ import annotations

from dataclasses import replace

from kb.corpus import Corpus
from kb.pages.index import home_page

TITLE = "## Products of our own"


def test_own_products_stand_beside_the_catalogue(corpus: Corpus) -> None:
    assert TITLE not in home_page(corpus, (), ())["index.md"]  # all of them are its own
    mixed = {key: replace(entry, own=key == "tpu-v6e") for key, entry in corpus.products.items()}
    page = home_page(replace(corpus, products=mixed), (), ())["index.md"]
    own = page.partition(TITLE)[2].partition("## ")[0].strip().splitlines()
    claims = len(corpus.products["tpu-v6e"].value.claims)
    assert own == [f"- [TPU v6e (Trillium)](products/tpu-v6e.md), by Google: {claims} claims"]
