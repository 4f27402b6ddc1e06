"""Everything that needs a GPU, in one call: each kernel checked, timed and written down.

Parts that fail are named with their kind and stop nothing but themselves, unless the
device's context is lost; no part that fails leaves a record.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from kb.measure.cuda import observe, record, transfers
from kb.measure.cuda.backend import CudaRuntime
from kb.measure.cuda.failure import CudaFailure, FailureKind
from kb.measure.cuda.floor import floors
from kb.measure.cuda.kernels import KERNELS, Kernel
from kb.measure.cuda.timing import Limits
from kb.measure.cuda.vendor import baseline
from kb.measure.run import correctness
from kb.measure.run.record import write
from kb.model.evidence import Ceiling, Evidence, parse

if TYPE_CHECKING:
    import numpy as np

SECONDS = 270.0
"""For everything; what has no time left is named and fails the check."""

SHORT = {"softmax-f32": (64, 1024)}
"""Sizes at which a kernel is too short for an event pair of its own."""

SMALL = {1: (4099,), 2: (33, 300), 3: (130, 70, 66)}
"""By the number of sizes: what `--small` runs, ragged at every edge."""

LOST = (FailureKind.ASYNCHRONOUS_ERROR,)
"""After these every further call of the process fails, so nothing else is tried in it."""

Ceilings = Callable[[str, str], Ceiling | None]
"""The dense peak of a product for a number format, where the catalogue has one."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was tried and what came of it."""

    kernel: str
    by: str
    boundary: str
    seconds: float | None
    note: str
    failed: bool = False


@dataclass
class Session:
    """One call's settings, and what it has found so far."""

    out: Path
    command: str
    limits: Limits
    small: bool
    ceilings: Ceilings
    say: Callable[[str], None]
    identify: Callable[[Evidence], Evidence] = field(default=lambda made: made)
    """Gives a record the product that the catalogue knows its device as."""
    product: str = "other"
    """The product of the GPU, known once it was looked at."""
    rows: list[Row] = field(default_factory=list)
    written: list[Path] = field(default_factory=list)
    begun: float = field(default_factory=monotonic)

    @property
    def late(self) -> bool:
        """Whether the time is used up."""
        return monotonic() - self.begun > SECONDS

    @property
    def failed(self) -> bool:
        """Whether any part gave no result."""
        return any(row.failed for row in self.rows)

    def keep(self, made: Evidence, by: str) -> None:
        """Writes one record and adds its line."""
        final, path = write(self.identify(made), self.out)
        self.written.append(path)
        missed = [gate.gate.value for gate in final.gates if not gate.passed]
        note = f"publishable {path.name}" if not missed else f"kept, misses {', '.join(missed)}"
        for seen in final.measurements:
            self.rows.append(Row(final.workload.id, by, seen.boundary.value, seen.median, note))

    def miss(self, kernel: str, by: str, why: object, *, failed: bool = True) -> None:
        """Adds the line of a part that gave nothing."""
        self.rows.append(Row(kernel, by, "", None, str(why), failed))


def run(session: Session, names: Sequence[str] = (), *, jax: bool = True) -> None:
    """Runs the named kernels, or all that fit the GPU; results are in `session`.

    Raises `CudaFailure` when there is no GPU to run on.
    """
    # The reference and the program's hash need JAX on the CPU; the GPU is ours meanwhile.
    os.environ["JAX_PLATFORMS"] = "cpu"
    runtime = CudaRuntime()
    architecture = runtime.driver.architecture
    session.say(f"{runtime.driver.device}, {architecture}, driver {runtime.driver.text}")
    session.product = record.device_of(runtime.driver).product
    wanted = [k for k in KERNELS.values() if (not names or k.id in names)]
    setting = record.Setting(
        runtime.driver, floors(runtime), session.command, datetime.now(UTC).replace(microsecond=0)
    )
    for kernel in wanted:
        if not kernel.runs_on(architecture):
            why = f"written for {', '.join(kernel.architectures)}"
            session.miss(kernel.id, "kernel", why, failed=bool(names))
            continue
        for size in _sizes(session, kernel):
            if not _kernel(session, runtime, replace(kernel, sizes=size), setting):
                return
    if not names:
        _guarded(session, "copy", "transfers", lambda: _transfers(session, runtime, setting))
        _guarded(session, "chain-f32", "streams", lambda: _streams(session, runtime, setting))
    if jax:
        _by_jax(session, [k for k in wanted if k.runs_on(architecture)])


def _sizes(session: Session, kernel: Kernel) -> list[tuple[int, ...]]:
    if session.small:
        return [SMALL[len(kernel.sizes)]]
    return [kernel.sizes, *([SHORT[kernel.id]] if kernel.id in SHORT else [])]


def _kernel(
    session: Session, runtime: CudaRuntime, kernel: Kernel, setting: record.Setting
) -> bool:
    """One kernel and its baseline; False when the device can't go on."""
    if session.late:
        session.miss(kernel.id, "kernel", f"not run: the {SECONDS:.0f} s are used up")
        return True
    session.say(f"{kernel.id} at {'x'.join(map(str, kernel.sizes))}")
    dtype = kernel.twin.inputs[0].dtype.value
    setting = replace(setting, ceiling=session.ceilings(session.product, dtype))
    by = "kernel"
    try:
        case = observe.place(runtime, kernel, _reference(kernel.twin_of, kernel.sizes))
        seen = observe.kernel_run(runtime, case, session.limits)
        for made in record.records(seen, kernel, setting):
            session.keep(made, by)
        by = kernel.vendor or "vendor"
        found = baseline(runtime, kernel, case.buffers)
        if found is None:
            why = "the vendor's libraries have no such call; XLA's fusion of the twin is the rival"
            session.miss(kernel.twin.id, by, why, failed=False)
            return True
        seen = observe.vendor_run(runtime, case, found, session.limits)
        for made in record.records(seen, kernel, setting):
            session.keep(made, by)
    except CudaFailure as failure:
        session.miss(kernel.id, by, failure)
        return failure.kind not in LOST
    return True


