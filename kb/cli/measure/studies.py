"""What the actions that write a study share: performing it, writing it, telling it."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from kb.cli.measure.arguments import prepare, short
from kb.cli.measure.words import study_lines


def perform(
    args: argparse.Namespace,
    study: str,
    params: dict[str, Any],
    command: str,
    devices: int | None = None,
) -> int:
    """Performs, writes and prints a study; 0 when all its checks passed, else 1."""
    from kb.estimate.identity import identified_study
    from kb.measure.study.draft import write
    from kb.measure.study.process import perform as made_in_process

    folder, corpus = prepare(args)
    seen = made_in_process(study, params, command, progress=sys.stderr.isatty(), devices=devices)
    if seen is None:
        return 0
    seen, path = write(identified_study(seen, corpus), folder)
    if args.json:
        data = {"schema_version": 1, "file": short(path), "study": seen.model_dump(mode="json")}
        print(json.dumps(data, indent=2))
    else:
        print("\n".join([*study_lines(seen), f"wrote {short(path)}"]))
    return 0 if seen.sound else 1
