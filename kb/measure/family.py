"""The bundled workloads by name: a family, its sizes and a number format.

`matmul-512-f32` is the product of two square matrices, `matmul-64x128x32-bf16` another one
of the same family. A matrix of workloads is built from the same parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType

from kb.finding import quoted
from kb.measure import kernels
from kb.measure.run.failure import Failed, FailureKind
from kb.measure.workload import Function, Workload
from kb.model.evidence import ArrayShape
from kb.qualifiers import Precision

FORMATS = MappingProxyType(
    {
        "f32": Precision.FP32,
        "bf16": Precision.BF16,
        "f16": Precision.FP16,
    }
)
"""The number formats that a name may end in."""

POLICIES = MappingProxyType(
    {
        "default": None,
        "highest": Precision.FP32,
        "tensorfloat32": Precision.TF32,
        "bfloat16": Precision.BF16,
    }
)
"""Precision policies with the format in which a matrix product of float32 is to multiply."""

LARGEST = 2**31
_NAME = re.compile(r"(?P<family>[a-z]+)-(?P<sizes>\d+(?:x\d+)*)-(?P<format>[a-z]+\d+)")


@dataclass(frozen=True, slots=True)
class Family:
    """Programs that differ in their sizes only."""

    sizes: tuple[str, ...]
    """What each size means, in the order of a name."""
    build: Callable[[tuple[int, ...], Precision], Workload]


def build(
    family: str, sizes: tuple[int, ...], number_format: str, policy: str = "default"
) -> Workload:
    """One workload of a family; raises `Failed` that says what the family takes."""
    if family not in FAMILIES:
        raise _unknown(
            f"There is no family {quoted(family)}.", f"Use one of {', '.join(FAMILIES)}."
        )
    wanted = FAMILIES[family].sizes
    if len(sizes) == 1:
        sizes *= len(wanted)
    if len(sizes) != len(wanted) or not all(0 < size <= LARGEST for size in sizes):
        pattern = f"{family}-{'x'.join(wanted)}-f32"
        raise _unknown(
            f"{family} takes {len(wanted)} sizes above zero ({', '.join(wanted)}), not "
            f"{' x '.join(map(str, sizes))}.",
            f"Write them as in {pattern}, or one number for all.",
        )
    if number_format not in FORMATS:
        raise _unknown(
            f"{number_format!r} is no number format of a workload.",
            f"Use one of {', '.join(FORMATS)}.",
        )
    if policy not in POLICIES:
        raise _unknown(f"{policy!r} is no precision policy.", f"Use one of {', '.join(POLICIES)}.")
    made = FAMILIES[family].build(sizes, FORMATS[number_format])
    shown = str(sizes[0]) if len(set(sizes)) == 1 else "x".join(map(str, sizes))
    named = replace(made, id=f"{family}-{shown}-{number_format}")
    return named if policy == "default" else _under(named, policy)


def _under(made: Workload, policy: str) -> Workload:
    """The workload under a precision policy, whose coarser multiplication is declared."""
    multiply = POLICIES[policy]
    coarser = multiply is Precision.BF16 and made.multiply == "backend_default"
    return replace(
        made,
        id=f"{made.id}-{policy}",
        policy=policy,
        multiply=multiply if made.multiply == "backend_default" and multiply else made.multiply,
        steps=max(made.steps, 2) if coarser else made.steps,
    )


def find(name: str) -> Workload:
    """The workload called `name`; raises `Failed` that lists the names there are."""
    if name in WORKLOADS:
        return WORKLOADS[name]
    found = _NAME.fullmatch(name)
    if found is not None and found["family"] in FAMILIES:
        sizes = tuple(int(size) for size in found["sizes"].split("x"))
        return build(found["family"], sizes, found["format"])
    known = ", ".join(WORKLOADS)
    raise _unknown(
        f"There is no workload {quoted(name)}.",
        f"Type one of {known}, another size of a family, as matmul-64x128x32-bf16, or a function "
        "of your own as module:function --shapes FILE.",
    )


def _unknown(message: str, remedy: str) -> Failed:
    return Failed(FailureKind.UNKNOWN_WORKLOAD, message, remedy)


def _array(name: str, number_format: Precision, *shape: int) -> ArrayShape:
    return ArrayShape(name=name, shape=shape, dtype=number_format)


def _matmul(sizes: tuple[int, ...], number_format: Precision) -> Workload:
    m, k, n = sizes
    narrow = number_format is not Precision.FP32
    return Workload(
        id="",
        summary=f"Product of a {m} x {k} and a {k} x {n} matrix, {number_format}.",
        function=kernels.matmul,
        reference=kernels.matmul_reference,
        inputs=(_array("a", number_format, m, k), _array("b", number_format, k, n)),
        output=_array("product", number_format, m, n),
        multiply=number_format if narrow else "backend_default",
        accumulate=Precision.UNSTATED,
        flops=2 * m * k * n,
        length=k,
        steps=1 if narrow else 0,
    )


def _elementwise(sizes: tuple[int, ...], number_format: Precision) -> Workload:
    return _plain(
        f"A chain of eight elementwise steps over {sizes[0]} x {sizes[1]}, {number_format}.",
        (kernels.chain, kernels.chain_reference),
        (_array("x", number_format, *sizes), _array("y", number_format, *sizes)),
        (_array("result", number_format, *sizes), 8, None),
    )


def _softmax(sizes: tuple[int, ...], number_format: Precision) -> Workload:
    narrow = number_format is not Precision.FP32
    made = _plain(
        f"Softmax over the rows of {sizes[0]} x {sizes[1]}, {number_format}.",
        (kernels.softmax, kernels.softmax_reference),
        (_array("x", number_format, *sizes),),
        (_array("result", number_format, *sizes), sizes[1], Precision.FP32),
    )
    return replace(made, steps=6 if narrow else 0)


def _attention(sizes: tuple[int, ...], number_format: Precision) -> Workload:
    time, width = sizes
    narrow = number_format is not Precision.FP32
    names = ("query", "key", "value")
    made = _plain(
        f"Causal attention of one head over {time} tokens of width {width}, {number_format}.",
        (kernels.attention, kernels.attention_reference),
        tuple(_array(name, number_format, time, width) for name in names),
        (_array("result", number_format, time, width), time + width, Precision.UNSTATED),
    )
    return replace(
        made,
        multiply=number_format if narrow else "backend_default",
        flops=4 * time * time * width,
        steps=6 if narrow else 0,
    )


def _gather(sizes: tuple[int, ...], number_format: Precision) -> Workload:
    table, width, bags = sizes
    made = _plain(
        f"Sums of 64 irregular rows of a table of {table} x {width}, {bags} times, "
        f"{number_format}.",
        (kernels.gather, kernels.gather_reference),
        (
            _array("table", number_format, table, width),
            ArrayShape(name="rows", shape=(bags, 64), dtype=Precision.INT32),
        ),
        (_array("result", number_format, bags, width), 64, Precision.UNSTATED),
    )
    return replace(made, top=table, steps=1 if number_format is not Precision.FP32 else 0)


def _plain(
    summary: str,
    functions: tuple[Function, Function],
    inputs: tuple[ArrayShape, ...],
    result: tuple[ArrayShape, int, Precision | None],
) -> Workload:
    """A workload whose operations are of mixed kinds, so that no count is given."""
    output, length, accumulate = result
    return Workload(
        id="",
        summary=summary,
        function=functions[0],
        reference=functions[1],
        inputs=inputs,
        output=output,
        multiply=output.dtype,
        accumulate=accumulate,
        flops=None,
        length=length,
    )


FAMILIES = MappingProxyType(
    {
        "matmul": Family(("m", "k", "n"), _matmul),
        "elementwise": Family(("rows", "columns"), _elementwise),
        "softmax": Family(("rows", "columns"), _softmax),
        "attention": Family(("tokens", "width"), _attention),
        "gather": Family(("table", "width", "bags"), _gather),
    }
)
"""Every family of bundled workloads."""

_FIRST = (
    ("matmul-512-f32", "Product of two 512 x 512 float32 matrices.", "matmul", (512,)),
    ("elementwise-1m-f32", "A chain of eight elementwise steps over 2^20 float32 elements.",
     "elementwise", (1024, 1024)),
    ("softmax-512x1024-f32", "Softmax over the rows of a 512 x 1024 float32 matrix.",
     "softmax", (512, 1024)),
    ("attention-1024x64-f32", "Causal attention of one head over 1,024 tokens, float32.",
     "attention", (1024, 64)),
    ("gather-65536x128x256-f32", "Sums of 64 irregular rows of a float32 table, 256 times.",
     "gather", (65536, 128, 256)),
)  # fmt: skip

WORKLOADS = MappingProxyType(
    {
        name: replace(build(family, sizes, "f32"), id=name, summary=summary)
        for name, summary, family, sizes in _FIRST
    }
)
"""The workloads that `kb measure list` names; others of a family are made from their name."""
