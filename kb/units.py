"""Units: the labels that sources print, each mapped to one unit of our own vocabulary.

The vocabulary is `units.txt` (pint's format); this is the only module that knows pint.
Labels are a closed table. A label with two readings, such as `gb`, is refused with the
spellings to choose from; an unknown label is refused with the nearest known ones.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from kb.qualifiers import Metric

if TYPE_CHECKING:
    import pint

DECIMAL = {"": "", "k": "kilo", "M": "mega", "G": "giga", "T": "tera", "P": "peta", "E": "exa"}
BINARY = {"Ki": "kibi", "Mi": "mebi", "Gi": "gibi", "Ti": "tebi", "Pi": "pebi"}
PER_SECOND = ("/s", "ps", "/sec", "/second")


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit of the vocabulary, such as `gigabyte / second`."""

    name: str
    """The expression in our vocabulary."""
    symbol: str
    """The canonical spelling, such as `GB/s`."""
    kind: str
    """Which family of unit it is: a key of `KINDS`."""
    prefix: str = ""
    """`decimal`, `binary` or empty: which powers the prefix counts in."""

    @property
    def factor(self) -> Fraction:
        """How many base units of its kind one of this unit is, exactly."""
        return _factor(self.name)

    @property
    def dimension(self) -> str:
        """The dimension as the vocabulary derives it, such as `[information] / [time]`."""
        return _dimension(self.name)

    @property
    def counts_bits(self) -> bool:
        """True where one base step is a bit instead of a byte."""
        return self.name.split(" ")[0].endswith("bit")


KINDS: dict[str, str] = {
    "information": "an amount of data",
    "information_rate": "data in a second",
    "flop_rate": "floating-point operations in a second",
    "op_rate": "integer or unspecified operations in a second",
    "power": "power",
    "energy": "energy",
    "frequency": "cycles in a second",
    "time": "a time",
    "token_rate": "tokens in a second",
    "sample_rate": "samples in a second",
    "query_rate": "queries in a second",
    "money_rate": "money for an hour",
    "number": "a number of parts",
}
"""Every kind of unit, as words for a message."""

KINDS_OF_METRIC: dict[Metric, tuple[str, ...]] = {
    Metric.MEMORY_CAPACITY: ("information",),
    Metric.MEMORY_BANDWIDTH: ("information_rate",),
    Metric.LINK_BANDWIDTH: ("information_rate",),
    Metric.COMPUTE_THROUGHPUT: ("flop_rate", "op_rate"),
    Metric.POWER: ("power",),
    Metric.ENERGY: ("energy",),
    Metric.FREQUENCY: ("frequency",),
    Metric.COUNT: ("number",),
    Metric.LATENCY: ("time",),
    Metric.RATE: ("token_rate", "sample_rate", "query_rate"),
    Metric.PRICE: ("money_rate",),
}
"""Which kinds of unit a metric may be printed in."""

COUNTED: dict[str, tuple[str, ...]] = {
    "accelerator": ("chip", "chips", "GPU", "GPUs", "gpu", "gpus", "accelerators", "packages"),
    "core": ("core", "cores"),
    "tensorcore": ("TensorCore", "TensorCores"),
    "sparsecore": ("SparseCore", "SparseCores"),
    "multiprocessor": ("SM", "SMs"),
    "die": ("die", "dies"),
    "link": ("link", "links"),
    "port": ("port", "ports"),
    "host": ("host", "hosts"),
    "virtual_machine": ("VM", "VMs"),
    "matrix_unit": ("MXU", "MXUs", "matrix units"),
    "tensor_core": ("Tensor Core", "Tensor Cores"),
    "virtual_cpu": ("vCPU", "vCPUs"),
    "cpu": ("CPU", "CPUs"),
    "network_card": ("NIC", "NICs"),
    "lane": ("lane", "lanes"),
    "bit_of_width": ("bits",),
    "part": ("", "unit", "units", "part", "parts"),
}
"""Words that a printed count may carry, by what they count."""


