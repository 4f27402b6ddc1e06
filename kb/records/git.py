"""Asking git: None where there is no git, no repository, or no answer."""

from __future__ import annotations

import subprocess
from pathlib import Path

from kb.home import Project


def head(project: Project) -> str:
    """The commit that the project stands on; empty where there is none."""
    return (ask(project.root, "rev-parse", "--verify", "--quiet", "HEAD") or "").strip()


def ask(root: Path, *words: str) -> str | None:
    """What git prints, as text; None where it fails or is not there."""
    out = run_git(root, b"", *words)
    return None if out is None else out.decode("utf-8", "replace")


def run_git(root: Path, given: bytes, *words: str) -> bytes | None:
    """What git prints when it is given some input; None where it fails or is not there."""
    try:
        done = subprocess.run(  # noqa: S603 - our own words, and git finds no shell
            ["git", "-C", str(root), *words],  # noqa: S607 - the git of the user's own path
            input=given,
            capture_output=True,
            check=False,
            timeout=60,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
