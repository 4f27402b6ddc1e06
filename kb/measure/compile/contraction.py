"""Counts the multiply-adds of matrix products and convolutions in optimised HLO.

A TPU writes a matrix product as a convolution whose window only picks the right pairs, so
a convolution is counted by the window positions that really meet an element.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from kb.measure.compile.hlo import Array, Computation, Instruction, Module

_DIGITS = re.compile(r"\d{1,9}")
_GEMM = ("__cublas$gemm", "__cublas$lt$matmul", "__cublas$lt$matmul$f8")
_CUDNN = {
    "__cudnn$convForward": (0, 1, 2),
    "__cudnn$convBiasActivationForward": (0, 1, 2),
    "__cudnn$convBackwardInput": (2, 1, 0),
    "__cudnn$convBackwardFilter": (0, 2, 1),
}
"""Where image, window and output of the forward convolution stand: first or second operand, or
the result (2). A library's gradient carries the labels of the forward one."""
MOST_POSITIONS = 4_000_000
"""Window positions that are looked at one by one; a larger window is left uncounted."""


def contractions(
    instruction: Instruction, inside: Computation, module: Module
) -> Iterator[tuple[int | None, str]]:
    """FLOPs and number formats of every contraction in an instruction and what it calls.

    The FLOPs are None where the work can't be seen from the text.
    """
    if instruction.opcode in ("dot", "convolution") or instruction.target in (*_GEMM, *_CUDNN):
        left, right = (_operand(instruction, inside, index) for index in (0, 1))
        if left is None or right is None or not instruction.arrays:
            yield None, ""
            return
        formats = f"{left.dtype} x {right.dtype} -> {instruction.arrays[0].dtype}"
        yield _flops(instruction, left, right), formats
        return
    for word in ("calls", "to_apply"):
        for name in instruction.called.get(word, ()):
            called = module.computations.get(name)
            for each in called.instructions if called else ():
                yield from contractions(each, called, module) if called else ()


def _operand(instruction: Instruction, inside: Computation, index: int) -> Array | None:
    if index >= len(instruction.operands):
        return None
    known = inside.by_name.get(instruction.operands[index])
    return known.arrays[0] if known is not None and known.arrays else None


def _flops(instruction: Instruction, left: Array, right: Array) -> int | None:
    if instruction.opcode == "convolution" or instruction.target in _CUDNN:
        return _convolution(instruction, (left, right, instruction.arrays[0]))
    if instruction.opcode == "dot":
        contracted: list[int] | None = _numbers(instruction.attribute("lhs_contracting_dims"))
    else:
        contracted = _gemm_dims(instruction)
    if contracted is None or not all(0 <= dim < len(left.dims) for dim in contracted):
        return None
    length = prod(left.dims[dim] for dim in contracted)
    return 2 * instruction.arrays[0].elements * length


def _gemm_dims(instruction: Instruction) -> list[int] | None:
    try:
        config = json.loads(instruction.attribute("backend_config"))
        numbers = config["gemm_backend_config"]["dot_dimension_numbers"]
        return [int(dim) for dim in numbers["lhs_contracting_dimensions"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _numbers(text: str) -> list[int]:
    return [int(digit) for digit in _DIGITS.findall(text)]


def _convolution(instruction: Instruction, arrays: tuple[Array, Array, Array]) -> int | None:
    labels = re.fullmatch(r"(\w+)_(\w+)->(\w+)", instruction.attribute("dim_labels").strip())
    if labels is None:
        return None
    lhs, rhs, out = labels.groups()
    image, kernel, result = (arrays[i] for i in _CUDNN.get(instruction.target, (0, 1, 2)))
    spatial = [label for label in out if label.isdigit()]
    if not (
        _labelled(image, lhs, "bf", spatial)
        and _labelled(kernel, rhs, "io", spatial)
        and _labelled(result, out, "bf", spatial)
    ):
        return None
    work = 2 * result.dims[out.index("b")] * result.dims[out.index("f")]
    work *= kernel.dims[rhs.index("i")]
    window = _window(instruction.attribute("window"))
    for label in spatial:
        steps = _steps(window, int(label))
        sizes = image.dims[lhs.index(label)], kernel.dims[rhs.index(label)]
        met = positions(*sizes, result.dims[out.index(label)], steps) if steps else None
        if met is None:
            return None
        work *= met
    return work


def _labelled(array: Array, labels: str, others: str, spatial: list[str]) -> bool:
    """Whether `labels` name each dimension of an array once: the spatial ones and two more."""
    return sorted(labels) == sorted([*others, *spatial]) and len(labels) == len(array.dims)


def _window(text: str) -> dict[str, list[str]]:
    """`{size=1x8 pad=0_0x7_7}` as lists, one entry a spatial dimension."""
    pairs = (part.partition("=") for part in text.strip("{}").split())
    return {word: value.split("x") for word, _, value in pairs}


def _steps(window: dict[str, list[str]], dimension: int) -> Steps | None:
    """How the window walks over one dimension; None where the text does not say it in numbers."""
    given = {word: each[dimension] for word, each in window.items() if dimension < len(each)}
    before = given.get("pad", "0_0").split("_")[0]
    words = [given.get(word, "1") for word in ("stride", "lhs_dilate", "rhs_dilate")]
    if not re.fullmatch(r"-?\d{1,9}", before) or not all(_DIGITS.fullmatch(w) for w in words):
        return None
    stride, spread, step = map(int, words)
    return Steps(stride, int(before), spread, step) if stride and spread and step else None


@dataclass(frozen=True, slots=True)
class Steps:
    """How a window walks over one dimension of an image."""

    stride: int = 1
    before: int = 0
    """Padding in front."""
    spread: int = 1
    """Distance of the image's elements, with holes between them."""
    step: int = 1
    """Distance of the window's elements."""


def positions(size: int, window: int, out: int, steps: Steps) -> int | None:
    """Pairs of output and window position that meet an element and no hole or padding.

    None where there are too many to look at.
    """
    if out * window > MOST_POSITIONS:
        return None
    last = (size - 1) * steps.spread
    reached = (
        o * steps.stride + k * steps.step - steps.before for o in range(out) for k in range(window)
    )
    return sum(1 for at in reached if 0 <= at <= last and at % steps.spread == 0)
