"""The project that a command works on. Light to import: no model and no rule is needed."""

from __future__ import annotations

import argparse
from dataclasses import replace

from kb.finding import CheckError, quoted
from kb.home import FOLDERS, Project, find_project, project_at


def open_project(args: argparse.Namespace) -> Project:
    """The project that `--project` names, else the one around the working folder."""
    if args.project is not None and not args.project.is_dir():
        raise CheckError(f"there is no folder {quoted(str(args.project))}", "correct --project")
    project = find_project() if args.project is None else project_at(args.project)
    return replace(project, own_rules=False) if args.no_local_validators else project


def content_folders(project: Project) -> list[str]:
    """The folders that hold content, as a person writes them."""
    return [f"{getattr(project, name)}/" for name in FOLDERS if name != "validators"]


def nothing_checked(project: Project, command: str) -> CheckError:
    """The error of a `command` that checks first, where there is nothing to check."""
    looked = ", ".join(content_folders(project))
    return CheckError(
        f"nothing was checked: {str(project.root)!r} holds no content (looked in {looked})",
        f"run it inside a knowledge base, or name one: kb --project DIR {command}",
    )
