"""Compiles one program for one target and reads what came out. Runs in a process of its own."""

from __future__ import annotations

import hashlib
import importlib
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from kb.finding import CheckError
from kb.measure.compile import backend, description, flops, hlo, ptx
from kb.measure.compile.byhand import by_hand
from kb.measure.compile.inventory import Inventory, Setting, input_layouts, take, tiled_inputs
from kb.measure.compile.outcome import TRACING, Outcome, Refused, compile_refusal, refused
from kb.measure.compile.program import Shapes, load, takes_mesh
from kb.measure.compile.redact import redacted
from kb.measure.compile.targets import Wanted
from kb.measure.run.environment import without_paths
from kb.model.artefact import Kernel, Plan, Program, RefusalKind, Target, Text, Variant
from kb.model.measurement import MeshAxis

Say = Callable[[str], None]
Name = Literal["default", "library_gemm"]

_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")
_DEVICE = re.compile(r"device_kind='[^']*'|device_kind=[^,)\]]*|num_cores=\d+")
_PLATFORM = re.compile(r", platform=\w+")
VARIANTS: dict[str, dict[Name, dict[str, bool]]] = {
    "tpu": {"default": {}},
    "cuda": {"default": {}, "library_gemm": {"xla_gpu_enable_triton_gemm": False}},
}
"""The compilations of each platform, with their compiler options."""
DUMP = {"xla_dump_emitter_re": ".*"}
"""With it every version writes PTX into the dump folder."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A program that JAX has traced for absent devices."""

    lowered: Any
    program: Program


def examine(shapes: Shapes, wanted: Wanted, given: Path | None, folder: Path, say: Say) -> Outcome:
    """Everything that the compiler says about the program; refusals included."""
    outcome = Outcome(wanted.name, backend.versions(wanted.family.platform))
    try:
        outcome = _described(outcome, wanted, given)
        return _examined(outcome, shapes, wanted, given, folder, say)
    except Refused as stop:
        done = stop.__dict__.get("outcome", outcome)
        return _with(done, refusal=stop.refusal)


def _described(outcome: Outcome, wanted: Wanted, given: Path | None) -> Outcome:
    """Stops early where a wheel is missing or odd, or no such target exists."""
    if wanted.family.missing:
        absent = ", ".join(wanted.family.missing)
        text = f"Not installed: {absent}."
        raise refused(RefusalKind.MISSING_WHEEL, text, wanted.family.remedy)
    odd = backend.mismatch(wanted.family.platform, outcome.versions, backend.pins())
    if odd is not None:
        raise refused(RefusalKind.WRONG_VERSION, odd, wanted.family.remedy)
    if not wanted.exists:
        family = wanted.family
        text = f"{family.product} comes in {family.arrangements}, not {wanted.arrangement}."
        remedy = f"Name an arrangement that exists: --target {family.example}."
        raise refused(RefusalKind.NO_SUCH_TOPOLOGY, text, remedy)
    if wanted.family.platform == "cuda":
        try:
            description.read(given)
        except CheckError as error:
            raise refused(RefusalKind.BAD_DESCRIPTION, str(error), error.remedy) from error
    return outcome


def _examined(
    outcome: Outcome, shapes: Shapes, wanted: Wanted, given: Path | None, folder: Path, say: Say
) -> Outcome:
    known = description.read(given) if wanted.family.platform == "cuda" else None
    say("describing the devices")
    devices = list(backend.topology(wanted, known).devices)
    over = backend.mesh(shapes, devices, wanted.family.platform)
    used = devices if over is not None else devices[:1]
    outcome = _with(outcome, target=_target(wanted, used, known))
    say(TRACING)
    traced = _trace(shapes, over, used[0])
    outcome = _with(outcome, program=traced.program)
    shipped = backend.shipped_targets() if wanted.family.platform == "cuda" else frozenset()
    for name, options in VARIANTS[wanted.family.platform].items():
        say(f"compiling ({name})")
        setting = Setting("tpu" if known is None else "gpu", len(used), shipped, known is not None)
        try:
            variant, text = _compile(traced.lowered, name, options, folder / name, setting)
        except Exception as error:
            stop = error if isinstance(error, Refused) else compile_refusal(error)
            stop.__dict__["outcome"] = outcome
            raise stop from error
        outcome = _with(
            outcome,
            variants=(*outcome.variants, variant),
            texts={**outcome.texts, name: text},
        )
    return outcome


