"""A corpus that reads a file when something in it is asked for, and notes what was asked.

To a rule it is a corpus like any other. What was asked for while a file was judged is what
its result depends on.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from kb.checking.shelf import Shelf
from kb.checking.summary import View, view
from kb.corpus import ClaimEntry, Corpus, Entry, Names, ResultEntry
from kb.finding import Finding
from kb.load.overrides import merged
from kb.model.product import Family, Product
from kb.rules.unit import Contents

if TYPE_CHECKING:
    from kb.model.decision import Decision  # its model is built where one is read

V = TypeVar("V")
T = TypeVar("T")

OPEN = 256
"""Decisions and evidence records that one check keeps in memory. Specifications all are."""

FIELDS = {
    "product": "products",
    "source": "sources",
    "decision": "decisions",
    "evidence": "evidence",
    "artefact": "artefacts",
    "import": "imports",
    "kernels": "kernels",
    "study": "studies",
    "claim": "claims",
    "document": "documents",
}
"""Kinds of things that are looked up by id, and the field of a corpus that holds them."""


@dataclass(frozen=True)
class Whole:
    """A product with all its claims; `refused` is what could not be laid over it."""

    entry: Entry[Product] | None
    claims: Mapping[str, ClaimEntry]
    refused: tuple[Finding, ...] = ()


class Reader:
    """Reads single files, and notes what is asked for."""

    def __init__(
        self, shelf: Shelf, views: Mapping[str, View] | None = None, most: int | None = OPEN
    ) -> None:
        """`views` are files that were read before; without `most` all files stay in memory."""
        self.shelf, self._most = shelf, most
        self.noted: dict[str, None] = {}
        self._specs: dict[str, View] = {}
        self._others: OrderedDict[str, View] = OrderedDict()
        self._products: dict[str, Whole] = {}
        for path, seen in (views or {}).items():
            self._keep(path, seen)

    def view(self, path: str) -> View:
        """One file, read now where it isn't in memory."""
        found = self._specs.get(path) or self._others.get(path)
        if found is None:
            found = view(self.shelf.files[path])
            self._keep(path, found)
            while self._most is not None and len(self._others) > self._most:
                self._others.popitem(last=False)
        return found

    def _keep(self, path: str, seen: View) -> None:
        kept = self._specs if self.shelf.files[path].kind == "specs" else self._others
        kept[path] = seen

    def drop(self, path: str) -> None:
        """Forget a file that is not needed any more, unless all stay."""
        if self._most is not None:
            self._others.pop(path, None)

    @property
    def views(self) -> dict[str, View]:
        """Every file that is in memory."""
        return {**self._specs, **self._others}

    def note(self, asked: str) -> None:
        """Remember that something was asked for."""
        self.noted[asked] = None

    def contents(self, path: str) -> Contents:
        """The records of one file that count."""
        contents, seen = Contents(), self.view(path).corpus
        for declared in self.shelf.kept.get(path, ()):
            key = declared.key
            if declared.kind in ("product", "override"):
                self.note(f"claims:{key}")
                product = self.product(key)
                if declared.kind == "product" and product.entry is not None:
                    contents.products.append(product.entry)
                here = (entry for entry in product.claims.values() if entry.place.path == path)
                contents.claims.extend(here)
            elif declared.kind != "family":
                field = FIELDS[declared.kind]
                getattr(contents, field).append(getattr(seen, field)[key])
        contents.families.extend(seen.families)
        return contents

    def product(self, key: str) -> Whole:
        """A product that counts, or nothing, with what the project lays over it."""
        found = self._products.get(key)
        if found is None:
            found = self._products[key] = self._whole(key)
        return found

    def _whole(self, key: str) -> Whole:
        path = self.shelf.paths["product"].get(key)
        if path is None:
            return Whole(None, {})
        seen, over = self.view(path).corpus, self.shelf.overrides.get(key, ())
        entry = seen.products[key]
        claims = {name: one for name, one in seen.claims.items() if one.product is entry.value}
        if not over:
            return Whole(entry, claims)
        overrides = [one for p in over for one in self.view(p).overrides]
        products, laid, refused = merged({key: entry}, claims, overrides)
        return Whole(products[key], laid, refused)


