"""What a device says of itself, held against what the catalogue says of its product.

Each figure of the device becomes one side of a comparison and is judged like any other
number. So a label of 180 GB is no failing of a device that lists 183359 MiB; another figure
than the one that devices of this product list is.
"""

from __future__ import annotations

from dataclasses import dataclass

from kb.compare import compare
from kb.corpus import ClaimEntry, Corpus, Identity
from kb.model.claim import Statement
from kb.model.evidence import OTHER, Device, Hardware
from kb.model.product import Product
from kb.operand import Operand, operand_of_claim
from kb.qualifiers import (
    ROLE_OF_INTERFACE,
    Aggregation,
    Basis,
    Interface,
    Metric,
    PowerState,
    Scope,
    Word,
)
from kb.quantity import QuantityError, parse_quantity
from kb.verdict import Verdict

MIB = 2**20
HALF_CHIP = frozenset({"tpu7x"})
"""Products of which JAX shows each half of a chip as a device: no claim is about a half."""


class Agreement(Word):
    """What holding a figure of the device against a claim comes to."""

    AGREES = "agrees", "Both are one quantity, and the printed digits allow them to be equal."
    DIFFERS = "differs", "Both are one quantity, and they differ beyond the printed digits."
    OTHER_QUANTITY = "other_quantity", "They are two quantities, so neither speaks for the other."
    UNDETERMINED = "undetermined", "A source leaves open what would decide it."


@dataclass(frozen=True, slots=True)
class Figure:
    """One number that the device gives of itself."""

    what: str
    """What it is and who says so."""
    metric: Metric
    text: str
    """Number and unit, as a source would print it."""
    basis: Basis


@dataclass(frozen=True, slots=True)
class Held:
    """A figure of the device beside one claim of its product."""

    figure: Figure
    claim: str
    published: str
    basis: str
    agreement: Agreement
    verdict: Verdict


def figures(device: Device, hardware: Hardware | None) -> tuple[Figure, ...]:
    """The figures that a catalogue may know too; clocks change while one looks and are none.

    What JAX may use of a GPU is a setting of its allocator, so only a TPU's is taken.
    """
    found = []
    if hardware is not None:
        # Whole MiB and the rest cut off, as the driver's own tool prints it.
        total = f"{hardware.memory_bytes // MIB} MiB"
        found.append(Figure("memory, by the driver", Metric.MEMORY_CAPACITY, total,
                            Basis.DEVICE_REPORTED))  # fmt: skip
        if hardware.power_limit_watts is not None:
            limit = f"{hardware.power_limit_watts:g} W"
            found.append(Figure("power limit, by the driver", Metric.POWER, limit,
                                Basis.DEVICE_REPORTED))  # fmt: skip
    if device.platform == "tpu" and device.memory_bytes and device.product not in HALF_CHIP:
        found.append(Figure("memory, by JAX", Metric.MEMORY_CAPACITY, f"{device.memory_bytes} B",
                            Basis.USABLE))  # fmt: skip
    return tuple(found)


def hold(device: Device, hardware: Hardware | None, corpus: Corpus) -> tuple[Held, ...]:
    """Every figure of the device beside every claim of its product that is about the same.

    Empty where the device is no product of the catalogue. Pure: no I/O.
    """
    if device.product == OTHER:
        return ()
    entries = tuple(corpus.claims_of(device.product))
    pairs = ((f, e) for f in figures(device, hardware) for e in entries if _about(e, f))
    return tuple(held for figure, entry in pairs if (held := _best(figure, entry, corpus)))


def _about(entry: ClaimEntry, figure: Figure) -> bool:
    """Whether a claim is about one accelerator's figure of this kind."""
    scope = entry.claim.value_of("scope")
    one = isinstance(scope, Scope) and scope.level == 2
    memory = figure.metric is Metric.MEMORY_CAPACITY
    in_hbm = entry.claim.value_of("interface") is Interface.HBM
    return entry.claim.metric is figure.metric and one and (in_hbm or not memory)


def _best(figure: Figure, entry: ClaimEntry, corpus: Corpus) -> Held | None:
    """The figure beside the current statement, or beside a standing one that it agrees with."""
    standing = [s for s in entry.claim.statements if s.status != "superseded"]
    found = [
        held
        for statement in (entry.claim.current, *standing)
        if (held := _held(figure, entry, statement, corpus))
    ]
    agreeing = (held for held in found if held.agreement is Agreement.AGREES)
    return next(agreeing, found[0] if found else None)


def _held(figure: Figure, entry: ClaimEntry, statement: Statement, corpus: Corpus) -> Held | None:
    try:
        claimed = operand_of_claim(entry, statement)
    except QuantityError:  # `kb check` says so; there is nothing to hold against
        return None
    verdict = compare(_operand(figure, entry.product, claimed), claimed, corpus)
    return Held(
        figure=figure,
        claim=entry.id,
        published=claimed.quantity.text,
        basis=claimed.word("basis"),
        agreement=_agreement(verdict),
        verdict=verdict,
    )


def _operand(figure: Figure, product: Product, claimed: Operand) -> Operand:
    axes: dict[str, object] = {
        "scope": claimed.get("scope"),  # one accelerator, by whichever word
        "basis": figure.basis,
    }
    if figure.metric is Metric.MEMORY_CAPACITY:
        axes |= {
            "interface": Interface.HBM,
            "role": ROLE_OF_INTERFACE[Interface.HBM],
            "aggregation": Aggregation.PER_DEVICE,
        }
    else:
        axes["power_state"] = PowerState.UNSTATED  # a limit may have been set by anybody
    return Operand(
        label="this device",
        identity=Identity(product.name, product),
        metric=figure.metric,
        quantity=parse_quantity(figure.text, figure.metric),
        axes=axes,
    )


def _agreement(verdict: Verdict) -> Agreement:
    if verdict.interval is not None and verdict.allows_ratio:
        return Agreement.AGREES if 1 in verdict.interval else Agreement.DIFFERS
    open_only = all(reason.state == "open" for reason in verdict.reasons)
    return Agreement.UNDETERMINED if open_only else Agreement.OTHER_QUANTITY
