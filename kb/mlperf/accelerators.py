"""From the names in MLPerf files to products of the catalogue; what is not sure is `other`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from kb.corpus import ClaimEntry, Corpus
from kb.mlperf.fields import Row
from kb.model.evidence import OTHER
from kb.model.result import FlagKind
from kb.operand import operand_of_claim
from kb.qualifiers import Metric, Scope
from kb.quantity import Quantity, QuantityError, parse_quantity

PRODUCTS: tuple[tuple[str, str], ...] = (
    (r"NVIDIA B200-SXM(?:-\d+GB)?", "hgx-b200"),
    (r"NVIDIA B300-SXM(?:-\d+GB)?", "hgx-b300"),
    (r"NVIDIA H200-SXM(?:-\d+GB)?", "h200-sxm"),
    (r"NVIDIA H200-NVL(?:-\d+GB)?", "h200-nvl"),
    (r"NVIDIA H100-SXM(?:-\d+GB)?", "h100-sxm"),
    (r"NVIDIA H100-NVL(?:-\d+GB)?", "h100-nvl"),
    (r"NVIDIA H100-PCIe(?:-\d+GB)?", "h100-pcie"),
    (r"AMD Instinct MI300X(?: \d+GB HBM3)?", "mi300x"),
    (r"AMD Instinct MI325X(?: \d+GB HBM3e)?", "mi325x"),
    (r"AMD Instinct MI355X(?: \d+GB HBM3e)?", "mi355x"),
    (r"(?:Google )?TPU[ -]?v6e?", "tpu-v6e"),
    (r"(?:Google )?TPU[ -]?v5e", "tpu-v5e"),
    (r"(?:Google )?TPU[ -]?v5p", "tpu-v5p"),
)
"""Names that mean one product. TPU v6 is how the round before its launch calls v6e."""

RACKS: tuple[tuple[str, str], ...] = (
    (r"NVIDIA GB200", "gb200-nvl72"),
    (r"NVIDIA GB300", "gb300-nvl72"),
)
"""GPUs that several products hold: only a system that is named NVL72 settles which."""

_VIRTUAL = re.compile(r"^virtuali[sz]ed\s+", re.I)
_SEVERAL = re.compile(r",|\s\+\s|\(x\d+\)")
_SPEED = re.compile(r"\d[\d,.]*\s*[GT]B/s(?:ec)?", re.I)


def product_of(row: Row, printed: str, system: str, corpus: Corpus) -> str:
    """The product id of an accelerator, or `other`; says on the row why it is not sure."""
    if not printed:
        row.flag(FlagKind.NO_ACCELERATOR, "no accelerator is named")
        return OTHER
    name = _VIRTUAL.sub("", printed)
    if name != printed:
        row.flag(FlagKind.VIRTUALISED, f"{printed!r}")
    if _SEVERAL.search(name):
        row.flag(FlagKind.MIXED_ACCELERATORS, f"{printed!r}")
        return OTHER
    found = _meant(PRODUCTS, name, corpus.products)
    if found is not None:
        return found
    shared = _meant(RACKS, name, corpus.products)
    if shared is not None:
        if "NVL72" in system.upper():
            return shared
        members = ", ".join(corpus.identify(name).candidates) or shared
        row.flag(FlagKind.AMBIGUOUS_ACCELERATOR, f"{printed!r} may be in {members}")
        return OTHER
    row.flag(FlagKind.UNKNOWN_ACCELERATOR, f"{printed!r}")
    return OTHER


def _meant(names: tuple[tuple[str, str], ...], printed: str, known: Collection[str]) -> str | None:
    for pattern, product in names:
        if product in known and re.fullmatch(pattern, printed, re.I):
            return product
    return None


def doubt_figures(row: Row, product: str, memory: str, interconnect: str, corpus: Corpus) -> None:
    """Flag what a system description says of one accelerator and the catalogue does not.

    The figure stays as it is. A board's own figure is called that; capacities are held
    against every statement, superseded ones too, since descriptions age.
    """
    claims = list(corpus.claims_of(product))
    if memory:
        _held_against(row, memory, Metric.MEMORY_CAPACITY, claims, "memory")
    for speed in _SPEED.findall(interconnect):
        _held_against(row, speed, Metric.LINK_BANDWIDTH, claims, "interconnect")


def _held_against(
    row: Row, printed: str, metric: Metric, claims: list[ClaimEntry], what: str
) -> None:
    try:
        given = parse_quantity(printed, metric)
    except QuantityError:
        return
    of_one = list(_printed(claims, metric, whole=False))
    of_whole = list(_printed(claims, metric, whole=True))
    if not of_one or any(q.interval.overlaps(given.interval) for q in of_one):
        return
    seen = {q.text: q for q in of_whole if q.interval.overlaps(given.interval)}
    usual = ", ".join(dict.fromkeys(q.text for q in of_one))
    if seen:
        row.flag(
            FlagKind.FIGURE_OF_BOARD,
            f"{what} {printed} for one accelerator is the total of the whole system; "
            f"one has {usual}",
        )
    else:
        row.flag(FlagKind.FIGURE_DIFFERS, f"{what} {printed}; the catalogue has {usual}")


def _printed(claims: list[ClaimEntry], metric: Metric, *, whole: bool) -> Iterator[Quantity]:
    """What the catalogue prints for one accelerator, or for a whole system."""
    for entry in claims:
        if entry.claim.metric is not metric:
            continue
        for statement in entry.claim.statements:
            try:
                operand = operand_of_claim(entry, statement)
            except QuantityError:
                continue
            scope = operand.get("scope")
            if isinstance(scope, Scope) and (scope.level == 3) is whole and scope.level >= 2:
                yield operand.quantity
