"""Reading single fields of MLPerf files: words, counts, units, and numbers with their digits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Literal, TypeVar

from kb.model.result import Flag, FlagKind, SkipReason
from kb.qualifiers import Availability, Division, Metric, Scenario, Suite, Word

SCENARIOS = {
    "offline": Scenario.OFFLINE,
    "server": Scenario.SERVER,
    "interactive": Scenario.INTERACTIVE,
    "singlestream": Scenario.SINGLE_STREAM,
    "multistream": Scenario.MULTI_STREAM,
}
Counted = Literal[Metric.RATE, Metric.LATENCY]
"""What the load generator counts."""

UNITS: dict[str, tuple[Counted, str]] = {
    "samples/s": (Metric.RATE, "samples/s"),
    "tokens/s": (Metric.RATE, "tokens/s"),
    "queries/s": (Metric.RATE, "queries/s"),
    "latency (ms)": (Metric.LATENCY, "ms"),
    "latency (ns)": (Metric.LATENCY, "ns"),
}
"""Units as MLCommons spells them, without case, and in the vocabulary's spelling."""

FITTING: dict[Scenario, frozenset[str]] = {
    Scenario.OFFLINE: frozenset({"samples/s", "tokens/s"}),
    Scenario.SERVER: frozenset({"queries/s", "samples/s", "tokens/s"}),
    Scenario.INTERACTIVE: frozenset({"tokens/s"}),
    Scenario.SINGLE_STREAM: frozenset({"ms", "ns"}),
    Scenario.MULTI_STREAM: frozenset({"ms", "ns"}),
}
"""The units in which each scenario's primary metric is published."""

W = TypeVar("W", bound=Word)

NODES_AT_MOST = 100_000
_WHOLE = re.compile(r"\d{1,7}\Z")


class UnusableError(Exception):
    """A row or file that can't become a result, with the reason. Never leaves this room."""

    def __init__(self, reason: SkipReason, note: str) -> None:
        super().__init__(note)
        self.reason = reason
        self.note = note


@dataclass
class Row:
    """The fields of one result while it is read, and the flags it has collected."""

    data: Mapping[str, object]
    flags: list[Flag] = field(default_factory=list)

    def flag(self, kind: FlagKind, note: str) -> None:
        """Note one oddity; each once."""
        if Flag(kind=kind, note=note) not in self.flags:
            self.flags.append(Flag(kind=kind, note=note))

    def text(self, name: str, *, needed: bool = False) -> str:
        """A field as text on one line, blanks at its ends taken off; empty where it is missing."""
        value = self.data.get(name)
        text = "" if value is None or isinstance(value, (dict, list)) else str(value)
        text = " ".join(text.split())
        if needed and not text:
            raise UnusableError(SkipReason.FIELD_MISSING, f"the field {name!r} is missing or empty")
        return text

    def count(self, name: str) -> int | None:
        """A whole number; None where there is none. A count written as text is flagged."""
        value = self.data.get(name)
        if value is None or value == "" or isinstance(value, bool):
            return None
        text = str(value).strip()
        if not _WHOLE.match(text) or not 0 < int(text) <= NODES_AT_MOST:
            if text not in ("0", "N/A"):
                self.flag(FlagKind.COUNT_AS_TEXT, f"{name} is {text!r}, which is no count")
            return None
        if isinstance(value, str):
            self.flag(FlagKind.COUNT_AS_TEXT, f"{name} is the text {value!r}")
        return int(text)


def division(text: str) -> Division:
    """The division; raises `UnusableError` for another word."""
    return _word(Division, text.lower(), "division")


def availability(text: str) -> Availability:
    """The category; raises `UnusableError` for another word."""
    return _word(Availability, text.lower(), "availability")


def suite(text: str) -> Suite:
    """The kind of system; one that is submitted for both counts as datacenter."""
    return _word(Suite, text.lower().partition(",")[0].strip(), "suite")


def scenario(text: str) -> Scenario:
    """The scenario in any of its spellings; raises `UnusableError` for another word."""
    found = SCENARIOS.get(re.sub(r"[\s_-]", "", text.lower()))
    if found is None:
        known = ", ".join(member.value for member in Scenario)
        raise UnusableError(SkipReason.UNKNOWN_WORD, f"scenario {text!r} is none of {known}")
    return found


def _word(kind: type[W], text: str, what: str) -> W:
    try:
        return kind.of(text)
    except KeyError:
        known = ", ".join(member.value for member in kind)
        raise UnusableError(
            SkipReason.UNKNOWN_WORD, f"{what} {text!r} is none of {known}"
        ) from None


def performance(row: Row, value: object, unit: str, where: Scenario) -> tuple[Counted, str]:
    """Metric and printed value, as in `31.7754 samples/s`; unfit units are flagged.

    Raises `UnusableError` where there is no positive number or the unit is unknown.
    """
    number = digits(value)
    if number is None:
        raise UnusableError(SkipReason.NO_PERFORMANCE, f"the performance is {str(value)!r}")
    known = UNITS.get(" ".join(unit.lower().split()))
    if known is None:
        raise UnusableError(SkipReason.NO_PERFORMANCE, f"the unit {unit!r} is unknown")
    metric, label = known
    if label not in FITTING[where]:
        latency = metric is Metric.LATENCY
        kind = FlagKind.LATENCY_FOR_THROUGHPUT if latency else FlagKind.UNIT_UNFIT
        wanted = " or ".join(sorted(FITTING[where]))
        row.flag(kind, f"{unit} for {where.value.replace('_', ' ')}, which counts {wanted}")
    return metric, f"{number} {label}"


def digits(value: object) -> str | None:
    """A positive number with the digits of its source; None for anything else.

    The `.0` that JSON writers put behind whole numbers says nothing and is taken off.
    """
    if isinstance(value, bool) or not isinstance(value, (int, Decimal, str)):
        return None
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    if not number.is_finite() or not 0 < number < Decimal(10) ** 18:
        return None
    text = f"{number:f}"
    return text.removesuffix(".0")
