"""Finding rules: every file of the `validators/` folders, loaded by path.

Nothing is put on the import path. A file that is no rule is refused by name and the
others still count, so that one bad file can't hide what the rest would have found.
"""

from __future__ import annotations

import functools
import importlib.util
import io
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import get_args

from kb.finding import Severity
from kb.home import Project, home
from kb.rules.catalogue import RuleText, parse_docstring
from kb.rules.declare import NEEDING, Declared, Over
from kb.rules.loading import RESERVED
from kb.rules.result import reason_of

_STEM = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*\Z")


@dataclass(frozen=True)
class Rule:
    """One rule, ready to run."""

    slug: str
    declared: Declared
    text: RuleText
    path: Path


class Late:
    """The function of an installed rule whose file is run when the rule is first asked.

    Most rules are about decisions and comparisons: a change that touches none needs none of them.
    """

    def __init__(self, path: Path) -> None:
        """`path` is the file of the rule, which was sound when it was last run."""
        self._path = path

    @functools.cached_property
    def _check(self) -> Callable[..., Iterable[object]]:
        return _built(self._path, slug_of(self._path)).declared.check

    def __call__(self, *arguments: object) -> Iterable[object]:
        """What the rule says."""
        return self._check(*arguments)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file that is no rule, and why."""

    name: str
    """The file, relative to the folder that holds `validators/`."""
    reason: str
    remedy: str


@dataclass(frozen=True)
class Collected:
    """The rules that were found, by slug, and the files that were refused."""

    rules: tuple[Rule, ...]
    refusals: tuple[Refusal, ...] = ()
    skipped: tuple[str, ...] = ()
    """Slugs of the project's own rules that were not even read, because they may not run."""

    def find(self, slug: str) -> Rule | None:
        """The rule of that slug, or None."""
        return next((rule for rule in self.rules if rule.slug == slug), None)


def collect(project: Project | None = None, known: Collection[Rule] = ()) -> Collected:
    """The rules of this installation and, after them, of `project` where it may run its own.

    `known` are rules of files that are as they were: an installed one of them isn't read.
    Raises `CheckError` where the installation has no rules folder at all.
    """
    installed = home() / "validators"
    if project is None:
        return collect_folders([installed])
    heads = {rule.path: rule for rule in known if rule.path.parent == installed}
    own = project.folder("validators")
    if project.own_rules:
        return collect_folders([installed, own], heads)
    seen = {path.resolve() for path in installed.glob("*.py")}
    names = [
        path.stem
        for path in sorted(own.glob("*.py"))
        if path.resolve() not in seen and not _same(path, installed / path.name)
    ]
    skipped = tuple(name.replace("_", "-") for name in names if not name.startswith("_"))
    return replace(collect_folders([installed], heads), skipped=skipped)


def collect_folders(folders: Iterable[Path], heads: Mapping[Path, Rule] | None = None) -> Collected:
    """The rules of some folders, in their order; those in `heads` are known without reading.

    A file reached twice counts once, and so does a copy of a rule under the same name: a
    clone of this project is checked by a `kb` that was installed from elsewhere.
    """
    rules: dict[str, Rule] = {}
    refusals: list[Refusal] = []
    seen: set[Path] = set()
    for folder in folders:
        for path in sorted(folder.glob("*.py")):
            real = path.resolve()
            if path.name.startswith("_") or real in seen:
                continue
            seen.add(real)
            taken = rules.get(slug_of(path))
            if taken is not None and _same(path, taken.path):
                continue
            found = (heads or {}).get(path) or _loaded(path, rules)
            if isinstance(found, Rule):
                rules[found.slug] = found
            else:
                refusals.append(found)
    return Collected(tuple(rules[slug] for slug in sorted(rules)), tuple(refusals))


def slug_of(path: Path) -> str:
    """The slug of the rule in a file: its name, with hyphens."""
    return path.stem.replace("_", "-")


def _same(path: Path, other: Path) -> bool:
    """Whether two files of rules say the same, byte for byte."""
    try:
        return path.name == other.name and path.read_bytes() == other.read_bytes()
    except OSError:
        return False


class _Aside(io.TextIOBase):
    """Stands for standard output while a rule runs, and can't be closed by it."""

    def write(self, text: str) -> int:
        if sys.stderr is not None:
            sys.stderr.write(text)
        return len(text)

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        pass


