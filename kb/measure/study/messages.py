"""Collectives over message sizes: time, algorithm bandwidth and bus bandwidth.

The conventions are those of NVIDIA's nccl-tests, so that figures can be set beside theirs:
the algorithm bandwidth is the size over the time, the bus bandwidth multiplies it with what
a ring has to send, and both count bytes that one device sends in one direction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from kb.measure.run import framework
from kb.measure.run.sample import Progress, one
from kb.measure.study import cluster
from kb.measure.study.draft import Draft, timed
from kb.model.study import Check, Figure, Series, StudyKind
from kb.qualifiers import Boundary

CONVENTION = (
    "bytes that one device sends, in one direction; size as in nccl-tests: of the array of one "
    "device for all-reduce, all-to-all and permute, of the whole array for all-gather and "
    "reduce-scatter"
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One collective: what it does to (n, m) blocks, and its share of the ring."""

    run: Callable[[Any, int], Any]
    """The body of one device, from its block."""
    wanted: Callable[[Any], Any]
    """The blocks of all devices after it, from those before, by numpy."""
    factor: Callable[[int], float]


def _kinds() -> MappingProxyType[str, Kind]:
    import jax
    import numpy as np

    lax: Any = jax.lax

    def ring(size: int) -> list[tuple[int, int]]:
        return [(i, (i + 1) % size) for i in range(size)]

    return MappingProxyType(
        {
            "all_reduce": Kind(
                lambda x, _: lax.psum(x, "d"),
                lambda a: np.broadcast_to(a.sum(axis=0), a.shape),
                lambda n: 2 * (n - 1) / n,
            ),
            "all_gather": Kind(
                lambda x, _: lax.all_gather(x, "d", axis=0, tiled=True),
                lambda a: np.broadcast_to(a.reshape(-1), (len(a), a.size)),
                lambda n: (n - 1) / n,
            ),
            "reduce_scatter": Kind(
                lambda x, _: lax.psum_scatter(x, "d", scatter_dimension=0, tiled=True),
                lambda a: a.sum(axis=0).reshape(len(a), -1),
                lambda n: (n - 1) / n,
            ),
            "all_to_all": Kind(
                lambda x, _: lax.all_to_all(x, "d", 0, 0, tiled=True),
                lambda a: a.reshape(len(a), len(a), -1).swapaxes(0, 1).reshape(a.shape),
                lambda n: (n - 1) / n,
            ),
            "permute": Kind(
                lambda x, n: lax.ppermute(x, "d", ring(n)),
                lambda a: np.roll(a, 1, axis=0),
                lambda _: 1.0,
            ),
        }
    )


NAMES = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "permute")


def study(params: dict[str, Any], progress: Progress) -> Draft:
    """Every collective in `params` at every size, largest mesh only."""
    import jax

    cluster.join(params)
    devices = jax.devices()[: int(params["devices"] or len(jax.devices()))]
    rows: list[Series] = []
    checks, figures = [], []
    for name in params["kinds"]:
        for size in params["sizes"]:
            progress(f"{name}, {size} bytes on {len(devices)} devices")
            series, right = _one(name, int(size), devices, int(params["samples"]))
            rows.append(series)
            figures += _figures(series, name, int(size))
            checks.append(
                Check(name=f"{name}_{size}", passed=right,
                      why="every device holds what numpy computes" if right else "wrong result")
            )  # fmt: skip
    return Draft(
        kind=StudyKind.COLLECTIVES,
        name=f"collectives-{len(devices)}x-{jax.process_count()}p",
        subject=f"Collectives on {len(devices)} devices in {jax.process_count()} processes",
        cannot="A bus bandwidth is a payload rate by a ring's formula; it is no specification "
        "of an interface, and says nothing about contention with other work or other meshes.",
        device=jax.local_devices()[0],
        devices=len(devices),
        functional_only=devices[0].platform == "cpu",
        controlled={
            "convention": CONVENTION,
            "format": "float32",
            "boundary": "one collective on all devices, until the slowest process has its result",
        },
        series=rows,
        figures=figures,
        checks=checks,
    )


def _one(name: str, size: int, devices: list[Any], samples: int) -> tuple[Series, bool]:
    """One collective at one size in bytes: compiled, checked, timed."""
    import jax
    import numpy as np
    from jax.sharding import Mesh, NamedSharding

    from kb.measure.compile import untyped

    kind, n = _kinds()[name], len(devices)
    # Each device's block must divide by the number of devices once more.
    per_device = max(1, size // 4 // (n * (n if name == "all_gather" else 1))) * n
    held = n * per_device * 4 if name == "all_gather" else per_device * 4
    start = np.arange(n * per_device, dtype=np.float32) % 251
    mesh = Mesh(np.array(devices, dtype=object), ("d",))
    split = untyped.spec("d")
    mapped: Any = jax.shard_map(
        lambda x: kind.run(x, n), mesh=mesh, in_specs=split, out_specs=split, check_vma=False
    )
    placed = jax.make_array_from_callback(
        start.shape, NamedSharding(mesh, split), lambda index: start[index]
    )
    built = jax.jit(mapped).lower(placed).compile()
    right = _right(framework.wait(built(placed)), kind.wanted(start.reshape(n, per_device)))
    cluster.warm_up(lambda: built(placed))
    cluster.barrier(f"{name}-{size}")
    seconds = [one(lambda: built(placed), framework.wait)[0] for _ in range(samples)]
    found = cluster.gather(seconds)
    series = timed(
        f"{name}_{size}", f"{name.replace('_', '-')} of {held:,} bytes", found.slowest,
        Boundary.COLLECTIVE, size_bytes=held, devices=n, factor=kind.factor(n),
        slowest_process=found.worker, processes=len(found.by_process),
    )  # fmt: skip
    return series, right


def _right(result: Any, wanted: Any) -> bool:
    """Whether the blocks that this process holds are those that numpy computes."""
    import numpy as np

    order = {device: index for index, device in enumerate(result.sharding.mesh.devices.flat)}
    return all(
        np.array_equal(np.asarray(shard.data), wanted[order[shard.device]].reshape(-1))
        for shard in result.addressable_shards
    )


def _figures(series: Series, name: str, size: int) -> list[Figure]:
    seconds, held = series.median or 1.0, float(series.facts["size_bytes"])
    algorithm = held / seconds
    return [
        Figure(name=f"{name}_{size}_algbw", title=f"algorithm bandwidth, {series.title}",
               value=algorithm, unit="byte/s"),
        Figure(name=f"{name}_{size}_busbw", title=f"bus bandwidth, {series.title}",
               value=algorithm * float(series.facts["factor"]), unit="byte/s"),
    ]  # fmt: skip
