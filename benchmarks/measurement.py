"""How far the measuring itself can be trusted: its overhead, its verdicts, its guard.

`python benchmarks/measurement.py overhead|equal|slower|unsynchronised [REPETITIONS]`. Everything
is taken in one process, in turns, so that a busy machine slows both sides alike.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable
from statistics import median
from time import perf_counter_ns

os.environ["JAX_PLATFORMS"] = "cpu"
# One thread, so that a neighbour on the second core does not stretch the kernel.
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import jax
import jax.numpy as jnp

from kb.measure.run.framework import wait
from kb.measure.run.guard import judge, null_wait
from kb.measure.run.paired import ratio_interval
from kb.measure.run.sample import Call, Stopping, collect, one
from kb.measure.study.pair import race
from kb.model.measurement import GuardVerdict

MARGIN = 0.03
SIZE = 2048
ROUNDS = 2000


def kernel(turns: int) -> Call:
    """A compiled program whose time is proportional to `turns`, on inputs that are ready."""

    def work(x: jax.Array) -> jax.Array:
        return jax.lax.fori_loop(0, turns, lambda _, a: jnp.sin(a) + 0.1, x)

    x = wait(jax.device_put(jnp.linspace(0, 1, SIZE)))
    compiled = jax.jit(work).lower(x).compile()
    wait(compiled(x))
    return lambda: compiled(x)


def turns_for(seconds: float) -> int:
    """How many turns take about so long here."""
    call = kernel(200)
    spent = median(one(call, wait)[0] for _ in range(50))
    return max(20, round(200 * seconds / spent))


def bare(call: Call) -> float:
    """One synchronised call as anybody would time it, in seconds."""
    start = perf_counter_ns()
    jax.block_until_ready(call())
    return (perf_counter_ns() - start) / 1e9


def overhead(_: int) -> None:
    """The harness's sample against the bare loop, round by round."""
    call = kernel(turns_for(1e-3))
    ours, theirs = list[float](), list[float]()
    for turn in range(ROUNDS):
        for mine in (True, False) if turn % 2 else (False, True):
            if mine:
                ours.append(one(call, wait)[0])
            else:
                theirs.append(bare(call))
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    span = ratio_interval(ratios)
    print(f"kernel, bare: {median(theirs) * 1e3:.3f} ms; harness: {median(ours) * 1e3:.3f} ms")
    print(f"ratio of medians: {median(ours) / median(theirs):.4f}")
    print(
        f"median of {len(ratios)} ratios: {median(ratios):.4f} ({span.low:.4f} to {span.high:.4f})"
    )


def verdicts(repetitions: int, make: Callable[[int], tuple[Call, Call]]) -> None:
    """The verdicts of as many races; each pair is compiled once."""
    sides = make(turns_for(1e-3))
    found = Counter[str]()
    for turn in range(repetitions):
        seen = race(sides, wait, margin=MARGIN, max_seconds=20)
        found[seen.verdict] += 1
        if turn % 10 == 9:
            print(turn + 1, dict(found), f"{len(seen.rounds.ratios)} rounds", flush=True)
    print(f"{repetitions} races, margin {MARGIN:.0%}: {dict(found)}")


def equal(repetitions: int) -> None:
    """A program against itself."""

    def same(turns: int) -> tuple[Call, Call]:
        call = kernel(turns)
        return call, call

    verdicts(repetitions, same)


def slower(repetitions: int) -> None:
    """A program against the same one with five per cent more turns."""
    verdicts(repetitions, lambda turns: (kernel(turns), kernel(round(turns * 1.05))))


def unsynchronised(repetitions: int) -> None:
    """A wait that doesn't wait, run after run."""
    call, null = kernel(turns_for(5e-3)), null_wait()
    found = Counter[str]()
    for _ in range(repetitions):
        seen = collect(call, lambda result: result, Stopping(10, 20, 0.01, 1.0), lambda _: None)
        found[judge(seen.watches, null, median(seen.seconds), None).verdict] += 1
        wait(call())
    caught = found[GuardVerdict.DISPATCH_ONLY]
    print(f"{repetitions} runs without a wait: {caught} caught, {dict(found)}")


ACTIONS = {
    "overhead": overhead,
    "equal": equal,
    "slower": slower,
    "unsynchronised": unsynchronised,
}

if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "overhead"
    ACTIONS[name](int(sys.argv[2]) if len(sys.argv) > 2 else 100)
