"""What a folder gets: what it lacks, what stays, and what only changes where kb comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.adopt.begin import CI, IGNORES, SITE, TABLE, Setting, not_ignored
from kb.adopt.origin import installed_from, is_bare, is_open, retold, told
from kb.adopt.surroundings import ABOUT
from kb.finding import CheckError


@dataclass(frozen=True)
class Plan:
    """What would be written, and what stands in its place now."""

    texts: Mapping[str, str]
    kept: tuple[str, ...]
    """Files that are there already and say something else."""
    same: tuple[str, ...]
    """Files that stay, since they say the same; `.gitignore` is one whatever it says."""
    renewed: tuple[str, ...] = ()
    """CI files in which only what installs kb changes."""
    lacking: tuple[str, ...] = ()
    """Lines that a `.gitignore` lacks."""


def is_own(name: str, setting: Setting) -> bool:
    """Whether a file holds what people write, which no flag replaces."""
    return name.startswith((*(f"{f}/" for f in setting.folders.values()), f"{setting.docs}/"))


def source_of(root: Path) -> str | None:
    """Where CI gets kb: as its files say, else as this installation notes.

    A bare name comes last: it might be somebody else's tomorrow.
    """
    said = [told(present(root / name) or "") for name in CI.values()]
    address = next((r for r in said if r and not is_bare(r)), None)
    return address or installed_from() or next((r for r in said if r), None)


def present(path: Path) -> str | None:
    """The text of a file that is there; what isn't UTF-8 is replaced, so never write it back."""
    return path.read_bytes().decode("utf-8", "replace") if path.is_file() else None


def plan_of(
    root: Path, texts: Mapping[str, str], setting: Setting, *, named: bool, force: bool
) -> Plan:
    """Set each file beside what stands in its place.

    `named`: somebody says where kb is from; `force`: files of ours get all of our text.

    Raises `CheckError` where a file can't be written.
    """
    planned, kept, same, renewed = dict(texts), [], [], []
    lacking: tuple[str, ...] = ()
    for name, text in texts.items():
        path = root / name
        if not path.resolve().is_relative_to(root):
            raise CheckError(f"{name} is a link that leads out of {root}", "remove the link")
        if not path.exists():
            continue
        there = present(path)
        if there is None:
            raise CheckError(f"{name} is there and is no file", "move it away")
        if name == IGNORES:
            lacking = not_ignored(there, text)
        again = there
        if name in CI.values() and not force:
            again = _again(there, setting, named=named)
        if name == IGNORES or there == text:
            same.append(name)
        elif again != there:
            renewed.append(name)
            planned[name] = again
        elif name != TABLE:  # to which a table is appended; nothing in it is lost
            kept.append(name)
    return Plan(planned, tuple(kept), tuple(same), tuple(renewed), lacking)


def _again(there: str, setting: Setting, *, named: bool) -> str:
    """A CI file with its address of kb filled in, or changed where somebody named one."""
    if setting.requirement is None or "\ufffd" in there or not (named or is_open(there)):
        return there
    return retold(there, setting.requirement)


def lacked(
    root: Path, texts: Mapping[str, str], setting: Setting, *, begun: bool, named: bool
) -> dict[str, str]:
    """Those of the texts that a folder may get: examples go only where nothing is yet.

    With `--from`, a base that has begun gets nothing but its CI files, and of those only the
    ones that it kept.
    """
    wanted = dict(texts)
    if not begun:
        return wanted
    if (root / SITE).exists():
        wanted.pop(f"{setting.docs}/{ABOUT}", None)
    services = [name for name in CI.values() if (root / name).is_file()]
    if named and services:
        return {name: text for name, text in texts.items() if name in services}
    for kind, suffix in (("decisions", ".md"), ("validators", ".py")):
        folder = setting.folders[kind]
        if any((root / folder).glob(f"*{suffix}")):
            wanted = {n: t for n, t in wanted.items() if not n.startswith(f"{folder}/")}
    return wanted
