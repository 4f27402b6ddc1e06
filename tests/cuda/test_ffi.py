"""The kernel behind JAX's foreign function interface, on the CPU."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from kb.finding import CheckError
from kb.measure.cuda import ffi

if TYPE_CHECKING:
    import jax

Function = Callable[..., "jax.Array"]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def rows() -> jax.Array:
    import jax

    ffi.register("cpu")
    return jax.random.normal(jax.random.key(0), (8, 300))


def test_it_gives_what_jax_gives_alone_compiled_and_batched(rows: jax.Array) -> None:
    import jax
    import numpy as np

    wanted = jax.nn.softmax(rows)
    for got in (ffi.softmax(rows), jax.jit(ffi.softmax)(rows), jax.vmap(ffi.softmax)(rows)):
        np.testing.assert_allclose(got, wanted, atol=1e-7)


def test_the_gradient_is_supplied_and_the_bare_call_has_none(rows: jax.Array) -> None:
    import jax
    import numpy as np

    def loss(function: Function) -> Function:
        return lambda x: (function(x) ** 2).sum()

    got = jax.grad(loss(ffi.softmax))(rows)
    np.testing.assert_allclose(got, jax.grad(loss(jax.nn.softmax))(rows), atol=1e-8)
    with pytest.raises(ValueError, match="`kb_softmax` cannot be differentiated"):
        jax.grad(loss(ffi.bare_softmax))(rows)


def test_a_wrong_type_or_shape_is_refused_on_both_sides(rows: jax.Array) -> None:
    import jax
    import jax.numpy as jnp

    with pytest.raises(CheckError, match="float32 rows, not bfloat16"):
        ffi.softmax(rows.astype(jnp.bfloat16))
    untyped: Any = jax
    call = untyped.ffi.ffi_call(ffi.TARGET, untyped.ShapeDtypeStruct((8, 299), jnp.float32))
    with pytest.raises(Exception, match="x and y have different shapes"):
        call(rows).block_until_ready()
    call = untyped.ffi.ffi_call(ffi.TARGET, untyped.ShapeDtypeStruct((8, 300), jnp.float32))
    with pytest.raises(Exception, match="expected F32 but got S32"):
        call(rows.astype(jnp.int32)).block_until_ready()


SHARDED = """
import jax, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
from kb.finding import CheckError
from kb.measure.cuda import ffi
ffi.register("cpu")
mesh = Mesh(np.array(jax.devices()), ("d",))
x = jax.device_put(jax.random.normal(jax.random.key(0), (8, 300)), NamedSharding(mesh, P("d")))
run = jax.jit(lambda x: ffi.sharded_softmax(x, mesh, ("d", None)))
np.testing.assert_allclose(run(x), jax.nn.softmax(x), atol=1e-7)
assert "all-gather" not in run.lower(x).compile().as_text()
assert "all-gather" in jax.jit(ffi.softmax).lower(x).compile().as_text()
try:
    ffi.sharded_softmax(x, mesh, (None, "d"))
except CheckError as error:
    print(error)
"""


def test_rows_are_sharded_without_a_gather_and_split_rows_are_refused() -> None:
    import os

    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=4", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        [sys.executable, "-c", SHARDED],
        env={**os.environ, **flags}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "the kernel needs whole rows" in done.stdout
