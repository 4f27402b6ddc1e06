"""Produces evidence: runs workloads on the device at hand and writes what it saw.

This room is the only one that imports jax, and it does so when a measurement begins.
"""

from kb.measure.family import WORKLOADS
from kb.measure.here import measure_here
from kb.measure.run.plan import Settings
from kb.measure.run.process import Request, measure
from kb.measure.run.record import write
from kb.measure.workload import Workload

__all__ = ["WORKLOADS", "Request", "Settings", "Workload", "measure", "measure_here", "write"]
