"""Which product of the catalogue a measured device is, by the names that products declare.

The measurement module knows names that JAX and drivers give to some products. Any other
device is one that a specification names, or it stays `other`.
"""

from __future__ import annotations

import json
import re

from kb.corpus import Corpus
from kb.estimate.peaks import ceiling
from kb.model import gates, study
from kb.model.device_kinds import CPU, name_of
from kb.model.evidence import OTHER, Device, Evidence
from kb.model.identity import class_of, speaks_for
from kb.model.study import Study


def declared(platform: str, name: str, corpus: Corpus) -> tuple[str, ...]:
    """The products whose specification says that their devices report this name."""
    return tuple(
        key for key, entry in corpus.products.items() if entry.value.reports(platform, name)
    )


def named(device: Device, cpu_model: str, corpus: Corpus) -> Device:
    """The device with its product: unchanged unless exactly one product declares its name.

    `cpu_model` is the name of the machine's processor, which tells one CPU from another.
    """
    if device.product != OTHER:
        return device
    name = name_of(device.platform, device.kind, cpu_model)
    products = declared(device.platform, name, corpus)
    if len(products) != 1:
        return device
    says = speaks_for(device.platform, device.kind, cpu_model, products[0])
    return device.model_copy(update={"product": products[0], "speaks_for": says})


def identified(record: Evidence, corpus: Corpus) -> Evidence:
    """The sealed record under the product of its device, with that product's peaks as ceiling."""
    device = named(record.device, record.environment.cpu_model, corpus)
    if device.product == OTHER:
        return record
    top = record.ceiling or ceiling(device.product, record.dtypes.storage, corpus)
    if device == record.device and top == record.ceiling:
        return record
    changes = {
        "id": _renamed(record.id, record.device, device),
        "evidence_class": class_of(device.product),
        "device": device,
        "ceiling": top,
    }
    return gates.sealed(record.model_copy(update=changes))


def identified_study(seen: Study, corpus: Corpus) -> Study:
    """The sealed study under the product of its device; one of pretended devices has none."""
    device = named(seen.device, seen.environment.cpu_model, corpus)
    if seen.functional_only or device == seen.device:
        return seen
    changes = {
        "id": _renamed(seen.id, seen.device, device),
        "evidence_class": class_of(device.product),
        "device": device,
    }
    return study.sealed(seen.model_copy(update=changes))


def may_be(device: Device, cpu_model: str, corpus: Corpus) -> str | None:
    """The line of a specification that would make the device its product; None where it is one."""
    if device.product != OTHER:
        return None
    name = name_of(device.platform, device.kind, cpu_model)
    several = declared(device.platform, name, corpus)
    if several:
        return f"{' and '.join(several)} both say that their devices are called {name!r}"
    kind = "a product without 'accelerator'" if device.platform == CPU else "a product"
    written = f"{{platform: {device.platform}, kind: {json.dumps(name)}}}"
    return f"{kind} is this device if its specification has 'devices: [{written}]'"


def _renamed(name: str, before: Device, after: Device) -> str:
    """The id of a record, which names a product where there is one and else the platform."""
    if before.product == after.product:
        return name
    tail = re.compile(rf"-{re.escape(before.platform)}(-\d{{8}}-\d{{6}}-\d+)$")
    return tail.sub(rf"-{after.product}\1", name)
