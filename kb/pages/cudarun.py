"""The part of an evidence page that only a run of CUDA has: launch, cache, clocks, intervals."""

from __future__ import annotations

from kb.model.cudarun import CudaRun
from kb.model.intervals import TimedInterval, judge
from kb.pages.text import blocks, bullets, code, esc
from kb.pages.words import name


def cuda_section(run: CudaRun | None) -> str:
    """How a kernel or a library ran, and why its intervals may be believed; empty without."""
    if run is None:
        return ""
    items = [
        f"what ran: {code(run.called)}, {esc(run.implementation.sentence)}",
        (
            f"for {esc(run.architecture)}, {esc(run.artefact or 'code of the library')}, "
            f"driver {esc(run.driver_version)}"
        ),
        f"second-level cache: {esc(run.l2.sentence)}",
        f"errors asked for after {run.checked_samples} samples",
        _clocks(run),
        *(_interval(each) for each in run.intervals),
    ]
    if run.grid and run.block:
        shape = f"{'×'.join(map(str, run.grid))} blocks of {'×'.join(map(str, run.block))} threads"
        items.insert(1, f"{shape}, {run.shared_bytes:,} bytes of shared memory asked for")
    if run.graph_launches:
        items.append(f"each sample replays a CUDA graph of {run.graph_launches} launches")
    return blocks("## How it ran on CUDA { #cuda }", bullets(items))


def _clocks(run: CudaRun) -> str:
    speeds = [reading.sm_mhz for reading in run.clocks if reading.sm_mhz is not None]
    if not speeds:
        return f"clocks: not known. {esc(run.clocks_missing_because or '')}".rstrip()
    held = sorted({reason for reading in run.clocks for reason in reading.reasons})
    why = f"held down by {esc(', '.join(held))}" if held else "nothing held it down"
    return f"clock between blocks: {min(speeds)} to {max(speeds)} MHz; {why}"


def _interval(interval: TimedInterval) -> str:
    """One interval as the steps that it is judged by."""
    steps = " → ".join(
        name(step.kind)
        + (f" {esc(step.event)}" if step.event else "")
        + (f" {esc(step.what)}" if step.what else "")
        + (f" (stream {step.stream})" if step.stream is not None else "")
        for step in interval.steps
    )
    return f"{name(interval.boundary)}: {steps}. {esc(judge(interval).why)}"
