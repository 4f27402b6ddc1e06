"""Reading a project: files to documents to models to one corpus, with every mistake found."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from kb.corpus import ClaimEntry, Corpus, Entry
from kb.finding import Finding, Label, Severity
from kb.home import Project, home
from kb.load.files import content_files, read_text
from kb.load.markdown import split
from kb.load.nodes import compose
from kb.load.shape import shape
from kb.model.decision import Decision
from kb.model.evidence import Evidence
from kb.model.product import Family, Product, Source, SourceList
from kb.source import Document, Part, Place, Position, Span

__all__ = ["Loaded", "load", "load_files"]


@dataclass(frozen=True)
class Loaded:
    """A corpus and what was wrong with the files it came from."""

    corpus: Corpus
    findings: tuple[Finding, ...]
    collected: int
    """How many content files the project itself has."""


def load(project: Project, only: Collection[str] = ()) -> Loaded:
    """Read a project, on top of the catalogue that came with the installation.

    `only` limits the products read to those ids (their file is named like them), which is
    all that a look at one claim needs.
    """
    gather = _Gather()
    bundled = Project(home())
    if bundled.root != project.root.resolve():
        gather.read(bundled, own=False, only=only, kinds=("specs",))
    gather.read(project, own=True, only=only, kinds=("specs", "decisions", "evidence"))
    return gather.loaded()


def load_files(files: dict[str, str]) -> Loaded:
    """A corpus from texts by path (`specs/…`, `decisions/…`, `evidence/…`); no disk."""
    gather = _Gather()
    for path, text in files.items():
        gather.text(path, text.removeprefix("\ufeff"), path.split("/")[0], own=True)
    return gather.loaded()


@dataclass
class _Gather:
    documents: dict[str, Document] = field(default_factory=dict)
    sources: dict[str, Entry[Source]] = field(default_factory=dict)
    families: list[Entry[Family]] = field(default_factory=list)
    products: dict[str, Entry[Product]] = field(default_factory=dict)
    decisions: dict[str, Entry[Decision]] = field(default_factory=dict)
    evidence: dict[str, Entry[Evidence]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    collected: int = 0

    def read(self, project: Project, *, own: bool, only: Collection[str],
             kinds: tuple[str, ...]) -> None:  # fmt: skip
        for kind in kinds:
            for path, name in content_files(project, kind):
                self.collected += own
                if only and kind == "specs" and path.stem not in only and path.stem != "sources":
                    continue
                shown = name if own else f"(installed)/{name}"
                text, findings = read_text(path, shown, project.root)
                self.findings += findings
                if text is not None:
                    self.text(shown, text, kind, own=own)

    def text(self, path: str, text: str, kind: str, *, own: bool) -> None:
        readers: dict[str, Callable[[str, str, bool], None]] = {
            "specs": self._spec, "decisions": self._decision, "evidence": self._evidence,
        }  # fmt: skip
        readers[kind](path, text, own)

    def _spec(self, path: str, text: str, own: bool) -> None:
        read = compose(text, path)
        self.findings += read.findings
        self.documents[path] = Document(path, text, read.data, read.values, read.keys)
        if read.data is None:
            if not read.findings:
                self._add("empty-document", path, "the file holds nothing", "write a product into it")
            return
        if not isinstance(read.data, dict):
            self._add("wrong-type", path, "the file must be a mapping of fields",
                      "begin it with 'product: …' or 'sources:'")  # fmt: skip
            return
        if "sources" in read.data and "product" not in read.data:
            self._sources(path, read.data, own)
            return
        product, findings = shape(Product, read.data, Place(path))
        self.findings += findings
        if product is not None and self._fresh(self.products, product.product, path, "product", own):
            self.products[product.product] = Entry(product, Place(path), own)

    def _sources(self, path: str, data: dict[str, Any], own: bool) -> None:
        listed, findings = shape(SourceList, data, Place(path))
        self.findings += findings
        if listed is None:
            return
        for key, source in listed.sources.items():
            if self._fresh(self.sources, key, path, "source", own, ("sources", key)):
                self.sources[key] = Entry(source, Place(path, ("sources", key)), own)
        for i, family in enumerate(listed.families):
            self.families.append(Entry(family, Place(path, ("families", i)), own))

    def _decision(self, path: str, text: str, own: bool) -> None:
        parts, findings = split(text, path)
        self.findings += findings
        if parts is None:
            self.documents[path] = Document(path, text)
            return
        read = compose(parts.front, path, parts.front_line)
        self.findings += read.findings
        self.documents[path] = Document(
            path, text, read.data, read.values, read.keys, parts.body, parts.body_line
        )
        if not isinstance(read.data, dict):
            if not read.findings:
                self._add("front-matter", path, "the front matter holds no fields",
                          "write the decision's fields between the two '---' lines")  # fmt: skip
            return
        decision, findings = shape(Decision, read.data, Place(path))
        self.findings += findings
        if decision is not None and self._fresh(self.decisions, decision.id, path, "decision", own,
                                                ("id",)):  # fmt: skip
            self.decisions[decision.id] = Entry(decision, Place(path), own)

    def _evidence(self, path: str, text: str, own: bool) -> None:
        self.documents[path] = Document(path, text)
        try:
            data = json.loads(text, object_pairs_hook=_no_duplicates)
        except (ValueError, RecursionError) as error:
            line, column = getattr(error, "lineno", 1), getattr(error, "colno", 1)
            at = Position(line, column)
            place = Place(path, (), Part.VALUE, Span(at, at))
            self.findings.append(Finding("invalid-json", Severity.ERROR, "this is no valid JSON: "
                                         f"{getattr(error, 'msg', error)}", place,
                                         "write the file with `kb measure`, never by hand"))  # fmt: skip
            return
        read = compose(text, path)  # JSON is YAML's flow style: this gives the positions
        self.documents[path] = Document(path, text, data, read.values, read.keys)
        record, findings = shape(Evidence, data, Place(path))
        self.findings += findings
        if record is not None and self._fresh(self.evidence, record.id, path, "evidence record",
                                              own, ("id",)):  # fmt: skip
            self.evidence[record.id] = Entry(record, Place(path), own)

    def _fresh(self, known: dict[str, Any], key: str, path: str, what: str, own: bool,
               route: tuple[str, ...] = ("product",)) -> bool:  # fmt: skip
        """Whether `key` is new; a project may replace what came with the installation."""
        other = known.get(key)
        if other is None or (own and not other.own):
            return True
        self.findings.append(Finding(
            "duplicate-id", Severity.ERROR, f"the {what} '{key}' is defined twice",
            Place(path, route), "rename or remove one of the two",
            related=(Label(other.place, "the other definition"),)))  # fmt: skip
        return False

    def _add(self, rule: str, path: str, message: str, remedy: str) -> None:
        self.findings.append(Finding(rule, Severity.ERROR, message, Place(path), remedy))

    def loaded(self) -> Loaded:
        claims: dict[str, ClaimEntry] = {}
        for product in self.products.values():
            for i, claim in enumerate(product.value.claims):
                place = product.place.at("claims", i)
                entry = ClaimEntry(product.value, claim, place, product.own)
                if entry.id in claims:
                    self.findings.append(Finding(
                        "duplicate-id", Severity.ERROR, f"the claim '{entry.id}' is defined twice",
                        place.at("id"), "rename or remove one of the two",
                        related=(Label(claims[entry.id].place, "the other definition"),)))  # fmt: skip
                    continue
                claims[entry.id] = entry
        corpus = Corpus(self.documents, self.sources, tuple(self.families), self.products, claims,
                        self.decisions, self.evidence)  # fmt: skip
        return Loaded(corpus, tuple(self.findings), self.collected)


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f"the key {key!r} is written twice")
        result[key] = value
    return result

