"""A workload: one program with its inputs, its reference and what counts as correct.

A workload fixes everything that a comparison holds still: the function, the inputs from
one seed, the reference and the allowed error. The function that is timed and the
reference are written differently where that is possible, so that one mistake can't hide
in both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod, sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from kb.model.evidence import ArrayShape, Dtypes
from kb.model.measurement import Tolerance
from kb.qualifiers import Precision

if TYPE_CHECKING:
    import jax
    import numpy as np

Function = Callable[..., "jax.Array"]

UNIT_ROUNDOFF: Mapping[str, float] = MappingProxyType(
    {
        Precision.FP64: 2.0**-53,
        Precision.FP32: 2.0**-24,
        Precision.FP16: 2.0**-11,
        Precision.BF16: 2.0**-8,
    }
)
"""Half the gap between 1 and the next number, by format."""

NAMES = MappingProxyType(
    {
        Precision.FP64: "float64",
        Precision.FP32: "float32",
        Precision.FP16: "float16",
        Precision.BF16: "bfloat16",
        Precision.INT32: "int32",
        Precision.INT8: "int8",
    }
)
"""What JAX calls the formats that an input may have."""

BYTES = MappingProxyType(
    {
        Precision.FP64: 8,
        Precision.FP32: 4,
        Precision.INT32: 4,
        Precision.FP16: 2,
        Precision.BF16: 2,
        Precision.INT8: 1,
    }
)

_ALLOWED = (
    "|error| <= bound * max(|reference|, rms(reference)) for each element, and "
    "norm(error) <= bound * norm(reference), with "
)
FORMULA = _ALLOWED + "bound = factor * sqrt(length) * unit_roundoff of the storage type"
"""The square root is the growth of rounding errors of both signs; the factor is slack."""
MIXED = _ALLOWED + (
    "bound = factor * (sqrt(length) * unit_roundoff of the accumulator + "
    "sqrt(steps) * coarse_roundoff of the format that values are rounded to on the way)"
)
"""The same where values are stored or multiplied in a coarser format than they add up in."""


@dataclass(frozen=True, slots=True)
class Workload:
    """One program with its inputs, its reference and what counts as correct."""

    id: str
    summary: str
    function: Function
    """What is timed; takes the inputs in order and returns one array."""
    reference: Function
    """The definition, evaluated in float64."""
    inputs: tuple[ArrayShape, ...]
    output: ArrayShape
    multiply: Precision | Literal["backend_default"]
    accumulate: Precision | None
    flops: int | None
    """Operations of one call, a multiply-add counted as two; None where kinds mix."""
    length: int
    """Roundings that can pile up in one element."""
    factor: float = 8.0
    seed: int = 20261130
    steps: int = 0
    """Roundings to a format coarser than the accumulator's."""
    top: int = 2
    """Integer inputs are drawn from 0 up to below this."""
    policy: str | None = None
    """JAX's matmul precision to run under; None leaves the setting alone."""

    def completed(self) -> Workload:
        """With what only a trace of the program can say; bundled ones know it already."""
        return self

    @property
    def bytes_touched(self) -> int:
        """Every input read once and the output written once, in bytes."""
        arrays = (*self.inputs, self.output)
        return sum(prod(array.shape) * BYTES.get(array.dtype, 0) for array in arrays)

    @property
    def tolerance(self) -> Tolerance:
        """The declared bound, from the formats of storage, multiplication and accumulation.

        A device that multiplies in a coarser format than declared fails it, which is meant:
        a float32 expression does not fix the hardware's mode.
        """
        storage = next((a.dtype for a in self.inputs if a.dtype in UNIT_ROUNDOFF), Precision.FP32)
        fine = storage
        if self.steps:
            fine = Precision.FP64 if storage is Precision.FP64 else Precision.FP32
        rough = UNIT_ROUNDOFF.get(self.multiply, UNIT_ROUNDOFF[storage]) if self.steps else 0.0
        piled = sqrt(self.length) * UNIT_ROUNDOFF[fine]
        return Tolerance(
            formula=MIXED if self.steps else FORMULA,
            factor=self.factor,
            length=self.length,
            unit_roundoff=UNIT_ROUNDOFF[fine],
            bound=self.factor * (piled + sqrt(self.steps) * rough),
            steps=self.steps,
            coarse_roundoff=rough,
        )

    def dtypes(self, setting: str) -> Dtypes:
        """The four roles; `setting` is the framework's matmul precision."""
        return Dtypes(
            storage=self.inputs[0].dtype,
            multiply=self.multiply,
            accumulate=self.accumulate,
            output=self.output.dtype,
            matmul_precision_setting=setting,
        )

    def arrays(self) -> tuple[np.ndarray, ...]:
        """The inputs on the host, from the seed: of both signs, rows of a table in its range."""
        import jax.numpy as jnp
        import numpy as np

        generator = np.random.default_rng(self.seed)

        def drawn(array: ArrayShape) -> np.ndarray:
            if array.dtype in UNIT_ROUNDOFF:
                values = generator.standard_normal(array.shape)
                return values.astype(jnp.dtype(NAMES[array.dtype]))
            return generator.integers(0, self.top, array.shape).astype(NAMES[array.dtype])

        return tuple(drawn(array) for array in self.inputs)
