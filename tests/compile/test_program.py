"""Shape files, targets, and counting the arithmetic of a traced program."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from kb.cli import parser
from kb.finding import CheckError, with_extra
from kb.home import home, project_at
from kb.load import load as load_project
from kb.measure.compile import flops, targets, untyped
from kb.measure.compile.backend import mismatch
from kb.measure.compile.byhand import by_hand
from kb.measure.compile.examine import examine
from kb.measure.compile.outcome import compile_refusal
from kb.measure.compile.program import bundled, find, load, read, takes_mesh
from kb.measure.compile.stub import TARGET, register
from kb.measure.compile.targets import FAMILIES, SLICES, target
from kb.measure.sharded import collectives, pallas_add, stacked_mlp, transformer_layer
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

    def squared(x: jax.Array, y: jax.Array) -> jax.Array:
        return ((x @ y) ** 2).sum()

    product = 2 * 8 * 16 * 4
    assert counted(jax.grad(loss, argnums=(0, 1)), (8, 16), (16, 4)).total == 2 * product
    assert counted(jax.grad(squared, argnums=(0, 1)), (8, 16), (16, 4)).total == 3 * product


def test_a_window_over_the_border_counts_what_it_meets() -> None:
    """As the compiled side counts it, so that the two can be set against each other."""

    def padded(x: jax.Array, k: jax.Array) -> jax.Array:
        return jax.lax.conv_general_dilated(x, k, (1, 1), "SAME")

    found = counted(padded, (2, 3, 8, 8), (5, 3, 3, 3))
    assert found.total == 2 * (2 * 5) * 3 * (3 * 8 - 2) ** 2


def test_hand_written_kernels_are_listed_with_the_rules_around_them() -> None:
    register()

    @jax.custom_vjp
    def ruled(x: jax.Array) -> jax.Array:
        return called(x)

    def called(x: jax.Array) -> jax.Array:
        ffi: Any = jax.ffi
        done: jax.Array = ffi.ffi_call(TARGET, untyped.shape(x.shape, x.dtype))(x)
        return done

    rule: Any = ruled
    rule.defvjp(lambda x: (ruled(x), None), lambda _, slope: (3 * slope,))
    mesh = jax.make_mesh((1,), ("m",), axis_types=(jax.sharding.AxisType.Auto,))
    split = jax.shard_map(
        called, mesh=mesh, in_specs=untyped.spec("m"), out_specs=untyped.spec("m"), check_vma=False
    )

    def program(x: jax.Array) -> jax.Array:
        return ruled(x) + split(x) + called(called(x))

    given = untyped.shape((8, 8), jnp.dtype("float32"))
    found = {(k.gradient, k.sharding): k.sites for k in by_hand(jax.make_jaxpr(program)(given))}
    assert found == {(True, False): 1, (False, True): 1, (False, False): 2}


def test_a_pallas_kernel_has_its_own_name_and_one_over_integers_has_no_gradient_to_miss() -> None:
    (kernel,) = by_hand(
        jax.make_jaxpr(pallas_add)(*[untyped.shape((64, 128), jnp.dtype("float32"))] * 2)
    )
    assert (kernel.primitive, kernel.name, kernel.sites) == ("pallas_call", "kernel", 1)
    (whole,) = by_hand(
        jax.make_jaxpr(pallas_add)(*[untyped.shape((64, 128), jnp.dtype("int32"))] * 2)
    )
    assert whole.gradient is None


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


@pytest.mark.parametrize(
    ("name", "exists"),
    [
        ("tpu-v6e:2x4", True), ("tpu-v6e:16x16", True), ("tpu-v6e:1x1", True),
        ("tpu-v6e:3x3", False), ("tpu-v6e:32x32", False), ("tpu-v6e:2x2x2", False),
        ("hgx-b200:1", True), ("hgx-b200:8", True), ("hgx-b200:16", True),
        ("hgx-b200:12", False), ("hgx-b200:9", False),
    ],
)  # fmt: skip
def test_only_arrangements_that_are_sold_exist(name: str, exists: bool) -> None:  # noqa: FBT001
    """XLA compiles for a 3D slice of v6e and for a board of twelve B200s."""
    assert target(name).exists is exists


def test_the_slices_are_those_of_the_catalogue() -> None:
    corpus = load_project(project_at(home())).corpus
    found = [re.fullmatch(r"tpu-v6e/slice-(\d+x\d+)-chips", name) for name in corpus.claims]
    assert set(SLICES) == {each[1] for each in found if each}
    for family in FAMILIES.values():
        named = corpus.identify(family.kind).product
        assert named is not None
        assert named.product == family.product


@pytest.mark.parametrize(
    ("platform", "found", "said"),
    [
        ("tpu", {"jax": "0.10.2", "libtpu": "0.0.42.1"}, None),
        ("tpu", {"jax": "0.10.2", "libtpu": "0.0.42"}, None),
        ("tpu", {"jax": "0.10.2", "libtpu": "0.0.421"}, "libtpu 0.0.421"),
        ("tpu", {"jax": "0.10.2", "libtpu": "0.0.41"}, "asks for 0.0.42.*"),
        ("cuda", {"jax": "0.10.2", "jaxlib": "0.10.2", "jax-cuda13-pjrt": "0.10.2"}, None),
        ("cuda", {"jax": "0.10.2", "jax-cuda13-plugin": "0.9.0"}, "jax-cuda13-plugin 0.9.0"),
    ],
)
def test_wheels_that_do_not_fit_each_other_are_named(
    platform: str, found: dict[str, str], said: str | None
) -> None:
    seen = mismatch(platform, found, ["numpy>=2.0", 'libtpu==0.0.42.*; extra == "tpu"'])
    assert seen is None if said is None else said in (seen or "")


def test_a_missing_wheel_is_a_typed_answer_with_the_extra_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = replace(FAMILIES["tpu-v6e"], modules=("jax", "no_such_compiler"))
    monkeypatch.setattr(targets, "FAMILIES", {**FAMILIES, "tpu-v6e": absent})
    outcome = examine(find("matmul-8192", None), target("tpu-v6e:2x4"), None, tmp_path, print)
    assert outcome.refusal is not None
    assert (outcome.refusal.kind, outcome.refusal.remedy) == (
        "missing_wheel",
        with_extra("aot-tpu"),
    )
    assert "no_such_compiler" in outcome.refusal.message


@pytest.mark.parametrize(("mesh", "said"), [("model=8", "data"), ("data=2;model=4", "no mesh")])
def test_a_mesh_without_the_axes_that_the_inputs_need_is_refused(mesh: str, said: str) -> None:
    words = ["measure", "compile", "transformer-layer", "--mesh", mesh]
    parsed = parser("measure").parse_args(words)
    with pytest.raises(CheckError, match=said) as caught:
        parsed.run(parsed)
    assert "--mesh" in caught.value.remedy
