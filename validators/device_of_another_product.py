"""A measurement is filed under a product that the device which ran it is not.

**Why.** A record speaks for the product that it names. A CPU speaks for no TPU and no GPU,
and a device under the name of another product gives it speeds that it doesn't have. What
a device is follows from the name that it reports: one that the measurement module knows, or
one that the product lists under `devices`.

**Refused**

```yaml evidence
device: {platform: cpu, kind: cpu, product: acme-x1}
```

**Accepted**

```yaml evidence
id: matmul-example-1
device: {platform: cpu, kind: cpu, product: example}
```

```yaml spec
accelerator: null
devices: [{platform: cpu, kind: Example CPU}]
```
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from kb.corpus import ClaimEntry, Corpus
from kb.finding import Label
from kb.model.device_kinds import CPU, PRODUCT_OF_KIND, name_of, platform_of
from kb.model.product import Product
from kb.rules import Item, Problem, rule

if TYPE_CHECKING:
    from kb.model.evidence import Evidence
    from kb.model.study import Study


@rule(over="record")
def device_of_another_product(entry: Item, corpus: Corpus) -> Iterator[Problem]:
    """Yield records whose device reports no name of the product that it is filed under."""
    # By its fields, so that a base of specifications is checked without building other models.
    if isinstance(entry, ClaimEntry) or not hasattr(entry.value, "device"):
        return
    record = cast("Evidence | Study", entry.value)
    device, model = record.device, record.environment.cpu_model
    filed = corpus.products.get(device.product)
    if filed is None:  # it is `other`
        return
    name = name_of(device.platform, device.kind, model)
    if _is(filed.value, device.platform, name):
        return
    known = PRODUCT_OF_KIND.get(name)
    is_one = "" if known is None or device.platform == CPU else f", which is {known}"
    yield Problem(
        entry.place.at("device", "product"),
        f"{record.id} is filed under {device.product} and ran on {name} "
        f"({device.platform}){is_one}",
        "restore the file as it was written, or measure again; a device of your own becomes a "
        f"product by 'devices: [{{platform: {device.platform}, kind: …}}]' in its specification",
        label="not this device",
        related=(Label(filed.place.at("product"), "the product"),),
    )


def _is(product: Product, platform: str, name: str) -> bool:
    """Whether devices of the product report this name: it declares so, or the table knows it."""
    known = PRODUCT_OF_KIND.get(name) == product.product and platform == platform_of(name)
    return known or product.reports(platform, name)
