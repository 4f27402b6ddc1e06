"""Counts the arithmetic of a traced program, with the trip counts of its loops.

XLA's own count takes a loop body once, so this one is made on the jaxpr. It counts matrix
products and convolutions, a multiply-add as two; elementwise work is not in it.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any

from kb.measure.compile.contraction import Steps, positions
from kb.model.artefact import FlopCount

COLLECTIVES = frozenset(
    [
        "psum",
        "psum2",
        "psum_invariant",
        "all_gather",
        "all_gather_invariant",
        "psum_scatter",
        "reduce_scatter",
        "all_to_all",
        "ppermute",
        "pmax",
        "pmin",
        "pgather",
    ]
)
"""Primitives with which a program asks for a collective itself."""


@dataclass(slots=True)
class Count:
    """What has been counted so far."""

    total: int = 0
    unknown: dict[str, None] = field(default_factory=dict)
    collectives: Counter[str] = field(default_factory=Counter)

    def result(self) -> FlopCount:
        """The count as evidence; no total where a part of it is open."""
        open_ = tuple(self.unknown)
        return FlopCount(contraction=None if open_ else self.total, unknown=open_)


def count(jaxpr: Any) -> Count:
    """The arithmetic of a closed jaxpr."""
    found = Count()
    _walk(_live(jaxpr.jaxpr), 1, found)
    return found


def _live(jaxpr: Any) -> Any:
    """The jaxpr without what no result depends on, such as a loss that only its slope needs.

    Every compiler leaves that out, so the program doesn't ask for it.
    """
    partial: Any = importlib.import_module("jax.interpreters.partial_eval")
    live, _ = partial.dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars), instantiate=True)
    return live


def _walk(jaxpr: Any, times: int, found: Count) -> None:
    for equation in jaxpr.eqns:
        name = equation.primitive.name
        if name == "dot_general":
            found.total += times * _dot(equation)
        elif name == "conv_general_dilated":
            work = _convolution(equation)
            found.total += times * (work or 0)
            if work is None:
                found.unknown["convolution: its window is too large to be counted"] = None
        elif name in COLLECTIVES:
            found.collectives[name] += times
        elif name in ("pallas_call", "ffi_call", "custom_call"):
            found.unknown[f"{name}: work inside a hand-written kernel is not counted"] = None
        else:
            _nested(equation, times, found)


def _nested(equation: Any, times: int, found: Count) -> None:
    name = equation.primitive.name
    if name == "scan":
        _walk(equation.params["jaxpr"].jaxpr, times * equation.params["length"], found)
    elif name == "cond":
        branches = [_inner(branch.jaxpr, times) for branch in equation.params["branches"]]
        dearest = max(branches, key=lambda branch: branch.total)
        found.total += dearest.total
        for branch in branches:
            found.unknown |= branch.unknown
            found.collectives |= branch.collectives
    elif name == "while":
        body = _inner(equation.params["body_jaxpr"].jaxpr, times)
        if body.total or body.unknown:
            found.unknown["while: its trip count depends on values"] = None
        found.collectives.update(body.collectives)
    else:
        mesh = equation.params.get("mesh") if name == "shard_map" else None
        devices = prod(mesh.shape.values()) if mesh is not None else 1
        for inner in _jaxprs(equation.params):
            _walk(inner, times * devices, found) if devices == 1 else _mapped(
                inner, times, devices, found
            )


def _mapped(jaxpr: Any, times: int, devices: int, found: Count) -> None:
    """A mapped body is the program of one device: its work counts once for each."""
    inner = _inner(jaxpr, times)
    found.total += inner.total * devices
    found.unknown |= inner.unknown
    found.collectives.update(inner.collectives)


def _inner(jaxpr: Any, times: int) -> Count:
    found = Count()
    _walk(jaxpr, times, found)
    return found


def _jaxprs(params: dict[str, Any]) -> Iterator[Any]:
    """Every jaxpr among the parameters of a primitive such as `pjit` or `custom_vjp_call`."""
    for key in ("jaxpr", "call_jaxpr", "fun_jaxpr"):
        value = params.get(key)
        if value is not None:
            yield getattr(value, "jaxpr", value)
            return


def _dot(equation: Any) -> int:
    (contracted, _), _ = equation.params["dimension_numbers"]
    left = equation.invars[0].aval.shape
    length = prod(left[dim] for dim in contracted)
    return int(2 * prod(equation.outvars[0].aval.shape) * length)


def _convolution(equation: Any) -> int | None:
    """The work of window positions that meet an element, as the compiled side counts it."""
    params = equation.params
    numbers = params["dimension_numbers"]
    image, kernel = (each.aval.shape for each in equation.invars[:2])
    result = equation.outvars[0].aval.shape
    batch, features, *spatial = numbers.out_spec
    work = 2 * result[batch] * result[features] * kernel[numbers.rhs_spec[1]]
    for i, dim in enumerate(spatial):
        steps = Steps(
            params["window_strides"][i],
            params["padding"][i][0],
            params["lhs_dilation"][i],
            params["rhs_dilation"][i],
        )
        met = positions(
            image[numbers.lhs_spec[2 + i]], kernel[numbers.rhs_spec[2 + i]], result[dim], steps
        )
        if met is None:
            return None
        work *= met
    return int(work)
