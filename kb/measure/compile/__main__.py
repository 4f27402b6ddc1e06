"""The compiling process: reads a request on standard input, writes an outcome as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from kb.measure.compile.examine import examine
from kb.measure.compile.outcome import PHASE
from kb.measure.compile.process import write
from kb.measure.compile.program import Shapes
from kb.measure.compile.targets import target
from kb.measure.run.worker import end_with_parent
from kb.writing import replace_file


def main(result: Path, line: str) -> int:
    """Does what `line` asks and writes `result`; a refusal is a result too."""
    asked = json.loads(line)

    def say(message: str) -> None:
        (result.parent / PHASE).write_text(message, encoding="utf-8")
        if asked["progress"]:
            sys.stderr.write(f"{asked['target']}: {message}\n")

    given = asked["description"]
    outcome = examine(
        Shapes.model_validate_json(json.dumps(asked["shapes"])),
        target(asked["target"]),
        None if given is None else Path(given),
        result.parent,
        say,
    )
    replace_file(result, write(outcome).encode())
    return 0


if __name__ == "__main__":
    end_with_parent()
    sys.exit(main(Path(sys.argv[1]), sys.stdin.read()))
