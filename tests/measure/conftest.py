"""One real record for all tests of this folder, made on the CPU in a process of its own."""

import os

import pytest

# Before any test imports jax: a machine with an accelerator must not change these tests.
os.environ["JAX_PLATFORMS"] = "cpu"

from kb.measure import WORKLOADS, Settings, measure
from kb.measure.run.sample import Stopping
from kb.model.evidence import Evidence

QUICK = Settings(Stopping(fewest=20, max_seconds=1.0))


@pytest.fixture(scope="session")
def record() -> Evidence:
    """Evidence of the default workload from this machine."""
    return measure(WORKLOADS["matmul-512-f32"], QUICK, "kb measure run matmul-512-f32")
