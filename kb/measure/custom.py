"""A user's own program as a workload: any function that can be called with its inputs.

The reference is the same function in float64 on the CPU unless another one is given, and
the number of roundings that may pile up is counted on the traced program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Any

from pydantic import Field

from kb.finding import CheckError
from kb.measure.compile import flops
from kb.measure.compile.program import SHORT, Shapes, load, read_as
from kb.measure.run import framework
from kb.measure.run.failure import Failed, FailureKind
from kb.measure.workload import UNIT_ROUNDOFF, Workload
from kb.model.evidence import ArrayShape
from kb.qualifiers import Precision

SEED = 20261130
FORMATS = {
    "bfloat16": Precision.BF16,
    "float16": Precision.FP16,
    "float32": Precision.FP32,
    "float64": Precision.FP64,
    "float8_e4m3fn": Precision.FP8,
    "float8_e5m2": Precision.FP8,
    "int8": Precision.INT8,
    "int32": Precision.INT32,
}
"""Our word for a format of JAX; another one is `unstated`."""


class Case(Shapes):
    """A shape file for measuring: what one for compiling holds, and how to check the result."""

    reference: str = ""
    """`package.module:function`, evaluated in float64; the function itself where empty."""
    length: int | None = Field(default=None, ge=1)
    """Roundings that may pile up in one element; counted where it is left out."""
    factor: float = Field(default=8.0, gt=0)
    seed: int = SEED
    top: int = Field(default=2, ge=1)
    """Integer inputs are drawn from 0 up to below this."""


@dataclass(frozen=True, slots=True)
class Custom(Workload):
    """A workload whose inputs are at hand, in any nest of arrays."""

    host: tuple[Any, ...] = ()
    output_bytes: int = 0
    given_length: int | None = None
    """What a person says about the roundings; None lets them be counted."""

    def arrays(self) -> tuple[Any, ...]:
        """The inputs as they were given."""
        return self.host

    @property
    def bytes_touched(self) -> int:
        """Every input read once and every output written once, in bytes."""
        import jax

        given = sum(int(leaf.nbytes) for leaf in jax.tree_util.tree_leaves(self.host))
        return given + self.output_bytes

    def completed(self) -> Custom:
        """With what only a trace can say: result, operations, roundings.

        It comes after the samples, since a trace before would take the first one's place.
        Raises `Failed` for loops of unknown length where no length was given.
        """
        import jax

        shapes = framework.abstract(self.host)
        jaxpr = jax.make_jaxpr(self.function)(*shapes)
        outputs = framework.outline(self.function, shapes)
        length = self.given_length or roundings(jaxpr.jaxpr)
        described = _described(self.host)
        storage = next((each.dtype for each in described if each.dtype in UNIT_ROUNDOFF), None)
        first = outputs[0]
        return replace(
            self,
            inputs=described,
            output=ArrayShape(name="result", shape=tuple(first.shape), dtype=_format(first.dtype)),
            flops=flops.count(jaxpr).result().contraction or None,
            length=length,
            steps=length if storage in (Precision.BF16, Precision.FP16) else 0,
            output_bytes=sum(prod(each.shape) * each.dtype.itemsize for each in outputs),
        )


def find_case(workload: str, shapes: Path | None) -> Case:
    """The case that `module:function` and a shape file make; raises `CheckError`."""
    if shapes is None:
        raise CheckError(
            f"{workload} needs to know its inputs.",
            "Give them with --shapes FILE: an id, a summary, and shape and dtype of each input.",
        )
    try:
        return read_as(shapes, Case).model_copy(update={"function": workload})
    except CheckError as error:
        raise Failed(FailureKind.WRONG_SHAPES, str(error), error.remedy) from error


def from_case(case: Case) -> Custom:
    """The workload of a case, its inputs drawn from the seed. Imports the function's module."""
    import ml_dtypes
    import numpy as np

    function = _loaded(case.function)
    reference = _loaded(case.reference) if case.reference else function
    fixed, generator = dict(case.static), np.random.default_rng(case.seed)

    def drawn(tree: Any) -> Any:
        if isinstance(tree, dict):
            return {name: drawn(each) for name, each in tree.items()}
        name = SHORT[tree.dtype]
        dtype = np.dtype(getattr(ml_dtypes, name, name))
        if name.startswith(("float", "bfloat")):
            return generator.standard_normal(tree.shape).astype(dtype)
        return generator.integers(0, case.top, tree.shape).astype(dtype)

    made = of(
        _with(function, fixed),
        tuple(drawn(tree) for tree in case.inputs.values()),
        name=case.id,
        reference=_with(reference, fixed),
        length=case.length,
        factor=case.factor,
    )
    return replace(made, summary=case.summary, seed=case.seed)


