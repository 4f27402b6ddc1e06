"""One way to write a file that a user names: whole or not at all, and never over content."""

from __future__ import annotations

from pathlib import Path

from kb.finding import CheckError
from kb.home import FOLDERS, Project
from kb.writing import replace_file

KEPT = (*FOLDERS, "docs", "kb")
"""Folders of a project that no output is written into."""


def refuse_content(target: Path, project: Project) -> None:
    """Raise `CheckError` where `target`, links resolved, lies in a folder of content."""
    real = _real(target)
    for name in KEPT:
        content = (project.folder(name) if name in FOLDERS else project.root / name).resolve()
        if real == content or real.is_relative_to(content):
            raise CheckError(
                f"{str(target)!r} is inside the content folder {content.name!r}",
                "write to another place, such as build/",
            )


def write_file(target: Path, text: str, remedy: str = "choose another --out") -> None:
    """Write `text` to `target`; a regular file is replaced as a whole or not at all.

    A link stays one and what it leads to is written. Into a pipe or device the text goes
    straight. Raises `CheckError` where that fails; nothing is left behind then.
    """
    try:
        real = _real(target)
        if target.exists() and not target.is_file():  # /dev/stdout resolves to no path
            with target.open("w", encoding="utf-8", newline="") as stream:
                stream.write(text)
        else:
            replace_file(real, text.encode("utf-8"))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CheckError(f"{str(target)!r} can't be written: {error.strerror}", remedy) from None


def _real(target: Path) -> Path:
    try:
        return target.resolve()
    except (OSError, RuntimeError):
        raise CheckError(f"{str(target)!r} is a link that leads nowhere", "remove it") from None