def _with(outcome: Outcome, **changes: Any) -> Outcome:
    kept = {name: getattr(outcome, name) for name in outcome.__slots__}
    return Outcome(**(kept | changes))


def _target(wanted: Wanted, used: list[Any], known: description.Description | None) -> Target:
    client = getattr(used[0], "client", None)
    told = " ".join(str(getattr(client, "platform_version", "unknown")).split())
    return Target(
        product=wanted.family.product,
        topology=wanted.topology,
        devices=len(used),
        device_kind=used[0].device_kind,
        platform_version=without_paths(told),
        description="inside libtpu" if known is None else known.origin,
        description_sha256=None if known is None else known.sha256,
        description_text=None if known is None else known.text,
        memory_bytes=backend.tpu_limit(used[0]) if known is None else known.memory_bytes,
    )


def _trace(shapes: Shapes, over: Any, device: Any) -> Traced:
    import jax

    try:
        function = load(shapes.function)
        fixed = dict(shapes.static)
        wants = {"mesh": over} if takes_mesh(function) else {}
        arguments = backend.arguments(shapes, over, device)
        jitted = jax.jit(lambda *given: function(*given, **fixed, **wants))
        counter = _Traces()
        traced = jitted.trace(*arguments)
        jitted.trace(*arguments)  # a second request of the signature must cost no trace
        traces = counter.stop()
    except CheckError as error:
        raise refused(RefusalKind.TRACING_FAILED, str(error), error.remedy) from error
    # A user's own function may raise anything.
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        remedy = "Call the function on small arrays of these shapes on a CPU first."
        raise refused(RefusalKind.TRACING_FAILED, text, remedy) from error
    try:
        lowered = traced.lower()
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        if "install jaxlib GPU" in text and find_spec("absl") is None:
            # What JAX says here is not what is missing: its kernel language imports absl.
            told = "JAX's kernel language for GPUs needs the package absl-py."
            raise refused(RefusalKind.MISSING_WHEEL, told, "pip install absl-py") from error
        remedy = "Replace the primitive that it names, or give it a rule for this platform."
        raise refused(RefusalKind.LOWERING_FAILED, text, remedy) from error
    return Traced(lowered, _program(shapes, traced, lowered, max(traces, 1)))


class _Traces:
    """Counts the traces that JAX reports."""

    def __init__(self) -> None:
        self.seen = 0
        self._monitoring: Any = importlib.import_module("jax.monitoring")
        self._monitoring.register_event_duration_secs_listener(self._hear)

    def _hear(self, event: str, _: float, **more: Any) -> None:
        ours = more.get("fun_name") in (None, "<lambda>")
        self.seen += event.endswith("jaxpr_trace_duration") and ours

    def stop(self) -> int:
        """The number of traces since it was made."""
        self._monitoring.unregister_event_duration_listener(self._hear)
        return self.seen


def _program(shapes: Shapes, traced: Any, lowered: Any, traces: int) -> Program:
    counted = flops.count(traced.jaxpr)
    return Program(
        id=shapes.id,
        function=shapes.function,
        static=dict(shapes.static),
        inputs=shapes.described(),
        mesh=tuple(MeshAxis(name=name, size=size) for name, size in shapes.mesh.items()),
        jaxpr_sha256=_hash(_ADDRESS.sub("0x", _without_devices(str(traced.jaxpr)))),
        stablehlo_sha256=_hash(redacted(lowered.as_text())),
        requested_collectives=dict(sorted(counted.collectives.items())),
        by_hand=by_hand(traced.jaxpr),
        flops=counted.result(),
        traces=traces,
    )


