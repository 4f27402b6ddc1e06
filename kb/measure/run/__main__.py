"""The fresh process: reads a request on standard input, writes a record or an error."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from kb.finding import CheckError
from kb.measure.run.plan import Settings, observe
from kb.measure.run.process import Request
from kb.measure.run.record import assemble, now, text
from kb.measure.workload import find

FAILED = 3
"""Exit code of a run whose error is in the result file."""


def main(result: Path, line: str) -> int:
    """Does what `line` asks and writes `result`; 0, or `FAILED` with an error in it."""
    request = Request.from_json(line)

    def progress(message: str) -> None:
        if request.progress:
            sys.stderr.write(f"{request.workload}: {message}\n")

    try:
        workload = find(request.workload)
        begun = now()
        seen = observe(workload, request.stopping, progress)
        settings = Settings(request.stopping, request.ceiling)
        record = assemble(workload, seen, settings, request.command, begun)
    except CheckError as error:
        return _fail(result, str(error), error.remedy)
    # Whatever a backend raises has to reach the caller as a sentence.
    except Exception as error:  # noqa: BLE001
        lines = str(error).strip().splitlines() or [""]
        return _fail(
            result,
            f"{type(error).__name__} while measuring {request.workload}: {lines[0]}",
            "Run `kb measure device` to see whether JAX finds its device.",
        )
    result.write_text(text(record), encoding="utf-8")
    return 0


def _fail(result: Path, error: str, remedy: str) -> int:
    result.write_text(json.dumps({"error": error, "remedy": remedy}), encoding="utf-8")
    return FAILED


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.stdin.readline()))
