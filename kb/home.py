"""Where the engine's own folders are, and which project is being checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kb.finding import CheckError

FOLDERS = ("specs", "decisions", "evidence", "validators")


@dataclass(frozen=True)
class Project:
    """One knowledge base on disk: its root and the names of its content folders."""

    root: Path
    specs: str = "specs"
    decisions: str = "decisions"
    evidence: str = "evidence"
    validators: str = "validators"

    def folder(self, name: str) -> Path:
        """The folder of one kind of content; it need not exist."""
        return self.root / str(getattr(self, name))


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
        "install it again: pip install --force-reinstall accelerator-kb",
    )


def find_project() -> Project:
    """The project around the working directory.

    It is the nearest folder upwards whose `pyproject.toml` has a `[tool.kb]` table or that
    has a `specs/` or `decisions/` folder, else the working directory itself.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        table = _tool_table(folder / "pyproject.toml")
        if table is not None or any((folder / name).is_dir() for name in ("specs", "decisions")):
            return Project(folder, **(table or {}))
    return Project(here)


def project_at(folder: Path) -> Project:
    """The project that is named by its folder: no other folder is looked at."""
    root = folder.resolve()
    return Project(root, **(_tool_table(root / "pyproject.toml") or {}))


def _tool_table(path: Path) -> dict[str, str] | None:
    if not path.is_file():
        return None
    import tomllib  # most folders on the way up have no such file

    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise CheckError(
            f"{path.name} can't be read: {error}", "correct it and run again"
        ) from None
    table = content.get("tool", {}).get("kb")
    if table is None:
        return None
    unknown = sorted(set(table) - set(FOLDERS))
    if unknown:
        raise CheckError(
            f"[tool.kb] in {path.name} has unknown keys: {', '.join(unknown)}",
            f"use {', '.join(FOLDERS)}",
        )
    for key, value in table.items():
        if not isinstance(value, str) or not value or Path(value).is_absolute() or ".." in value:
            raise CheckError(
                f"[tool.kb] {key} = {value!r} is no folder inside the project",
                f"write a relative folder name, such as {key} = '{key}'",
            )
    return dict(table)
