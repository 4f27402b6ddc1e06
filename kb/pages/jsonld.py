"""Product pages for search engines and catalogues: schema.org terms as JSON-LD."""

from __future__ import annotations

import json
from collections.abc import Sequence

from kb.corpus import ClaimEntry, Corpus
from kb.model.product import Product
from kb.pages.words import claim_title, name, qualifiers
from kb.qualifiers import UNSTATED


def product_data(product: Product, entries: Sequence[ClaimEntry], corpus: Corpus) -> str:
    """A script element that no browser runs; the printed values with their qualifiers."""
    data = {
        "@context": "https://schema.org",
        "@type": "Product",
        "productID": product.product,
        "name": product.name,
        "manufacturer": {"@type": "Organization", "name": product.vendor},
        "description": product.summary,
        "alternateName": list(product.aliases),
        "additionalProperty": [_property(entry, corpus) for entry in entries],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    # A closing tag or a comment inside a string would end the element early, and a bare
    # ampersand is an entity to some Markdown parsers.
    for mark in "<>&":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return f'<script type="application/ld+json">{text}</script>'


def _property(entry: ClaimEntry, corpus: Corpus) -> dict[str, object]:
    claim = entry.claim
    told = [
        f"{name(axis)}: {name(value)}"
        for axis, value in qualifiers(claim)
        if value == UNSTATED or not isinstance(value, (tuple, dict))
    ]
    data: dict[str, object] = {
        "@type": "PropertyValue",
        "@id": f"#{claim.id}",
        "propertyID": entry.id,
        "name": claim_title(claim),
        "value": claim.current.published,
        "description": "; ".join(told),
    }
    source = corpus.sources.get(claim.current.source or "")
    if source is not None:
        data["subjectOf"] = source.value.title
    return data
