"""Products and sources: what a number is about, and who printed it."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from kb.model.base import Day, Line, Record, Slug, Text, Whole
from kb.model.claim import Claim, OtherInterface
from kb.model.device_kinds import AMBIGUOUS, CPU, NAMELESS, PRODUCT_OF_KIND, known_as
from kb.qualifiers import Interface, Layer, Precision, Scope

SourceKind = Literal[
    "vendor_page",
    "vendor_manual",
    "vendor_code",
    "textbook",
    "third_party_copy",
    "tool_output",
    "compiler",
]


class Source(Record):
    """One document that printed figures. Listed once, in `specs/sources.yml`."""

    title: Line
    """Title of the document."""
    publisher: Line
    """Who published it."""
    kind: SourceKind
    """What sort of document it is."""
    address: Line | None = None
    """Where it was found."""
    version: Line | None = None
    """Edition, version or date line of the document."""
    retrieved: Day | None = None
    """The day on which the copy was read."""
    copy_of: Slug | None = None
    """The source that a third-party copy repeats."""
    note: Text | None = None
    """What a reader must know about the copy."""


class Part(Record):
    """How many parts of one kind make up a scope."""

    of: Scope
    """The kind of part."""
    count: Whole
    """How many of them."""
    topology: Line | None = None
    """How they are joined."""
    source: Slug | None = None
    """Id of the source that states it."""
    locator: Line | None = None
    """Where in the source."""


class Links(Record):
    """How many links of one interface leave one accelerator."""

    interface: Interface | OtherInterface
    """The kind of link."""
    count: Whole
    """Links (or ports) of one accelerator."""
    unit: Literal["link", "port"] = "link"
    """The vendor's word for one of them."""
    source: Slug
    """Id of the source that states it."""
    locator: Line | None = None
    """Where in the source."""


class DirectionSum(Record):
    """A statement that figures of one interface add up two equal directions."""

    interface: Interface | OtherInterface
    """The kind of link."""
    source: Slug
    """Id of the source that states it."""
    locator: Line
    """Where in the source."""
    reasoning: Text
    """What the source says, in our words."""


class SparseMode(Record):
    """Whether the matrix units have a structured-sparse mode."""

    mode: Literal["structured_2_4", "none"]
    """The mode, or `none`."""
    precisions: tuple[Precision, ...] = ()
    """Formats that have the mode."""
    source: Slug | None = None
    """Id of the source that states it."""
    assessment: Text | None = None
    """The reasoning, where no source states it."""


class ReportedName(Record):
    """The name by which a device of the product is known to the software that drives it.

    `kb measure device` prints both. A run on a device of this name is a run on the product.
    """

    platform: Line
    """JAX's word for the backend: `gpu`, `tpu`, `cpu`, or that of a plug-in."""
    kind: Line
    """The name that the driver gives, as in `NVIDIA B200`; of a processor its model's name."""


def refusal_of_names(
    product: str, names: tuple[ReportedName, ...], layer: Layer, accelerator: Scope | None
) -> str | None:
    """Why devices of these names can't be the product; None when they can.

    A product that names its accelerator is never a processor, so that no run on a CPU can
    speak for a TPU or a GPU.
    """
    if names and layer is not Layer.ACCELERATOR:
        return f"a product of the layer {layer} is no device"
    processors = [name for name in names if name.platform.casefold() == CPU]
    if processors and accelerator is not None:
        return (
            f"a run on a CPU never speaks for a {accelerator}; leave 'accelerator' out of a "
            "product that is a processor"
        )
    if processors and len(processors) < len(names):
        return "a product is a processor or it is none; describe the two as two products"
    if any(name.platform != CPU or name.kind.casefold() in NAMELESS for name in processors):
        return (
            f"JAX calls every processor '{CPU}'; write 'platform: {CPU}' and as 'kind' the "
            "model's name that `kb measure device` prints"
        )
    for name in names:
        if (known := PRODUCT_OF_KIND.get(name.kind, product)) != product:
            return f"a device that reports {name.kind!r} is {known}"
        if name.kind in AMBIGUOUS:
            return f"devices of several products report {name.kind!r}"
    if names and (told := known_as(product)):
        listed = " or ".join(map(repr, told))
        return f"its devices report {listed}, and no other device is {product}"
    return None


_RANKS = (
    (Scope.DIE, Scope.CORE),
    (Scope.CHIP, Scope.GPU),
    (Scope.BOARD,),
    (Scope.HOST,),
    (Scope.SLICE, Scope.RACK, Scope.POD),
)
"""Scopes by size. Within the first and the last line vendors differ in what holds what."""
_RANK = {scope: rank for rank, scopes in enumerate(_RANKS) for scope in scopes}
_OPEN_RANKS = (0, len(_RANKS) - 1)


