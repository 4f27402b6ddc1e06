"""Where the engine's own folders are, and which project is being checked."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.finding import CheckError

FOLDERS = ("specs", "decisions", "evidence", "validators")
LARGEST_TABLE = 200_000
"""Characters of a `pyproject.toml` that are read."""
LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){40}""")
"""A key of 40 parts; Python's reader needs memory with the square of their number."""
NO_OWN_RULES = "KB_NO_LOCAL_VALIDATORS"
"""Set to anything in the environment, no command runs a rule of the project itself."""


@dataclass(frozen=True)
class Project:
    """One knowledge base on disk: its root and the names of its content folders."""

    root: Path
    specs: str = "specs"
    decisions: str = "decisions"
    evidence: str = "evidence"
    validators: str = "validators"
    own_rules: bool = True
    """Whether the project's `validators/` may run. Everything else in a project is only read."""

    def folder(self, name: str) -> Path:
        """The folder of one kind of content; it need not exist."""
        return self.root / str(getattr(self, name))

    def require_named(self) -> None:
        """Raise `CheckError` where a folder with a name of its own is not there."""
        for name in FOLDERS:
            value = getattr(self, name)
            if value != name and not self.folder(name).is_dir():
                raise CheckError(
                    f"[tool.kb] {name} = {value!r}: there is no such folder in {str(self.root)!r}",
                    "create the folder, or correct its name in pyproject.toml",
                )


def home() -> Path:
    """The folder that holds `validators/`, `schemas/` and `specs/` of this installation.

    An installed wheel has them in `kb/_bundled`; a checkout has them at its root. Raises
    `CheckError` where neither is there.
    """
    package = Path(__file__).resolve().parent
    bundled = package / "_bundled"
    if bundled.is_dir():
        return bundled
    root = package.parent
    marker = root / "pyproject.toml"
    if (
        (root / "validators").is_dir()
        and marker.is_file()
        and "accelerator-kb" in marker.read_text(encoding="utf-8")
    ):
        return root
    raise CheckError(
        "kb was installed without its rules: neither kb/_bundled nor a checkout was found",
        "install it again: pip install --force-reinstall CHECKOUT, "
        "where CHECKOUT is the folder or wheel of accelerator-kb",
    )


def find_project() -> Project:
    """The project around the working directory.

    It is the nearest folder upwards whose `pyproject.toml` has a `[tool.kb]` table or that
    has a `specs/` or `decisions/` folder, else the working directory itself.
    """
    return project_around(Path.cwd())


def project_around(here: Path) -> Project:
    """The project around a folder, as `find_project` finds it."""
    for folder in (here, *here.parents):
        table = _tool_table(folder / "pyproject.toml")
        if table is not None or any((folder / name).is_dir() for name in ("specs", "decisions")):
            return _project(folder, table)
    return _project(here, None)


def project_at(folder: Path) -> Project:
    """The project that is named by its folder: no other folder is looked at."""
    root = folder.resolve()
    try:
        os.scandir(root).close()
        return _project(root, _tool_table(root / "pyproject.toml"))
    except OSError as error:
        raise CheckError(
            f"the folder {str(folder)!r} can't be read: {error.strerror}",
            "name a folder that you may read",
        ) from None


def has_table(folder: Path) -> bool:
    """Whether a folder's `pyproject.toml` has a `[tool.kb]` table."""
    return _tool_table(folder / "pyproject.toml") is not None


def _project(root: Path, table: dict[str, str] | None) -> Project:
    return Project(root, **(table or {}), own_rules=not os.environ.get(NO_OWN_RULES))


def _tool_table(path: Path) -> dict[str, str] | None:
    if not path.is_file():
        return None
    try:
        text = path.read_text(encoding="utf-8")
    except (ValueError, OSError) as error:
        raise CheckError(
            f"{path.name} can't be read: {error}", "correct it and run again"
        ) from None
    content = toml(text, path.name)
    tool = content.get("tool", {})
    table = tool.get("kb") if isinstance(tool, dict) else None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise CheckError(
            f"[tool.kb] in {path.name} is no table of folder names",
            "write [tool.kb] on a line of its own, and the folders below it",
        )
    unknown = sorted(set(table) - set(FOLDERS))
    if unknown:
        raise CheckError(
            f"[tool.kb] in {path.name} has unknown keys: {', '.join(unknown)}",
            f"use {', '.join(FOLDERS)}",
        )
    for key, value in table.items():
        _check_folder(key, value)
    return dict(table)


def toml(text: str, name: str) -> dict[str, Any]:
    """The tables of a TOML text; raises `CheckError` for what can't be read, or is too large."""
    import tomllib  # most folders have no such file

    try:
        if len(text) > LARGEST_TABLE:
            raise ValueError(f"it has {len(text):,} characters; {LARGEST_TABLE:,} at most")
        if found := LONG_KEY.search(text):
            line = text.count("\n", 0, found.start()) + 1
            raise ValueError(f"the name on line {line} has 40 parts or more")
        return tomllib.loads(text)
    except RecursionError:
        reason = "it is nested too deep"
    except ValueError as error:  # a number of 5,000 digits is no error of TOML's
        reason = str(error).partition(";")[0] if "digits" in str(error) else str(error)
    raise CheckError(f"{name} can't be read: {reason}", "correct it and run again")


def _check_folder(key: str, value: object) -> None:
    """Raise `CheckError` where `value` names no folder inside the project."""
    sound = isinstance(value, str) and value and value.isprintable() and ".." not in value
    if not sound or Path(str(value)).is_absolute():
        raise CheckError(
            f"[tool.kb] {key} = {value!r} is no folder inside the project",
            f"write a relative folder name, such as {key} = '{key}'",
        )
