"""What stands around a run: its container, the state of the measured code, the hardware."""

from __future__ import annotations

import inspect
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kb.measure.run import environment, nvml
from kb.measure.run.failure import Failed, FailureKind
from kb.measure.run.plan import Observation
from kb.model.evidence import CodeState, Device, Environment

_MARKS = {"/.dockerenv": "docker", "/run/.containerenv": "podman"}


def complete(made: Environment, seen: Observation) -> Environment:
    """The fingerprint with what only the run as a whole can say."""
    before, after = seen.hardware
    return made.model_copy(
        update={
            "container": container(),
            "code": code_state(seen.workload.function),
            "hardware_before": before,
            "hardware_after": after,
        }
    )


def here() -> tuple[Device, Environment]:
    """The default device of this machine and the fingerprint; imports jax.

    Raises `Failed` when no backend starts.
    """
    import jax

    try:
        found = jax.devices()
    except RuntimeError as error:
        raise Failed(
            FailureKind.NO_DEVICE,
            f"JAX finds no device: {str(error).splitlines()[0]}",
            "Set JAX_PLATFORMS=cpu to use the processor.",
        ) from error
    more = {"container": container(), "hardware_before": nvml.state(found[0])}
    made = environment.environment(found[0]).model_copy(update=more)
    return environment.device(found[0], len(found)), made


def container() -> str | None:
    """The kind of container around this process, as far as it shows; None where none does."""
    if "KUBERNETES_SERVICE_HOST" in os.environ:
        return "kubernetes"
    return next((kind for mark, kind in _MARKS.items() if Path(mark).exists()), None)


def code_state(function: Callable[..., Any]) -> CodeState | None:
    """The commit of the repository that holds the function's file; None where none does."""
    try:
        path = Path(inspect.getsourcefile(inspect.unwrap(function)) or "")
    except TypeError:  # a builtin, or an object that is called
        return None
    commit = _git(path, "rev-parse", "HEAD")
    if not path.is_file() or commit is None or _git(path, "ls-files", path.name) == "":
        return None
    # Only the function's own folder: what else lies in the repository was not measured.
    changed = _git(path, "status", "--porcelain", "--", ".")
    return CodeState(commit=commit, modified=bool(changed))


def _git(path: Path, *words: str) -> str | None:
    """What git says in the folder of `path`; None where it is absent or refuses."""
    try:
        done = subprocess.run(
            ["git", "-C", str(path.parent), *words],  # noqa: S607 (the user's own git)
            capture_output=True, text=True, timeout=20, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
