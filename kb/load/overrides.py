"""Overrides: what a project corrects in the installed catalogue, or adds to it, with a reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from kb.corpus import ClaimEntry, Entry
from kb.finding import Finding, Label, Severity, quoted
from kb.model.product import Override, Product, ReportedName, refusal_of_names

Merged = tuple[dict[str, Entry[Product]], dict[str, ClaimEntry], tuple[Finding, ...]]


def merged(
    products: Mapping[str, Entry[Product]],
    claims: Mapping[str, ClaimEntry],
    overrides: Iterable[Entry[Override]],
) -> Merged:
    """Products and claims with the overrides laid over them, and the overrides that can't be."""
    found = dict(claims)
    refused: list[Finding] = []
    touched: dict[str, tuple[ReportedName, ...]] = {}
    for entry in overrides:
        target = entry.value.overrides
        problem = misplaced(entry, products.get(target), products)
        if problem := problem or _misnamed(entry, products[target].value):
            refused.append(problem)
            continue
        touched[target] = (*touched.get(target, ()), *entry.value.devices)
        for made in _entries(entry, products[target].value):
            known = found.get(made.id)
            if known is not None and known.own:
                refused.append(_twice(made, known))
            elif known is not None and known.claim == made.claim:
                refused.append(_needless(made, known))
            elif known is not None:
                found[made.id] = replace(made, replaced=known.claim)
            else:
                found[made.id] = made
    if not touched:  # the usual case: nothing is copied
        return dict(products), found, tuple(refused)
    whole = {key: _whole(products[key], found.values(), names) for key, names in touched.items()}
    by_product = {
        key: replace(entry, product=whole[entry.product.product].value)
        if entry.product.product in whole
        else entry
        for key, entry in found.items()
    }
    return {**products, **whole}, by_product, tuple(refused)


def _entries(entry: Entry[Override], product: Product) -> Iterator[ClaimEntry]:
    for i, claim in enumerate(entry.value.claims):
        place = entry.place.at("claims", i)
        yield ClaimEntry(product, claim, place, own=True, override=entry.value.reason)


def _whole(
    product: Entry[Product], claims: Iterable[ClaimEntry], names: tuple[ReportedName, ...]
) -> Entry[Product]:
    own = tuple(e.claim for e in claims if e.product.product == product.value.product)
    changed = {"claims": own, "devices": (*product.value.devices, *names)}
    return replace(product, value=product.value.model_copy(update=changed))


def misplaced(
    entry: Entry[Override], target: Entry[Product] | None, products: Mapping[str, Entry[Product]]
) -> Finding | None:
    """Why an override can't be laid over anything, or None."""
    import difflib

    name, path = entry.value.overrides, PurePosixPath(entry.place.path)
    if target is None:
        near = difflib.get_close_matches(name, products, n=2, cutoff=0.6)
        remedy = f"did you mean {' or '.join(near)}?" if near else "see `kb list products`"
        return _refusal(entry, f"there is no product {quoted(name)} to override", remedy)
    if target.own:
        label = Label(target.place, "the product of this project")
        message = f"'{name}' is a product of this project, so nothing installed is overridden"
        return _refusal(entry, message, f"correct {target.place.path} itself", label)
    if path.stem != name:
        message = f"the override of '{name}' stands in a file that is called {path.name}"
        return _refusal(entry, message, f"rename the file to {name}{path.suffix}")
    return None


def _misnamed(entry: Entry[Override], target: Product) -> Finding | None:
    """Why the product can't be the devices that an override names, or None."""
    names = (*target.devices, *entry.value.devices)
    why = refusal_of_names(target.product, names, target.layer, target.accelerator)
    if why is None or not entry.value.devices:
        return None
    message = f"'{target.product}' can't be the devices that the override names: {why}"
    remedy = "describe the device as a product of its own"
    return Finding("misplaced-override", Severity.ERROR, message, entry.place.at("devices"), remedy)


def _refusal(entry: Entry[Override], message: str, remedy: str, *related: Label) -> Finding:
    place = entry.place.at("overrides")
    return Finding("misplaced-override", Severity.ERROR, message, place, remedy, "", related)


def _twice(made: ClaimEntry, known: ClaimEntry) -> Finding:
    label = Label(known.place, "the other definition")
    message = f"the claim '{made.id}' is defined twice"
    remedy = "rename or remove one of the two"
    place = made.place.at("id")
    return Finding("duplicate-id", Severity.ERROR, message, place, remedy, "", (label,))


def _needless(made: ClaimEntry, known: ClaimEntry) -> Finding:
    label = Label(known.place, "the installed claim")
    message = f"the claim '{made.id}' is what the installed catalogue says already"
    place = made.place.at("id")
    remedy = "remove it from the override"
    return Finding("misplaced-override", Severity.WARNING, message, place, remedy, "", (label,))
