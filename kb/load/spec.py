"""One file of `specs/` by itself: a product, sources, or what is laid over a product."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from kb.finding import Finding, Severity
from kb.load.nodes import Composed, compose
from kb.load.shape import shape
from kb.model.product import Override, Product, SourceList
from kb.source import Place, Route

INSTALLED_FILES = 256
"""Files of the installed catalogue that a process keeps; it has a few dozen."""


@dataclass(frozen=True)
class Spec:
    """What was read from one file, before it is known which of its records count."""

    read: Composed
    record: Product | SourceList | Override | None
    findings: tuple[Finding, ...] = ()
    """What is wrong with its shape."""
    kept: tuple[int, ...] = ()
    """Of a product: which of the written claims it has."""


def read_spec(path: str, text: str) -> Spec:
    """The record that a text of `specs/` holds; it depends on nothing else."""
    read = compose(text, path)
    if not isinstance(read.data, dict):
        found = () if read.findings else (_no_mapping(path),)
        return Spec(read, None, found)
    if "sources" in read.data and "product" not in read.data:
        return _shaped(SourceList, read, path)
    if "overrides" in read.data and "product" not in read.data:
        return _shaped(Override, read, path)
    return _product(read, path)


@functools.lru_cache(maxsize=INSTALLED_FILES)
def read_installed(path: str, text: str) -> Spec:
    """The same for a file of the installed catalogue, which one process may read many times."""
    return read_spec(path, text)


def _shaped(model: type[SourceList | Override], read: Composed, path: str) -> Spec:
    record, findings = shape(model, read.data, Place(path))
    return Spec(read, record, tuple(read.sound(findings)))


def _product(read: Composed, path: str) -> Spec:
    data: dict[str, Any] = read.data
    product, findings = shape(Product, data, Place(path))
    claims = data.get("claims")
    kept = list(range(len(claims))) if isinstance(claims, list) else []
    if product is None and isinstance(claims, list):
        # One bad claim must not take its sound neighbours along: everything that
        # refers to them would be reported as dangling.
        bad = {f.place.route[1] for f in findings if _in_claim(f.place.route)}
        kept = [i for i in kept if i not in bad]
        product, _ = shape(Product, data | {"claims": [claims[i] for i in kept]}, Place(path))
    return Spec(read, product, tuple(read.sound(findings)), tuple(kept))


def _in_claim(route: Route) -> bool:
    return len(route) > 1 and route[0] == "claims"


def _no_mapping(path: str) -> Finding:
    message, remedy = (
        "the file holds no mapping of fields",
        "begin it with 'product: …', 'overrides: …' or 'sources:'",
    )
    return Finding("wrong-type", Severity.ERROR, message, Place(path), remedy)
