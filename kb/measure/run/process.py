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
from dataclasses import asdict, dataclass
from pathlib import Path

from kb.finding import CheckError
from kb.measure.run.plan import Settings
from kb.measure.run.sample import Stopping
from kb.measure.workload import Workload
from kb.model.evidence import Ceiling, Evidence, parse

PATIENCE = 600.0
"""Seconds on top of the sampling time that compiling and the reference may take."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the fresh process is asked to do; travels as JSON."""

    workload: str
    stopping: Stopping
    ceiling: Ceiling | None
    command: str
    progress: bool

    def to_json(self) -> str:
        """The request as one line of JSON."""
        ceiling = None if self.ceiling is None else self.ceiling.model_dump()
        plain = {"workload": self.workload, "command": self.command, "progress": self.progress}
        return json.dumps({**plain, "stopping": asdict(self.stopping), "ceiling": ceiling})

    @classmethod
    def from_json(cls, line: str) -> Request:
        """The request in `line`, as `to_json` made it."""
        data = json.loads(line)
        ceiling = data["ceiling"] and Ceiling.model_validate(data["ceiling"])
        return cls(
            data["workload"],
            Stopping(**data["stopping"]),
            ceiling,
            data["command"],
            data["progress"],
        )


def require_jax() -> None:
    """Raises `CheckError` with the remedy when jax is not installed; does not import it."""
    if importlib.util.find_spec("jax") is None:
        raise CheckError(
            "Measuring needs jax, which is not installed.",
            "pip install 'CHECKOUT[jax]', where CHECKOUT is the folder or wheel of accelerator-kb",
        )


def measure(
    workload: Workload, settings: Settings, command: str, *, progress: bool = False
) -> Evidence:
    """Measures a bundled workload in a process of its own; returns the sealed record.

    `command` is what a person types to repeat it. With `progress` the child reports to
    standard error. Raises `CheckError` when the run could not happen.
    """
    require_jax()
    request = Request(workload.id, settings.stopping, settings.ceiling, command, progress)
    limit = settings.stopping.max_seconds + PATIENCE
    with tempfile.TemporaryDirectory(prefix="kb-measure-") as folder:
        result = Path(folder, "record.json")
        try:
            done = subprocess.run(
                [sys.executable, "-m", "kb.measure.run", str(result)],
                input=request.to_json(),
                stdout=subprocess.DEVNULL,
                stderr=None if progress else subprocess.PIPE,
                text=True,
                env=_child_environment(),
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise CheckError(
                f"Measuring {workload.id} did not end within {limit:.0f} seconds.",
                "Try a smaller workload, or see whether another process holds the device.",
            ) from error
        if done.returncode == 0 and result.exists():
            return parse(result.read_text(encoding="utf-8"))
        raise _failure(result, done.returncode, done.stderr or "")


def _child_environment() -> dict[str, str]:
    """This process's environment, in which the child finds the very same `kb`."""
    root = str(Path(__file__).resolve().parents[3])
    known = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([root, known] if known else [root])}


def _failure(result: Path, code: int, errors: str) -> CheckError:
    """What went wrong in the child: its own sentence, or how it ended."""
    if result.exists():
        said = json.loads(result.read_text(encoding="utf-8"))
        return CheckError(said["error"], said["remedy"])
    lines = [line for line in errors.splitlines() if line.strip()]
    last = f" Its last words: {lines[-1].strip()}" if lines else ""
    ended = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return CheckError(
        f"The measuring process {ended}.{last}",
        "Run `kb measure device` to see whether JAX finds its device.",
    )
