"""Two measurements of a decision differ in more than what the decision varies.

**Why.** A difference between two records can be put down to the accelerator only if all
else is equal: program, shapes, formats, mesh, boundary, caches, framework. Otherwise it may
be the compiler's, the batch's or the clock's.

**Refused**

```yaml evidence
id: matmul-bolt-b8-1
device: {platform: bolt, kind: Bolt B8, product: bolt-b8, speaks_for: Speaks for one Bolt B8.}
dtypes: {multiply: bf16}
cache: {state: persistent_hit}
```

```yaml decision
options:
  - {id: acme, title: JAX on Acme X1, framework: JAX, accelerator: acme-x1}
  - {id: bolt, title: JAX on Bolt B8, framework: JAX, accelerator: bolt-b8}
varied: [accelerator]
evidence: [matmul-acme-x1-1, matmul-bolt-b8-1]
```

**Accepted**

```yaml evidence
id: matmul-bolt-b8-1
device: {platform: bolt, kind: Bolt B8, product: bolt-b8, speaks_for: Speaks for one Bolt B8.}
```

```yaml decision
options:
  - {id: acme, title: JAX on Acme X1, framework: JAX, accelerator: acme-x1}
  - {id: bolt, title: JAX on Bolt B8, framework: JAX, accelerator: bolt-b8}
varied: [accelerator]
evidence: [matmul-acme-x1-1, matmul-bolt-b8-1]
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.finding import Label
from kb.model.decision import Decision
from kb.model.evidence import Evidence
from kb.qualifiers import EvidenceClass
from kb.rules import Problem, rule
from kb.source import Route

Cited = tuple[int, Entry[Evidence]]


@rule(over="decision", needs=("evidence",))
def uncontrolled_variable(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield records that have no counterpart among those of another option.

    Where the accelerator is varied, each record of one product needs one of each other
    product that agrees with it in all else. Where it is not, all records of one workload
    must agree.
    """
    varied = frozenset(entry.value.varied) or _differing_layers(entry.value)
    # A record of another device is judged by `wrong-device`.
    products = {option.accelerator for option in entry.value.options}
    cited = [
        (index, corpus.evidence[name])
        for index, name in enumerate(entry.value.evidence)
        if name in corpus.evidence and _ran(corpus.evidence[name].value, products)
    ]
    told: set[frozenset[int]] = set()
    for one in cited:
        for others in _rivals(one, cited, varied):
            nearest = min(others, key=lambda other: len(_differences(one, other, varied)))
            pair = frozenset((one[0], nearest[0]))
            if pair not in told and _differences(one, nearest, varied):
                told.add(pair)
                first, second = sorted((one, nearest), key=lambda item: item[0])
                yield _problem(entry, first, second, varied)


def _differing_layers(decision: Decision) -> frozenset[str]:
    """The layers in which the options differ, where the decision doesn't say what it varies."""
    layers = ("framework", "compute_api", "kernel", "accelerator")
    return frozenset(x for x in layers if len({getattr(o, x) for o in decision.options}) > 1)


def _ran(record: Evidence, products: set[str | None]) -> bool:
    """Whether the record is a measurement of some option's accelerator."""
    on_target = record.evidence_class is EvidenceClass.EXECUTED_ON_TARGET
    return on_target and record.device.product in products


def _rivals(one: Cited, cited: list[Cited], varied: frozenset[str]) -> Iterator[list[Cited]]:
    """Groups of records in each of which this one needs a counterpart."""
    own = one[1].value
    if "accelerator" in varied:
        products = dict.fromkeys(record.value.device.product for _, record in cited)
        for product in products:
            if product != own.device.product:
                yield [item for item in cited if item[1].value.device.product == product]
        return
    for item in cited:
        if item[0] != one[0] and item[1].value.workload.id == own.workload.id:
            yield [item]


def _problem(
    entry: Entry[Decision], first: Cited, second: Cited, varied: frozenset[str]
) -> Problem:
    left, right = first[1], second[1]
    found = _differences(first, second, varied)
    shown = "; ".join(f"{what} {a} against {b}" for what, (_, a, b) in found.items())
    return Problem(
        entry.place.at("evidence", second[0]),
        f"{right.value.id} differs from {left.value.id} in what the decision does not vary: "
        f"{shown}",
        "measure again with all else equal, or cite records that agree",
        label=" and ".join(found),
        related=tuple(
            Label(record.place.at(*route), f"{what} of {record.value.id}: {value}")
            for what, (route, a, b) in found.items()
            for record, value in ((left, a), (right, b))
        ),
    )


def _differences(
    one: Cited, other: Cited, varied: frozenset[str]
) -> dict[str, tuple[Route, str, str]]:
    """What differs, by name: where it stands in a record, and both values."""
    left, right = _controlled(one[1].value, varied), _controlled(other[1].value, varied)
    return {
        what: (route, value, right[what][1])
        for what, (route, value) in left.items()
        if value != right[what][1]
    }


def _controlled(record: Evidence, varied: frozenset[str]) -> dict[str, tuple[Route, str]]:
    """Everything that has to be equal, by name: where it stands, and its value in words."""
    inputs, types = record.workload.inputs, record.dtypes
    shapes = ", ".join("×".join(map(str, item.shape)) for item in inputs)
    roles = (types.storage, types.multiply, types.accumulate, types.output)
    axes = record.mesh.axes if record.mesh else ()
    mesh = " × ".join(f"{axis.name} {axis.size}" for axis in axes) or "none"
    boundaries = sorted({measurement.boundary.value for measurement in record.measurements})
    found: dict[str, tuple[Route, str]] = {
        "workload": (("workload", "id"), record.workload.id),
        "shapes": (("workload", "inputs"), shapes),
        "formats": (("dtypes",), "/".join(str(role) for role in roles)),
        "precision setting": (
            ("dtypes", "matmul_precision_setting"),
            types.matmul_precision_setting,
        ),
        "mesh": (("mesh",), f"{mesh}, {record.device.count} device(s)"),
        "boundaries": (("measurements",), ", ".join(boundaries)),
        "cache state": (("cache", "state"), record.cache.state.value),
        "transfers": (
            ("transfers",),
            f"{record.transfers.inputs_to_device}/{record.transfers.outputs_to_host}",
        ),
    }
    if varied <= {"accelerator"}:
        # Another framework or kernel lowers the same mathematics to another program.
        found["program"] = (
            ("workload", "stablehlo_sha256"),
            record.workload.stablehlo_sha256[:12],
        )
    if "framework" not in varied:
        versions = f"{record.environment.jax}/{record.environment.jaxlib}"
        found["framework version"] = (("environment", "jax"), versions)
    if "accelerator" not in varied:
        found["device"] = (("device", "product"), record.device.product)
    return found
