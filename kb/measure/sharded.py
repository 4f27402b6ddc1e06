"""The bundled programs that are compiled for absent devices, as plain functions.

Nothing here knows a product or a mesh, except where a program asks for its collectives
itself. Shapes, number formats and sharding are in the files of `compile/bundled`.
"""

from __future__ import annotations

from typing import Any

from kb.measure.compile import untyped

Array = Any
"""An array of JAX; named so that this file imports without it."""

Parameters = dict[str, Array]


def rms_norm(x: Array, gain: Array) -> Array:
    """Scale to unit root mean square over the last axis, computed in float32."""
    import jax
    import jax.numpy as jnp

    power = jnp.mean(jnp.square(x.astype(jnp.float32)), axis=-1, keepdims=True)
    return (x * jax.lax.rsqrt(power + 1e-6)).astype(x.dtype) * gain


def attention(query: Array, key: Array, value: Array) -> Array:
    """Causal attention, (batch, time, heads, width) in and out, softmax in float32."""
    import jax
    import jax.numpy as jnp

    scale = query.shape[-1] ** -0.5
    scores = jnp.einsum("bqhk,bshk->bhqs", query, key, preferred_element_type=jnp.float32)
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    weights = jax.nn.softmax(jnp.where(mask, scores * scale, -1e30), axis=-1)
    return jnp.einsum("bhqs,bshk->bqhk", weights.astype(value.dtype), value)


def transformer_layer(x: Array, layer: Parameters) -> Array:
    """One pre-norm layer: causal attention and a GELU network, each with its residual."""
    import jax.numpy as jnp

    seen = rms_norm(x, layer["norm_attention"])
    query, key, value = (
        jnp.einsum("btd,dhk->bthk", seen, layer[name]) for name in ("query", "key", "value")
    )
    x = x + jnp.einsum("bqhk,hkd->bqd", attention(query, key, value), layer["output"])
    return x + mlp(rms_norm(x, layer["norm_mlp"]), layer)


def transformer_gradient(x: Array, layer: Parameters) -> Parameters:
    """The gradient of the layer's mean square with respect to its parameters."""
    import jax
    import jax.numpy as jnp

    def loss(layer: Parameters) -> Array:
        return jnp.mean(jnp.square(transformer_layer(x, layer).astype(jnp.float32)))

    slopes: Parameters = jax.grad(loss)(layer)
    return slopes


def mlp(x: Array, layer: Parameters) -> Array:
    """Two projections with a GELU between them."""
    import jax
    import jax.numpy as jnp

    hidden = jax.nn.gelu(jnp.einsum("btd,df->btf", x, layer["up"]))
    return jnp.einsum("btf,fd->btd", hidden, layer["down"])


def stacked_mlp(x: Array, layers: Parameters) -> Array:
    """The same network several times in a loop, with parameters stacked on the first axis."""
    import jax

    def step(x: Array, layer: Parameters) -> tuple[Array, None]:
        return x + mlp(x, layer), None

    return jax.lax.scan(step, x, layers)[0]


def collectives(x: Array, *, mesh: Any) -> tuple[Array, ...]:
    """The five collectives that programs ask for, over the axis `model`, one of each."""
    import jax

    lax: Any = jax.lax
    size = mesh.shape["model"]

    def each(x: Array) -> tuple[Array, ...]:
        ring = [(i, (i + 1) % size) for i in range(size)]
        return (
            lax.psum(x, "model"),
            lax.all_gather(x * 2, "model", tiled=True),
            lax.psum_scatter(x * 3, "model", tiled=True),
            lax.all_to_all(x * 4, "model", 0, 1, tiled=True),
            lax.ppermute(x * 5, "model", ring),
        )

    whole, split = untyped.spec(), untyped.spec("model")
    result: tuple[Array, ...] = jax.shard_map(
        each,
        mesh=mesh,
        in_specs=split,
        out_specs=(whole, whole, split, split, split),
        check_vma=False,
    )(x)
    return result


def gather(table: Array, rows: Array) -> Array:
    """The sum of irregular rows of a large table: an embedding bag."""
    return table[rows].sum(axis=1)


def sampling_step(logits: Array, noise: Array) -> Array:
    """One token for each row by Gumbel's trick, so that nothing is sorted."""
    import jax.numpy as jnp

    return jnp.argmax(logits / 0.8 - jnp.log(-jnp.log(noise)), axis=-1)


def huge_chain(x: Array) -> Array:
    """A product of a matrix with itself, twice, meant not to fit."""
    import jax.numpy as jnp

    return jnp.tanh(x @ x) @ x


def ffi_scale(x: Array) -> Array:
    """A hand-written kernel behind JAX's foreign function interface, between two plain steps."""
    import jax

    from kb.measure.compile.stub import TARGET, register

    register()
    ffi: Any = jax.ffi
    called = ffi.ffi_call(TARGET, untyped.shape(x.shape, x.dtype))
    return called(x * 2) + 1


def pallas_add(x: Array, y: Array) -> Array:
    """A hand-written sum in Pallas, between two plain steps."""
    from jax.experimental import pallas

    def kernel(left: Any, right: Any, out: Any) -> None:
        out[...] = left[...] + right[...]

    block = pallas.BlockSpec((64, 128), lambda i, j: (i, j))
    added = pallas.pallas_call(
        kernel,
        grid=(x.shape[0] // 64, x.shape[1] // 128),
        in_specs=[block, block],
        out_specs=block,
        out_shape=untyped.shape(x.shape, x.dtype),
    )
    return added(x * 2, y) + 1
