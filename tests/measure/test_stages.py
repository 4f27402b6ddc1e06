"""Stages and caches with the real compiler."""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from kb.measure import WORKLOADS, Request, Settings, measure
from kb.measure.run.framework import abstract
from kb.measure.run.plan import observe
from kb.measure.run.record import text
from kb.measure.run.sample import Stopping
from kb.measure.run.stages import HIT, Events, cache_of, listen, stage
from kb.model.evidence import Evidence
from kb.model.measurement import CacheState
from kb.qualifiers import Boundary

SHAPES = (abstract(np.zeros((32, 32), np.float32)),)


def test_the_first_lowering_compiles_and_the_second_finds_it_in_memory() -> None:
    def work(x: jax.Array) -> jax.Array:
        return x @ x + 3

    cold, again = (stage(work, SHAPES, first=False) for _ in range(2))
    assert not cold.memory_hit
    assert cache_of(cold.events, persistent_dir_set=False, fresh_process=False).state == "cold"
    assert again.memory_hit
    seen = cache_of(again.events, persistent_dir_set=False, fresh_process=False)
    assert (seen.state, seen.memory_hit) == (CacheState.MEMORY_HIT, True)
    assert "nothing was compiled" in again.stages[2].includes
    assert again.stages[2].listener_seconds is None
    assert again.stablehlo_sha256 == cold.stablehlo_sha256


def test_every_stage_has_a_clock_and_a_second_opinion() -> None:
    def work(x: jax.Array) -> jax.Array:
        return jnp.sin(x) @ x

    staged = stage(work, SHAPES, first=False)
    order = [part.boundary for part in staged.stages]
    assert order == [Boundary.TRACE, Boundary.LOWER, Boundary.COMPILE]
    for part in staged.stages:
        assert part.listener_seconds is not None
        assert 0 < part.listener_seconds <= part.seconds * 1.05


def test_another_program_has_another_hash() -> None:
    one, two = (stage(lambda x, k=k: x * k, SHAPES, first=False) for k in (2.0, 3.0))
    assert one.stablehlo_sha256 != two.stablehlo_sha256


def test_listening_ends_with_its_block() -> None:
    with listen() as events:
        pass
    stage(lambda x: x - 7, SHAPES, first=False)
    assert not events.counts


def test_a_disk_hit_without_a_compile_event_is_no_known_state() -> None:
    events = Events()
    events.counts[HIT] = 1
    seen = cache_of(events, persistent_dir_set=True, fresh_process=True)
    assert seen.state is CacheState.UNKNOWN


def test_a_run_in_a_used_process_does_not_call_itself_fresh() -> None:
    quick = Stopping(fewest=10, most=10, max_seconds=0.2)
    seen = observe(WORKLOADS["softmax-512x1024-f32"], Settings(quick), lambda _: None)
    assert not seen.fresh_process
    assert not any(part.first_in_process for part in seen.stages)


def test_a_fresh_process_compiles_once_and_never_among_the_samples(record: Evidence) -> None:
    assert record.cache.fresh_process
    assert record.cache.state is CacheState.COLD
    assert record.events.compilations == 1
    assert record.events.compilations_during_samples == 0
    assert all(part.first_in_process for part in record.stages)


def test_a_cache_on_disk_is_seen_and_its_path_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
    monkeypatch.setenv("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")
    monkeypatch.setenv("XLA_FLAGS", f"--xla_dump_to={tmp_path}/dump")
    quick = Stopping(fewest=10, most=10, max_seconds=0.2)
    request = Request("softmax-512x1024-f32", quick, boundaries=())
    first, second = (measure(request).record for _ in range(2))
    assert (first.cache.state, first.cache.misses) == (CacheState.COLD, 1)
    assert (second.cache.state, second.cache.hits) == (CacheState.PERSISTENT_HIT, 1)
    assert second.environment.flags["XLA_FLAGS"] == "--xla_dump_to=<path>"
    assert str(tmp_path) not in text(second)