def _sound_composition(parts: dict[Scope, Part]) -> dict[Scope, Part]:
    """Refuse a part that is no smaller than its whole, and a scope that contains itself."""
    for scope, part in parts.items():
        rank = _RANK[scope]
        if _RANK[part.of] > rank or (_RANK[part.of] == rank and rank not in _OPEN_RANKS):
            raise ValueError(f"a {scope} can't be made of {part.of}s: a part is smaller")
        inner: Scope | None = part.of
        for _ in parts:
            if inner is scope:
                raise ValueError(f"a {scope} can't contain itself, as it does through {part.of}")
            inner = parts[inner].of if inner in parts else None
    return parts


class Product(Record):
    """A named offering with an identity, and every claim about it."""

    product: Slug
    """Id of the product: `hgx-b200`."""
    name: Line
    """Full name."""
    vendor: Line
    """Who makes it."""
    layer: Layer
    """The layer of the stack it lives on."""
    accelerator: Literal[Scope.CHIP, Scope.GPU] | None = None
    """The vendor's word for one accelerator."""
    summary: Text
    """What it is, in one or two sentences."""
    aliases: tuple[Line, ...] = ()
    """Other names that mean exactly this product."""
    devices: tuple[ReportedName, ...] = ()
    """The names that its devices report, where the measurement module knows none of its own."""
    not_to_be_confused_with: tuple[Slug, ...] = ()
    """Products with similar names or figures."""
    composition: Annotated[dict[Scope, Part], AfterValidator(_sound_composition)] = {}
    """How a scope is made of smaller ones: a board of 8 GPUs."""
    links: tuple[Links, ...] = ()
    """How many links one accelerator has."""
    direction_sums: tuple[DirectionSum, ...] = ()
    """Interfaces whose figures are stated to add two equal directions."""
    sparse_mode: SparseMode | None = None
    """Whether there is a structured-sparse mode."""
    claims: Annotated[tuple[Claim, ...], Field()] = ()
    """Every fact slot."""

    @field_validator("devices")
    @classmethod
    def _sound_names(
        cls, names: tuple[ReportedName, ...], seen: ValidationInfo
    ) -> tuple[ReportedName, ...]:
        known = seen.data
        if {"product", "layer", "accelerator"} <= set(known):  # else that field has a finding
            why = refusal_of_names(known["product"], names, known["layer"], known["accelerator"])
            if why is not None:
                raise ValueError(why)
        return names

    def reports(self, platform: str, name: str) -> bool:
        """Whether its specification says that its devices report this name."""
        return any((one.platform, one.kind) == (platform, name) for one in self.devices)

    @property
    def is_dense_only(self) -> bool:
        """Whether a source or an assessment says that it has no structured-sparse mode."""
        return self.sparse_mode is not None and self.sparse_mode.mode == "none"

    def count_in(self, scope: Scope, part: Scope) -> int | None:
        """How many `part`s one `scope` has along the composition; None where unknown.

        Chip and GPU are one level. Dies are never counted: a die is no accelerator.
        """
        count = 1
        for _ in range(len(self.composition) + 1):
            if scope is part or {scope, part} == {Scope.CHIP, Scope.GPU}:
                return count
            entry = self.composition.get(scope)
            if entry is None or entry.of is Scope.DIE:
                return None
            scope, count = entry.of, count * entry.count
        return None


class Override(Record):
    """What a project corrects in a product of the installed catalogue, or adds to it."""

    overrides: Slug
    """Id of the installed product."""
    reason: Text
    """Why the project departs from the catalogue; shown wherever the claims are."""
    claims: tuple[Claim, ...] = ()
    """Whole claims: one with an installed id takes its place, any other is added."""
    devices: tuple[ReportedName, ...] = ()
    """Names that its devices report, besides those that the installed product has."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.claims and not self.devices:
            raise ValueError("it changes nothing; give it 'claims' or 'devices'")
        return self


class Family(Record):
    """A name that several products share, so that it alone names none of them."""

    name: Line
    """The shared name: `H100`."""
    members: tuple[Slug, ...]
    """The products it may mean."""
    note: Text | None = None
    """How to tell them apart."""


class SourceList(Record):
    """The content of `specs/sources.yml`."""

    sources: dict[Slug, Source]
    """Every source by id."""
    families: tuple[Family, ...] = ()
    """Names that several products share."""
