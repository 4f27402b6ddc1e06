"""The bundled workloads: plain data about each program, its inputs and its tolerance.

A workload fixes everything that a comparison holds still: the function, the inputs from
one seed, the reference and the allowed error. The function that is timed and the
reference are written differently where that is possible, so that one mistake can't hide
in both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod, sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from kb.finding import CheckError
from kb.model.evidence import ArrayShape, Dtypes
from kb.model.measurement import Tolerance
from kb.qualifiers import Precision

if TYPE_CHECKING:
    import jax
    import numpy as np

Function = Callable[..., "jax.Array"]

UNIT_ROUNDOFF = MappingProxyType({Precision.FP32: 2.0**-24, Precision.BF16: 2.0**-8})
"""Half the gap between 1 and the next number, by format."""

BYTES = MappingProxyType({Precision.FP32: 4, Precision.BF16: 2})

FORMULA = (
    "|error| <= bound * max(|reference|, rms(reference)) for each element, and "
    "norm(error) <= bound * norm(reference), with "
    "bound = factor * sqrt(length) * unit_roundoff of the storage type"
)
"""The square root is the growth of rounding errors of both signs; the factor is slack."""


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

    @property
    def bytes_touched(self) -> int:
        """Every input read once and the output written once, in bytes."""
        arrays = (*self.inputs, self.output)
        return sum(prod(array.shape) * BYTES[array.dtype] for array in arrays)

    @property
    def tolerance(self) -> Tolerance:
        """The declared bound, from the storage type.

        A device that multiplies in a coarser format than it stores fails it, which is
        meant: a float32 expression does not fix the hardware's mode.
        """
        roundoff = UNIT_ROUNDOFF[self.inputs[0].dtype]
        return Tolerance(
            formula=FORMULA,
            factor=self.factor,
            length=self.length,
            unit_roundoff=roundoff,
            bound=self.factor * sqrt(self.length) * roundoff,
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
        """The inputs on the host: standard normal, so of both signs, from the seed."""
        import numpy as np

        generator = np.random.default_rng(self.seed)
        kinds = {Precision.FP32: np.float32}
        return tuple(
            generator.standard_normal(array.shape).astype(kinds[array.dtype])
            for array in self.inputs
        )


def matmul(a: jax.Array, b: jax.Array) -> jax.Array:
    """The product of two matrices, (m, k) and (k, n) to (m, n), at default precision."""
    return a @ b


def matmul_reference(a: jax.Array, b: jax.Array) -> jax.Array:
    """The same product at the highest precision that the type has."""
    import jax.numpy as jnp
    from jax.lax import Precision as Mode

    return jnp.einsum("mk,kn->mn", a, b, precision=Mode.HIGHEST)


def chain(x: jax.Array, y: jax.Array) -> jax.Array:
    """Eight elementwise steps over two arrays of one shape, meant to become one fusion."""
    import jax.numpy as jnp

    gate = 1.0 / (1.0 + jnp.exp(-x))
    return jnp.tanh(gate * x + y) * 0.5 - y


def chain_reference(x: jax.Array, y: jax.Array) -> jax.Array:
    """The same chain with the logistic function written as a hyperbolic tangent."""
    import jax.numpy as jnp

    gate = 0.5 * (jnp.tanh(0.5 * x) + 1.0)
    return 0.5 * jnp.tanh(x * gate + y) - y


def softmax(x: jax.Array) -> jax.Array:
    """Softmax over the last axis, shifted by the largest entry."""
    import jax.numpy as jnp

    raised = jnp.exp(x - x.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


def softmax_reference(x: jax.Array) -> jax.Array:
    """Softmax as the exponential of a difference of logarithms."""
    import jax.numpy as jnp
    from jax.scipy.special import logsumexp

    return jnp.exp(x - logsumexp(x, axis=-1, keepdims=True))


def _array(name: str, *shape: int) -> ArrayShape:
    return ArrayShape(name=name, shape=shape, dtype=Precision.FP32)


_ALL = (
    Workload(
        id="matmul-512-f32",
        summary="Product of two 512 x 512 float32 matrices.",
        function=matmul,
        reference=matmul_reference,
        inputs=(_array("a", 512, 512), _array("b", 512, 512)),
        output=_array("product", 512, 512),
        multiply="backend_default",
        accumulate=Precision.UNSTATED,
        flops=2 * 512**3,
        length=512,
    ),
    Workload(
        id="elementwise-1m-f32",
        summary="A chain of eight elementwise steps over 2^20 float32 elements.",
        function=chain,
        reference=chain_reference,
        inputs=(_array("x", 1024, 1024), _array("y", 1024, 1024)),
        output=_array("result", 1024, 1024),
        multiply=Precision.FP32,
        accumulate=None,
        flops=None,
        length=8,
    ),
    Workload(
        id="softmax-512x1024-f32",
        summary="Softmax over the rows of a 512 x 1024 float32 matrix.",
        function=softmax,
        reference=softmax_reference,
        inputs=(_array("x", 512, 1024),),
        output=_array("result", 512, 1024),
        multiply=Precision.FP32,
        accumulate=Precision.FP32,
        flops=None,
        length=1024,
    ),
)

WORKLOADS = MappingProxyType({workload.id: workload for workload in _ALL})
"""Every bundled workload by id."""


def find(name: str) -> Workload:
    """The workload called `name`; raises `CheckError` that lists the names there are."""
    if name in WORKLOADS:
        return WORKLOADS[name]
    known = ", ".join(WORKLOADS)
    raise CheckError(f"There is no workload {name!r}.", f"Type one of {known}.")
