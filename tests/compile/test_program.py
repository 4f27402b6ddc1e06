"""Shape files, targets, and counting the arithmetic of a traced program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from kb.finding import CheckError
from kb.measure.compile import flops, untyped
from kb.measure.compile.outcome import compile_refusal
from kb.measure.compile.program import bundled, find, load, read, takes_mesh
from kb.measure.compile.targets import target
from kb.measure.sharded import collectives, stacked_mlp, transformer_layer
from kb.model.artefact import RefusalKind


def counted(function: Callable[..., Any], *shapes: tuple[int, ...]) -> flops.Count:
    given = [untyped.shape(shape, jnp.dtype("float32")) for shape in shapes]
    return flops.count(jax.make_jaxpr(function)(*given))


def test_a_loop_counts_its_body_as_often_as_it_runs() -> None:
    def looped(x: jax.Array) -> jax.Array:
        last: jax.Array = jax.lax.scan(lambda c, _: (c @ c, None), x, None, length=10)[0]
        return last

    assert counted(looped, (8, 8)).total == 10 * 2 * 8**3


def test_a_branch_counts_as_the_dearest_one() -> None:
    def branched(x: jax.Array) -> jax.Array:
        taken: jax.Array = jax.lax.cond(x[0, 0] > 0, lambda x: x @ x, lambda x: x @ x @ x, x)
        return taken

    assert counted(branched, (8, 8)).total == 2 * 2 * 8**3


def test_a_loop_over_values_is_open_and_not_zero() -> None:
    def until(x: jax.Array) -> jax.Array:
        return jax.lax.while_loop(lambda x: x.sum() < 9, lambda x: x @ x, x)

    found = counted(until, (8, 8)).result()
    assert found.contraction is None
    assert "trip count" in found.unknown[0]


def test_what_is_inside_jit_remat_and_custom_rules_is_counted() -> None:
    @jax.custom_jvp
    def ruled(x: jax.Array) -> jax.Array:
        return x @ x

    ruled.defjvp(lambda given, slopes: (ruled(given[0]), slopes[0]))

    def nested(x: jax.Array) -> jax.Array:
        done: jax.Array = jax.jit(jax.checkpoint(lambda x: ruled(x) @ x))(x)
        return done

    assert counted(nested, (8, 8)).total == 2 * 2 * 8**3


def test_a_convolution_counts_its_window() -> None:
    def convolved(x: jax.Array, k: jax.Array) -> jax.Array:
        return jax.lax.conv_general_dilated(x, k, (1, 1), "VALID")

    found = counted(convolved, (2, 3, 8, 8), (5, 3, 3, 3))
    assert found.total == 2 * (2 * 5 * 6 * 6) * (3 * 3 * 3)


def test_the_gradient_of_a_product_is_two_products() -> None:
    def loss(x: jax.Array, y: jax.Array) -> jax.Array:
        return (x @ y).sum()

    assert counted(jax.grad(loss, argnums=(0, 1)), (8, 16), (16, 4)).total == 3 * 2 * 8 * 16 * 4


@pytest.mark.parametrize("name", sorted(bundled()))
def test_every_bundled_program_is_named_like_its_file_and_can_be_loaded(name: str) -> None:
    shapes = find(name, None)
    assert shapes.id == name
    assert callable(load(shapes.function))
    for _, array in shapes.arrays():
        used = {axis for axis in array.spec if isinstance(axis, str)}
        assert used <= set(shapes.mesh)


def test_the_layer_is_a_layer() -> None:
    """Small real arrays: causal, finite, and changed by every parameter."""
    keys = iter(jax.random.split(jax.random.key(0), 9))
    shapes = {"norm_attention": (8,), "norm_mlp": (8,), "query": (8, 2, 4), "key": (8, 2, 4),
              "value": (8, 2, 4), "output": (2, 4, 8), "up": (8, 16), "down": (16, 8)}  # fmt: skip
    layer = {name: jax.random.normal(next(keys), shape) for name, shape in shapes.items()}
    x = jax.random.normal(next(keys), (1, 5, 8))
    whole = transformer_layer(x, layer)
    assert jnp.isfinite(whole).all()
    assert jnp.allclose(transformer_layer(x[:, :3], layer), whole[:, :3], atol=1e-5)
    for name, values in layer.items():
        assert not jnp.allclose(transformer_layer(x, {**layer, name: values * 0}), whole)


def test_the_stack_equals_its_layers_one_by_one() -> None:
    keys = jax.random.split(jax.random.key(1), 3)
    x = jax.random.normal(keys[0], (2, 3, 4))
    layers = {"up": jax.random.normal(keys[1], (2, 4, 8)) / 4,
              "down": jax.random.normal(keys[2], (2, 8, 4)) / 4}  # fmt: skip
    expected = x
    for i in range(2):
        hidden = jax.nn.gelu(expected @ layers["up"][i])
        expected = expected + hidden @ layers["down"][i]
    assert jnp.allclose(stacked_mlp(x, layers), expected, atol=1e-5)


def test_a_function_that_asks_for_the_mesh_gets_it() -> None:
    assert takes_mesh(collectives)
    assert not takes_mesh(transformer_layer)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id: a", "summary"),
        ("[", "can't be read"),
        ("id: a\nsummary: s\ninputs: {x: {shape: [2], dtype: float}}", "no number format"),
        ("id: a\nsummary: s\ninputs: {x: {shape: [2], dtype: f32, spc: []}}", "spc"),
        ("id: a\nsummary: s\ninputs: {x: {shape: ['2'], dtype: f32}}", "integer"),
    ],
)
def test_a_bad_shape_file_says_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "shapes.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CheckError, match=said):
        read(path)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gb200-nvl72:8", "no compiler for 'gb200-nvl72'"),
        ("tpu-v6e", "names no arrangement"),
        ("tpu-v6e:8", "names no arrangement"),
        ("hgx-b200:2x4", "names no arrangement"),
        ("hgx-b200:0", "names no arrangement"),
    ],
)
def test_a_target_that_is_none_is_refused_with_the_spelling(name: str, said: str) -> None:
    with pytest.raises(CheckError, match=said) as caught:
        target(name)
    assert "--target" in caught.value.remedy


@pytest.mark.parametrize(
    ("text", "kind", "limit"),
    [
        ("RESOURCE_EXHAUSTED: HLO temporaries (192.00G) exceeds available HBM (31.25G).",
         RefusalKind.OUT_OF_MEMORY, 33_554_432_000),
        ("INVALID_ARGUMENT: Custom emitter for k not found\n/a/b.py:3", RefusalKind.REJECTED, None),
        ("ABORTED: Internal error when accessing libtpu multi-process lockfile",
         RefusalKind.COMPILER_BUSY, None),
        ("libdevice not found", RefusalKind.MISSING_WHEEL, None),
    ],
)  # fmt: skip
def test_what_a_compiler_raises_becomes_typed(
    text: str, kind: RefusalKind, limit: int | None
) -> None:
    seen = compile_refusal(RuntimeError(text)).refusal
    assert (seen.kind, seen.limit_bytes) == (kind, limit)
    assert seen.remedy
    assert "/a/b.py" not in seen.message
