"""The fresh process: reads a request on standard input, writes a record or an error."""

from __future__ import annotations

import sys
from pathlib import Path

from kb.measure import custom, family
from kb.measure.run.failure import of_exception
from kb.measure.run.plan import observe
from kb.measure.run.process import Request, beside
from kb.measure.run.record import assemble, now, text
from kb.measure.run.worker import Line, end_with_parent, fail, quiet
from kb.measure.workload import Workload


def main(result: Path, line: str) -> int:
    """Does what `line` asks and writes `result`; 0, or `FAILED` with an error in it."""
    request = Request.from_json(line)

    line_of = Line(request.workload) if request.progress else None
    progress = line_of or quiet
    try:
        begun = now()
        seen = observe(
            lambda: _workload(request), request.settings, progress, spawned_ns=request.spawned_ns
        )
        record = assemble(seen, request.settings, request.command, begun)
        beside(result).write_text(seen.hlo, encoding="utf-8")
    # Whatever a backend or a user's program raises has to reach the caller as a sentence.
    except Exception as error:  # noqa: BLE001
        return fail(result, of_exception(error, f"measuring {request.workload}"))
    finally:
        if line_of is not None:
            line_of.erase()
    result.write_text(text(record), encoding="utf-8")
    return 0


def _workload(request: Request) -> Workload:
    if request.case is not None:
        return custom.from_case(custom.Case.model_validate(request.case))
    if request.cell is not None:
        return family.build(**{**request.cell, "sizes": tuple(request.cell["sizes"])})
    return family.find(request.workload)


if __name__ == "__main__":
    end_with_parent()
    sys.exit(main(Path(sys.argv[1]), sys.stdin.readline()))
