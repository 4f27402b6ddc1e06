"""The functions of the bundled workloads, each with a reference that is written differently.

One mistake then can't hide in both. A reference fixes no number format, so that it can be
evaluated in float64.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jax


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


def attention(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    """Causal attention of one head over (time, width)."""
    import jax.numpy as jnp

    scores = query @ key.T * query.shape[-1] ** -0.5
    mask = jnp.tril(jnp.ones(scores.shape, bool))
    return softmax(jnp.where(mask, scores, -1e30)) @ value


def attention_reference(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    """The same, row by row over the keys that a row may see."""
    import jax
    import jax.numpy as jnp
    from jax.lax import Precision as Mode

    def row(args: tuple[jax.Array, jax.Array]) -> jax.Array:
        index, q = args
        scores = jnp.einsum("d,sd->s", q, key, precision=Mode.HIGHEST) / jnp.sqrt(q.shape[0])
        seen = jnp.where(jnp.arange(key.shape[0]) <= index, scores, -jnp.inf)
        return jnp.einsum("s,sd->d", jnp.exp(seen - jax.nn.logsumexp(seen)), value)

    result: jax.Array = jax.lax.map(row, (jnp.arange(query.shape[0]), query))
    return result


def gather(table: jax.Array, rows: jax.Array) -> jax.Array:
    """The sum of irregular rows of a table: an embedding bag."""
    return table[rows].sum(axis=1)


def gather_reference(table: jax.Array, rows: jax.Array) -> jax.Array:
    """The same as a product with how often each row is wanted."""
    import jax.numpy as jnp

    wanted = (rows[:, :, None] == jnp.arange(table.shape[0])).sum(axis=1)
    return wanted.astype(table.dtype) @ table
