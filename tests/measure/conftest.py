"""One real record for all tests of this folder, made on the CPU in a process of its own."""

import os

import pytest

# Before any test imports jax: a machine with an accelerator must not change these tests.
os.environ["JAX_PLATFORMS"] = "cpu"

from kb.measure import Request, measure
from kb.measure.run.sample import Stopping
from kb.model.evidence import Evidence

QUICK = Stopping(fewest=20, max_seconds=1.0)
EVERY = ("throughput", "host_to_device", "device_to_host", "end_to_end", "profile_device")


@pytest.fixture(scope="session")
def record() -> Evidence:
    """Evidence of the default workload from this machine."""
    command = "kb measure run matmul-512-f32"
    return measure(Request("matmul-512-f32", QUICK, command=command, boundaries=EVERY)).record
