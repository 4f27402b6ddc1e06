"""Checks the timed executable's result against a float64 reference on the CPU.

A fast wrong answer is no measurement. The bound is declared by the workload before the
run and grows with the roundings that can pile up in one element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.finding import CheckError
from kb.measure.workload import Workload
from kb.model.measurement import Correctness, Tolerance

if TYPE_CHECKING:
    import numpy as np


def reference(workload: Workload) -> np.ndarray:
    """The workload's definition in float64 on the CPU, from the very same inputs.

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
        wide = [jax.device_put(array.astype(np.float64), cpu) for array in workload.arrays()]
        result = np.asarray(workload.reference(*wide))
    if result.dtype != np.float64:
        raise CheckError(
            f"The reference of {workload.id} came out as {result.dtype}, not float64.",
            "Remove the type that the reference function fixes.",
        )
    return result


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
    wide = result.astype(np.float64)
    finite = bool(np.isfinite(wide).all())
    with np.errstate(invalid="ignore"):
        error = np.abs(wide - wanted)
    scale = np.maximum(np.abs(wanted), np.sqrt(np.mean(wanted**2)))
    # The smallest number keeps an all-zero reference from dividing by zero.
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