_ASIDE = _Aside()


@contextmanager
def aside() -> Iterator[None]:
    """Send what a rule prints to standard error: standard output is for the report alone."""
    kept = sys.stdout, sys.__stdout__
    sys.stdout = sys.__stdout__ = _ASIDE  # type: ignore[assignment,misc]
    try:
        yield
    finally:
        sys.stdout, sys.__stdout__ = kept  # type: ignore[misc]


def _loaded(path: Path, known: dict[str, Rule]) -> Rule | Refusal:
    name = f"{path.parent.name}/{path.name}"
    try:
        with aside():
            return _load(path, known)
    except _RefusedError as error:
        return Refusal(name, str(error), error.remedy)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 (a stranger's file may raise anything)
        return Refusal(name, f"it can't be loaded: {reason_of(error)}", "correct the file")


class _RefusedError(Exception):
    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.remedy = remedy


def _load(path: Path, known: dict[str, Rule]) -> Rule:
    slug = slug_of(path)
    _check_name(path, slug, known)
    if path.parent != home() / "validators":
        return _built(path, slug)
    stat = path.stat()
    return _installed(path, slug, (stat.st_mtime_ns, stat.st_size, stat.st_ino))


@functools.lru_cache(maxsize=512)
def _installed(path: Path, slug: str, stamp: tuple[int, ...]) -> Rule:  # noqa: ARG001 (a key)
    """A rule of this installation, built once in a process as long as its file stays as it is."""
    return _built(path, slug)


def _built(path: Path, slug: str) -> Rule:
    module = _import(path)
    declared = {id(v): v for v in vars(module).values() if issubclass(type(v), Declared)}
    if len(declared) != 1:
        raise _RefusedError(
            f"it declares {len(declared)} rules instead of one",
            "put exactly one function under @rule(over=…) into the file",
        )
    (only,) = declared.values()
    _check_declared(only)
    try:
        text = parse_docstring(module.__doc__)
    except ValueError as error:
        raise _RefusedError(
            str(error),
            "write one sentence, then **Why.** and a text, **Refused** and **Accepted**, each with "
            "a fenced example such as ```yaml spec",
        ) from None
    return Rule(slug, only, text, path)


def _check_declared(declared: Declared) -> None:
    if declared.over not in get_args(Over):
        raise _RefusedError(
            f"it looks over {declared.over!r}, and there is no such thing",
            f"write over= with one of {', '.join(get_args(Over))}",
        )
    if not isinstance(declared.severity, Severity):
        raise _RefusedError(
            f"its severity {declared.severity!r} is no severity",
            "write severity= with one of " + ", ".join(f"Severity.{s.name}" for s in Severity),
        )
    needs: object = declared.needs  # a stranger wrote it
    named = isinstance(needs, tuple) and all(isinstance(name, str) for name in needs)
    if not named or (needs and declared.over not in NEEDING):
        raise _RefusedError(
            f"its needs {needs!r} are no fields of a {' or '.join(NEEDING)}",
            'write needs= with the names of fields, as in needs=("evidence",), or leave it out',
        )
    if not callable(declared.check):
        raise _RefusedError("what it declares can't be called", "put @rule(over=…) on a function")


def _check_name(path: Path, slug: str, known: Mapping[str, Rule]) -> None:
    if not _STEM.match(path.stem):
        raise _RefusedError(
            f"its name {path.name!r} is no slug in snake case",
            "name the file after the defect, in lower case: dense_versus_sparse.py",
        )
    if slug in known:
        raise _RefusedError(
            f"the slug '{slug}' is already taken by another rule: "
            f"{path} differs from {known[slug].path}",
            "rename the file, since a rule's name is its slug; or remove it to keep the other",
        )
    if slug in RESERVED:
        raise _RefusedError(
            f"the slug '{slug}' is already taken by the reader of the files",
            "rename the file: a rule's name is its slug",
        )


def _import(path: Path) -> ModuleType:
    name = f"kb.validators.{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise _RefusedError("it can't be loaded", "make it a plain Python file")
    module = importlib.util.module_from_spec(spec)
    # dataclasses look their own module up by name while the file runs.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        sys.modules.pop(name, None)
    return module
