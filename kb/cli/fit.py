"""`kb fit`: does a model fit into one device, in exact bytes, against which capacity."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from kb.cli.amounts import amount_of_bytes, count, whole
from kb.cli.catalogue import claim, open_corpus, product
from kb.compare import compare
from kb.compare.ratio import fraction_doubts
from kb.corpus import ClaimEntry, Corpus
from kb.estimate import Demand, EstimateError, Fit, fit
from kb.estimate.fit import BITS, best_capacity
from kb.finding import CheckError
from kb.operand import operand_of_claim
from kb.pages.text import plural
from kb.pages.words import name as words
from kb.qualifiers import Basis, Precision, Scope
from kb.quantity import decimal_text

WORDS = {"fits": "fits", "does_not_fit": "does not fit", "undetermined": "undetermined"}


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("fit", help="does a model fit in memory")
    parser.add_argument("product", help="id, name or alias of a product")
    parser.add_argument("--parameters", type=whole, required=True, help="such as 70e9")
    formats = [precision.value for precision in BITS]
    parser.add_argument(
        "--type", choices=formats, default="bf16", help="format of parameters (default: bf16)"
    )
    parser.add_argument(
        "--shards", type=whole, default=1, help="devices that share the parameters (default: 1)"
    )
    parser.add_argument(
        "--optimizer", type=count, default=Fraction(0), metavar="BYTES",
        help="bytes of optimizer state and gradients for one parameter (default: 0)",
    )  # fmt: skip
    for name, text in (
        ("activations", "bytes of activations or cache on one device"),
        ("replicated", "bytes that every device holds in full"),
        ("buffers", "bytes of temporary collective buffers on one device"),
    ):
        parser.add_argument(
            f"--{name}",
            type=amount_of_bytes,
            default=Fraction(0),
            metavar="BYTES",
            help=f"{text}, such as 3GiB (default: 0)",
        )
    parser.add_argument(
        "--capacity",
        metavar="CLAIM",
        help="capacity claim of one accelerator (default: what software can use, else what the "
        "device reports, else what is advertised)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--exit-code", action="store_true", help="end with 1 unless it fits")


def run(args: argparse.Namespace) -> int:
    """Print the answer; a capacity that is no single pool is exit 2."""
    corpus = open_corpus(args, kinds=("specs",)).corpus
    device = product(corpus, args.product)
    demand = Demand(
        args.parameters,
        Precision.of(args.type),
        args.shards,
        args.optimizer,
        args.activations,
        args.replicated,
        args.buffers,
    )
    try:
        entry = (
            claim(corpus, args.capacity) if args.capacity else best_capacity(device.product, corpus)
        )
        answer = fit(demand, entry)
    except EstimateError as error:
        raise CheckError(str(error), error.remedy) from None
    if entry.product.product != device.product:
        raise CheckError(
            f"{entry.id} is the memory of another product than {device.product}",
            f"name a capacity of {device.product}",
        )
    cautions = tuple(_cautions(answer, entry, corpus))
    if args.json:
        print(json.dumps(_data(answer, cautions)))
    else:
        print("\n".join(_lines(answer, cautions)))
    return 1 if args.exit_code and answer.verdict != "fits" else 0


def _cautions(answer: Fit, entry: ClaimEntry, corpus: Corpus) -> Iterator[str]:
    """What to know beside the answer, in every form in which it is given."""
    if answer.basis not in (Basis.USABLE, Basis.DEVICE_REPORTED):
        yield "what software can allocate is less than what is advertised"
    yield from _parts(entry, corpus)
    yield from _doubts(entry, corpus)


def _parts(entry: ClaimEntry, corpus: Corpus) -> Iterator[str]:
    """That a framework sees each core of an accelerator as a device with its own memory."""
    for other in corpus.claims_of(entry.product.product):
        core = other.claim
        if (
            core.metric is entry.claim.metric
            and core.value_of("scope") is Scope.CORE
            and core.value_of("interface") == entry.claim.value_of("interface")
        ):
            yield (
                f"a framework may see each core as a device of {core.current.published} "
                f"({other.id}): count shards in those"
            )


def _doubts(entry: ClaimEntry, corpus: Corpus) -> Iterator[str]:
    """What `compare` cautions about where more can be used than the label promises."""
    side = operand_of_claim(entry)
    for other in corpus.claims_of(entry.product.product):
        basis = other.claim.value_of("basis")
        if (
            other.claim.metric is entry.claim.metric
            and all(
                other.claim.value_of(axis) == entry.claim.value_of(axis)
                for axis in ("interface", "scope")
            )
            and isinstance(basis, Basis)
            and basis.family == "vendor"
        ):
            label = operand_of_claim(other)
            for caution in fraction_doubts(compare(side, label, corpus).fraction, side.metric):
                yield f"{caution.text} ({other.id} = {label.quantity.text})"


def _lines(answer: Fit, cautions: Iterable[str]) -> Iterator[str]:
    capacity = answer.capacity
    yield f"{WORDS[answer.verdict]}: {_bytes(answer.needed)} needed on each device"
    for name, amount in answer.demand.parts().items():
        if amount:
            yield f"  {name}: {_bytes(amount)}"
    printed = f"{capacity.text} = {_bytes(capacity.value)}, {capacity.claim}"
    yield f"  capacity ({words(answer.basis)}): {printed}"
    yield from (f"  caution: {caution}" for caution in cautions)
    free = capacity.interval.low - answer.needed
    if answer.verdict == "fits":
        yield f"  left over: {_bytes(free)} at least"
    if answer.verdict == "undetermined":
        yield "  the answer depends on digits of the capacity that were not printed"
    devices = plural(answer.demand.shards, "device")
    yield f"  estimated for a model split evenly over {devices}; nothing ran"


def _data(answer: Fit, cautions: Iterable[str]) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "evidence_class": "estimated",
        "verdict": answer.verdict,
        "shards": answer.demand.shards,
        "needed_bytes": float(answer.needed),
        "parts_bytes": {name: float(amount) for name, amount in answer.demand.parts().items()},
        "capacity": answer.capacity.claim,
        "capacity_basis": answer.basis.value,
        "capacity_bytes": float(answer.capacity.value),
        "cautions": list(cautions),
    }


def _bytes(value: Fraction) -> str:
    for power, unit in ((9, "GB"), (6, "MB"), (3, "kB")):
        if value >= 10**power:
            return f"{decimal_text(value / 10**power, 6)} {unit}"
    return f"{decimal_text(value)} B"
