"""The same program on one device and on more: fixed work, or work that grows with them.

The batch is split over the mesh and the weights are on every device, so the gradient of the
weights has to be added up over all of them: one all-reduce a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kb.measure.run import compiled, framework, stages
from kb.measure.run.correctness import judge
from kb.measure.run.sample import Progress, one
from kb.measure.study import cluster
from kb.measure.study.draft import Draft, timed
from kb.measure.workload import FORMULA, UNIT_ROUNDOFF
from kb.model.measurement import Correctness, Tolerance
from kb.model.study import Check, Figure, Series, StudyKind
from kb.qualifiers import Boundary, Precision

SEED = 20261130


def study(params: dict[str, Any], progress: Progress) -> Draft:
    """One device, two, four and so on, as many as `params` allow; strong or weak."""
    import jax

    cluster.join(params)
    strong = params["mode"] == "strong"
    counts = _counts(int(params["devices"] or len(jax.devices())))
    rows, checks, medians = [], [], {}
    for count in counts:
        batch = int(params["batch"]) * (1 if strong else count)
        progress(f"{count} devices, batch {batch}")
        series, correct = _step(count, batch, int(params["width"]), int(params["samples"]))
        rows.append(series)
        medians[count] = series.median or 0.0
        error = "not finite" if correct.norm_error is None else f"{correct.norm_error:.2e}"
        checks.append(
            Check(name=f"correct_{count}", passed=correct.passed,
                  why=f"norm error {error}, bound {correct.tolerance.bound:.2e}")
        )  # fmt: skip
    device = jax.local_devices()[0]
    return Draft(
        kind=StudyKind.STRONG_SCALING if strong else StudyKind.WEAK_SCALING,
        name=f"{params['mode']}-scaling-{jax.process_count()}p",
        subject=f"{'A fixed batch' if strong else 'A batch for each device'} on "
        f"{' and '.join(map(str, counts))} devices in {jax.process_count()} processes",
        cannot="It says nothing about other programs, batches, meshes or interconnects, and "
        "host work and input staging lie outside the clock.",
        device=device,
        devices=counts[-1],
        functional_only=device.platform == "cpu",
        controlled=_controlled(params, strong=strong),
        series=rows,
        figures=_figures(medians, strong=strong),
        checks=checks,
    )


def _counts(most: int) -> list[int]:
    """Powers of two up to the number of devices; whole processes where there are several."""
    import jax

    least = 1 if jax.process_count() == 1 else len(jax.devices())
    found = [least]
    while found[-1] * 2 <= most:
        found.append(found[-1] * 2)
    return found


def gradient(weights: Any, batch: Any) -> Any:
    """The gradient of a small loss: batch in, weights out."""
    import jax
    import jax.numpy as jnp

    return jax.grad(lambda w: jnp.square(jnp.tanh(batch @ w)).sum())(weights)


def _step(count: int, batch: int, width: int, samples: int) -> tuple[Series, Correctness]:
    """One size of mesh: compiled, checked and timed; the slowest process counts."""
    import jax
    import numpy as np

    draw = np.random.default_rng(SEED)
    rows = draw.standard_normal((batch, width)).astype(np.float32)
    weights = (draw.standard_normal((width, width)) / width**0.5).astype(np.float32)
    split, whole = _shardings(count)
    program = jax.jit(gradient, in_shardings=(whole, split), out_shardings=whole)
    placed = (_global(weights, whole), _global(rows, split))
    lowered = program.lower(*placed)
    built, (stage, _) = stages.timed(Boundary.COMPILE, lowered.compile, first=False)
    variant, _ = compiled.read(built, jax.devices()[0].platform, count, stage.seconds)
    result = framework.wait(built(*placed))
    cluster.warm_up(lambda: built(*placed))
    cluster.barrier(f"scale-{count}")
    seconds = [one(lambda: built(*placed), framework.wait)[0] for _ in range(samples)]
    found = cluster.gather(seconds)
    facts: dict[str, str | float] = {
        "devices": count,
        "batch": batch,
        "collectives": ", ".join(f"{c.executions} {c.kind}" for c in variant.collectives) or "none",
        "wire_bytes_per_device": sum(c.wire_bytes for c in variant.collectives),
        "result": _placement(result),
        "memory_bytes": variant.plan.needed,
        "slowest_process": found.worker,
        "process_medians": ", ".join(f"{each:.6f}" for each in found.medians),
    }
    title = f"one step on {count} devices, until the slowest process has its result"
    series = timed(f"devices_{count}", title, found.slowest, Boundary.WARM_HOST, **facts)
    local = np.asarray(framework.leaves(result)[0].addressable_data(0))  # type: ignore[attr-defined]
    return series, judge(local, _wanted(weights, rows), _tolerance(batch, width))


def _shardings(count: int) -> tuple[Any, Any]:
    """Split over the first axis, and whole everywhere."""
    import jax
    import numpy as np
    from jax.sharding import Mesh, NamedSharding

    from kb.measure.compile import untyped

    mesh = Mesh(np.array(jax.devices()[:count], dtype=object), ("data",))
    return NamedSharding(mesh, untyped.spec("data")), NamedSharding(mesh, untyped.spec())


def _global(array: Any, sharding: Any) -> Any:
    """A host array on all devices of a sharding, also where they belong to other processes."""
    import jax

    return jax.make_array_from_callback(array.shape, sharding, lambda index: array[index])


def _placement(result: Any) -> str:
    """Whether a result is whole on every device or split."""
    return "whole on every device" if result.sharding.is_fully_replicated else "split"


def _wanted(weights: Any, rows: Any) -> Any:
    import numpy as np

    w, x = weights.astype(np.float64), rows.astype(np.float64)
    reached = np.tanh(x @ w)
    return x.T @ (2 * reached * (1 - reached**2))


def _tolerance(batch: int, width: int) -> Tolerance:
    roundoff, length = UNIT_ROUNDOFF[Precision.FP32], batch + width
    return Tolerance(
        formula=FORMULA, factor=8.0, length=length, unit_roundoff=roundoff,
        bound=8.0 * length**0.5 * roundoff,
    )  # fmt: skip


def _controlled(params: dict[str, Any], *, strong: bool) -> dict[str, str]:
    grows = "the batch of the whole step" if strong else "the batch of one device"
    return {
        "program": f"gradient of a dense layer, width {params['width']}, float32",
        "fixed": f"{grows}: {params['batch']}",
        "boundary": "one step, from the call to the last result; inputs were placed before",
        "sharding": "the batch is split over the mesh, the weights are whole on every device",
    }


def _figures(medians: dict[int, float], *, strong: bool) -> Sequence[Figure]:
    """Speed-up or efficiency against the smallest mesh, from the medians."""
    first = min(medians)
    found = []
    for count, seconds in medians.items():
        more = count / first
        ratio = medians[first] / seconds
        if strong:
            found.append(
                Figure(name=f"speedup_{count}", title=f"speed-up on {count} devices",
                       value=ratio, unit="ratio")
            )  # fmt: skip
        found.append(
            Figure(name=f"efficiency_{count}", title=f"efficiency on {count} devices",
                   value=ratio / more if strong else ratio, unit="share")
        )  # fmt: skip
    return found