def _without_devices(text: str) -> str:
    """A jaxpr without the kind of the devices in its mesh, which are not the program."""
    return _PLATFORM.sub("", _DEVICE.sub("device", text))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _compile(
    lowered: Any, name: Name, options: dict[str, bool], folder: Path, setting: Setting
) -> tuple[Variant, str]:
    dumps = {"xla_dump_to": str(folder), **DUMP} if setting.platform == "gpu" else {}
    begun = time.perf_counter()
    compiled = lowered.compile({**options, **dumps})
    seconds = time.perf_counter() - begun
    text = redacted(compiled.as_text())
    module = hlo.parse(text)
    found = take(module, setting)
    listed, kernels = _below(found, folder) if dumps else ({}, tuple(found.kernels))
    flags = {word: without_paths(value) for word, value in backend.given_flags().items()}
    variant = Variant(
        name=name,
        options={**{word: str(value) for word, value in options.items()}, **flags},
        compile_seconds=round(seconds, 2),
        hlo=Text(
            file="",
            sha256=_hash(text),
            instructions=module.instructions,
            unparsed=len(module.unparsed),
        ),
        kernels=kernels,
        collectives=found.collectives,
        copies=dict(sorted(found.copies.items())),
        tiled_inputs=tiled_inputs(module),
        input_layouts=input_layouts(module),
        open_loops=found.open_loops,
        plan=plan(compiled),
        xla_flops=backend.xla_flops(compiled),
        launches=listed,
    )
    shutil.rmtree(folder, ignore_errors=True)
    return variant, text


def plan(compiled: Any) -> Plan:
    """The memory plan; a field that this version lacks is null, not zero."""
    told = compiled.memory_analysis()

    def field(name: str) -> int | None:
        value = getattr(told, name, None)
        return value if isinstance(value, int) else None

    return Plan(
        argument=field("argument_size_in_bytes"),
        output=field("output_size_in_bytes"),
        temporary=field("temp_size_in_bytes"),
        alias=field("alias_size_in_bytes"),
        generated_code=field("generated_code_size_in_bytes"),
        peak=field("peak_memory_in_bytes"),
    )


def _below(found: Inventory, folder: Path) -> tuple[dict[str, int], tuple[Kernel, ...]]:
    """The launch list, and the kernels with their instructions, registers and spills."""
    sequence = _dumped(folder, "*thunk_sequence.txt")
    listed = Counter(each.kind for each in ptx.launches(sequence).values())
    joined = ptx.kernel_of_instruction(sequence, _dumped(folder, "*thunk_metadata.txt"))
    matrix: dict[str, dict[str, int]] = {}
    sizes: dict[str, ptx.Assembled] = {}
    for path in sorted(folder.glob("*.ptx")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if text.strip():
            matrix |= ptx.matrix_instructions(text)
            sizes |= _assemble(path, ptx.architecture(text) or "sm_100a")
    kernels = []
    for kernel in found.kernels:
        entry = joined.get(kernel.name, kernel.name.replace(".", "_").replace("-", "_"))
        size = sizes.get(entry)
        seen = {
            "matrix": matrix.get(entry, {}),
            "registers": size.registers if size else None,
            "spill_bytes": size.spill_bytes if size else None,
        }
        kernels.append(kernel.model_copy(update=seen))
    return dict(sorted(listed.items())), tuple(kernels)


def _dumped(folder: Path, pattern: str) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob(pattern)))


def _assemble(path: Path, architecture: str) -> dict[str, ptx.Assembled]:
    """What the assembler of the wheels says of one PTX file; nothing where it fails."""
    tools = [Path(each, "nvidia/cu13/bin/ptxas") for each in sys.path]
    tool = next((each for each in tools if each.is_file()), None) or shutil.which("ptxas")
    if tool is None:
        return {}
    done = subprocess.run(
        [str(tool), f"-arch={architecture}", "-v", str(path), "-o", "/dev/null"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return ptx.assembled(done.stderr + done.stdout)
