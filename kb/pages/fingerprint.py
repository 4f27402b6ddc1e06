"""The fingerprint of an evidence record: program, formats, device, versions, settings."""

from __future__ import annotations

from collections.abc import Iterator

from kb.model.evidence import Evidence
from kb.pages.text import blocks, code, esc, fold, table
from kb.pages.words import name

Row = tuple[str, str]


def fingerprint(record: Evidence) -> str:
    """What one would have to repeat to see the same, as folded tables."""
    parts = {
        "Program": _program(record),
        "Number formats": _formats(record),
        "Device and versions": _environment(record),
        "Guard, transfers and memory": _conditions(record),
    }
    return blocks(
        "## Fingerprint",
        f"Made by {code(record.command)}",
        *(fold(title, table(("what", "value"), rows)) for title, rows in parts.items()),
        f"Content hash {code(record.content_hash)}",
    )


def _program(record: Evidence) -> Iterator[Row]:
    work = record.workload
    yield "function", code(work.function)
    for given in work.inputs:
        shape = " × ".join(map(str, given.shape)) or "scalar"
        yield f"input {esc(given.name)}", f"{shape}, {esc(name(given.dtype))}"
    yield "StableHLO (SHA-256)", code(work.stablehlo_sha256)
    yield "seed", str(work.seed)
    counted = "not counted" if work.flops is None else f"{work.flops:,}"
    yield "operations of one call (multiply-add counts as 2)", counted
    yield "bytes touched at least", f"{work.bytes_touched:,}"


def _formats(record: Evidence) -> Iterator[Row]:
    for role in ("storage", "multiply", "accumulate", "output", "matmul_precision_setting"):
        value = getattr(record.dtypes, role)
        yield esc(name(role)), "nothing is added up" if value is None else esc(name(value))


def _environment(record: Evidence) -> Iterator[Row]:
    device, seen = record.device, record.environment
    yield "device", f"{device.count} × {esc(device.kind)} ({esc(device.platform)})"
    yield "product", esc(device.product)
    for field in (
        "python",
        "jax",
        "jaxlib",
        "backend_version",
        "operating_system",
        "machine",
        "cpu_model",
        "usable_cpus",
    ):
        yield esc(name(field)), esc(getattr(seen, field))
    yield "load average", "unknown" if seen.load_average is None else f"{seen.load_average:g}"
    for flag, value in sorted(seen.flags.items()):
        yield code(flag), code(value)
    auto = record.autotune
    yield "autotuning", f"level {esc(auto.level)}" if auto.applies else "does not apply"


def _conditions(record: Evidence) -> Iterator[Row]:
    guard, memory = record.guard, record.memory
    yield "synchronisation", f"{esc(name(guard.verdict))}: {esc(guard.why)}"
    copies = record.transfers
    yield "inputs to the device", copies.inputs_to_device
    yield "results to the host", copies.outputs_to_host
    yield "why", esc(copies.why)
    for field in type(memory).model_fields:
        value = getattr(memory, field)
        if isinstance(value, int):
            yield esc(name(field)), f"{value:,}"
    if memory.unavailable_because:
        yield "not known", esc(memory.unavailable_because)
