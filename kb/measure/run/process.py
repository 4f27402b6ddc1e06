"""Starts a fresh process for each measurement, since only its first compilation is cold.

It also keeps crashes apart: a compiler that dies becomes one clear sentence here. The
calling process never imports jax.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from kb.finding import CheckError, with_extra
from kb.measure.run.failure import Failed, FailureKind
from kb.measure.run.plan import USUAL, Settings
from kb.measure.run.sample import Stopping
from kb.measure.run.worker import PARENT
from kb.model.evidence import Ceiling, Evidence, parse
from kb.qualifiers import Boundary

PATIENCE = 600.0
"""Seconds on top of the sampling time that compiling and the reference may take."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A sealed record and the compiled text that belongs beside it."""

    record: Evidence
    hlo: str


@dataclass(frozen=True, slots=True)
class Request:
    """What the fresh process is asked to do; travels as JSON."""

    workload: str
    """A bundled id, or a name for messages where `case` or `cell` says more."""
    stopping: Stopping = field(default_factory=Stopping)
    ceiling: Ceiling | None = None
    command: str = ""
    progress: bool = False
    boundaries: tuple[str, ...] = tuple(map(str, USUAL))
    case: dict[str, Any] | None = None
    """A user's own program, as `kb.measure.custom.Case`."""
    cell: dict[str, Any] | None = None
    """One cell of a matrix: family, sizes, format, policy."""
    spawned_ns: int | None = None

    def to_json(self) -> str:
        """The request as one line of JSON."""
        ceiling = None if self.ceiling is None else self.ceiling.model_dump()
        names = ("workload", "command", "progress", "boundaries", "case", "cell", "spawned_ns")
        plain = {name: getattr(self, name) for name in names}
        return json.dumps({**plain, "stopping": asdict(self.stopping), "ceiling": ceiling})

    @classmethod
    def from_json(cls, line: str) -> Request:
        """The request in `line`, as `to_json` made it."""
        data = json.loads(line)
        data["ceiling"] = data["ceiling"] and Ceiling.model_validate(data["ceiling"])
        data["stopping"] = Stopping(**data["stopping"])
        data["boundaries"] = tuple(data["boundaries"])
        return cls(**data)

    @property
    def settings(self) -> Settings:
        """The settings in it."""
        asked = tuple(Boundary.of(word) for word in self.boundaries)
        return Settings(self.stopping, self.ceiling, asked)


def require_jax() -> None:
    """Raises `CheckError` with the remedy when jax is not installed; does not import it."""
    if importlib.util.find_spec("jax") is None:
        raise CheckError(
            "Measuring needs jax, which is not installed.",
            with_extra("jax"),
        )


def measure(request: Request, *, patience: float = PATIENCE) -> Measured:
    """Measures a workload in a process of its own.

    `request.command` is what a person types to repeat it. With `progress` the child reports
    to standard error. Raises `CheckError` without jax and `Failed` when the run could not
    happen.
    """
    require_jax()
    limit = request.stopping.max_seconds * 2 + patience
    with tempfile.TemporaryDirectory(prefix="kb-measure-") as folder:
        result = Path(folder, "record.json")
        line = replace(request, spawned_ns=time.monotonic_ns()).to_json()
        child = Child("kb.measure.run", line, request.workload, limit, request.progress)
        done = launch(child, result)
        if done.returncode == 0 and result.exists():
            record = parse(result.read_text(encoding="utf-8"))
            return Measured(record, beside(result).read_text(encoding="utf-8"))
        raise failure(result, done.returncode, done.stderr or "")


def beside(result: Path) -> Path:
    """Where the child writes the compiled text."""
    return result.with_suffix(".hlo")


@dataclass(frozen=True, slots=True)
class Child:
    """A process of our own that answers into a file."""

    module: str
    line: str
    """What it reads on its input."""
    about: str
    """What it does, for messages."""
    limit: float
    """Seconds after which it is stopped."""
    progress: bool
    variables: dict[str, str] = field(default_factory=dict)


def launch(child: Child, result: Path) -> subprocess.CompletedProcess[str]:
    """Runs the child to its end; raises `Failed` when that takes too long."""
    try:
        return subprocess.run(
            [sys.executable, "-m", child.module, str(result)],
            input=child.line,
            stdout=subprocess.DEVNULL,
            stderr=None if child.progress else subprocess.PIPE,
            text=True,
            env={**child_environment(), **child.variables, PARENT: str(os.getpid())},
            timeout=child.limit,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Failed(
            FailureKind.TIMED_OUT,
            f"Measuring {child.about} did not end within {child.limit:.0f} seconds.",
            "Try a smaller workload, or see whether another process holds the device.",
        ) from error


def child_environment() -> dict[str, str]:
    """This process's environment, in which the child finds the same `kb` and the user's modules."""
    roots = [str(Path(__file__).resolve().parents[3]), str(Path.cwd())]
    known = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([*roots, known] if known else roots)
    return {**os.environ, "PYTHONPATH": path}


def failure(result: Path, code: int, errors: str) -> Failed:
    """What went wrong in the child: its own sentence, or how it ended."""
    if result.exists():
        try:
            said = json.loads(result.read_text(encoding="utf-8"))
            return Failed(FailureKind.of(said["kind"]), said["error"], said["remedy"])
        except (ValueError, KeyError):  # it was killed while it wrote
            pass
    lines = [line for line in errors.splitlines() if line.strip()]
    last = f" Its last words: {lines[-1].strip()}" if lines else ""
    if code < 0:
        return Failed(
            FailureKind.KILLED,
            f"The measuring process was ended by signal {-code}.{last}",
            "If nobody did so, memory may have run out: try a smaller workload.",
        )
    return Failed(
        FailureKind.CRASHED,
        f"The measuring process ended with exit code {code}.{last}",
        "Run `kb measure device` to see whether JAX finds its device.",
    )
