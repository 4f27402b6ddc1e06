"""What the compiler made of the program that is measured, read as compile-only evidence is.

So the text of an executed program can be set beside the one that was compiled for the same
product without a device: same reader, same classes, same sums.
"""

from __future__ import annotations

import hashlib
import importlib
from typing import Any

from kb.measure.compile import backend, hlo
from kb.measure.compile.examine import plan
from kb.measure.compile.inventory import Setting, input_layouts, take, tiled_inputs
from kb.measure.compile.redact import redacted
from kb.measure.run.environment import without_paths
from kb.model.artefact import Kernel, KernelClass, Text, Variant

_CPU_ROUTINES = ("__ynn", "__onednn", "__xnn")
"""Fusions that XLA's CPU backend hands to a library that it ships with."""
_CPU_CALLS = ("TopK", "CpuCallback")


def read(compiled: Any, platform: str, devices: int, seconds: float) -> tuple[Variant, str]:
    """The inventory of a compiled program with its optimised text, and that text."""
    text = redacted(compiled.as_text())
    module = hlo.parse(text)
    shipped = _shipped(platform)
    found = take(module, Setting("gpu" if platform == "cuda" else platform, devices, shipped))
    kernels = tuple(_on_cpu(each) for each in found.kernels) if platform == "cpu" else None
    flags = {word: without_paths(value) for word, value in backend.given_flags().items()}
    variant = Variant(
        name="default",
        options=flags,
        compile_seconds=round(seconds, 6),
        hlo=Text(
            file="",
            sha256=hashlib.sha256(text.encode()).hexdigest(),
            instructions=module.instructions,
            unparsed=len(module.unparsed),
        ),
        kernels=kernels or tuple(found.kernels),
        collectives=found.collectives,
        copies=dict(sorted(found.copies.items())),
        tiled_inputs=tiled_inputs(module),
        input_layouts=input_layouts(module),
        open_loops=found.open_loops,
        plan=plan(compiled),
        xla_flops=backend.xla_flops(compiled),
        launches={},
    )
    return variant, text


def _shipped(platform: str) -> frozenset[str]:
    """Custom-call targets that come with jaxlib for this platform."""
    if platform != "cpu":
        return backend.shipped_targets()
    names: set[str] = set(_CPU_CALLS)
    for module in ("jaxlib.lapack", "jaxlib.cpu._lapack", "jaxlib.cpu._sparse"):
        try:
            found = importlib.import_module(module)
            names |= set(found.registrations())
        except (ImportError, AttributeError):  # private modules that come and go
            continue
    return frozenset(names)


def _on_cpu(kernel: Kernel) -> Kernel:
    """On a CPU a matrix product outside a fusion, and some fusions, are calls into a library."""
    routine = kernel.kind.startswith(_CPU_ROUTINES) or kernel.kind in ("dot", "convolution", "fft")
    ours = routine or kernel.kind.startswith(("lapack_", *_CPU_CALLS))
    return (
        kernel.model_copy(update={"kernel_class": KernelClass.RUNTIME_HELPER}) if ours else kernel
    )
