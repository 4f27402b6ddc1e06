"""Which product a device is, by the name that it gives itself, and how far it may speak.

A name that nobody declares is `other`, and a record from such a device speaks for that
device only.
"""

from __future__ import annotations

from kb.model.device_kinds import CPU, PRODUCT_OF_KIND, name_of
from kb.model.evidence import OTHER
from kb.qualifiers import EvidenceClass


def product_of(kind: str) -> str:
    """The product id of a device kind; `other` for every kind that is not in the table."""
    return PRODUCT_OF_KIND.get(kind, OTHER)


def class_of(product: str) -> EvidenceClass:
    """What a run on `product` is: on target only when a product of that name is known."""
    if product == OTHER:
        return EvidenceClass.EXECUTED_ELSEWHERE
    return EvidenceClass.EXECUTED_ON_TARGET


def speaks_for(backend: str, kind: str, cpu_model: str, product: str) -> str:
    """The sentence that says how far a record from this device reaches."""
    about_cpu = "it can't support a statement about a TPU or a GPU."
    if product != OTHER:
        name = name_of(backend, kind, cpu_model)
        told = f"Speaks for {product} ({name}) under the recorded settings only"
        return f"{told}; {about_cpu}" if backend == CPU else f"{told}."
    if backend == CPU:
        return f"Speaks for this CPU ({cpu_model}) only; {about_cpu}"
    return f"Speaks for this device ({kind}) only; it is no product of the catalogue."
