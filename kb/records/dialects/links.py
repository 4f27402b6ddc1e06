"""Links of foreign records: what they say, where they stand, and whether they lead anywhere."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator

from kb.records.dialects.record import Header, Link, LinkType
from kb.records.dialects.status import cleaned

FIELDS: dict[str, LinkType] = {
    "supersedes": "supersedes",
    "supercedes": "supersedes",
    "replaces": "supersedes",
    "superseded-by": "superseded_by",
    "superceded-by": "superseded_by",
    "replaced-by": "superseded_by",
    "amends": "amends",
    "clarifies": "amends",
    "supersedes-section-of": "amends",
    "amended-by": "amended_by",
    "clarified-by": "amended_by",
    "superseded-section-by": "amended_by",
    "see-also": "see_also",
}
"""Names of fields and of lines in a section that hold links."""

FILLERS = {"", "n/a", "none", "tbd", "todo", "-", "[]", "~"}

_MARKDOWN = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")
_PARTIAL = ("amended-in-part", "superseded-in-part", "extended-in-part")
_PATHLIKE = re.compile(
    r"[\w./-]+\.(?:md|yaml|yml)|\.{0,2}/?[\w.-]*/[\w./-]+|\d{1,8}[a-z]?(?:-[\w-]+)?"
)


def links_of(header: Header, path: str, known: Collection[str]) -> tuple[Link, ...]:
    """Every link of a header. `known` are the paths of the log's records."""
    return tuple(_links(header, path, known))


def _links(header: Header, path: str, known: Collection[str]) -> Iterator[Link]:
    if header.status is not None:
        value = cleaned(header.status.value).split("(was:")[0]
        kind: LinkType = "superseded_by"
        if value.lower().startswith(_PARTIAL) or any(f"; {word}" in value for word in _PARTIAL):
            kind = "amended_by"
        for match in _MARKDOWN.finditer(value):
            yield _link(kind, match, "status", header.status.line, path, known)
    for origin, items in (("", header.items), ("Status section", header.section)):
        where = origin if header.dialect == "nygard" or not origin else "Links section"
        for item in items:
            field = FIELDS.get(item.key)
            if field is None:
                continue
            value = cleaned(item.value)
            found = list(_MARKDOWN.finditer(value))
            for match in found:
                yield _link(field, match, where or item.name, item.line, path, known)
            for word in () if found else re.split(r",\s*", value.strip("[]")):
                if word.strip().strip("'\"").lower() not in FILLERS:
                    yield _resolved(
                        field, word.strip().strip("'\""), where or item.name, item.line, path, known
                    )


def _link(
    kind: LinkType, match: re.Match[str], origin: str, line: int, path: str, known: Collection[str]
) -> Link:
    link = _resolved(kind, match["target"], origin, line, path, known)
    return Link(link.type, link.target, link.origin, link.line, link.found, match["text"])


def _resolved(
    kind: LinkType, target: str, origin: str, line: int, path: str, known: Collection[str]
) -> Link:
    found = resolve(target, path, known)
    if found is not None:
        return Link(kind, found, origin, line, found=True)
    leads = _PATHLIKE.fullmatch(target) is not None
    return Link(kind, target, origin, line, found=False if leads else None)


def resolve(target: str, path: str, known: Collection[str]) -> str | None:
    """The record that a target means: by number, by path from the record, or from the top."""
    bare = target.partition("#")[0]
    if re.fullmatch(r"\d{1,4}[a-z]?|\d{8}-[\w-]+", bare):
        return next((other for other in known if number_of(other) == _digits(bare)
                     or slug_of(other) == bare), None)  # fmt: skip
    web = re.match(r"https?://[^/]+/[^/]+/[^/]+/(?:blob|tree)/[^/]+/(?P<path>.*)", bare)
    place = web["path"] if web else bare
    if web is None and not place.startswith("/"):
        near = posixpath.normpath(posixpath.join(posixpath.dirname(path), place))
        for candidate in _shapes(near):
            if candidate in known:
                return candidate
    if web or place.startswith("/") or "/" in place:
        # From the top of a repository that we can't see: the tail has to be a record of ours.
        for candidate in _shapes(place.strip("/")):
            hits = [o for o in known if candidate == o or candidate.endswith(f"/{o}")]
            if hits:
                return hits[0]
    return None


def number_of(path: str) -> str | None:
    """The number of a record's file or folder without leading zeros; None for a date-slug."""
    name = slug_of(path)
    match = re.match(r"(\d{1,7})([a-z]?)(?![a-z0-9])", name)
    if match is None or re.match(r"\d{8}", name):
        return None
    return f"{match[1].lstrip('0') or '0'}{match[2]}"


def slug_of(path: str) -> str:
    """The name by which links call a record: its file, or the folder of a kep.yaml."""
    head, _, name = path.rpartition("/")
    return (
        head.rpartition("/")[2]
        if name in ("kep.yaml", "README.md")
        else posixpath.splitext(name)[0]
    )


def _shapes(place: str) -> tuple[str, ...]:
    bare = place.rstrip("/").removesuffix("/README.md").removesuffix("/kep.yaml")
    return place, bare, f"{bare}/kep.yaml", f"{bare}.md"


def _digits(number: str) -> str:
    return number.lstrip("0") or "0"
