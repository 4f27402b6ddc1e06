"""Starts the process of a study, with as many devices as it needs."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from kb.finding import CheckError
from kb.measure.run.process import Child, failure, launch, require_jax
from kb.model.study import Study, parse

PATIENCE = 1800.0
UNFIT = 4
"""Exit code where the question itself was refused."""


def perform(
    study: str, params: dict[str, Any], command: str, *, progress: bool, devices: int | None = None
) -> Study | None:
    """The sealed study; None in every process of a cluster but the first.

    `devices` makes the processors of this host look like as many devices, where JAX runs on
    a CPU. Raises `CheckError` where the question can't be asked and `Failed` where it could
    not be answered.
    """
    require_jax()
    line = {"study": study, "params": params, "command": command, "progress": progress}
    variables = {} if devices is None else {"XLA_FLAGS": forced(devices)}
    with tempfile.TemporaryDirectory(prefix="kb-study-") as folder:
        result = Path(folder, "study.json")
        child = Child("kb.measure.study", json.dumps(line), study, PATIENCE, progress, variables)
        done = launch(child, result)
        if done.returncode == 0 and result.exists():
            text = result.read_text(encoding="utf-8")
            return parse(text) if text else None
        error = failure(result, done.returncode, done.stderr or "")
        if done.returncode == UNFIT:
            raise CheckError(str(error), error.remedy)
        raise error


def forced(devices: int) -> str:
    """XLA's flags with a number of host devices, instead of one that was there."""
    kept = [
        flag
        for flag in os.environ.get("XLA_FLAGS", "").split()
        if not flag.startswith("--xla_force_host_platform_device_count")
    ]
    return " ".join([*kept, f"--xla_force_host_platform_device_count={devices}"])
