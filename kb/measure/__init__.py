"""Produces evidence: runs a bundled workload on the device at hand and writes what it saw.

This room is the only one that imports jax, and it does so when a measurement begins.
"""

from kb.measure.run.plan import Settings
from kb.measure.run.process import measure
from kb.measure.run.record import write
from kb.measure.workload import WORKLOADS, Workload

__all__ = ["WORKLOADS", "Settings", "Workload", "measure", "write"]