def _data_labels() -> dict[str, Unit]:
    labels: dict[str, Unit] = {}

    def add(spellings: tuple[str, ...], prefix: str, base: str, symbol: str) -> None:
        family = "binary" if prefix in BINARY.values() else "decimal" if prefix else ""
        amount = Unit(f"{prefix}{base}", symbol, "information", family)
        rate = Unit(f"{prefix}{base} / second", f"{symbol}/s", "information_rate", family)
        for spelling in spellings:
            labels[spelling] = amount
            labels.update({spelling + ending: rate for ending in PER_SECOND})

    for short, long in (DECIMAL | BINARY).items():
        if short == "":
            add(("B", "byte", "bytes"), "", "byte", "B")
            add(("bit", "bits"), "", "bit", "bit")
            continue
        add(
            (
                f"{short}B",
                f"{short}Byte",
                f"{short}Bytes",
                f"{long}byte",
                f"{long}bytes",
                f"{long.title()}bytes",
            ),
            long,
            "byte",
            f"{short}B",
        )
        bits = (f"{short}bit", f"{short}bits", f"{long}bit", f"{long}bits", f"{long.title()}bits")
        add(bits if short in ("k", "Ki") else (*bits, f"{short}b"), long, "bit", f"{short}bit")
    return labels


def _operation_labels() -> dict[str, Unit]:
    labels: dict[str, Unit] = {}
    for short, long in DECIMAL.items():
        family = "decimal" if short else ""
        flop = Unit(f"{long}flop / second", f"{short}FLOP/s", "flop_rate", family)
        op = Unit(f"{long}op / second", f"{short}OP/s", "op_rate", family)
        for root, unit in (("FLOP", flop), ("OP", op)):
            lower, words = root.lower(), [f"{short}{root}"]
            words += [
                f"{prefix}{name}"
                for prefix in (long, long.title())
                for name in (
                    root,
                    lower,
                    "Ops" if root == "OP" else "Flops",
                    "Op" if root == "OP" else "Flop",
                )
            ]
            for word in words:
                base = word.removesuffix("s")
                for ending in ("S", "s", "/s", "s/s", "ps", "/sec", "s/sec", "s/second", "/second"):
                    labels[base + ending] = unit
    return labels


def _plain_labels() -> dict[str, Unit]:
    labels: dict[str, Unit] = {}

    def add(kind: str, name: str, symbol: str, *spellings: str, prefix: str = "") -> None:
        unit = Unit(name, symbol, kind, prefix)
        labels.update(dict.fromkeys((symbol, *spellings), unit))

    for short, long in {"m": "milli", "": "", "k": "kilo", "M": "mega"}.items():
        family = "decimal" if short else ""
        add("power", f"{long}watt", f"{short}W", f"{long}watt", f"{long}watts", prefix=family)
        add("energy", f"{long}joule", f"{short}J", f"{long}joule", f"{long}joules", prefix=family)
    for short, long in {"": "", "k": "kilo", "M": "mega"}.items():
        family = "decimal" if short else ""
        add("energy", f"{long}watt * hour", f"{short}Wh", prefix=family)
    for short, long in {"": "", "k": "kilo", "M": "mega", "G": "giga"}.items():
        family = "decimal" if short else ""
        add("frequency", f"{long}hertz", f"{short}Hz", prefix=family)
    for short, long in {"n": "nano", "u": "micro", "m": "milli", "": ""}.items():
        other: tuple[str, ...] = ("µs", "μs", "usec") if short == "u" else (f"{short}sec",)
        words = (f"{long}second", f"{long}seconds")
        add("time", f"{long}second", f"{short}s", *words, *other, prefix="decimal" if long else "")
    add("time", "minute", "min", "minute", "minutes")
    add("time", "hour", "h", "hour", "hours")
    for thing in ("token", "sample", "query"):
        many = "queries" if thing == "query" else f"{thing}s"
        spellings = [
            f"{word}{ending}"
            for word in (thing, many)
            for ending in ("/s", "/sec", "/second", " per second")
        ]
        add(f"{thing}_rate", f"{thing} / second", f"{many}/s", *spellings)
    add("money_rate", "usd / hour", "USD/h", "USD/hour", "$/h", "$/hour")
    for thing, counted in COUNTED.items():
        unit = Unit(thing, counted[0], "number")
        labels.update(dict.fromkeys(counted, unit))
    return labels


