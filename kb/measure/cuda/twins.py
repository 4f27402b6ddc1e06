"""What each kernel computes, as a JAX function with inputs, reference and tolerance.

A twin can be made at any size: the full one is measured, small ones are tested.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

from kb.measure import kernels as plain
from kb.measure import workload
from kb.measure.workload import Workload
from kb.model.evidence import ArrayShape
from kb.model.measurement import Tolerance
from kb.qualifiers import Precision

if TYPE_CHECKING:
    import jax
    import numpy as np

Sizes = tuple[int, ...]
"""Elements; or rows and columns; or m, n and k of a product."""

SCALE = 3.0
"""The factor of the triad."""

EXACT = 1e-6
"""A slack that allows no rounding at all: a millionth of half a digit."""

FORMULA = workload.FORMULA.replace("storage type", "output type")


@dataclass(frozen=True, slots=True)
class Twin(Workload):
    """A workload that a CUDA kernel computes too."""

    @property
    def tolerance(self) -> Tolerance:
        """The declared bound, from the format in which results are rounded.

        Products of bfloat16 numbers are exact in float32, so only adding them up errs.
        """
        roundoff = workload.UNIT_ROUNDOFF[self.output.dtype]
        return Tolerance(
            formula=FORMULA,
            factor=self.factor,
            length=self.length,
            unit_roundoff=roundoff,
            bound=self.factor * sqrt(self.length) * roundoff,
        )

    def arrays(self) -> tuple[np.ndarray, ...]:
        """The inputs on the host: standard normal, so of both signs, from the seed."""
        import ml_dtypes
        import numpy as np

        generator = np.random.default_rng(self.seed)
        kinds: dict[Precision, Any] = {
            Precision.FP32: np.float32,
            Precision.BF16: ml_dtypes.bfloat16,
        }
        return tuple(
            generator.standard_normal(array.shape, dtype=np.float32).astype(kinds[array.dtype])
            for array in self.inputs
        )


def copy(x: jax.Array) -> jax.Array:
    """A new array with the values of `x`."""
    import jax.numpy as jnp

    return jnp.array(x, copy=True)


def triad(b: jax.Array, c: jax.Array) -> jax.Array:
    """`b` plus three times `c`."""
    return b + SCALE * c


def row_sum(x: jax.Array) -> jax.Array:
    """The sum of each row."""
    return x.sum(axis=-1)


def row_sum_reference(x: jax.Array) -> jax.Array:
    """The same sum as a product with ones."""
    import jax.numpy as jnp

    return x @ jnp.ones(x.shape[-1], x.dtype)


def matmul_bf16(a: jax.Array, b: jax.Array) -> jax.Array:
    """The product of two bfloat16 matrices, added up and left in float32."""
    import jax.numpy as jnp

    return jnp.matmul(a, b, preferred_element_type=jnp.float32)


def copy_of(sizes: Sizes) -> Twin:
    """The copy of an array of `sizes[0]` elements; exact."""
    return _stream("copy", "Copy of a float32 array.", sizes, (copy, copy), ("x",), EXACT)


def triad_of(sizes: Sizes) -> Twin:
    """The triad over arrays of `sizes[0]` elements."""
    return _stream(
        "triad", "One array plus a multiple of another.", sizes, (triad, triad), ("b", "c")
    )


def chain_of(sizes: Sizes) -> Twin:
    """The elementwise chain over two arrays of `sizes[0]` elements."""
    pair = (plain.chain, plain.chain_reference)
    return _stream("chain", "Eight elementwise steps over two arrays.", sizes, pair, ("x", "y"))


def _stream(
    name: str,
    summary: str,
    sizes: Sizes,
    functions: tuple[workload.Function, workload.Function],
    inputs: tuple[str, ...],
    factor: float = 8.0,
) -> Twin:
    return Twin(
        id=f"{name}-{sizes[0]}-f32",
        summary=summary,
        function=functions[0],
        reference=functions[1],
        inputs=tuple(_array(each, sizes) for each in inputs),
        output=_array("result", sizes),
        multiply=Precision.FP32,
        accumulate=None,
        flops=None,
        length=1 if factor == EXACT else 8,
        factor=factor,
    )


def row_sum_of(sizes: Sizes) -> Twin:
    """Row sums of a matrix with `sizes[1]` columns."""
    pair = (row_sum, row_sum_reference)
    return _rows("row-sum", "Sum of each row of a matrix.", sizes, pair, sizes[:1])


def softmax_of(sizes: Sizes) -> Twin:
    """Softmax over rows of `sizes[1]` columns."""
    pair = (plain.softmax, plain.softmax_reference)
    return _rows("softmax", "Softmax over each row of a matrix.", sizes, pair, sizes)


def _rows(
    name: str,
    summary: str,
    sizes: Sizes,
    functions: tuple[workload.Function, workload.Function],
    output: Sizes,
) -> Twin:
    return Twin(
        id=f"{name}-{sizes[0]}x{sizes[1]}-f32",
        summary=summary,
        function=functions[0],
        reference=functions[1],
        inputs=(_array("x", sizes),),
        output=_array("result", output),
        multiply=Precision.FP32,
        accumulate=Precision.FP32,
        flops=None,
        length=sizes[1],
    )


def matmul_f32_of(sizes: Sizes) -> Twin:
    """The product (m, k) times (k, n) in float32, with no coarser format inside."""
    return _product("f32", sizes, plain.matmul_reference, Precision.FP32)


def matmul_bf16_of(sizes: Sizes) -> Twin:
    """The product (m, k) times (k, n) of bfloat16 matrices into float32."""
    return _product("bf16-f32", sizes, matmul_bf16, Precision.BF16)


def _product(name: str, sizes: Sizes, function: workload.Function, dtype: Precision) -> Twin:
    m, n, k = sizes
    return Twin(
        id=f"matmul-{m}x{n}x{k}-{name}",
        summary="Product of two matrices.",
        function=function,
        reference=plain.matmul_reference,
        inputs=(_array("a", (m, k), dtype), _array("b", (k, n), dtype)),
        output=_array("product", (m, n)),
        multiply=dtype,
        accumulate=Precision.FP32,
        flops=2 * m * n * k,
        length=k,
    )


def _array(name: str, shape: Sizes, dtype: Precision = Precision.FP32) -> ArrayShape:
    return ArrayShape(name=name, shape=shape, dtype=dtype)
