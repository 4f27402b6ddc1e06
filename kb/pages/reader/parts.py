"""What the reader is made of: paths, stages, boundaries, and one cell for each path and stage."""

from __future__ import annotations

from dataclasses import dataclass

from kb.qualifiers import Boundary, Word


class Path(Word):
    """Where a program runs, and who turns it into kernels."""

    JAX_GPU = "jax-gpu", "JAX on B200: XLA generates CUDA kernels or calls NVIDIA's libraries."
    JAX_TPU = "jax-tpu", "JAX on TPU v6e: XLA generates the program of the TensorCore."
    CUDA = "cuda", "Direct CUDA on B200: you write, launch and order the kernels."


class Stage(Word):
    """What happens when."""

    COMPILE = "compile", "Trace and compile: from source to a program of the device."
    EXECUTION = "execution", "Execution: from prepared inputs to completed device work."
    SCALING = "scaling", "Scaling: from one device to many that exchange data."


class Edge(Word):
    """The four boundaries at which responsibility changes hands."""

    PROGRAM = "program", "Between what you wrote and what the framework recorded."
    COMPILE = "compile", "Between the recorded program and the code of the device."
    DEVICE = "device", "Between a call on the host and completed work on the device."
    SCALING = "scaling", "Between one device and the others that must finish too."


@dataclass(frozen=True)
class Asks:
    """The four questions of every stage."""

    retracing: str
    moving: str
    waiting: str
    communicating: str


@dataclass(frozen=True)
class Cell:
    """One stage of one path."""

    path: Path
    stage: Stage
    duties: tuple[tuple[str, str], ...]
    """Who is responsible, and for what."""
    edge: Edge
    inspect: str
    code: tuple[str, ...]
    """Names of pieces in `kb.pages.reader.code`."""
    asks: Asks
    next_: str
    command: str
    """What to type for the next measurement; empty where this tool can't take it."""
    figures: tuple[str, ...] = ()
    """Claims of the catalogue that bound this stage."""
    programs: tuple[str, ...] = ()
    """Bundled programs whose compiled records belong here."""
    seen_at: tuple[Boundary, ...] = ()
    """Boundaries at which a measurement of this stage is taken."""

    @property
    def anchor(self) -> str:
        """The anchor of the cell, which is also the state in the address."""
        return f"{self.path}-{self.stage}"

    @property
    def product(self) -> str:
        """The product whose compiled records belong here."""
        return "tpu-v6e" if self.path is Path.JAX_TPU else "hgx-b200"


EDGES = {
    Edge.PROGRAM: (
        (
            "JAX runs your Python once with abstract values and records primitives. It does not "
            "read the syntax tree. Static properties (shape, type, static arguments) may steer "
            "Python branches; values may not. A print or a mutation happens while tracing and "
            "never again. In CUDA this boundary is the source file itself: nothing is traced."
        ),
        "The recorded program: `jax.make_jaxpr`, or `.lower(…).as_text()`.",
        "One source expression is not one kernel, and a jitted function is not one kernel.",
    ),
    Edge.COMPILE: (
        (
            "The recorded program is specialised on shapes, types and static values, fused, laid "
            "out and turned into library calls, generated code or a kernel of your own. A "
            "specialised target may still be finished by the driver. A new signature compiles "
            "again."
        ),
        (
            "The optimised program: `.compile().as_text()`, or the PTX and machine code that nvcc "
            "made. Then a profile: neither replaces the other."
        ),
        (
            "Neither a jit mark nor the compiler's success shows that the intended fusion, layout "
            "or tensor-core path was taken. A lower-and-compile interval may be shortened by a "
            "cache, so it is cold only where that is shown."
        ),
    ),
    Edge.DEVICE: (
        (
            "The host enqueues and goes on; the device works later. A warm sample has its inputs "
            "placed and ready before, is compiled outside, and stops the clock when the result is "
            "ready. On the host clock it includes the Python call, dispatch, execution and "
            "synchronisation. Between two CUDA events of one stream it includes that stream's work "
            "alone."
        ),
        (
            "A warm call that waits for its result, events in the same stream, or device time in a "
            "profile."
        ),
        (
            "A clock around a launch times the dispatch and nothing else. Never set a "
            "dispatch-only time against an event-delimited one."
        ),
    ),
    Edge.SCALING: (
        (
            "Mesh and sharding say where pieces live; partitioning inserts collectives, or you "
            "write them. A step is complete when the slowest worker is. Communication buffers take "
            "part of the memory."
        ),
        (
            "Collectives of the optimised program with their bytes, the slowest worker, and the "
            "completion boundary of the whole step."
        ),
        (
            "An interface's specification is not the payload rate of an all-reduce. Compare equal "
            "partitions, communication volumes and failure boundaries, never one GPU with a whole "
            "TPU slice."
        ),
    ),
}
"""For each boundary: what it means, where to look, and the trap."""

INCLUDED = {
    "Comparison": (
        "what must be fixed before anything is compared",
        ("one workload", "its shapes", "its number formats", "one quality target"),
    ),
    "Cold path": (
        "the first result in a fresh process",
        ("initialisation", "transfers", "compilation", "execution"),
    ),
    "Warm device path": (
        "one more result when everything is in place",
        ("prepared inputs", "completed device work"),
    ),
    "Distributed path": (
        "one step of many devices",
        ("all of the warm path", "sharding", "collectives", "synchronisation"),
    ),
}
"""What each path of time encloses, and nothing else."""
