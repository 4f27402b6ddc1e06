"""The guard against real asynchronous dispatch on the CPU."""

import jax
import jax.numpy as jnp
import pytest

from kb.measure.run.framework import wait
from kb.measure.run.guard import Watch, inspect, judge, null_wait
from kb.measure.run.sample import Call, Stopping, collect, one, queue
from kb.model.measurement import GuardVerdict


@pytest.fixture(scope="module")
def call() -> Call:
    """A compiled program that keeps the CPU busy for some tens of milliseconds."""

    def work(x: jax.Array) -> jax.Array:
        for _ in range(6):
            x = jnp.tanh(x @ x)
        return x

    x = wait(jax.device_put(jnp.linspace(-1, 1, 768 * 768, dtype=jnp.float32).reshape(768, 768)))
    compiled = jax.jit(work).lower(x).compile()
    wait(compiled(x))
    return lambda: compiled(x)


def forget(result: object) -> object:
    """The mistake that the guard is for: a wait that doesn't wait."""
    return result


def test_a_sample_without_a_wait_is_dispatch_only(call: Call) -> None:
    samples = collect(call, forget, Stopping(fewest=10, most=10, max_seconds=5), print)
    guard = judge(samples.watches, null_wait(), min(samples.seconds), None)
    assert guard.verdict is GuardVerdict.DISPATCH_ONLY
    assert not any(guard.ready_at_stop)
    # The time that the clock missed turns up in the wait after it.
    assert min(guard.residual_wait_seconds) > max(samples.seconds) / 10


def test_a_sample_with_a_wait_is_synchronised(call: Call) -> None:
    samples = collect(call, wait, Stopping(fewest=10, most=10, max_seconds=5), print)
    queued = queue(call, wait, calls=2, batches=3)
    guard = judge(samples.watches, null_wait(), min(samples.seconds), min(queued.seconds))
    assert all(guard.ready_at_stop)
    assert guard.verdict is GuardVerdict.SYNCHRONISED


def test_one_forgotten_wait_among_many_is_found(call: Call) -> None:
    watches = [one(call, wait)[1] for _ in range(5)]
    watches.append(one(call, forget)[1])
    guard = judge(watches, null_wait(), 1.0, None)
    assert guard.verdict is GuardVerdict.DISPATCH_ONLY
    assert guard.ready_at_stop.count(False) == 1


def test_a_runtime_that_says_ready_too_early_is_found_by_the_residual_wait() -> None:
    guard = judge([Watch(ready=True, residual_seconds=2e-3)] * 20, 1e-6, 1e-4, None)
    assert guard.verdict is GuardVerdict.DISPATCH_ONLY


def test_a_single_preempted_wait_is_forgiven() -> None:
    watches = [Watch(ready=True, residual_seconds=1e-6)] * 39
    guard = judge([*watches, Watch(ready=True, residual_seconds=2e-3)], 1e-6, 1e-4, None)
    assert guard.verdict is GuardVerdict.SYNCHRONISED


def test_a_call_far_faster_than_a_queue_is_too_fast() -> None:
    guard = judge([Watch(ready=True, residual_seconds=1e-6)] * 20, 1e-6, 1e-4, 1e-2)
    assert guard.verdict is GuardVerdict.TOO_FAST


def test_a_result_without_arrays_proves_nothing() -> None:
    assert not inspect({"loss": 1.0}).ready
    assert inspect({"loss": wait(jnp.ones(3))}).ready
