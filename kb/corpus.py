"""Everything that was loaded, by id. No files, no terminals: rules and pages see only this."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from kb.model.claim import AXES, Claim
from kb.model.product import Family, Product, Source
from kb.qualifiers import Layer, Scope
from kb.source import Document, Place

if TYPE_CHECKING:
    # Building their models would be a tenth of the time of a look at one claim.
    from kb.model.artefact import Artefact
    from kb.model.decision import Decision
    from kb.model.evidence import Evidence
    from kb.model.kernels import KernelMatrix
    from kb.model.result import Import, PublishedResult
    from kb.model.study import Study

T_co = TypeVar("T_co", covariant=True)

_BLANKS = re.compile(r"[\s\u00a0\u2009\u202f_]+")
_UNSTATED = re.compile(r"\s*\((?:variant|part|model) (?:unstated|unknown)\)$")


@dataclass(frozen=True)
class Entry(Generic[T_co]):
    """A record and the place where it is written.

    The record itself stays free of positions: equal content in two files is equal.
    """

    value: T_co
    place: Place
    own: bool = True
    """False for what came with the installation instead of the checked project."""


@dataclass(frozen=True)
class ClaimEntry:
    """A claim with the product it belongs to and its place."""

    product: Product = field(repr=False)  # it holds the claim, and all the others
    claim: Claim
    place: Place
    own: bool = True
    override: str = ""
    """Why the project corrects or adds this claim of an installed product; empty elsewhere."""
    replaced: Claim | None = field(default=None, repr=False)
    """The installed claim that an override took the place of."""

    @cached_property
    def id(self) -> str:
        """`<product>/<claim>`."""
        return f"{self.product.product}/{self.claim.id}"

    @cached_property
    def axes(self) -> Mapping[str, object]:
        """Qualifiers of the current statement; an axis that has none is absent."""
        found = ((axis, self.claim.value_of(axis)) for axis in AXES)
        return {axis: value for axis, value in found if value is not None}


@dataclass(frozen=True)
class ResultEntry:
    """A published benchmark result with the import that it came in by, and its place."""

    record: Import
    result: PublishedResult
    place: Place
    own: bool = True

    @property
    def id(self) -> str:
        """`<import>/<result>`."""
        return f"{self.record.id}/{self.result.id}"


@dataclass(frozen=True)
class Identity:
    """What a product name was found to mean."""

    name: str
    product: Product | None = None
    candidates: tuple[str, ...] = ()
    """Ids of the products that share the name, where it names none of them alone."""


@dataclass(frozen=True, slots=True)
class Naming:
    """How one product is called, what it is, and what it must not be taken for."""

    product: str
    name: str
    vendor: str
    layer: Layer
    accelerator: Scope | None
    aliases: tuple[str, ...]
    not_to_be_confused_with: tuple[str, ...]
    own: bool
    place: Place

    @classmethod
    def of(cls, entry: Entry[Product]) -> Naming:
        """The names of one product."""
        product = entry.value
        return cls(
            product.product,
            product.name,
            product.vendor,
            product.layer,
            product.accelerator,
            product.aliases,
            product.not_to_be_confused_with,
            entry.own,
            entry.place,
        )


@dataclass(frozen=True, eq=False)
class Names:
    """The names of every product and family. Small, and enough to recognise all of them."""

    products: tuple[Naming, ...]
    families: tuple[Entry[Family], ...]

    @functools.cached_property
    def families_by_name(self) -> dict[str, Entry[Family]]:
        """Every family by its normal name; the last one, where two share it."""
        return {normal_name(family.value.name): family for family in self.families}

    @functools.cached_property
    def meaning(self) -> dict[str, tuple[str, ...]]:
        """Ids of the products that a normal name may mean."""
        names: dict[str, tuple[str, ...]] = {}
        for product in self.products:
            for name in (product.product, product.name, *product.aliases):
                for spelling in (name, f"{product.vendor} {name}"):
                    known = names.get(normal_name(spelling), ())
                    names[normal_name(spelling)] = tuple(dict.fromkeys((*known, product.product)))
        for family in self.families:
            # A family name wins: whoever lists it says that the bare name is not enough.
            names[normal_name(family.value.name)] = family.value.members
        return names

    def holders(self, spelling: str) -> tuple[Naming, ...]:
        """The products that go by a normal name; what came with the installation first."""
        return tuple(self._holders.get(spelling, ()))

    @functools.cached_property
    def _holders(self) -> dict[str, list[Naming]]:
        found: dict[str, list[Naming]] = {}
        for naming in sorted(self.products, key=lambda naming: naming.own):
            names = (naming.product, naming.name, *naming.aliases)
            spellings = (s for name in names for s in (name, f"{naming.vendor} {name}"))
            for spelling in dict.fromkeys(map(normal_name, spellings)):
                found.setdefault(spelling, []).append(naming)
        return found

    def confusable_with(self, product: str) -> tuple[str, ...]:
        """The products that this one, or that themselves, warn of the mistake."""
        return self._warnings.get(product, ())

    @functools.cached_property
    def _warnings(self) -> dict[str, tuple[str, ...]]:
        order = {naming.product: number for number, naming in enumerate(self.products)}
        found: dict[str, dict[str, None]] = {}
        for naming in self.products:
            for other in naming.not_to_be_confused_with:
                if other in order and other != naming.product:
                    found.setdefault(naming.product, {})[other] = None
                    found.setdefault(other, {})[naming.product] = None
        return {
            product: tuple(sorted(others, key=order.__getitem__))
            for product, others in found.items()
        }


@dataclass(frozen=True, repr=False)
class Corpus:
    """A loaded knowledge base."""

    documents: Mapping[str, Document] = field(default_factory=dict)
    sources: Mapping[str, Entry[Source]] = field(default_factory=dict)
    families: tuple[Entry[Family], ...] = ()
    products: Mapping[str, Entry[Product]] = field(default_factory=dict)
    claims: Mapping[str, ClaimEntry] = field(default_factory=dict)
    decisions: Mapping[str, Entry[Decision]] = field(default_factory=dict)
    evidence: Mapping[str, Entry[Evidence]] = field(default_factory=dict)
    artefacts: Mapping[str, Entry[Artefact]] = field(default_factory=dict)
    """Compiled evidence: it lies in the same folder and holds no sample of any kind."""
    studies: Mapping[str, Entry[Study]] = field(default_factory=dict)
    """Several timed series side by side, with the figures that follow from them."""
    imports: Mapping[str, Entry[Import]] = field(default_factory=dict)
    """Imported evidence: one file each of results that somebody else published."""
    kernels: Mapping[str, Entry[KernelMatrix]] = field(default_factory=dict)
    """What CUDA compilers made of hand-written kernels; also without samples."""

    def __repr__(self) -> str:
        """How much it holds: all of it would be megabytes."""
        held = ("products", "claims", "decisions", "evidence")
        return f"Corpus({', '.join(f'{name}: {len(getattr(self, name))}' for name in held)})"

    @functools.cached_property
    def verdicts(self) -> dict[tuple[int, int, bool], tuple[object, ...]]:
        """The last verdicts on two sides, kept by `kb.compare` for whoever asks next."""
        return {}

    @functools.cached_property
    def records(self) -> frozenset[str]:
        """The ids of all evidence, of whatever kind: measured, compiled or imported."""
        tables = (self.evidence, self.artefacts, self.studies, self.imports, self.kernels)
        return frozenset(name for table in tables for name in table)

    @functools.cached_property
    def results(self) -> Mapping[str, ResultEntry]:
        """Every published result by its full id."""
        found = {}
        for entry in self.imports.values():
            for index, result in enumerate(entry.value.results):
                place = entry.place.at("results", index)
                item = ResultEntry(entry.value, result, place, entry.own)
                found[item.id] = item
        return found

    def claims_of(self, product: str) -> Iterator[ClaimEntry]:
        """Every claim of one product, in the order in which it is written."""
        return iter(self._claims_by_product.get(product, ()))

    @functools.cached_property
    def _claims_by_product(self) -> dict[str, list[ClaimEntry]]:
        grouped: dict[str, list[ClaimEntry]] = {}
        for entry in self.claims.values():
            grouped.setdefault(entry.product.product, []).append(entry)
        return grouped

    def decisions_on(self, record: str) -> Iterator[tuple[str, Entry[Decision]]]:
        """Every decision that names this record as evidence, by id."""
        return iter(self._decisions_by_record.get(record, ()))

    @functools.cached_property
    def _decisions_by_record(self) -> dict[str, list[tuple[str, Entry[Decision]]]]:
        grouped: dict[str, list[tuple[str, Entry[Decision]]]] = {}
        for key, entry in sorted(self.decisions.items()):
            for record in dict.fromkeys(entry.value.evidence):
                grouped.setdefault(record, []).append((key, entry))
        return grouped

    @functools.cached_property
    def names(self) -> Names:
        """What every product is called."""
        return Names(tuple(map(Naming.of, self.products.values())), tuple(self.families))

    def identify(self, name: str) -> Identity:
        """The product that `name` means exactly, or the several that it may mean.

        An unknown name has neither: it is never guessed from its parts, so that GB200 is
        never read as B200.
        """
        bare = _UNSTATED.sub("", name)
        found = self.names.meaning.get(normal_name(bare), ())
        if bare != name and len(found) < 2:
            members = [
                f.value.members
                for f in self.names.families
                if found and found[0] in f.value.members
            ]
            found = members[0] if members else found
            return Identity(name, None, found or (name,))
        if len(found) == 1 and found[0] in self.products:
            return Identity(name, self.products[found[0]].value)
        return Identity(name, None, found)


def normal_name(name: str) -> str:
    """A name without differences of case, blanks, underscores and registered marks."""
    return _BLANKS.sub(" ", name.replace("®", "").replace("™", "")).strip().casefold()
