"""Finds the hand-written kernels that a traced program calls, and which rules come with them.

A kernel that somebody wrote has no derivative and no partition by itself. Whether it has a
gradient is tried and not assumed: JAX is asked to differentiate that one call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kb.measure.compile import untyped
from kb.model.artefact import ByHand

PRIMITIVES = frozenset(
    ["pallas_call", "ffi_call", "custom_call", "triton_kernel_call", "mosaic_gpu_p"]
)
"""Primitives behind which somebody's own kernel stands."""

_GRADIENT = frozenset(["custom_vjp_call", "custom_vjp_call_jaxpr", "custom_jvp_call"])
_SHARDING = frozenset(["custom_partitioning", "shard_map"])


@dataclass(frozen=True, slots=True)
class _Around:
    """Which rules stand around a call."""

    gradient: bool = False
    sharding: bool = False


def by_hand(jaxpr: Any) -> tuple[ByHand, ...]:
    """The hand-written kernels of a closed jaxpr, equal ones joined."""
    seen: Counter[tuple[str, str, bool | None, bool]] = Counter(_walk(jaxpr.jaxpr, _Around()))
    return tuple(
        ByHand(primitive=primitive, name=name, gradient=gradient, sharding=sharding, sites=sites)
        for (primitive, name, gradient, sharding), sites in sorted(seen.items(), key=repr)
    )


def _walk(jaxpr: Any, around: _Around) -> Iterator[tuple[str, str, bool | None, bool]]:
    for equation in jaxpr.eqns:
        primitive = equation.primitive.name
        if primitive in PRIMITIVES:
            gradient = around.gradient or _differentiates(equation)
            yield primitive, _name(equation), gradient, around.sharding
            continue
        inner = _Around(
            around.gradient or primitive in _GRADIENT, around.sharding or primitive in _SHARDING
        )
        for nested in _jaxprs(equation.params.values()):
            yield from _walk(nested, inner)


def _jaxprs(values: Any) -> Iterator[Any]:
    """Every jaxpr among the parameters of a primitive."""
    for value in values:
        if hasattr(value, "eqns"):
            yield value
        elif hasattr(value, "jaxpr"):
            yield value.jaxpr
        elif isinstance(value, tuple | list):
            yield from _jaxprs(value)


def _name(equation: Any) -> str:
    """The kernel's own name, as far as the call carries one."""
    params = equation.params
    told = params.get("target_name") or params.get("call_target_name") or params.get("name")
    if told is None:  # a Pallas kernel is known by its Python function
        source = getattr(getattr(params.get("jaxpr"), "debug_info", None), "func_src_info", None)
        told = str(source or "").partition(" at ")[0]
    return str(told or equation.primitive.name)


def _differentiates(equation: Any) -> bool | None:
    """Whether JAX can differentiate the call itself; None where no input has a derivative."""
    import jax
    import jax.numpy as jnp

    given = [each.aval for each in equation.invars]
    floats = [i for i, each in enumerate(given) if jnp.issubdtype(each.dtype, jnp.floating)]
    results = [each.aval.dtype for each in equation.outvars]
    if not floats or not any(jnp.issubdtype(dtype, jnp.floating) for dtype in results):
        return None

    def called(*chosen: Any) -> Any:
        whole = [jnp.zeros(each.shape, each.dtype) for each in given]
        for index, value in zip(floats, chosen, strict=True):
            whole[index] = value
        return equation.primitive.bind(*whole, **equation.params)

    def pulled(*chosen: Any) -> Any:
        out, back = jax.vjp(called, *chosen)
        return back(jax.tree.map(jnp.ones_like, out))

    try:
        jax.make_jaxpr(pulled)(*(untyped.shape(given[i].shape, given[i].dtype) for i in floats))
    except Exception:  # noqa: BLE001 - a kernel without a rule may raise anything
        return False
    return True