@functools.cache
def labels() -> dict[str, Unit]:
    """Every printed label that has exactly one reading, with its unit."""
    return _data_labels() | _operation_labels() | _plain_labels()


@functools.cache
def ambiguous() -> dict[str, tuple[str, ...]]:
    """Labels with two readings, each with the spellings to choose from."""
    table: dict[str, tuple[str, ...]] = {"KB": ("kB", "KiB"), "Kb": ("kbit", "Kibit")}
    for letter in "KMGT":
        small = letter.lower()
        proper = small if letter == "K" else letter
        table[letter] = (f"{proper}B", f"{letter}iB")
        table[f"{small}b"] = (f"{proper}B", f"{proper}bit")
        for ending in PER_SECOND:
            table[f"{small}b{ending}"] = (f"{proper}B/s", f"{proper}bit/s")
            table[f"{letter}{ending}"] = (f"{proper}B/s", f"{letter}iB/s", f"{proper}bit/s")
    for ending in PER_SECOND:
        table[f"KB{ending}"] = ("kB/s", "KiB/s")
        table[f"Kb{ending}"] = ("kbit/s", "Kibit/s")
        table.setdefault(f"b{ending}", ("B/s", "bit/s"))
    table["b"] = ("B", "bit")
    return {label: choices for label, choices in table.items() if label not in labels()}


def suggest(label: str) -> tuple[str, ...]:
    """Up to three known labels that look like an unknown one."""
    near = difflib.get_close_matches(label, labels(), n=8, cutoff=0.6)
    return tuple(dict.fromkeys(labels()[word].symbol for word in near))[:3]


@functools.cache
def _registry() -> pint.UnitRegistry[Fraction]:
    # Imported here: pint costs more to import than reading the whole catalogue.
    import pint

    return pint.UnitRegistry(str(DEFINITIONS), non_int_type=Fraction)


def in_pint(number: Fraction, name: str) -> pint.Quantity[Fraction]:
    """A number in a unit of the vocabulary as pint has it; its magnitude stays exact.

    It belongs to the vocabulary's own registry, in which GB/s has no way to Hz. Quantities
    of two registries don't mix, which pint says itself.
    """
    return _registry().Quantity(number, name)


DEFINITIONS = Path(__file__).with_name("units.txt")
FACTORS = Path(__file__).with_name("factors.txt")
"""What pint makes of `units.txt`, a line a unit; written by the test that holds it against pint."""


def factors_text() -> str:
    """The content of `factors.txt`, computed by pint: name, factor to base units, dimension."""
    rows = [_definitions_digest()]
    for name in sorted({unit.name for unit in labels().values()}):
        factor = Fraction(_registry().Quantity(Fraction(1), name).to_base_units().magnitude)
        rows.append(f"{name}\t{factor}\t{_registry().Unit(name).dimensionality}")
    return "\n".join(rows) + "\n"


def _definitions_digest() -> str:
    return hashlib.sha256(DEFINITIONS.read_bytes()).hexdigest()


@functools.cache
def _factors() -> dict[str, tuple[Fraction, str]]:
    """Factor and dimension of every unit; nothing where `units.txt` was changed since.

    Pint with its registry costs more than judging a hundred decisions, and its answers about
    our vocabulary never change.
    """
    digest, *rows = FACTORS.read_text("utf-8").splitlines()
    if digest != _definitions_digest():
        return {}
    split = (row.split("\t") for row in rows)
    return {name: (Fraction(factor), dimension) for name, factor, dimension in split}


@functools.cache
def _factor(name: str) -> Fraction:
    if name in _factors():
        return _factors()[name][0]
    return Fraction(_registry().Quantity(Fraction(1), name).to_base_units().magnitude)


@functools.cache
def _dimension(name: str) -> str:
    if name in _factors():
        return _factors()[name][1]
    return str(_registry().Unit(name).dimensionality)