@functools.lru_cache(maxsize=2)
def _reference(twin_of: Callable[..., object], sizes: tuple[int, ...]) -> np.ndarray:
    """The float64 result; several kernels share one."""
    from kb.measure.cuda.twins import Twin

    twin = twin_of(sizes)
    assert isinstance(twin, Twin)  # noqa: S101 (a hashable key, and its type is lost)
    return correctness.reference(twin)[0]


def _guarded(session: Session, kernel: str, by: str, part: Callable[[], None]) -> None:
    if session.late:
        session.miss(kernel, by, f"not run: the {SECONDS:.0f} s are used up")
        return
    try:
        part()
    except CudaFailure as failure:
        session.miss(kernel, by, failure)


def _transfers(session: Session, runtime: CudaRuntime, setting: record.Setting) -> None:
    for name, made in transfers.measure(
        runtime, setting, session.limits, SMALL[1][0] if session.small else transfers.ELEMENTS
    ):
        session.keep(made, name)


def _streams(session: Session, runtime: CudaRuntime, setting: record.Setting) -> None:
    """Two streams at once, enclosed by one pair of events."""
    kernel = KERNELS["chain-f32"]
    kernel = replace(kernel, sizes=_sizes(session, kernel)[0])
    wanted = _reference(kernel.twin_of, kernel.sizes)
    cases = [observe.place(runtime, kernel, wanted) for _ in range(2)]
    seen = observe.streams_run(runtime, kernel, cases, session.limits)
    for made in record.records(seen, replace(kernel, id="chain-f32-2-streams"), setting):
        session.keep(made, "2 streams")


def _by_jax(session: Session, kernels: Sequence[Kernel]) -> None:
    """The twins, and the kernel behind JAX's foreign function interface, on JAX's own terms."""
    asked = list(dict.fromkeys(kernel.twin.id for kernel in kernels))
    first = {kernel.twin.id: kernel.id for kernel in reversed(kernels)}
    jobs = [("jax", first[name]) for name in asked] + [("ffi", "softmax-f32")]
    for by, name in jobs:
        if session.late:
            session.miss(name, by, f"not run: the {SECONDS:.0f} s are used up")
            continue
        session.say(f"{name} by {by}")
        for item in _child(by, name, session):
            if isinstance(item, Evidence):
                session.keep(item, by)
            else:
                session.miss(name, by, item)


def _child(by: str, name: str, session: Session) -> Iterator[Evidence | str]:
    """A fresh process that runs JAX on the GPU; its record, or why there is none."""
    left = max(10.0, SECONDS - (monotonic() - session.begun))
    surroundings = {k: v for k, v in os.environ.items() if k != "JAX_PLATFORMS"}
    surroundings["JAX_PLATFORMS"] = "cuda,cpu"
    surroundings["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    root = str(Path(__file__).resolve().parents[3])
    surroundings["PYTHONPATH"] = os.pathsep.join([root, surroundings.get("PYTHONPATH", "")])
    with tempfile.TemporaryDirectory(prefix="kb-gpu-") as folder:
        result = Path(folder, "record.json")
        given = json.dumps(_asked(by, name, session))
        try:
            done = subprocess.run(
                [sys.executable, "-m", "kb.measure.cuda", str(result)],
                input=given, capture_output=True, text=True, env=surroundings, timeout=left,
                check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            yield f"did not end within {left:.0f} s"
            return
        if done.returncode == 0 and result.exists():
            yield parse(result.read_text(encoding="utf-8"))
            return
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        yield lines[-1].strip() if lines else f"ended with exit code {done.returncode}"


def _asked(by: str, name: str, session: Session) -> dict[str, object]:
    """What the fresh process is told."""
    ceiling = session.ceilings(session.product, KERNELS[name].twin.inputs[0].dtype.value)
    return {
        "by": by,
        "kernel": name,
        "command": session.command,
        "ceiling": ceiling and ceiling.model_dump(),
    }


def table(session: Session) -> list[str]:
    """The lines that a person reads last."""
    widths = [max((len(getattr(r, key)) for r in session.rows), default=0) for key in _COLUMNS]
    lines = []
    for row in session.rows:
        words = [f"{getattr(row, key):<{w}}" for key, w in zip(_COLUMNS, widths, strict=True)]
        time = "      –" if row.seconds is None else f"{row.seconds * 1e6:10.1f} µs"
        mark = "FAILED " if row.failed else ""
        lines.append(f"{'  '.join(words)}  {time:>13}  {mark}{row.note}")
    good = sum(row.seconds is not None for row in session.rows)
    bad = sum(row.failed for row in session.rows)
    seconds = monotonic() - session.begun
    return [
        *lines,
        f"{good} results, {bad} failed, {len(session.written)} records, {seconds:.0f} s",
    ]


_COLUMNS = ("kernel", "by", "boundary")
