"""The check against the reference, with right and wrong kernels."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from kb.finding import CheckError
from kb.measure import WORKLOADS, Workload
from kb.measure.family import build, find
from kb.measure.run.correctness import check, judge, reference
from kb.qualifiers import Precision

MATMUL = WORKLOADS["matmul-512-f32"]


def result_of(workload: Workload, function: Callable[..., jax.Array]) -> np.ndarray:
    return np.asarray(jax.jit(function)(*workload.arrays()))


@pytest.mark.parametrize("workload", WORKLOADS.values(), ids=list(WORKLOADS))
def test_every_bundled_workload_is_correct(workload: Workload) -> None:
    wanted = reference(workload)[0]
    assert wanted.dtype == np.float64
    seen = judge(result_of(workload, workload.function), wanted, workload.tolerance)
    assert seen.passed, seen
    assert seen.max_scaled_error is not None
    # A bound that every result passes by far would check nothing.
    assert seen.max_scaled_error > workload.tolerance.bound / 1000


@pytest.mark.parametrize("workload", WORKLOADS.values(), ids=list(WORKLOADS))
def test_inputs_have_both_signs_and_never_change(workload: Workload) -> None:
    for once, again, spec in zip(
        workload.arrays(), workload.arrays(), workload.inputs, strict=True
    ):
        assert once.min() < 0 < once.max() or spec.dtype is Precision.INT32
        assert once.shape == spec.shape
        assert np.array_equal(once, again)


def low_precision(a: jax.Array, b: jax.Array) -> jax.Array:
    return (a.astype(jnp.bfloat16) @ b.astype(jnp.bfloat16)).astype(jnp.float32)


def swapped(a: jax.Array, b: jax.Array) -> jax.Array:
    return b @ a


def one_wrong_element(a: jax.Array, b: jax.Array) -> jax.Array:
    return (a @ b).at[17, 23].add(0.01)


def one_block_missing(a: jax.Array, b: jax.Array) -> jax.Array:
    return a[:, :-1] @ b[:-1]


def test_every_wrong_kernel_is_caught() -> None:
    wanted = reference(MATMUL)[0]
    for kernel in (low_precision, swapped, one_wrong_element, one_block_missing):
        seen = judge(result_of(MATMUL, kernel), wanted, MATMUL.tolerance)
        assert not seen.passed, kernel.__name__
        assert seen.share_out_of_tolerance > 0


@pytest.mark.parametrize(("bad", "nans", "infs"), [(np.nan, 1, 0), (-np.inf, 0, 1)])
def test_an_element_that_is_not_finite_fails(bad: float, nans: int, infs: int) -> None:
    result = result_of(MATMUL, MATMUL.function).copy()
    result[3, 4] = bad
    seen = judge(result, reference(MATMUL)[0], MATMUL.tolerance)
    assert (seen.passed, seen.nan_count, seen.inf_count) == (False, nans, infs)
    assert seen.norm_error is None


def test_a_result_of_another_shape_is_no_result() -> None:
    with pytest.raises(CheckError, match="shape"):
        judge(np.ones((2, 2)), np.ones((2, 3)), MATMUL.tolerance)


NARROW = [
    build("matmul", (64, 96, 32), "bf16"),
    build("matmul", (64, 96, 32), "f16"),
    build("matmul", (128,), "f32", "bfloat16"),
    build("elementwise", (64, 64), "bf16"),
    build("softmax", (32, 256), "bf16"),
    build("attention", (64, 16), "bf16"),
    build("gather", (128, 16, 8), "bf16"),
]


@pytest.mark.parametrize("workload", NARROW, ids=lambda workload: workload.id)
def test_narrow_formats_are_right_within_their_own_roundoff(workload: Workload) -> None:
    seen = check(jax.jit(workload.function)(*workload.arrays()), workload)
    assert seen.passed, seen
    assert seen.max_scaled_error is not None
    declared = workload.tolerance
    assert declared.coarse_roundoff or workload.id.startswith("elementwise")
    # A wrong result that is off by a few per cent must not slip through.
    off = jax.jit(lambda *given: workload.function(*given) * 1.3)(*workload.arrays())
    assert not check(off, workload).passed


def test_a_reference_that_is_not_finite_fails_without_a_crash() -> None:
    wanted = reference(MATMUL)[0].copy()
    wanted[0, 0] = np.nan
    seen = judge(result_of(MATMUL, MATMUL.function), wanted, MATMUL.tolerance)
    assert not seen.passed
    assert seen.norm_error is None


def test_an_unknown_workload_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(CheckError) as caught:
        find("matmul")
    assert "matmul-512-f32" in caught.value.remedy