class _Lookup(Mapping[str, V], Generic[V]):
    """Everything of one kind by id.

    A check does little as often as this, so nothing that `Mapping` could do is left to it.
    """

    def __init__(self, reader: Reader, kind: str) -> None:
        self._reader, self._kind, self._noted = reader, kind, reader.noted
        self._paths = reader.shelf.paths[kind]

    def _at(self, key: str) -> V:
        seen = self._reader.view(self._paths[key]).corpus
        found: V = getattr(seen, FIELDS[self._kind])[key]
        return found

    def __getitem__(self, key: str) -> V:
        self._noted[f"{self._kind}:{key}"] = None
        return self._at(key)

    @overload
    def get(self, key: str, /) -> V | None: ...
    @overload
    def get(self, key: str, /, default: V | T) -> V | T: ...
    def get(self, key: str, /, default: V | T | None = None) -> V | T | None:
        """One of them, or `default`."""
        self._noted[f"{self._kind}:{key}"] = None
        try:
            return self._at(key)
        except KeyError:
            return default

    def __contains__(self, key: object) -> bool:
        self._noted[f"{self._kind}?{key}"] = None
        return key in self._paths

    def __iter__(self) -> Iterator[str]:
        self._noted[f"{self._kind}*"] = None
        return iter(self._paths)

    def __len__(self) -> int:
        self._noted[f"{self._kind}*"] = None
        return len(self._paths)

    def items(self) -> ItemsView[str, V]:
        """Everything, which a result then depends on."""
        self._noted[f"{self._kind}**"] = None
        return {key: self._at(key) for key in self._paths}.items()

    def values(self) -> ValuesView[V]:
        """As `items`."""
        self._noted[f"{self._kind}**"] = None
        return {key: self._at(key) for key in self._paths}.values()


class _Products(_Lookup[Entry[Product]]):
    """Every product, with what the project lays over it."""

    def _at(self, key: str) -> Entry[Product]:
        entry = self._reader.product(key).entry if key in self._paths else None
        if entry is None:
            raise KeyError(key)
        return entry


class _Claims(_Lookup[ClaimEntry]):
    """Every claim; its path is the id of its product."""

    def __init__(self, reader: Reader, kind: str) -> None:
        super().__init__(reader, kind)
        self._seen: dict[str, ClaimEntry] = {}

    def _at(self, key: str) -> ClaimEntry:
        found = self._seen.get(key)
        if found is None:
            found = self._seen[key] = self._reader.product(self._paths[key]).claims[key]
        return found


LOOKUPS: dict[str, type[_Lookup[Any]]] = {"product": _Products, "claim": _Claims}
"""Kinds that are no records of one file alone."""


class _Families(Sequence[Entry[Family]]):
    """Every family of names; there are few, and they lie in few files."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def _all(self) -> list[Entry[Family]]:
        self._reader.note("families")
        paths = self._reader.shelf.family_files
        return [family for path in paths for family in self._reader.view(path).corpus.families]

    @overload
    def __getitem__(self, index: int) -> Entry[Family]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Entry[Family]]: ...
    def __getitem__(self, index: int | slice) -> Entry[Family] | Sequence[Entry[Family]]:
        return self._all()[index]

    def __len__(self) -> int:
        return len(self._all())


class LazyCorpus(Corpus):
    """The corpus of a shelf."""

    def __init__(self, reader: Reader) -> None:
        lookups: dict[str, Any] = {
            field: LOOKUPS.get(kind, _Lookup)(reader, kind) for kind, field in FIELDS.items()
        }
        families: Any = _Families(reader)
        super().__init__(families=families, **lookups)
        # A frozen data class has no other way in.
        object.__setattr__(self, "_reader", reader)

    _reader: Reader

    def claims_of(self, product: str) -> Iterator[ClaimEntry]:
        """Every claim of one product, in the order in which it is written."""
        self._reader.note(f"claims:{product}")
        return iter(self._reader.product(product).claims.values())

    @property
    def records(self) -> frozenset[str]:
        """The ids of all evidence, of whatever kind."""
        return frozenset(
            {*self.evidence, *self.artefacts, *self.studies, *self.imports, *self.kernels}
        )

    @property
    def results(self) -> Mapping[str, ResultEntry]:
        """Every published result by its full id."""
        self._reader.note("import**")
        return self._all_results

    @functools.cached_property
    def _all_results(self) -> Mapping[str, ResultEntry]:
        return Corpus(imports=dict(self.imports.items())).results

    def decisions_on(self, record: str) -> Iterator[tuple[str, Entry[Decision]]]:
        """Every decision that names this record as evidence, by id."""
        self._reader.note("decision**")  # each time: what is kept for the next asker notes nothing
        return super().decisions_on(record)

    @property
    def names(self) -> Names:
        """What every product is called."""
        self._reader.note("names")
        return self._all_names

    @functools.cached_property
    def _all_names(self) -> Names:
        return Names(tuple(self._reader.shelf.names()), tuple(self.families))
