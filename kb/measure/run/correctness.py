"""Checks the timed executable's result against a float64 reference on the CPU.

A fast wrong answer is no measurement. The bound is declared by the workload before the
run and grows with the roundings that can pile up in one element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kb.finding import CheckError
from kb.measure.run import framework
from kb.measure.workload import Workload
from kb.model.measurement import Correctness, Tolerance

if TYPE_CHECKING:
    import numpy as np


def reference(workload: Workload) -> list[np.ndarray]:
    """The arrays of the workload's definition in float64 on the CPU, from the very same inputs.

    Raises `CheckError` when the CPU backend is switched off.
    """
    import jax
    import numpy as np

    try:
        cpu = jax.devices("cpu")[0]
    except RuntimeError as error:
        raise CheckError(
            "The float64 reference needs JAX's CPU backend, which is switched off.",
            "Add cpu to JAX_PLATFORMS, as in JAX_PLATFORMS=cuda,cpu.",
        ) from error
    with jax.enable_x64(True), jax.default_device(cpu):  # noqa: FBT003 (jax takes no keyword)
        wide = jax.tree_util.tree_map(lambda array: _widened(array, cpu), workload.arrays())
        result = [np.asarray(leaf) for leaf in jax.tree_util.tree_leaves(workload.reference(*wide))]
    narrow = [leaf.dtype for leaf in result if leaf.dtype in (np.float32, np.float16)]
    if narrow:
        raise CheckError(
            f"The reference of {workload.id} came out as {narrow[0]}, not float64.",
            "Remove the type that the function fixes, or give a reference that fixes none.",
        )
    return result


def _widened(array: np.ndarray, cpu: Any) -> Any:
    """A floating-point array in float64 on the CPU; integers stay what they are."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    wide = array.astype(np.float64) if jnp.issubdtype(array.dtype, jnp.floating) else array
    return jax.device_put(wide, cpu)


def check(result: object, workload: Workload) -> Correctness:
    """How far the result, any nest of arrays, is from the reference; the worst array counts.

    Raises `CheckError` when there is no float64 reference of the same structure.
    """
    got, wanted = framework.fetch(result), reference(workload)
    if len(got) != len(wanted):
        raise CheckError(
            f"The result has {len(got)} arrays, the reference {len(wanted)}.",
            "Make function and reference of the workload return the same structure.",
        )
    parts = [judge(g, w, workload.tolerance) for g, w in zip(got, wanted, strict=True)]
    return parts[0] if len(parts) == 1 else _joined(parts)


def _joined(parts: list[Correctness]) -> Correctness:
    """Several arrays as one verdict: counts add up, errors are those of the worst."""
    elements = sum(part.elements for part in parts)
    outside = sum(part.share_out_of_tolerance * part.elements for part in parts)

    def worst(field: str) -> float | None:
        values = [getattr(part, field) for part in parts]
        return None if None in values else max(values)

    return parts[0].model_copy(
        update={
            "elements": elements,
            "max_absolute_error": worst("max_absolute_error"),
            "max_scaled_error": worst("max_scaled_error"),
            "norm_error": worst("norm_error"),
            "share_out_of_tolerance": outside / elements,
            "nan_count": sum(part.nan_count for part in parts),
            "inf_count": sum(part.inf_count for part in parts),
            "passed": all(part.passed for part in parts),
        }
    )


def judge(result: np.ndarray, wanted: np.ndarray, tolerance: Tolerance) -> Correctness:
    """How far `result` is from the float64 array `wanted` of the same shape.

    An element's error is scaled by max(|wanted|, root mean square of wanted), so that
    entries near zero are held to the size of their neighbours. An element that is not
    finite is out of tolerance. Raises `CheckError` when the shapes differ.
    """
    import numpy as np

    if result.shape != wanted.shape:
        raise CheckError(
            f"The result has shape {result.shape}, the reference {wanted.shape}.",
            "Make function and reference of the workload return the same shape.",
        )
    if not result.size:
        raise CheckError("The result has no elements.", "Give inputs with a size above zero.")
    wide, wanted = result.astype(np.float64), wanted.astype(np.float64)
    finite = bool(np.isfinite(wide).all() and np.isfinite(wanted).all())
    with np.errstate(invalid="ignore"):
        error = np.abs(wide - wanted)
        scale = np.maximum(np.abs(wanted), np.sqrt(np.mean(wanted**2)))
    # The smallest number keeps an all-zero reference from dividing by zero.
    with np.errstate(invalid="ignore"):
        scaled = error / np.maximum(scale, np.finfo(np.float64).tiny)
    outside = float(np.mean(~(scaled <= tolerance.bound)))
    size = max(float(np.linalg.norm(wanted)), float(np.finfo(np.float64).tiny))
    norm_error = float(np.linalg.norm(error)) / size if finite else None
    return Correctness(
        reference="float64",
        tolerance=tolerance,
        elements=int(wide.size),
        max_absolute_error=float(error.max()) if finite else None,
        max_scaled_error=float(scaled.max()) if finite else None,
        norm_error=norm_error,
        share_out_of_tolerance=outside,
        nan_count=int(np.isnan(wide).sum()),
        inf_count=int(np.isinf(wide).sum()),
        passed=norm_error is not None and norm_error <= tolerance.bound and outside == 0,
    )
