"""Several processes as one: how they find each other, and how their times come together.

`jax.distributed` finds Slurm, Open MPI, Kubernetes and Cloud TPU clusters itself; where it
can't, coordinator, count and number are given. The slowest process decides a step.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from kb.measure.run import framework
from kb.measure.run.failure import Failed, FailureKind
from kb.measure.run.sample import Call

TIMEOUT = 120
WARM_CALLS = 10


@dataclass(frozen=True, slots=True)
class Gathered:
    """The times of all processes, sample by sample."""

    by_process: tuple[tuple[float, ...], ...]

    @property
    def slowest(self) -> tuple[float, ...]:
        """Of each sample, the time of the process that took longest: that of the whole step."""
        return tuple(max(times) for times in zip(*self.by_process, strict=True))

    @property
    def medians(self) -> tuple[float, ...]:
        """The median of each process."""
        return tuple(median(times) for times in self.by_process)

    @property
    def worker(self) -> int:
        """The process with the largest median."""
        return max(range(len(self.by_process)), key=lambda index: self.medians[index])


def join(params: dict[str, Any]) -> None:
    """Joins the cluster that `params` name, if any; raises `Failed` when that can't be done."""
    if not params.get("distributed"):
        return
    import jax

    given = {
        name: params[key]
        for name, key in (
            ("coordinator_address", "coordinator"),
            ("num_processes", "processes"),
            ("process_id", "process"),
        )
        if params.get(key) is not None
    }
    try:
        jax.distributed.initialize(**given, initialization_timeout=TIMEOUT)
    except (RuntimeError, ValueError) as error:
        raise Failed(
            FailureKind.NO_DEVICE,
            f"The processes did not find each other: {str(error).splitlines()[0]}",
            "Start every process of the cluster, or give --coordinator HOST:PORT --processes N "
            "--process I to each.",
        ) from error


def gather(seconds: Sequence[float]) -> Gathered:
    """This process's times beside those of all others; every process must call it."""
    import jax
    import numpy as np

    if jax.process_count() == 1:
        return Gathered((tuple(seconds),))
    utils: Any = importlib.import_module("jax.experimental.multihost_utils")
    # Microseconds in whole numbers: the wire would round float64 to float32.
    ticks = np.asarray([round(second * 1e9) for second in seconds], np.int64)
    parts = np.stack([ticks >> 31, ticks & (2**31 - 1)]).astype(np.int32)
    found = np.asarray(utils.process_allgather(parts)).astype(np.int64)
    return Gathered(
        tuple(tuple(float((high << 31) + low) / 1e9 for high, low in zip(*each, strict=True))
              for each in found)
    )  # fmt: skip


def warm_up(call: Call) -> None:
    """As many calls in every process: one that stopped earlier would leave the others waiting."""
    for _ in range(WARM_CALLS):
        framework.wait(call())


def barrier(name: str) -> None:
    """Waits until every process is here."""
    import jax

    if jax.process_count() > 1:
        utils: Any = importlib.import_module("jax.experimental.multihost_utils")
        utils.sync_global_devices(name)
