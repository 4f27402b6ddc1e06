"""Texts to records: one reader for each kind of content, and every id only once."""

from __future__ import annotations

import json
from collections import ChainMap, Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from kb.characters import HIDDEN, hidden_character
from kb.corpus import ClaimEntry, Corpus, Entry, Naming
from kb.finding import Finding, Label, Severity
from kb.load.json_text import Size, hidden_in, json_places
from kb.load.limits import oversized
from kb.load.markdown import split
from kb.load.nodes import MAX_MISTAKES, compose, compose_at_once
from kb.load.overrides import merged
from kb.load.plain import may_hide
from kb.load.shape import shape
from kb.load.spec import read_installed, read_spec
from kb.model.product import Family, Override, Product, Source, SourceList
from kb.source import Document, Part, Place, Position, Span

if TYPE_CHECKING:
    from kb.model.artefact import Artefact
    from kb.model.decision import Decision
    from kb.model.evidence import Evidence
    from kb.model.kernels import KernelMatrix
    from kb.model.result import Import
    from kb.model.study import Study


MAX_BODY = 200_000
"""Characters of a decision's text: a hundred pages."""


@dataclass
class Gather:
    """What has been read so far. Content of the project may replace what came installed."""

    own: bool = True
    """Whether what is read now belongs to the checked project."""
    only_imports: bool = False
    """Whether of the evidence only published results are read."""
    documents: dict[str, Document] = field(default_factory=dict)
    sources: dict[str, Entry[Source]] = field(default_factory=dict)
    families: list[Entry[Family]] = field(default_factory=list)
    products: dict[str, Entry[Product]] = field(default_factory=dict)
    decisions: dict[str, Entry[Decision]] = field(default_factory=dict)
    evidence: dict[str, Entry[Evidence]] = field(default_factory=dict)
    artefacts: dict[str, Entry[Artefact]] = field(default_factory=dict)
    studies: dict[str, Entry[Study]] = field(default_factory=dict)
    imports: dict[str, Entry[Import]] = field(default_factory=dict)
    kernels: dict[str, Entry[KernelMatrix]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    claim_places: dict[str, list[Place]] = field(default_factory=dict)
    """Where each claim of a product is written, by product id."""
    overrides: list[Entry[Override]] = field(default_factory=list)

    def text(self, path: str, text: str, kind: str) -> None:
        """Read one file of a kind: `specs`, `decisions` or `evidence`."""
        readers: dict[str, Callable[[str, str], None]] = {
            "specs": self._spec,
            "decisions": self._decision,
            "evidence": self._evidence,
        }
        readers[kind](path, text)

    def _spec(self, path: str, text: str) -> None:
        spec = read_spec(path, text) if self.own else read_installed(path, text)
        read = spec.read
        self.findings += [*read.findings, *spec.findings]
        self.documents[path] = Document(path, text, read.data, read.values, read.keys)
        if isinstance(spec.record, SourceList):
            self._sources(path, spec.record)
        elif isinstance(spec.record, Override):
            self.overrides.append(Entry(spec.record, Place(path), self.own))
        elif spec.record is not None:
            self._product(path, spec.record, spec.kept)

    def _product(self, path: str, product: Product, kept: tuple[int, ...]) -> None:
        place = Place(path, ("product",))
        if not self.fresh(self.products, product.product, place, "product", product):
            return
        self.products[product.product] = Entry(product, Place(path), self.own)
        self.claim_places[product.product] = [Place(path, ("claims", i)) for i in kept]

    def _sources(self, path: str, listed: SourceList) -> None:
        for key, source in listed.sources.items():
            place = Place(path, ("sources", key))
            if self.fresh(self.sources, key, place, "source"):
                self.sources[key] = Entry(source, place, self.own)
        for i, family in enumerate(listed.families):
            self.families.append(Entry(family, Place(path, ("families", i)), self.own))

    def _decision(self, path: str, text: str) -> None:
        from kb.model.decision import Decision  # late: most commands read no decision

        parts, findings = split(text, path)
        self.findings += findings
        if parts is None:
            self.documents[path] = Document(path, text)
            return
        read = compose(parts.front, path, parts.front_line)
        self.findings += [*read.findings, *_hidden(parts.body, path, parts.body_line)]
        body = parts.body
        if len(body) > MAX_BODY:
            at = Position(parts.body_line, 1)
            place = Place(path, (), Part.VALUE, Span(at, at))
            message = f"the text has {len(body)} characters; {MAX_BODY} at most"
            remedy = "move what is no part of the decision to a page of its own"
            self._add("oversized-document", place, message, remedy)
            body = ""
        self.documents[path] = Document(
            path, text, read.data, read.values, read.keys, body, parts.body_line
        )
        if not isinstance(read.data, dict):
            if not read.findings:
                remedy = "write the decision's fields between the two '---' lines"
                self._add("front-matter", Place(path), "the front matter holds no fields", remedy)
            return
        decision, findings = shape(Decision, read.data, Place(path))
        self.findings += read.sound(findings)
        place = Place(path, ("id",))
        if decision and self.fresh(self.decisions, decision.id, place, "decision"):
            self.decisions[decision.id] = Entry(decision, Place(path), self.own)

    def _evidence(self, path: str, text: str) -> None:
        from kb.model.evidence import Evidence  # late, as above

        self.documents[path] = Document(path, text)
        size = Size()
        try:
            data = json.loads(text, object_pairs_hook=size)
        except (ValueError, RecursionError) as error:
            self._not_json(path, text, error)
            return
        imported = isinstance(data, dict) and data.get("evidence_class") == "imported"
        if told := oversized(size, data):
            self._add("oversized-document", Place(path), told, "record a smaller part of it")
            return
        values, keys = json_places(text)
        self.documents[path] = Document(path, text, data, values, keys)
        if may_hide(text):
            self.findings += islice(hidden_in(data, path, values, keys), MAX_MISTAKES)
        if imported:
            self._import(path, text, data)
            return
        if self.only_imports:
            return
        place = Place(path, ("id",))
        if isinstance(data, dict) and "study" in data:
            self._study(path, text, data, place)
            return
        if isinstance(data, dict) and data.get("evidence_class") == "compiled_not_executed":
            if "kind" in data:
                self._kernels(path, text, data, place)
                return
            self._artefact(path, text, data, place)
            return
        record, findings = shape(Evidence, data, Place(path), text)
        self.findings += findings
        if record and self.fresh(self.recorded, record.id, place, "evidence record"):
            self.evidence[record.id] = Entry(record, Place(path), self.own)

    def _not_json(self, path: str, text: str, error: ValueError | RecursionError) -> None:
        # Only YAML's reader says where a key is written twice.
        twice = [f for f in compose_at_once(text, path).findings if f.rule == "duplicate-key"]
        if twice and not isinstance(error, json.JSONDecodeError):
            self.findings += twice
            return
        at = Position(getattr(error, "lineno", 1), getattr(error, "colno", 1))
        place = Place(path, (), Part.VALUE, Span(at, at))
        message = f"this is no valid JSON: {_reason(error)}"
        self._add("invalid-json", place, message, "write the file with `kb measure`, never by hand")

    def _study(self, path: str, text: str, data: dict[str, Any], place: Place) -> None:
        """Several timed series side by side."""
        from kb.model.study import Study, disagreements  # late, as above

        record, findings = shape(Study, data, Place(path), text)
        self.findings += findings
        if record is None:
            return
        for route, message in disagreements(record):
            rule = "evidence-contradicts-itself"
            if route == ("content_hash",):
                rule = "evidence-hash-mismatch"
            remedy = "restore the file as it was written, or measure again; never edit it"
            self._add(rule, Place(path, route), message, remedy)
        if self.fresh(self.recorded, record.id, place, "evidence record"):
            self.studies[record.id] = Entry(record, Place(path), self.own)

    def _artefact(self, path: str, text: str, data: dict[str, Any], place: Place) -> None:
        """A compiled record, which has no samples and so another shape."""
        from kb.model.artefact import Artefact, hash_of  # late, as above

        record, findings = shape(Artefact, data, Place(path), text)
        self.findings += findings
        if record is None:
            return
        same = record.content_hash == hash_of(record)
        self._unaltered(path, record.id, "measure compile", same=same)
        if self.fresh(self.recorded, record.id, place, "evidence record"):
            self.artefacts[record.id] = Entry(record, Place(path), self.own)

    def _kernels(self, path: str, text: str, data: dict[str, Any], place: Place) -> None:
        """A compile matrix of CUDA kernels, which has neither samples nor a program."""
        from kb.model.kernels import KernelMatrix, hash_of  # late, as above

        record, findings = shape(KernelMatrix, data, Place(path), text)
        self.findings += findings
        if record is None:
            return
        same = record.content_hash == hash_of(record)
        self._unaltered(path, record.id, "measure cuda compile", same=same)
        if self.fresh(self.recorded, record.id, place, "evidence record"):
            self.kernels[record.id] = Entry(record, Place(path), self.own)

    @property
    def recorded(self) -> ChainMap[str, Any]:
        """Every evidence record of any kind, since they share a folder and a page's name."""
        return ChainMap[str, Any](
            self.evidence, self.artefacts, self.studies, self.imports, self.kernels
        )

    def _unaltered(self, path: str, record: str, action: str, *, same: bool) -> None:
        """Refuse a compiled record whose content was changed after it was written."""
        if not same:
            message = f"the content of {record} does not give its content hash"
            remedy = f"write the record again with `kb {action}`, never by hand"
            self._add("evidence-hash-mismatch", Place(path, ("content_hash",)), message, remedy)

    def _import(self, path: str, text: str, data: dict[str, Any]) -> None:
        """Published results: hundreds in one file."""
        from kb.model.result import Import, hash_of  # late, as above

        record, findings = shape(Import, data, Place(path), text)
        self.findings += findings
        if record is None:
            return
        same = record.content_hash == hash_of(record)
        self._unaltered(path, record.id, "import mlperf", same=same)
        twice = [key for key, n in Counter(r.id for r in record.results).items() if n > 1]
        for key in twice:
            index = [i for i, r in enumerate(record.results) if r.id == key][1]
            where = Place(path, ("results", index))
            self._add("duplicate-id", where, f"the result '{key}' is here twice", "import it again")
        place = Place(path, ("id",))
        if not twice and self.fresh(self.recorded, record.id, place, "evidence record"):
            self.imports[record.id] = Entry(record, Place(path), self.own)

    def fresh(
        self,
        known: Mapping[str, Any],
        key: str,
        place: Place,
        what: str,
        product: Product | Naming | None = None,
    ) -> bool:
        """Whether `key` is free; a project may replace what came with the installation.

        A `product` may take the place of one that is the same sort of accelerator.
        """
        if key == "index" and what != "source":
            message = f"no {what} may have the id 'index': it is the name of a section's page"
            self._add("malformed-value", place, message, "give it another id")
            return False
        other = known.get(key)
        if other is None:
            return True
        if self.own and not other.own:
            if product is not None and self._is_another_sort(product, place, other):
                return False
            self._replaces(what, key, place, other.place)
            return True
        self._twice(what, key, place, other.place)
        return False

    def _is_another_sort(
        self, product: Product | Naming, place: Place, other: Entry[Product | Naming]
    ) -> bool:
        """Whether an installed accelerator would become something else, which is a finding.

        Else a run on a processor could be filed under what came as a TPU or a GPU.
        """
        was, now = other.value.accelerator, product.accelerator
        if was is None or now == was:
            return False
        told = f"a {now}" if now else "no accelerator"
        message = f"'{product.product}' came with kb as a {was}, and this is {told}"
        label = Label(other.place, "the installed one")
        self._add("replaced-record", place, message, "give it an id of its own", label)
        return True

    def _replaces(self, what: str, key: str, place: Place, other: Place) -> None:
        """Say that the project's own record takes the place of an installed one.

        A copy of the installed file says nothing new, so nothing is said about it.
        """
        if self.documents[place.path].text == self.documents[other.path].text:
            return
        message = f"the {what} '{key}' takes the place of the one that came with kb"
        label = Label(other, "the installed one, which is no longer used")
        remedy = "rename it, unless other figures for this very product are meant"
        warning = Severity.WARNING
        self.findings.append(
            Finding("replaced-record", warning, message, place, remedy, "", (label,))
        )

    def _twice(self, what: str, key: str, place: Place, other: Place) -> None:
        label = Label(other, "the other definition")
        self._add(
            "duplicate-id",
            place,
            f"the {what} '{key}' is defined twice",
            "rename or remove one of the two",
            label,
        )

    def _add(self, rule: str, place: Place, message: str, remedy: str, *related: Label) -> None:
        self.findings.append(Finding(rule, Severity.ERROR, message, place, remedy, "", related))

    def corpus(self) -> Corpus:
        """Everything read so far, with claims by their full ids."""
        claims: dict[str, ClaimEntry] = {}
        for product in self.products.values():
            places = self.claim_places[product.value.product]
            for claim, place in zip(product.value.claims, places, strict=True):
                entry = ClaimEntry(product.value, claim, place, product.own)
                if entry.id in claims:
                    self._twice("claim", entry.id, place.at("id"), claims[entry.id].place)
                else:
                    claims[entry.id] = entry
        products, claims, refused = merged(self.products, claims, self.overrides)
        self.findings += refused
        return Corpus(
            self.documents,
            self.sources,
            tuple(self.families),
            products,
            claims,
            self.decisions,
            self.evidence,
            self.artefacts,
            self.studies,
            self.imports,
            self.kernels,
        )


def _hidden(body: str, path: str, first_line: int) -> Iterator[Finding]:
    """The finding for the first hidden character of a body, if there is one."""
    if bad := HIDDEN.search(body):
        line = first_line + body.count("\n", 0, bad.start())
        column = bad.start() - body.rfind("\n", 0, bad.start())
        span = Span(Position(line, column), Position(line, column + 1))
        yield hidden_character(bad[0], path, span)


def _reason(error: ValueError | RecursionError) -> str:
    """Why a JSON text can't be read, without the advice that Python gives to programmers."""
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    return str(error).partition(";")[0]
