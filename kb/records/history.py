"""What git knows about decisions: earlier versions, who is at work, ids on other branches.

Everything here answers with nothing where there is no git or no repository: a knowledge
base without a history can still be checked.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from kb.corpus import Corpus, Entry
from kb.finding import Finding, Severity
from kb.home import Project
from kb.load import Loaded
from kb.load.markdown import split
from kb.load.nodes import compose
from kb.load.shape import shape
from kb.model.decision import Decision
from kb.records.commits import Commits, Version, commits
from kb.records.git import ask, run_git
from kb.records.life import DECIDED, reachable
from kb.records.people import name_of
from kb.records.reliance import body_of
from kb.records.seal import changed, seal_of
from kb.source import Place

_NUMBER = re.compile(r"(?:^|/)(\d{4}|[1-9]\d{4,7})-[^/]*\.md\Z")


def with_history(loaded: Loaded, project: Project) -> Loaded:
    """What was loaded, with findings about what git remembers otherwise.

    This is the hook of `kb check`: it goes between loading and judging.
    """
    past = versions(project)
    found = [f for e in loaded.corpus.decisions.values() for f in against(e, loaded.corpus, past)]
    return replace(loaded, findings=(*loaded.findings, *found)) if found else loaded


def versions(project: Project) -> dict[str, tuple[Version, ...]]:
    """Every committed version of each decision by its path, oldest first."""
    return read_versions(project, commits(project))


def read_versions(project: Project, found: Commits) -> dict[str, tuple[Version, ...]]:
    """The versions that some commits left."""
    texts = _blobs(project.root, [blob for items in found.values() for _, blob in items])
    return {
        path: tuple(_version(head, texts.get(blob, ""), path) for head, blob in items)
        for path, items in found.items()
    }


def _version(head: list[str], text: str, path: str) -> Version:
    commit, author, day = head
    decision, body = _read(text, path)
    return Version(commit, name_of(author), day, decision, body)


def identity(root: Path) -> str | None:
    """Name of whoever is at work, as git has it; never an address, since records are published."""
    return name_of(ask(root, "config", "user.name") or "") or None


def taken_ids(project: Project) -> set[str]:
    """Ids of decisions here and on every branch and tag that this repository knows."""
    here = (_NUMBER.search(path.name) for path in project.folder("decisions").glob("*.md"))
    taken = {match[1] for match in here if match}
    refs = ask(project.root, "for-each-ref", "--format=%(objectname)") or ""
    for ref in dict.fromkeys(refs.split()):
        names = ask(project.root, "ls-tree", "-r", "--name-only", ref, "--", project.decisions)
        taken |= {match[1] for name in (names or "").split("\n") if (match := _NUMBER.search(name))}
    return taken


def against(
    entry: Entry[Decision], corpus: Corpus, past: dict[str, tuple[Version, ...]]
) -> Iterator[Finding]:
    """What the present record contradicts in its own past."""
    now = entry.value
    known = [v for v in past.get(entry.place.path, ()) if v.decision and v.decision.id == now.id]
    steps = [*((v.decision, v) for v in known), (now, None)]
    for (before, version), (after, _) in itertools.pairwise(steps):
        if before is None or after is None or version is None:
            continue
        if not reachable(before.status, after.status, before.kind):
            yield _finding(
                "illegal-transition",
                f"decision {now.id} was {before.status} in commit {version.commit[:10]} "
                f"({version.day}) and became {after.status} later",
                entry.place.at("status"),
                f"take 'status: {before.status}' up again, or write a new decision",
            )
    yield from _text(entry, corpus, known)


def _text(entry: Entry[Decision], corpus: Corpus, known: list[Version]) -> Iterator[Finding]:
    now, body = entry.value, body_of(entry, corpus)
    first = next((v for v in known if v.decision and v.decision.status == "accepted"), None)
    if first is None or first.decision is None or now.status not in DECIDED:
        return
    if now.seal is not None and now.seal != seal_of(now, body):
        return  # accepted-text-changed says so without git
    parts = changed(first.decision, first.body, now, body)
    if parts:
        field = next((p for p in parts if p != "the text"), "seal")
        yield _finding(
            "accepted-text-changed",
            f"decision {now.id} was accepted in commit {first.commit[:10]} ({first.day}, "
            f"{first.author}), and {', '.join(parts)} changed since",
            entry.place.at(field),
            f"git restore --source {first.commit[:10]} -- {entry.place.path}, and write a new "
            f"decision for what is new: kb supersede {now.id} <new id>",
        )


def _finding(rule: str, message: str, place: Place, remedy: str) -> Finding:
    return Finding(rule, Severity.ERROR, message, place, remedy)


def _read(text: str, path: str) -> tuple[Decision | None, str]:
    parts, _ = split(text.removeprefix("\ufeff").replace("\r\n", "\n"), path)
    if parts is None:
        return None, ""
    data = compose(parts.front, path, parts.front_line).data
    decision, _ = shape(Decision, data, Place(path)) if isinstance(data, dict) else (None, [])
    return decision, parts.body


def _blobs(root: Path, names: list[str]) -> dict[str, str]:
    """The texts of blobs, asked for all at once."""
    wanted = list(dict.fromkeys(names))
    raw = run_git(root, "\n".join(wanted).encode(), "cat-file", "--batch") if wanted else None
    found: dict[str, str] = {}
    at = 0
    while raw and at < len(raw):
        end = raw.index(b"\n", at)
        words = raw[at:end].split()
        if len(words) != 3:
            at = end + 1  # "<name> missing", as in a shallow clone
            continue
        size = int(words[2])
        found[words[0].decode()] = raw[end + 1 : end + 1 + size].decode("utf-8", "replace")
        at = end + size + 2
    return found