def of(
    function: Callable[..., Any],
    host: tuple[Any, ...],
    *,
    name: str | None = None,
    reference: Callable[..., Any] | None = None,
    length: int | None = None,
    factor: float = 8.0,
) -> Custom:
    """Any function with its inputs, a nest of host arrays for each argument, as a workload."""
    return Custom(
        id=name or _slug(getattr(function, "__name__", "program")),
        summary="A program of your own.",
        function=function,
        reference=reference or function,
        inputs=(),
        output=ArrayShape(name="result", shape=(), dtype=Precision.UNSTATED),
        multiply="backend_default",
        accumulate=Precision.UNSTATED,
        flops=None,
        length=1,
        factor=factor,
        host=host,
        given_length=length,
    )


def roundings(jaxpr: Any) -> int:
    """An upper bound on the roundings that can pile up in one element of a traced program.

    Each step adds one, a contraction or a reduction as many as it adds up, a loop as many as
    all its turns. Raises `Failed` for a loop whose length depends on values.
    """
    return max(1, sum(_of_equation(equation) for equation in jaxpr.eqns))


def _of_equation(equation: Any) -> int:
    name, params = equation.primitive.name, equation.params
    if name == "dot_general":
        (contracted, _), _ = params["dimension_numbers"]
        return int(prod(equation.invars[0].aval.shape[dim] for dim in contracted))
    if name == "conv_general_dilated":
        kernel = equation.invars[1].aval.shape
        return int(prod(kernel) // max(1, kernel[params["dimension_numbers"].rhs_spec[0]]))
    if name.startswith(("reduce_", "cum", "argm")):
        return max(1, _size(equation.invars[0]) // max(1, _size(equation.outvars[0])))
    if name == "scan":
        return int(params["length"]) * roundings(params["jaxpr"].jaxpr)
    if name == "cond":
        return max(roundings(branch.jaxpr) for branch in params["branches"])
    if name == "while":
        raise Failed(
            FailureKind.NO_REFERENCE,
            "A loop whose length depends on values hides how many roundings pile up.",
            "Write length: N into the shape file, or pass length=N.",
        )
    inner = next((params[key] for key in ("jaxpr", "call_jaxpr") if key in params), None)
    return 1 if inner is None else roundings(getattr(inner, "jaxpr", inner))


def _size(variable: Any) -> int:
    return int(prod(variable.aval.shape))


def _loaded(name: str) -> Callable[..., Any]:
    try:
        return load(name)
    except CheckError as error:
        raise Failed(FailureKind.UNKNOWN_WORKLOAD, str(error), error.remedy) from error
    except Exception as error:
        text = f"{type(error).__name__} while importing {name}: {error}"
        raise Failed(FailureKind.CALLABLE_RAISED, text, "Correct the module.") from error


def _with(function: Callable[..., Any], fixed: dict[str, Any]) -> Callable[..., Any]:
    """The function with its static arguments, under its own name."""
    import functools

    if not fixed:
        return function
    made = functools.partial(function, **fixed)
    functools.update_wrapper(made, function)
    return made


def _described(host: tuple[Any, ...]) -> tuple[ArrayShape, ...]:
    import jax

    flat, _ = jax.tree_util.tree_flatten_with_path(host)
    return tuple(
        ArrayShape(
            name=jax.tree_util.keystr(path).strip("[]'").replace("']['", ".") or "input",
            shape=tuple(leaf.shape),
            dtype=_format(leaf.dtype),
        )
        for path, leaf in flat
    )


def _format(dtype: Any) -> Precision:
    return FORMATS.get(str(dtype), Precision.UNSTATED)


def _slug(name: str) -> str:
    kept = "".join(c if c.isalnum() and c.isascii() else "-" for c in name.lower())
    return "-".join(part for part in kept.split("-") if part) or "program"
