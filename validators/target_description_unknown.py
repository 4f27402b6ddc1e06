"""A compiled record doesn't show for which device it was compiled.

**Why.** What a compiler does depends on a description of the device: cores, memory, caches,
instruction set. XLA takes an empty or foreign one without a word. A record for a product
has to carry the description that names this product, or the version of the compiler that
holds it.

**Refused**

```yaml artefact
id: matmul-bolt-b8-8-1
target: {device_kind: Acme X1}
```

**Accepted**

```yaml artefact
id: matmul-bolt-b8-8-1
```
"""

import hashlib
from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.artefact import Artefact
from kb.rules import Problem, rule

COMPILERS = ("libtpu",)
"""Packages that hold the description of their devices themselves."""


@rule(over="artefact")
def target_description_unknown(entry: Entry[Artefact], corpus: Corpus) -> Iterator[Problem]:
    """Yield compiled records whose device is not shown to be the product that they name."""
    record, target = entry.value, entry.place.at("target")
    remedy = "compile it again with `kb measure compile`; evidence is never written by hand"
    kind, product = record.target.device_kind, record.target.product
    text, digest = record.target.description_text, record.target.description_sha256
    named = corpus.identify(kind).product
    if named is None or named.product != product:
        meant = f"names {named.name}" if named else "is no name of a product"
        yield Problem(
            target.at("device_kind"),
            f"{record.id} is filed under {product}, and its device kind {kind!r} {meant}",
            remedy,
            label=f"not {product}",
        )
    elif text is None and not any(name in record.versions for name in COMPILERS):
        yield Problem(
            target.at("description"),
            f"{record.id} holds no description of the device and no compiler that has one inside",
            remedy,
            label="of which device?",
        )
    elif text is not None and hashlib.sha256(text.encode()).hexdigest() != digest:
        yield Problem(
            target.at("description_sha256"),
            f"the description in {record.id} does not give the hash that stands beside it",
            remedy,
            label="of another description",
        )
    elif text is not None and kind not in text:
        yield Problem(
            target.at("description_text"),
            f"the description in {record.id} does not name the device kind {kind!r}",
            remedy,
            label="of another device",
        )
