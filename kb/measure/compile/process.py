"""Gives each target a process of its own, so that one that dies takes nothing along.

The calling process never imports jax. What goes wrong becomes a refusal with a remedy, and
the other targets still finish.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.measure.compile.backend import environment
from kb.measure.compile.outcome import PHASE, TRACING, Outcome, refused, said
from kb.measure.compile.program import Shapes
from kb.measure.compile.targets import Wanted
from kb.measure.run.worker import PARENT
from kb.model.artefact import Program, RefusalKind, Target, Variant
from kb.model.artefact import Refusal as Refusal_

PATIENCE = 900.0
"""Seconds after which a compiler is stopped, unless told otherwise."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Request:
    """What the child is asked to do."""

    shapes: Shapes
    wanted: Wanted
    description: Path | None
    patience: float = PATIENCE
    progress: bool = False


def compile_for(request: Request) -> Outcome:
    """The answer of one target; never raises for what happens inside the child."""
    with tempfile.TemporaryDirectory(prefix="kb-compile-") as name:
        folder = Path(name)
        result = folder / "result.json"
        try:
            done = subprocess.run(
                [sys.executable, "-m", "kb.measure.compile", str(result)],
                input=json.dumps(_plain(request)),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE if not request.progress else None,
                text=True,
                env={**_variables(request.wanted, folder), PARENT: str(os.getpid())},
                timeout=request.patience,
                check=False,
            )
        except subprocess.TimeoutExpired:
            text = f"{_phase(folder).capitalize()} did not end in {request.patience:g} seconds."
            remedy = "Give it longer with --max-seconds, or compile a smaller program."
            return _failed(request, RefusalKind.TIMED_OUT, text, remedy)
        if result.exists():
            return read(result.read_text(encoding="utf-8"))
        return _crash(request, done.returncode, done.stderr or "", _phase(folder))


def write(outcome: Outcome) -> str:
    """An outcome as JSON, for the way back from the child."""
    models = {
        name: None if (value := getattr(outcome, name)) is None else value.model_dump(mode="json")
        for name in ("program", "target", "refusal")
    }
    return json.dumps(
        {
            "name": outcome.name,
            "versions": outcome.versions,
            "texts": outcome.texts,
            "variants": [each.model_dump(mode="json") for each in outcome.variants],
            **models,
        }
    )


def read(text: str) -> Outcome:
    """The outcome in JSON, as `write` made it."""
    data: dict[str, Any] = json.loads(text)

    def part(name: str, model: Any) -> Any:
        return data[name] and model.model_validate_json(json.dumps(data[name]))

    return Outcome(
        data["name"],
        data["versions"],
        part("program", Program),
        part("target", Target),
        tuple(Variant.model_validate_json(json.dumps(each)) for each in data["variants"]),
        data["texts"],
        part("refusal", Refusal_),
    )


def _plain(request: Request) -> dict[str, Any]:
    given = request.description
    return {
        "shapes": request.shapes.model_dump(mode="json"),
        "target": request.wanted.name,
        "description": None if given is None else str(given.resolve()),
        "progress": request.progress,
    }


def _variables(wanted: Wanted, folder: Path) -> dict[str, str]:
    """The environment of the child: the same `kb`, the user's own modules, no device."""
    roots = [str(Path(__file__).resolve().parents[3]), str(Path.cwd())]
    known = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([*roots, known] if known else roots)
    return {**os.environ, **environment(wanted, folder), "PYTHONPATH": path}


def _phase(folder: Path) -> str:
    """What the child was about when it ended, as it noted itself."""
    path = folder / PHASE
    return path.read_text(encoding="utf-8") if path.is_file() else "starting"


def _crash(request: Request, code: int, errors: str, phase: str) -> Outcome:
    lines = [line for line in errors.splitlines() if line.strip()]
    last = f" Its last words: {lines[-1].strip()}" if lines else ""
    ended = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
    remedy = "Try a smaller program; if it stays, report it with the program and the versions."
    if phase == TRACING:
        remedy = "Call the function on small arrays of these shapes on a CPU first."
    return _failed(
        request, RefusalKind.CRASHED, f"The compiling process {ended} while {phase}.{last}", remedy
    )


def _failed(request: Request, kind: RefusalKind, text: str, remedy: str) -> Outcome:
    return Outcome(request.wanted.name, refusal=refused(kind, said(text), remedy).refusal)
