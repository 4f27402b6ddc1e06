"""All files of a project side by side: which record counts, and in what state it is.

The shelf is built from summaries alone. What a rule later looks up has a *state* here, a
short text that changes when the answer could change; so a stored result says exactly what it
depends on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from kb.checking.summary import Declared, Summary, digest
from kb.corpus import Entry, Naming
from kb.files import INSTALLED, RawFile
from kb.finding import Finding
from kb.load.gather import Gather
from kb.load.overrides import misplaced
from kb.rules.result import Located
from kb.source import Document, Place

ABSENT, PRESENT = "-", "+"
WHATS = dict.fromkeys(("evidence", "artefact", "import", "study", "kernels"), "evidence record")
KINDS = frozenset({"product", "source", "decision", "claim", "document", *WHATS})
ROUTES: dict[str, tuple[str, ...]] = {"product": ("product",), "family": ("families",)}


@dataclass
class Shelf:
    """Every record that counts, by kind and id, with the file that holds it."""

    files: Mapping[str, RawFile]
    summaries: Mapping[str, Summary]
    coarse: bool
    """Whether a claim's state is that of its file: the project's own rules may look anywhere."""
    history: Mapping[str, str] = field(default_factory=dict)
    """The state of each decision's past in git, by path."""
    paths: dict[str, dict[str, str]] = field(default_factory=dict)
    """By kind and id: the file; for a claim its product."""
    overrides: dict[str, list[str]] = field(default_factory=dict)
    """By product: the files that are laid over it."""
    kept: dict[str, list[Declared]] = field(default_factory=dict)
    """By file: the records that count."""
    clashes: list[Finding] = field(default_factory=list)
    """Ids that are taken, and records that take the place of installed ones."""

    def __post_init__(self) -> None:
        """Go through the files in their order; the first record of an id counts."""
        self.states: dict[str, str] = {}
        self.paths = {kind: {} for kind in KINDS}
        self._recorded: dict[str, str] = {}
        for path, summary in self.summaries.items():
            if summary.text is None:
                continue
            self.states[f"document:{path}"] = summary.text
            self.paths["document"][path] = path
            for declared in summary.declared:
                self._take(path, declared)
        self._lay_over()
        self._claims()
        self.states["names"] = digest(*(str(one) for one in self.names()), self._families_state())
        self.states["families"] = self._families_state()

    def _take(self, path: str, declared: Declared) -> None:
        """Let a record count, unless another one of its id does."""
        kind, key = declared.kind, declared.key
        if kind not in ("family", "override"):
            # Every evidence record of any kind shares one folder, and so the ids.
            taken = self._recorded if kind in WHATS else self.paths[kind]
            other = taken.get(key)
            if (other or key == "index") and not self._counts(path, declared, other):
                return
            replaced = self.paths[kind].get(key)
            if replaced is not None:
                self.kept[replaced] = [d for d in self.kept[replaced] if d.key != key]
            taken[key] = self.paths[kind][key] = path
            self.states[f"{kind}:{key}"] = declared.digest
        self.kept.setdefault(path, []).append(declared)

    def _counts(self, path: str, declared: Declared, other: str | None) -> bool:
        """Whether a record counts beside the one in another file; what to say of it is noted."""
        kind, key = declared.kind, declared.key
        route = ("sources", key) if kind == "source" else ROUTES.get(kind, ("id",))
        paths = (path, other) if other else (path,)
        documents = {p: Document(p, self.summaries[p].text or "") for p in paths}
        gather = Gather(own=self.files[path].own, documents=documents)
        known = {key: self._stub(kind, key, other)} if other else {}
        counts = gather.fresh(
            known, key, Place(path, route), WHATS.get(kind, kind), declared.naming
        )
        self.clashes += gather.findings
        return counts

    def _stub(self, kind: str, key: str, path: str) -> Entry[Any]:
        """A record of which only its naming, its place and whose it is are asked for."""
        place = Place(path, ("sources", key)) if kind == "source" else Place(path)
        return Entry(self._naming(key, path), place, self.files[path].own)

    def _naming(self, key: str, path: str) -> Naming | None:
        return next((d.naming for d in self.kept[path] if d.key == key and d.naming), None)

    def _lay_over(self) -> None:
        products: Mapping[str, Any] = self.paths["product"]
        for path, kept in self.kept.items():
            for declared in kept:
                if declared.kind != "override":
                    continue
                key, own = declared.key, self.files[path].own
                stub: Any = SimpleNamespace(overrides=key)
                target = self._stub("product", key, products[key]) if key in products else None
                if problem := misplaced(Entry(stub, Place(path), own), target, products):
                    self.clashes.append(problem)
                else:
                    self.overrides.setdefault(key, []).append(path)

    def _claims(self) -> None:
        for key, path in self.paths["product"].items():
            (declared,) = (d for d in self.kept[path] if (d.kind, d.key) == ("product", key))
            over = self.overrides.get(key, ())
            coarse = ""
            if self.coarse or over:
                coarse = digest(*(self.states[f"document:{p}"] for p in (path, *over)))
            laid = (d for p in over for d in self.kept[p] if (d.kind, d.key) == ("override", key))
            for claim, state in (pair for d in (declared, *laid) for pair in d.claims):
                name = f"{key}/{claim}"
                self.paths["claim"][name] = key
                self.states[f"claim:{name}"] = coarse or state
            self.states[f"claims:{key}"] = coarse or digest(declared.claims)
            self.states[f"product:{key}"] = coarse or declared.digest

    def names(self) -> Iterator[Naming]:
        """What every product is called, in their order."""
        for key, path in self.paths["product"].items():
            if naming := self._naming(key, path):
                yield naming

    @cached_property
    def family_files(self) -> tuple[str, ...]:
        """Files that list families."""
        kept = self.kept.items()
        return tuple(path for path, here in kept if any(d.kind == "family" for d in here))

    def _families_state(self) -> str:
        return digest("families", *(self.states[f"document:{p}"] for p in self.family_files))

    def state(self, asked: str) -> str:
        """The state of what was asked for; `-` for what is not there.

        `kind:id` is a record, `kind?id` whether there is one, `kind*` every id, `kind**` every
        record of a kind.
        """
        found = self.states.get(asked)
        if found is None:
            kind, mark, key = asked.partition("?")
            if mark and kind in KINDS:
                return PRESENT if f"{kind}:{key}" in self.states else ABSENT
            if asked.rstrip("*") in KINDS:
                found = self.states[asked] = self._whole_kind(asked)
        return found or ABSENT

    def _whole_kind(self, asked: str) -> str:
        """The state of all ids of a kind (`kind*`), or of all its records (`kind**`)."""
        kind = asked.rstrip("*")
        keys = self.paths[kind]
        if asked.endswith("**"):
            return digest([(key, self.states[f"{kind}:{key}"]) for key in keys])
        return digest(list(keys))

    def states_of(self, asked: Iterable[str]) -> dict[str, str]:
        """The state of each thing that was asked for."""
        return {name: self.state(name) for name in asked}

    def changed(self, states: Mapping[str, str]) -> set[str]:
        """What is not in the state any more in which it was."""
        return {name for name, state in states.items() if self.state(name) != state}

    def recorded(self) -> set[str]:
        """Files that became a record."""
        kinds = {"product", "source", "family", "decision", "evidence", "import"}
        return {path for path, kept in self.kept.items() if any(d.kind in kinds for d in kept)}

    def doubled(self) -> Iterator[Located]:
        """Claims that are written twice in products that count."""
        for path, kept in self.kept.items():
            if any(declared.kind == "product" for declared in kept):
                yield from self.summaries[path].doubled

    def own_paths(self) -> list[str]:
        """The project's own documents, in the order in which they are read."""
        return [
            path
            for path, summary in self.summaries.items()
            if summary.text is not None and not path.startswith(INSTALLED)
        ]
