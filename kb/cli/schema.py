"""`kb schema`: write the JSON Schemas, or check that the committed ones are current."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kb.cli.project import open_project
from kb.cli.writing import refuse_content, write_file
from kb.finding import CheckError
from kb.home import Project, toml

OURS = "accelerator-kb"
"""Name of the distribution in whose checkout the schemas are kept."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("schema", help="write or check the JSON schemas")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if one is stale")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help=f"folder of the schemas (default: schemas/ in a checkout of {OURS}; elsewhere needed)",
    )


def run(args: argparse.Namespace) -> int:
    """Write every schema, or compare; 1 where a committed one is stale or missing."""
    from kb.schema import SCHEMAS, schema_text

    folder = args.out or _own_folder(open_project(args), "--check " if args.check else "")
    texts = {f"{name}.schema.json": schema_text(name) for name in SCHEMAS}
    if args.check:
        return _compare(folder, texts)
    refuse_content(folder, open_project(args))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CheckError(
            f"{str(folder)!r} can't be written: {error.strerror}", "choose another --out"
        ) from None
    for name, text in texts.items():
        write_file(folder / name, text)
    print(f"wrote {len(texts)} schemas to {folder}")
    return 0


def _own_folder(project: Project, option: str) -> Path:
    """`schemas/` of the project, where it is a checkout of ours; else nobody's to guess."""
    try:
        text = (project.root / "pyproject.toml").read_text(encoding="utf-8")
        content = toml(text, "pyproject.toml")
    except (OSError, UnicodeDecodeError, CheckError):
        content = {}
    about = content.get("project")
    if not isinstance(about, dict) or about.get("name") != OURS:
        raise CheckError(
            f"{str(project.root)!r} is no checkout of {OURS}, so it has no folder of schemas",
            f"kb schema {option}--out DIR",
        )
    return project.root / "schemas"


def _compare(folder: Path, texts: dict[str, str]) -> int:
    """1 where a file of `folder` is not what the models give."""
    stale = [
        name
        for name, text in texts.items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    ]
    if stale:
        print(f"error: stale or missing in {folder}: {', '.join(stale)}", file=sys.stderr)
        print(f"  fix: kb schema --out {folder}", file=sys.stderr)
        return 1
    print(f"{len(texts)} schemas in {folder} are current")
    return 0
